// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"ply11/game"
	"ply11/game/codec"
	"ply11/game/pgn"
)

// Change is what becomes of a game. What is not zero is done in this order: it is taken out, or another game takes its
// place; it loses tags; it gets tags.
type Change struct {
	Game   int // its number, from 1
	Delete bool
	Text   []byte     // PGN of the one game that takes its place; nil for none
	Unset  []string   // names of tags that it loses
	Set    []game.Tag // values of tags: of the first tag of the name, or of a new one
}

// ErrChange: a change cannot be made. Nothing is then changed.
var ErrChange = errors.New("the game cannot be changed so")

var fixedTags = []string{"FEN", "SetUp", "Variant"}

func (c *Change) check(games int) error {
	if err := hasGame(c.Game, games); err != nil {
		return err
	}
	for _, s := range c.Unset {
		if err := CheckTagName(s); err != nil {
			return fmt.Errorf("game %d: %w", c.Game, err)
		}
	}
	for _, t := range c.Set {
		if err := CheckTag(t.Name, t.Value); err != nil {
			return fmt.Errorf("game %d: %w", c.Game, err)
		}
	}
	return nil
}

// CheckTagName returns an error that is ErrChange if no game can be given a tag: FEN, SetUp and Variant belong to the
// moves, and a name is 1 to 255 ASCII characters without spaces, brackets and quotes.
func CheckTagName(name string) error {
	switch {
	case name == "" || len(name) > 255 || strings.ContainsFunc(name, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`[]{}"`, r)
	}):
		return fmt.Errorf("%w: the tag's name %q: it is 1 to 255 ASCII characters, without spaces, brackets and quotes",
			ErrChange, name)
	case slices.Contains(fixedTags, name):
		return fmt.Errorf("%w: the tag %s belongs to the moves", ErrChange, name)
	}
	return nil
}

// CheckTag is CheckTagName, and returns such an error, too, of a value that is not one line of UTF-8 of at most 4,096
// bytes, or is that of Result and none.
func CheckTag(name, value string) error {
	if err := CheckTagName(name); err != nil {
		return err
	}
	if _, err := game.ParseResult(value); name == "Result" && err != nil {
		return fmt.Errorf("%w: %v: the moves end with it, too", ErrChange, err)
	}
	if !utf8.ValidString(value) || len(value) > maxTagValue ||
		strings.ContainsFunc(value, func(r rune) bool { return r < ' ' }) {
		return fmt.Errorf("%w: the value of the tag %s is not one line of UTF-8 of at most %d bytes", ErrChange, name,
			maxTagValue)
	}
	return nil
}

const maxTagValue = 4 << 10

func (c *Change) tags(list []game.Tag) []game.Tag {
	g := game.Game{Tags: list}
	for _, s := range c.Unset {
		g.DeleteTag(s)
	}
	for _, t := range c.Set {
		g.SetTag(t.Name, t.Value)
	}
	return g.Tags
}

// Edit changes games of an archive where it is, in a file of this size. Changes of one game are made one after the
// other. The games behind one that is taken out get new numbers. All other games keep their texts to the byte.
//
// The blocks that have the games are written again behind the archive, then the parts of the index that tell of them,
// and a new footer. At any instant a reader finds in the file the archive that it held, or the one with all changes,
// also if Edit is interrupted or fails. It is not for two writers at once.
//
// The old blocks stay in the file until a copy is made: what was taken out can be found there. Until then the archive
// cannot be read front to back, which is ErrEdited, and has no hash of its text.
//
// Cost: some 0.1 s for each block, in the memory of one.
func Edit(ctx context.Context, f File, size int64, changes []Change, options ...EditOption) (_ Stats, err error) {
	defer guard(&err)
	o, err := apply(options)
	if err != nil {
		return Stats{}, err
	}
	a, err := openToWrite(f, size, &o)
	if err != nil {
		return Stats{}, err
	}
	for i := range changes {
		if err := changes[i].check(a.r.Len()); err != nil {
			return a.r.stats, err
		}
	}
	if len(changes) == 0 {
		return a.r.stats, nil
	}
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b Change) int { return cmp.Compare(a.Game, b.Game) })
	a.sum = nil
	a.out.edited = true
	e := editor{appender: a, enc: newEncoder(&options0, newZstd()), fresh: map[int]ref{}, keys: map[int]*searchKeys{}}
	e.enc.limits = keptGames
	return a.write(func() error {
		for len(changes) > 0 {
			err := ctx.Err()
			if err == nil {
				changes, err = e.block(changes)
			}
			if err != nil {
				return err
			}
			o.progress(a.out.stats)
		}
		return e.index()
	})
}

