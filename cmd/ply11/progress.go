// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"ply11/bitstream/archive"
)

// progress shows how far the work is, if the standard error is a terminal.
type progress struct {
	bar   *progressbar.ProgressBar
	start time.Time
}

// newProgress returns a progress over a number of bytes, -1 if it is not known.
func newProgress(what string, size int64, quiet bool) *progress {
	if quiet || !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	if size <= 0 {
		size = -1
	}
	return &progress{start: time.Now(), bar: progressbar.NewOptions64(size, progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionSetDescription(what), progressbar.OptionShowBytes(true), progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth())}
}

// set tells how many bytes are done, with what was counted.
func (p *progress) set(bytes int64, s archive.Stats) {
	if p == nil {
		return
	}
	seconds := max(time.Since(p.start).Seconds(), 0.001)
	p.bar.Describe(fmt.Sprintf("%d games, %.0f games/s, %.1f M plies/s", s.Games, float64(s.Games)/seconds,
		float64(s.Plies)/seconds/1e6))
	p.bar.Set64(bytes)
}

// advance tells that so many bytes more are done.
func (p *progress) advance(bytes int64) {
	if p != nil {
		p.bar.Add64(bytes)
	}
}

// tell is set with what an archive has come to.
func (p *progress) tell(s archive.Stats) { p.set(s.Bytes, s) }

func (p *progress) finish() {
	if p != nil {
		p.bar.Finish()
	}
}
