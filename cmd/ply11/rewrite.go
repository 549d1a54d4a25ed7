// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/game"
	"ply11/query"
	"ply11/query/rewrite"
)

// rewriteFlags are the flags by which commands change games on their way out, and their order.
type rewriteFlags struct {
	order, strip, names string
	eco                 bool
	set, unset          []string
	made                rewrite.Options // of load
}

func (r *rewriteFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Var(namedValue{&r.order, "FIELD,FIELD"}, "sort", "sort by "+strings.Join(rewrite.Fields, ", ")+
		"; - before one turns it round, as -rating, the mean of both")
	r.addChanges(cmd)
	inGroup(cmd, groupChanges, "sort")
}

// addChanges adds the flags but for the order.
func (r *rewriteFlags) addChanges(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&r.set, "set", nil, "give the games a tag, NAME=VALUE; can be given again")
	f.StringArrayVar(&r.unset, "unset", nil, "take the tag of a NAME away; can be given again")
	f.BoolVar(&r.eco, "set-eco", false, "set the tags ECO and Opening by the positions of the main line")
	f.Var(namedValue{&r.names, "file"}, "rename", "correct names: lines of an old and a new name of players, with a "+
		"tab between them, or of tag, old, new; or a spelling file of SCID (.ssp)")
	f.Var(namedValue{&r.strip, "PART,PART"}, "strip", "take away comments, clk, eval, commands ([%…]), "+
		"nags, variations")
	inGroup(cmd, groupChanges, "set", "unset", "set-eco", "rename", "strip")
}

// any reports whether the games are to be changed or sorted.
func (r *rewriteFlags) any() bool { return r.order != "" || r.changes() }

func (r *rewriteFlags) changes() bool {
	return r.eco || r.strip != "" || r.names != "" || len(r.set)+len(r.unset) > 0
}

// load reads what the flags say and the file of names, once, before any other file is opened.
func (r *rewriteFlags) load() (err error) {
	r.made = rewrite.Options{}
	o := &r.made
	if r.order != "" {
		if o.Order, err = rewrite.ParseOrder(r.order); err != nil {
			return usage("--sort: %w", err)
		}
	}
	if r.names != "" {
		in, err := openSource(r.names)
		if err != nil {
			return err
		}
		defer in.Close()
		names, err := rewrite.ReadNames(in)
		if err != nil {
			return usage("%s: %w", r.names, err)
		}
		o.Changes = append(o.Changes, rewrite.Rename(names))
	}
	if r.strip != "" {
		parts, err := rewrite.ParseParts(r.strip)
		if err != nil {
			return usage("--strip: %w", err)
		}
		o.Changes = append(o.Changes, rewrite.Strip(parts))
	}
	if r.eco {
		o.Changes = append(o.Changes, rewrite.ECO())
	}
	given := map[string]bool{}
	once := func(name string) error {
		if given[name] {
			return usage("the tag %s is given twice: a game has one value of it", name)
		}
		given[name] = true
		return archive.CheckTagName(name)
	}
	for _, name := range r.unset {
		if err := once(name); err != nil {
			return usage("--unset: %w", err)
		}
		o.Changes = append(o.Changes, rewrite.UnsetTag(name))
	}
	for _, s := range r.set {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return usage("--set %q: it is NAME=VALUE", s)
		}
		if err := cmp.Or(once(name), archive.CheckTag(name, value)); err != nil {
			return usage("--set: %w", err)
		}
		o.Changes = append(o.Changes, rewrite.SetTag(name, value))
	}
	return nil
}

// rewrite gives the games that write copies, changed and sorted, as PGN to consume, which runs beside it. path is the
// output's.
func (r *rewriteFlags) rewrite(path string, write func(w *rewrite.Writer) error,
	consume func(in *source) error) error {
	out := newFeed(path, consume)
	return out.close(rewriteAll(out, path, r.made, write))
}