var options0 options

type editor struct {
	*appender
	enc   *encoder
	fresh map[int]ref // the new blocks, by their numbers from 0
	keys  map[int]*searchKeys
	g     game.Game
	text  []byte
	proof Block
}

// block writes the block again that has the game of the first change, and returns the changes of later blocks.
func (e *editor) block(changes []Change) ([]Change, error) {
	b, _, err := e.r.Find(changes[0].Game)
	if err != nil {
		return nil, err
	}
	if err := b.verifyDigests(); err != nil {
		return nil, err
	}
	style, err := b.Style()
	if err != nil {
		return nil, err
	}
	if err := b.openExceptions(); err != nil {
		return nil, err
	}
	tooLarge := fmt.Errorf("block %d: %w: its games would be too large; ply11 cat makes a new archive with others",
		b.Number(), codec.ErrLimit)
	e.enc.dense = b.head.dense
	e.enc.columns.noFilter = !b.head.dense && b.head.find(ColumnFilter) < 0
	e.enc.reset(style)
	if len(b.except.lead) > 0 {
		e.enc.setLead(bytes.Clone(b.except.lead))
	}
	gone := 0
	for n := 1; n <= b.Len(); n++ {
		number := b.First() + n - 1
		k := 0
		for k < len(changes) && changes[k].Game == number {
			k++
		}
		kept, err := e.game(b, n, &style, changes[:k])
		if err != nil {
			return nil, err
		}
		changes = changes[k:]
		if !kept {
			gone++
		}
		if e.enc.text > max(b.head.text, maxColumn/2) || e.enc.beyond() {
			return nil, tooLarge
		}
	}
	e.enc.other = b
	var p packedBlock
	p.data, p.head = e.enc.block(nil, uint32(b.Number()-1))
	if !p.head.fits() {
		return nil, tooLarge
	}
	if err := e.prove(&p); err != nil {
		return nil, err
	}
	s := &e.out.stats
	e.fresh[b.Number()-1] = p.head.ref(s.Bytes, p.data[:p.head.size])
	e.keys[b.Number()-1] = e.enc.keys
	e.out.write(p.data)
	s.Games -= gone
	s.Plies += int64(p.head.plies) - int64(b.head.plies)
	s.Text += int64(p.head.text) - int64(b.head.text)
	if b.head.dense {
		e.out.dense--
	}
	if p.head.find(ColumnDense) >= 0 {
		e.out.dense++
	}
	return changes, e.out.err
}

func (e *editor) prove(p *packedBlock) error {
	b := &e.proof
	b.reset()
	if err := b.head.decode(p.data[:p.head.size]); err != nil {
		return err
	}
	b.at, b.number, b.data = e.out.stats.Bytes, int(p.head.number)+1, p.data[p.head.size:]
	return b.Verify()
}

// game adds game n (from 1) of the block to the new one, with its changes. It returns false if it is taken out.
func (e *editor) game(b *Block, n int, style *pgn.Style, changes []Change) (kept bool, err error) {
	x, _, err := b.Exception(n)
	if err != nil {
		return false, err
	}
	if e.text, err = b.AppendText(e.text[:0], n, &e.g); err != nil {
		return false, err
	}
	flags := x.flags
	exact := x.Text
	for i := range changes {
		c := &changes[i]
		if c.Delete {
			return false, nil
		}
		if c.Text != nil {
			if err := e.replace(c, style, b.First()+n-1 == e.r.Len()); err != nil {
				return false, err
			}
			flags, exact = 0, true
		}
		if len(c.Unset)+len(c.Set) > 0 {
			text, err := retag(nil, e.text, &e.g, c, style, exact, flags&exceptInvalid != 0)
			if err != nil {
				return false, err
			}
			e.text = text
		}
	}
	text := e.text
	if e.r.Canonical() && flags == 0 {
		text = nil
	}
	if err := e.enc.add(&e.g, text, flags); err != nil {
		return false, codec.InGame(b.First()+n-1, err)
	}
	return true, nil
}

