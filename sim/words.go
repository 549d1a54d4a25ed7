// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"ply11/moveindex"
	"ply11/sim/oracle"
)

// WordsIn are the inputs of ply11_words.
type WordsIn struct {
	CodecIn
	SData     uint16
	LoadReady bool
	Done      bool
}

// WordsOut are its outputs, which come from registers.
type WordsOut struct {
	CodecOut
	Open      bool
	Close     bool
	LoadValid bool
	LoadAddr  uint8
	LoadData  uint32
}

// What the next word is.
const (
	wordCode = iota
	wordLength
	wordText
	wordNAG
	wordStart
)

// Words is ply11_words: the grammar of the flat stream of words.
type Words struct {
	In  WordsIn
	Out WordsOut

	depth int // DEPTH

	// The word that is held, and one more that waits.
	spared, held bool
	spare, word  uint16

	state         uint8
	taking        bool // nothing of the following four is due, no record is read
	renew, ending bool
	refuse        bool // an ERROR 9 is due: its NEW is at the output
	open, shut    bool // a bracket is followed
	result        uint8
	skip, hasMove bool
	nest          uint8
	nested        bool
	text          uint16 // bits to come
	bit           uint64 // of the last word that was taken

	// The start record.
	reading      bool
	at           uint8 // of the next four bits, from three before the word on
	before       uint16
	file, row    uint8
	full, went   bool // the row waits for the board; it went there
	men          uint32
	put          bool // four bits came
	fault        bool
	white, black uint8 // kings: bit 0 one or more, bit 1 more
}

// NewWords returns a model that steps over variations.
func NewWords() *Words {
	w, _ := NewWordsDepth(0)
	return w
}

// NewWordsDepth returns a model that plays depth variations inside each other, 0..31; with 0 it steps over them.
func NewWordsDepth(depth int) (*Words, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	w := &Words{depth: depth}
	w.Reset()
	return w, nil
}

// Verilog names the module.
func (w *Words) Verilog() Verilog {
	return Verilog{Module: "ply11_words", Params: []string{fmt.Sprintf("DEPTH=%d", w.depth)}, Files: []string{"rtl/ply11_words.v"}}
}

// Ports returns the ports.
func (w *Words) Ports() []Port {
	valid := &w.Out.MValid
	ports := append(codecPorts(&w.In.CodecIn, input("s_data", 11, &w.In.SData), &w.Out.CodecOut, valid, valid),
		output("open", 1, &w.Out.Open),
		output("close", 1, &w.Out.Close),
		input("done", 1, &w.In.Done),
		output("load_valid", 1, &w.Out.LoadValid),
		input("load_ready", 1, &w.In.LoadReady))
	return append(ports, given(&w.Out.LoadValid,
		output("load_addr", 4, &w.Out.LoadAddr),
		output("load_data", 32, &w.Out.LoadData))...)
}

// Reset waits for the first game.
func (w *Words) Reset() {
	w.clear()
	w.Eval()
}

func (w *Words) clear() {
	*w = Words{In: w.In, Out: w.Out, depth: w.depth, taking: true, bit: bitMask - 10}
	w.record()
	w.Out.MValid, w.Out.InGame = false, false
}

// bitMask is the last number of a bit in the stream.
const bitMask = 1<<35 - 1

// record waits for the next start record.
func (w *Words) record() {
	w.at, w.file, w.row, w.full, w.fault, w.white, w.black = 3, 0, 0, false, false, 0, 0
}

// Eval shows the registers.
func (w *Words) Eval() {
	o := &w.Out
	o.SReady, o.MOffset = !w.spared, uint32(w.bit>>3)
	o.Open, o.Close = w.open && !o.MValid, w.shut && !o.MValid
	o.LoadValid = w.full && !o.MValid && !w.skip
	o.LoadAddr, o.LoadData = w.row, w.men
}

// Step is a clock.
func (w *Words) Step() {
	o := &w.Out
	en := !o.MValid || w.In.MReady
	fresh := w.held && w.word != uint16(moveindex.Idle)
	take := fresh && w.taking && en
	reading := w.reading && !o.MValid
	last := w.at >= 7 && (w.at != 8 || w.row < 8)
	goes := w.taking && en || reading && (last || !fresh)
	finish := w.went && w.row == 8
	startBad := finish && (w.fault || w.men>>5&15 > 8 || w.white != 1 || w.black != 1)

	if en {
		w.give(take, startBad)
	}
	if w.held && goes {
		w.bit = (w.bit + 11) & bitMask
	}
	word := moveindex.Index(w.word)
	if w.state == wordStart {
		w.stepRecord(reading && fresh, last)
	}
	if take {
		w.take(word)
	}
	if w.In.Done {
		w.open, w.shut, w.taking = false, false, true
	}
	if finish {
		w.state, w.taking = wordCode, !startBad || w.skip
		w.skip = w.skip || startBad
		w.record()
	}
	// The next word.
	switch {
	case !w.held || goes:
		w.held = w.In.SValid || w.spared
		w.word = w.In.SData & 2047
		if w.spared {
			w.word = w.spare
		}
		w.spared = false
	case w.In.SValid && !w.spared:
		w.spare, w.spared = w.In.SData&2047, true
	}
	if w.In.Rst {
		w.clear()
	}
	w.Eval()
}