// rewriteSplit is rewrite with an output for each group of games. path has the folder of temporary files.
func (r *rewriteFlags) rewriteSplit(path string, by func(*game.Game) []string, write func(w *rewrite.Writer) error,
	consume func(in *source, group string) error) error {
	var out *feed
	o := r.made
	o.Split = by
	o.Next = func(group string) (io.Writer, error) {
		if out != nil {
			if err := out.close(nil); err != nil {
				out = nil
				return nil, err
			}
		}
		out = newFeed(path, func(in *source) error { return consume(in, group) })
		return out, nil
	}
	err := rewriteAll(nil, path, o, write)
	if out != nil {
		err = out.close(err)
	}
	return err
}

func rewriteAll(out io.Writer, path string, o rewrite.Options, write func(w *rewrite.Writer) error) error {
	o.Path = path
	var kept teller
	o.Refused = func(err error) { kept.tell(inFile(path, err)) }
	w := rewrite.NewWriter(out, o)
	defer w.Close()
	err := write(w)
	if err == nil {
		err = w.Flush()
	}
	kept.finish("games that are kept as they were")
	return err
}

// fileName is a file's name of any text: letters, digits and some signs as they are, others as %XX.
func fileName(group string) string {
	if group == "" {
		return "unknown"
	}
	var b strings.Builder
	for _, r := range group {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" -_,()'", r) || r == '.' && b.Len() > 0:
			b.WriteRune(r)
		default:
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
	}
	if name := b.String(); len(name) > maxName {
		sum := sha256.Sum256([]byte(group))
		return fmt.Sprintf("%s-%x", strings.ToValidUTF8(name[:maxName], ""), sum[:4])
	}
	return b.String()
}

// maxName is the most bytes of a value in a file's name.
const maxName = 120

// feed is what is written to a goroutine that reads it.
type feed struct {
	*bufio.Writer
	to    *io.PipeWriter
	ended chan error
}

func newFeed(path string, consume func(in *source) error) *feed {
	in, out := io.Pipe()
	f := &feed{bufio.NewWriterSize(out, 64<<10), out, make(chan error, 1)}
	go func() {
		s := &source{path: path}
		s.read.r = in
		s.Reader = bufio.NewReaderSize(&s.read, 64<<10)
		err := consume(s)
		in.CloseWithError(cmp.Or(err, io.ErrClosedPipe))
		f.ended <- err
	}()
	return f
}

// close waits for the reader, after the error of what was written, and returns the first error.
func (f *feed) close(err error) error {
	if err == nil {
		err = f.Flush()
	}
	f.to.CloseWithError(err)
	if bad := <-f.ended; err == nil || errors.Is(err, io.ErrClosedPipe) {
		return bad
	}
	return err
}

// copyAll copies all games of an archive, and the text that belongs to none. Games for which keep is true stay as they
// are.
func copyAll(s query.Source, what string, quiet bool, w *rewrite.Writer, keep func(number int) bool) error {
	r, err := archive.NewReader(s.Reader, s.Size)
	if err != nil {
		return inFile(s.Name, err)
	}
	bar := newProgress(what, s.Size, quiet)
	defer bar.finish()
	for n := 1; n <= r.Blocks(); n++ {
		b, err := r.Block(n)
		if err == nil {
			err = w.Lead(b)
		}
		for i := 1; err == nil && i <= b.Len(); i++ {
			if keep(b.First() + i - 1) {
				err = w.Keep(b, i)
			} else {
				err = w.Copy(b, i)
			}
		}
		if err != nil {
			return inFile(s.Name, err)
		}
		if place, err := r.Place(n); err == nil {
			bar.set(place.Offset+place.Size, archive.Stats{Games: b.First() + b.Len() - 1})
		}
	}
	if w.Left() > 0 {
		say("%s: %d bytes of text that belongs to no game are left out", s.Name, w.Left())
	}
	return nil
}

func everyGame(int) bool { return false }