func parseOne(g *game.Game, text []byte, style *pgn.Style) error {
	r := pgn.NewReader(bytes.NewReader(text), pgn.WithEncoding(style.Encoding))
	if err := r.Read(g); err != nil && !codec.IsBeside(err) {
		return err
	}
	if err := r.Read(new(game.Game)); err != io.EOF {
		return cmp.Or(err, errors.New("there is more than one game"))
	}
	return nil
}

func (e *editor) replace(c *Change, style *pgn.Style, last bool) error {
	text, line := bytes.TrimRight(bytes.TrimPrefix(c.Text, []byte("\ufeff")), " \t\r\n"), "\n"
	if style.CRLF {
		line = "\r\n"
	}
	e.text = append(e.text[:0], text...)
	if style.Encoding == game.Latin1 && utf8.Valid(text) {
		var ok bool
		if e.text, ok = toLatin1(e.text, 0); !ok {
			return fmt.Errorf("game %d: %w: the text of its block is ISO 8859-1, which does not have all of its "+
				"characters", c.Game, ErrChange)
		}
	}
	e.text = append(e.text, line...)
	if !last {
		e.text = append(e.text, line...)
	}
	if err := parseOne(&e.g, e.text, style); err != nil {
		return fmt.Errorf("game %d: %w: what is to take its place: %w", c.Game, ErrChange, err)
	}
	return nil
}

// retag appends the text of a game with other tags to dst, and changes them in g, which has the game. exact: the text
// is not what the style makes of it.
func retag(dst, text []byte, g *game.Game, c *Change, style *pgn.Style, exact, invalid bool) ([]byte, error) {
	fail := func(why string) error { return fmt.Errorf("game %d: %w: %s", c.Game, ErrChange, why) }
	var was, is game.Game
	read := func(g *game.Game, text []byte) error {
		var bad *codec.Error
		if err := parseOne(g, text, style); err != nil && !(invalid && errors.As(err, &bad)) {
			return err
		}
		return nil
	}
	if err := read(&was, text); err != nil {
		return dst, fail("its text is not that of one game")
	}
	want, result := c.tags(slices.Clone(was.Tags)), was.Result
	for _, t := range c.Set {
		if t.Name == "Result" {
			result, _ = game.ParseResult(t.Value)
		}
	}
	old := len(dst)
	right := func(ok bool) bool {
		if !ok || read(&is, dst[old:]) != nil || is.Result != result && !invalid {
			return false
		}
		less := func(a, b game.Tag) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value)) }
		slices.SortFunc(is.Tags, less) // of some layouts they are in another order
		slices.SortFunc(want, less)
		return slices.Equal(is.Tags, want)
	}
	g.Tags, g.Result = c.tags(g.Tags), result
	byStyle := func() bool {
		var ok bool
		dst, ok = render(dst[:old], g, style)
		return right(ok)
	}
	inText := func() bool {
		var ok bool
		dst, ok = appendRetagged(dst[:old], text, c, style)
		if result != was.Result {
			dst = append(dst[:old], replaceResult(dst[old:], was.Result, result)...)
		}
		return right(ok)
	}
	switch {
	case !exact && byStyle(), inText(), exact && !invalid && byStyle():
	case invalid:
		return dst[:old], fail("it is not valid, and where its tags stand cannot be told; --replace takes another " +
			"game for it")
	case style.Encoding == game.Latin1:
		return dst[:old], fail("ISO 8859-1, in which the text of its block is, does not have all characters of its " +
			"tags; ply11 unpack, iconv and pack make an archive in UTF-8")
	default:
		return dst[:old], fail("its text would not be read as a game with these tags; --replace takes another text " +
			"for it")
	}
	g.Result = is.Result
	return dst, nil
}

func replaceResult(text []byte, was, is game.Result) []byte {
	end := bytes.TrimRight(text, " \t\r\n")
	moves, ok := bytes.CutSuffix(end, []byte(was.String()))
	if !ok {
		return text
	}
	return slices.Concat(moves, []byte(is.String()), text[len(end):])
}

