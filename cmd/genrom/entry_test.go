// SPDX-License-Identifier: Apache-2.0

package main

// Run is the program without its process. ProgressEvery is how often it tells of its progress.
var (
	Run           = run
	ProgressEvery = &progressEvery
)
