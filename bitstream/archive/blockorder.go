// SPDX-License-Identifier: Apache-2.0

package archive

import "context"

type placedBlock struct {
	at    int64
	first uint64 // the number of its first game; 0 if it is not known
}

// survey finds the order of the blocks of an archive that was edited: that of the last sound footer or, where a part of
// the index is damaged, the last block of each number before it. Blocks that were added behind it follow. Those that
// were edited behind it take their places if a sound trailer ends the edit.
func (s *salvager) survey(ctx context.Context) error {
	t, err := NewReader(s.r, s.size)
	if err == nil {
		s.index = t
		if t.unfinished != nil {
			s.rep.Unfinished = t.unfinished.Bytes
		}
	}
	if err == nil && !t.root.edited && t.unfinished == nil {
		return nil
	}
	type place struct {
		at     int64
		number int
	}
	var blocks []place
	var last *filePart // the footer
	edited, several := false, false
	behind := false // what comes next may be of an edit: there is no gap since a footer, but for its trailer
	count, ended := 0, int64(0)
	if err := eachPart(ctx, s.r, s.size, func(p *filePart, joined bool) {
		behind = behind && joined
		switch p.mark {
		case archiveMark:
			several = several || p.at > 0
		case blockMark:
			number := int(p.head.number)
			edited = edited || behind && number < count
			if p.at+p.size > s.size {
				return
			}
			count = max(count, number+1)
			blocks = append(blocks, place{p.at, number})
		case trailerMark:
			ended = p.at
		case footerMark:
			behind = true
			edited = edited || p.root.edited
			footer := *p
			last = &footer
		}
	}); err != nil {
		return err
	}
	if !edited || several {
		return nil
	}
	s.order = []placedBlock{}
	newest := map[int]int64{}
	k := 0
	for ; k < len(blocks) && (last == nil || blocks[k].at < last.at); k++ {
		newest[blocks[k].number] = blocks[k].at
	}
	n := count
	if err == nil && t.unfinished == nil {
		s.lead = t
	} else if last != nil {
		r := &last.root
		s.lead = &Reader{r: s.r, size: last.at + last.size, root: *r, header: r.head, stats: r.stats,
			blocks: r.stats.Blocks,
			end:    trailer{at: uint64(last.at), size: uint32(len(last.b))}}
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
		s.order = append(s.order, placedBlock{at: newest[i]}) // 0, where no block is, if there is none
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
