// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"context"
	"io"
)

// filePart is a part of a file that is sound: a header, a block, or what belongs to the index.
type filePart struct {
	mark   uint32 // 0 of an archive's header
	at     int64
	size   int64 // of a block with its data, which may end behind the file
	number int   // of a block, from 0
	first  uint64
	root   *root // of a footer
}

// archiveMark is how an archive begins.
var archiveMark = le.Uint32(magic[:])

// partMarks are how pieces begin.
var partMarks = func() (list [][]byte) {
	for _, m := range []uint32{blockMark, searchMark, indexMark, footerMark, trailerMark, archiveMark} {
		list = append(list, le.AppendUint32(nil, m))
	}
	return list
}()

// partAt reads the filePart that begins at an offset. It is not ok if none does that is sound: of a block its header,
// of a search part the first bytes.
func partAt(r io.ReaderAt, at, size int64) (p filePart, ok bool, err error) {
	buf := make([]byte, trailerSize)
	read := func(n int64) bool {
		if n > size-at {
			return false
		}
		if int64(len(buf)) < n {
			buf = make([]byte, n)
		}
		buf = buf[:n]
		k, e := r.ReadAt(buf, at)
		if int64(k) < n && e != io.EOF {
			err = e
		}
		return int64(k) == n
	}
	if !read(min(trailerSize, size-at)) || len(buf) < partFixed {
		return p, false, err
	}
	p = filePart{mark: le.Uint32(buf), at: at}
	switch p.mark {
	case blockMark:
		var h head
		if n := headSize(buf); n == 0 || !read(int64(n)) || h.decode(buf) != nil {
			return p, false, err
		}
		p.size, p.number, p.first = int64(h.size)+int64(h.data), int(h.number), h.first
	case searchMark:
		n, bad := decodeSearch(buf[:searchFixed], at)
		p.size = int64(n)
		return p, bad == nil, nil
	case indexMark:
		var index part
		p.size = int64(partSize(buf))
		if p.size == 0 || !read(p.size) || index.decode(buf, at, true) != nil {
			return p, false, err
		}
	case footerMark:
		p.size, p.root = int64(le.Uint32(buf[4:])), new(root)
		if p.size < rootFixed+4 || p.size > tailRead-trailerSize || !read(p.size) || p.root.decode(buf, at) != nil {
			return p, false, err
		}
	case trailerMark:
		p.size = trailerSize
		if len(buf) < trailerSize {
			return p, false, nil
		}
		_, bad := decodeTrailer(buf, at)
		return p, bad == nil, nil
	case archiveMark:
		p.mark, p.size = 0, headerSize
		_, bad := decodeHeader(buf)
		return p, bad == nil, nil
	default:
		return p, false, nil
	}
	return p, true, nil
}

// eachPart calls do with each sound filePart of a file, front to back, and whether nothing stands between it and the
// one before. What is in the data of a block is none.
//
// Cost: headers and the index are read, and what is between pieces.
func eachPart(ctx context.Context, r io.ReaderAt, size int64, do func(p *filePart, joined bool)) error {
	joined := true
	for at := int64(0); at < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, ok, err := partAt(r, at, size)
		if !ok && err == nil {
			_, at, err = search(r, at+1, size, partMarks, func(_ int, at int64) (bool, error) {
				p, ok, err = partAt(r, at, size)
				return ok, err
			})
			joined = false
		}
		if err != nil || at < 0 {
			return err
		}
		do(&p, joined)
		at += p.size
		joined = true
	}
	return nil
}

// placedBlock is where a block is.
type placedBlock struct {
	at    int64
	first uint64 // the number of its first game; 0 if it is not known
}

// survey finds the order of the blocks of an archive that was edited. The last sound footer leads to them, whether or
// not its trailer is sound, and, where a part of the index is damaged, to the last block of each number before it.
// Blocks that were added behind it follow. Those that were edited behind it take their places if a sound trailer says
// that the edit was ended.
func (s *salvager) survey(ctx context.Context) error {
	t, err := NewReader(s.r, s.size)
	if err == nil && t.unfinished != nil {
		s.rep.Unfinished = t.unfinished.Bytes
	}
	if err == nil && !t.root.edited && t.unfinished == nil {
		return nil
	}
	var blocks []filePart
	var last filePart // the footer
	edited, several := false, false
	behind := false // what comes next may be of an edit: there is no gap since a footer, but for its trailer
	count, ended := 0, int64(0)
	if err := eachPart(ctx, s.r, s.size, func(p *filePart, joined bool) {
		behind = behind && (joined || p.at == last.at+last.size+trailerSize)
		switch p.mark {
		case 0:
			several = several || p.at > 0
		case blockMark:
			edited = edited || behind && p.number < count
			if p.at+p.size > s.size {
				return
			}
			count = max(count, p.number+1)
			blocks = append(blocks, *p)
		case trailerMark:
			ended = p.at
		case footerMark:
			behind = true
			edited = edited || p.root.edited
			last = *p
		}
	}); err != nil {
		return err
	}
	if !edited || several {
		return nil
	}
	s.order = []placedBlock{}
	newest := map[int]filePart{}
	k := 0
	for ; k < len(blocks) && (last.root == nil || blocks[k].at < last.at); k++ {
		newest[blocks[k].number] = blocks[k]
	}
	n := count
	if err == nil && t.unfinished == nil {
		s.lead = t
	} else if r := last.root; r != nil {
		s.lead = &Reader{r: s.r, size: last.at + last.size + trailerSize, root: *r, header: r.head, stats: r.stats,
			blocks: r.stats.Blocks,
			end:    trailer{at: uint64(last.at), size: uint32(last.size)}}
	}
	if s.lead != nil {
		n = s.lead.blocks
	}
	for i := range n {
		if s.lead != nil {
			e, err := s.lead.locate(uint64(i), false)
			if err == nil {
				s.order = append(s.order, placedBlock{int64(e.at), e.before.games + 1})
				continue
			}
			s.wrong(err)
		}
		s.order = append(s.order, placedBlock{at: newest[i].at}) // 0, where no block is, if there is none
	}
	for ; k < len(blocks); k++ {
		number, p := blocks[k].number, placedBlock{at: blocks[k].at}
		switch {
		case number >= len(s.order):
			s.order = append(s.order, p)
		case p.at < ended:
			s.order[number], s.moved = p, true
		}
	}
	for i := range s.order {
		if s.moved {
			s.order[i].first = 0 // games may have been taken out
		}
	}
	return nil
}
