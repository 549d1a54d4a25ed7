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

// progress shows how far the work is, if the standard error is a terminal. It may be nil.
type progress struct {
	bar    *progressbar.ProgressBar
	start  time.Time
	before archive.Stats // what was there when the work began, and is not counted
	games  bool          // the bar is of games, not of bytes
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
		progressbar.OptionSetDescription(what), progressbar.OptionShowBytes(true),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish(),
		progressbar.OptionFullWidth())}
}

func newGamesProgress(what string, games int64, quiet bool) *progress {
	p := newProgress(what, games, quiet)
	if p != nil {
		p.games = true
		progressbar.OptionShowBytes(false)(p.bar)
	}
	return p
}

// since makes the progress leave out what was there before.
func (p *progress) since(before archive.Stats) *progress {
	if p != nil {
		p.before = before
	}
	return p
}

// set sets how many bytes are done, and what was counted.
func (p *progress) set(bytes int64, s archive.Stats) {
	if p == nil {
		return
	}
	s.Games -= p.before.Games
	s.Plies -= p.before.Plies
	p.bar.Describe(counted(s, time.Since(p.start).Seconds()))
	if p.games {
		bytes = int64(s.Games)
	}
	p.bar.Set64(bytes - p.before.Bytes)
}

// counted prints games and plies, and how many a second that is.
func counted(s archive.Stats, seconds float64) string {
	seconds = max(seconds, 0.001)
	text := fmt.Sprintf("%d games, %.0f games/s", s.Games, float64(s.Games)/seconds)
	if s.Plies > 0 {
		text += fmt.Sprintf(", %.1f M plies/s", float64(s.Plies)/seconds/1e6)
	}
	return text
}

func (p *progress) advance(bytes int64) {
	if p != nil {
		p.bar.Add64(bytes)
	}
}

// tell sets what an archive has come to.
func (p *progress) tell(s archive.Stats) { p.set(s.Bytes, s) }

func (p *progress) finish() {
	if p != nil {
		p.bar.Finish()
	}
}