// give sets the output, before the word is followed.
func (w *Words) give(take, startBad bool) {
	o, word := &w.Out, moveindex.Index(w.word)
	o.MIndex, o.MCode = w.word, uint8(word&3)
	refused := !w.skip && word >= moveindex.NumMoves && word != moveindex.Null && (word >= moveindex.FirstReserved || w.misplaced(word))
	if refused {
		switch {
		case word >= moveindex.FirstReserved:
			o.MCode = uint8(oracle.FaultCode)
		case w.depth != 0 && word == moveindex.VariationStart && w.hasMove:
			o.MCode = uint8(oracle.FaultDepth)
		default:
			o.MCode = uint8(oracle.FaultPlace)
		}
	}
	switch {
	case w.renew:
		o.MValid, o.MKind, w.taking = true, oracle.BeatNew, true
	case w.ending:
		o.MValid, o.MKind, o.MCode = true, oracle.BeatEnd, w.result
	case w.refuse:
		o.MValid, o.MKind, o.MCode, w.taking = true, oracle.BeatError, uint8(oracle.FaultStart), true
	case w.state == wordStart:
		o.MValid, o.MKind = startBad && !w.skip, oracle.BeatNew
	case w.state == wordNAG:
		o.MValid, o.MKind, o.MCode = take && word > 255 && !w.skip, oracle.BeatError, uint8(oracle.FaultOperand)
	case w.state != wordCode || !take:
		o.MValid = false
	case refused:
		o.MValid, o.MKind = true, oracle.BeatError
	case word < moveindex.NumMoves || word == moveindex.Null:
		o.MValid, o.MKind = !w.skip && (w.depth != 0 || !w.nested), oracle.BeatPly
	default:
		o.MValid, o.MKind = word <= moveindex.ResultUnknown, oracle.BeatEnd
	}
	w.renew, w.ending, w.refuse = w.ending, false, startBad && !w.skip
}

// misplaced says that a word may not stand there.
func (w *Words) misplaced(word moveindex.Index) bool {
	switch {
	case word <= moveindex.ResultUnknown:
		return w.nested
	case word == moveindex.VariationStart:
		deepest := w.depth
		if deepest == 0 {
			deepest = 255
		}
		return !w.hasMove || int(w.nest) == deepest
	case word == moveindex.VariationEnd:
		return !w.hasMove || !w.nested
	}
	return word == moveindex.Start && w.Out.InGame
}

// take follows a word.
func (w *Words) take(word moveindex.Index) {
	inGame := w.Out.InGame
	w.Out.InGame = true
	switch w.state {
	case wordCode:
		if word < moveindex.NumMoves {
			w.hasMove = true
			return
		}
		w.Out.InGame = inGame
		bad := w.misplaced(word)
		w.Out.InGame = true
		w.takeCode(word, bad)
	case wordLength:
		w.text = uint16(word) << 3
		w.state = wordText
		if word == 0 {
			w.state = wordCode
		}
	case wordText:
		if w.text <= 11 {
			w.state = wordCode
		}
		w.text = (w.text - 11) & (1<<14 - 1)
	case wordNAG:
		w.skip = w.skip || word > 255
		w.state = wordCode
	}
}

// takeCode follows a word that is no operand and no move.
func (w *Words) takeCode(word moveindex.Index, bad bool) {
	switch {
	case word <= moveindex.ResultUnknown:
		w.ending = bad && !w.skip
		w.renew = !w.ending
		w.taking = false
		w.result = uint8(word & 3)
		w.skip, w.hasMove, w.nested = false, false, false
		w.nest = 0
		w.Out.InGame = false
		return
	case word == moveindex.Null:
		w.hasMove = true
	case word == moveindex.VariationStart:
		w.nest++
		w.nested = true
		w.hasMove = false
	case word == moveindex.VariationEnd:
		w.nest--
		w.nested = w.nest != 0
		w.hasMove = true
	case word == moveindex.Text:
		w.state = wordLength
	case word == moveindex.NAG:
		w.state = wordNAG
	case word == moveindex.Start:
		w.state = wordStart
		w.taking, w.reading = false, true
	}
	if w.depth != 0 && !w.skip && !bad && (word == moveindex.VariationStart || word == moveindex.VariationEnd) {
		w.open, w.shut, w.taking = word == moveindex.VariationStart, word == moveindex.VariationEnd, false
	}
	w.skip = w.skip || bad || word >= moveindex.FirstReserved
}

// stepRecord is a clock of a start record: four bits of it, the last of a word or not, and a row to the
// board.
func (w *Words) stepRecord(chunk, last bool) {
	row, went := w.row, w.went
	w.went = w.full && (w.skip || !w.Out.MValid && w.In.LoadReady)
	if w.put && row < 8 {
		switch man := w.men >> 28; {
		case man&7 == 7 || man == 8:
			w.fault = true
		case man == 1:
			w.white = w.white<<1&2 | w.white&2 | 1
		case man == 9:
			w.black = w.black<<1&2 | w.black&2 | 1
		}
	}
	w.put = chunk
	w.full = w.full && !w.went
	if chunk {
		man := (uint32(w.word)<<3 | uint32(w.before)) >> w.at & 15
		if row >= 8 && w.file >= 2 {
			// The state has nine bits.
			man &= 1
			if w.file > 2 {
				man = 0
			}
		}
		w.men = w.men>>4 | man<<28
		w.before = w.word >> 8
		if w.file == 7 {
			w.full, w.reading = true, false
		}
		w.file = (w.file + 1) & 7
		if last {
			w.at -= 7
		} else {
			w.at += 4
		}
	}
	if went {
		w.reading = row < 8
		w.row = (row + 1) & 15
	}
}
