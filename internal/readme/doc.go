// SPDX-License-Identifier: Apache-2.0

// Package readme keeps README.md and docs/icebram.md true: its test runs every command and every
// program that they show, and compares what they print with what the files say they print.
//
// In a ```console block, a line that begins with "$ " is a command, for a shell in the project's
// folder, and the lines up to the next are its output. A ```go block that begins with "package main"
// is a program, and the ```text block after it its output. In an output, a line "..." stands for any
// lines, and "#" for any number.
package readme