// tagPattern is a tag, with the comments and escaped lines before it.
var tagPattern = regexp.MustCompile(`^(?:\s|\{[^}]*\}|;[^\n]*\n|(?m:^)%[^\n]*\n)*` +
	`(\[\s*([^\s"]+)\s*"(?s:[^"\\]|\\.)*"[^\]]*\])`)

// appendRetagged appends the text of a game with other tags. All else stays to the byte. It is not ok if the
// encoding does not have their characters.
func appendRetagged(dst, text []byte, c *Change, style *pgn.Style) (_ []byte, ok bool) {
	type place struct {
		name       string
		start, end int
	}
	var tags []place
	for at := 0; ; {
		m := tagPattern.FindSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		tags = append(tags, place{string(text[at+m[4] : at+m[5]]), at + m[2], at + m[1]})
		at += m[1]
	}
	line := "\n"
	if style.CRLF {
		line = "\r\n"
	}
	ok = true
	put := func(t game.Tag) {
		value := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.Value)
		from := len(dst)
		dst = fmt.Appendf(dst, `[%s "%s"]`, t.Name, value)
		if style.Encoding == game.Latin1 {
			var all bool
			dst, all = toLatin1(dst, from)
			ok = ok && all
		}
	}
	set := slices.Clone(c.Set)
	find := func(name string) (t game.Tag, ok bool) { // the last that is set counts, and is set once
		for _, s := range set {
			if s.Name == name {
				t, ok = s, true
			}
		}
		set = slices.DeleteFunc(set, func(s game.Tag) bool { return s.Name == name })
		return t, ok
	}
	at := 0
	for _, t := range tags {
		if slices.Contains(c.Unset, t.name) {
			dst = append(dst, text[at:t.start]...)
			at = t.end
			for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
				at++
			}
			if rest := text[at:]; bytes.HasPrefix(rest, []byte("\r\n")) {
				at += 2
			} else if len(rest) > 0 && (rest[0] == '\n' || rest[0] == '\r') {
				at++
			}
			continue
		}
		if value, given := find(t.name); given {
			dst = append(dst, text[at:t.start]...)
			put(value)
			at = t.end
		}
	}
	if len(tags) > 0 {
		last := max(at, tags[len(tags)-1].end)
		dst = append(dst, text[at:last]...)
		at = last
	}
	for len(set) > 0 {
		value, _ := find(set[0].Name)
		if len(tags) > 0 && !bytes.HasSuffix(dst, []byte("\n")) {
			dst = append(dst, line...)
			put(value)
		} else {
			put(value)
			dst = append(dst, line...)
		}
	}
	if len(tags) == 0 {
		dst = append(dst, line...)
	}
	return append(dst, text[at:]...), ok
}

// index writes the parts of the index again that tell of blocks that were replaced.
func (e *editor) index() error {
	numbers := make([]int, 0, len(e.fresh))
	for n := range e.fresh {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	first := 0
	for level := levels - 1; level >= 0; level-- {
		for i := range e.out.top[level] {
			p := &e.out.top[level][i]
			blocks := int(p.sub)
			if err := e.part(p, level, first, numbers); err != nil {
				return err
			}
			first += blocks
		}
	}
	return e.out.err
}

// part writes a part again, whose first block is known, if it tells of one that was replaced.
func (e *editor) part(p *ref, level, first int, numbers []int) error {
	i, _ := slices.BinarySearch(numbers, first)
	j, _ := slices.BinarySearch(numbers, first+int(p.sub))
	if i == j {
		return nil
	}
	var n node
	if err := e.r.loadPart(&n, level, *p); err != nil {
		return err
	}
	if len(n.search) > 0 {
		if err := n.searched.load(); err != nil {
			return err
		}
	}
	for k := range n.refs {
		c := &n.refs[k]
		if level == 0 {
			if fresh, ok := e.fresh[first]; ok {
				*c = fresh
				n.searched.widen(k, e.keys[first])
			}
			first++
			continue
		}
		blocks := int(c.sub)
		if err := e.part(c, level-1, first, numbers[i:j]); err != nil {
			return err
		}
		first += blocks
	}
	var search []byte
	var columns []searchColumn
	if len(n.search) > 0 {
		search, columns = n.searched.encode()
	}
	*p = e.out.part(level, n.refs, search, columns)
	return e.out.err
}
