// SPDX-License-Identifier: Apache-2.0

package sim

import "fmt"

// Kinds of beats of ply11_words, ply11_brenner and ply11_player.
const (
	BeatPly   uint8 = 0
	BeatNew   uint8 = 1 // never shown by ply11_player
	BeatEnd   uint8 = 2
	BeatError uint8 = 3
)

// WordsIn are the inputs of ply11_words.
type WordsIn struct {
	Rst       bool
	SValid    bool
	SData     uint16
	MReady    bool
	LoadReady bool
	Done      bool
}

// WordsOut are its outputs. SReady and LoadValid are combinational, the others are registers.
type WordsOut struct {
	SReady    bool
	MValid    bool
	MKind     uint8
	MCode     uint8
	MIndex    uint16
	MOffset   uint32
	InGame    bool
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

	depth         int // DEPTH
	rows          *Gearbox
	state         uint8
	renew, ending bool
	result        uint8
	skip, hasMove bool
	nest          uint8
	nested        bool
	open, shut    bool // a bracket is followed
	text          uint16
	bit           uint64
	start         uint8
	drain         bool

	row          uint8
	fault        bool
	white, black uint8 // kings: bit 0 one or more, bit 1 more
	rowGo        bool  // of this clock
}

// NewWords returns a model that steps over variations.
func NewWords() *Words {
	w, _ := NewWordsDepth(0)
	return w
}

// NewWordsDepth returns a model that plays depth variations inside each other, 0..31; with 0 it steps over them.
func NewWordsDepth(depth int) (*Words, error) {
	if depth < 0 || depth > MaxDepth {
		return nil, fmt.Errorf("sim: %d variations inside each other: 0 to %d are possible", depth, MaxDepth)
	}
	w := &Words{depth: depth, rows: newGearbox(11, 32)}
	w.Reset()
	return w, nil
}

// Verilog names the module.
func (w *Words) Verilog() Verilog {
	return Verilog{Module: "ply11_words", Params: []string{fmt.Sprintf("DEPTH=%d", w.depth)}, Files: []string{"rtl/ply11_words.v", "rtl/ply11_gearbox.v"}}
}

// Ports returns the ports.
func (w *Words) Ports() []Port {
	ports := append([]Port{
		input("rst", 1, &w.In.Rst),
		input("s_valid", 1, &w.In.SValid),
		output("s_ready", 1, &w.Out.SReady),
		input("s_data", 11, &w.In.SData),
		output("m_valid", 1, &w.Out.MValid),
		input("m_ready", 1, &w.In.MReady),
	}, given(&w.Out.MValid,
		output("m_kind", 2, &w.Out.MKind),
		output("m_code", 4, &w.Out.MCode),
		output("m_index", 11, &w.Out.MIndex),
		output("m_offset", 32, &w.Out.MOffset))...)
	ports = append(ports,
		output("in_game", 1, &w.Out.InGame),
		output("open", 1, &w.Out.Open),
		output("close", 1, &w.Out.Close),
		input("done", 1, &w.In.Done),
		output("load_valid", 1, &w.Out.LoadValid),
		input("load_ready", 1, &w.In.LoadReady),
		output("load_addr", 4, &w.Out.LoadAddr))
	return append(ports, given(&w.Out.LoadValid, output("load_data", 32, &w.Out.LoadData))...)
}

// Reset waits for the first game.
func (w *Words) Reset() {
	w.clear()
	w.rows.Reset()
	w.Eval()
}

func (w *Words) clear() {
	*w = Words{In: w.In, Out: w.Out, rows: w.rows, depth: w.depth}
	w.Out.MValid, w.Out.InGame, w.Out.LoadAddr = false, false, 0
	w.Out.Open, w.Out.Close = false, false
}

// Eval sets SReady and the load port.
func (w *Words) Eval() {
	o, g := &w.Out, w.rows
	en := !o.MValid || w.In.MReady
	o.LoadValid = g.Out.MValid && !o.MValid && !w.skip
	o.LoadData = uint32(g.Out.MData)
	if w.row&8 != 0 {
		o.LoadData &= 0x1ff
	}
	w.rowGo = o.LoadValid && w.In.LoadReady
	if w.skip {
		w.rowGo = g.Out.MValid && en
	}
	o.SReady = en && !w.renew && !w.ending && !w.drain && !w.open && !w.shut
	if w.state == wordStart && o.SReady {
		g.In.MReady = w.rowGo
		g.Eval()
		o.SReady = g.Out.SReady
	}
}

// Step is a clock.
func (w *Words) Step() {
	w.Eval()
	o, g := &w.Out, w.rows
	en := !o.MValid || w.In.MReady
	take := w.In.SValid && o.SReady
	word := w.In.SData & 2047
	fresh := take && word != 2047
	reserved, result := false, false
	isMove := true
	c := uint8(word-48) & 127
	if word >= 1968 {
		isMove = c == 4
		result = c < 4
		reserved = c > 40
	}
	high := word >= 1968
	open, shut := high && c == 5, high && c == 6
	full := int(w.nest) == w.depth
	if w.depth == 0 {
		full = w.nest == 255
	}
	badPlace := open && (!w.hasMove || full) || shut && (!w.hasMove || !w.nested) ||
		result && w.nested || high && c == 40 && o.InGame
	code := fresh && w.state == wordCode
	badNAG := fresh && w.state == wordNAG && word > 255

	g.In = GearboxIn{w.In.Rst, fresh && w.state == wordStart, uint64(word), w.start == 25, w.rowGo}
	finish := w.rowGo && w.row&8 != 0
	data := uint32(g.Out.MData)
	startBad := finish && (w.fault || data>>5&15 > 8 || w.white != 1 || w.black != 1)
	if w.rowGo {
		w.examine(data)
	}
	g.Step()

	if en {
		o.MValid = w.renew || w.ending || code && !w.skip && (isMove && (w.depth != 0 || !w.nested) || badPlace || reserved) ||
			code && result || badNAG && !w.skip || startBad && !w.skip
		switch {
		case w.renew:
			o.MKind = BeatNew
		case w.ending:
			o.MKind = BeatEnd
		case finish || badNAG || !w.skip && (badPlace || reserved):
			o.MKind = BeatError
		case isMove:
			o.MKind = BeatPly
		default:
			o.MKind = BeatEnd
		}
		switch {
		case w.ending:
			o.MCode = w.result
		case finish:
			o.MCode = 9
		case badNAG:
			o.MCode = 8
		case !w.skip && badPlace:
			o.MCode = 7
			if open && w.hasMove && w.depth != 0 {
				o.MCode = 10
			}
		case reserved:
			o.MCode = 6
		default:
			o.MCode = c & 3
		}
		o.MIndex = word
		if !w.ending && !w.drain {
			o.MOffset = uint32(w.bit >> 3)
		}
		w.renew, w.ending = w.ending, false
	}
	if take {
		w.bit = (w.bit + 11) & (1<<35 - 1)
	}
	if fresh {
		o.InGame = true
		switch w.state {
		case wordCode:
			w.takeCode(word, c, badPlace)
		case wordLength:
			w.text = word << 3
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
		case wordStart:
			if w.start++; w.start == 26 {
				w.start = 0
				w.state = wordCode
				w.drain = true
			}
		}
	}
	if w.In.Done {
		w.open, w.shut = false, false
	}
	if finish {
		w.drain = false
		w.skip = w.skip || startBad
	}
	o.LoadAddr = w.row
	if w.In.Rst {
		w.clear()
	}
	o.Open, o.Close = w.open && !o.MValid, w.shut && !o.MValid
}

// takeCode follows a word that is no operand.
func (w *Words) takeCode(word uint16, c uint8, badPlace bool) {
	if word < 1968 {
		w.hasMove = true
		return
	}
	switch {
	case c < 4:
		if !w.skip && w.nested {
			w.ending = true
		} else {
			w.renew = true
		}
		w.result = c
		w.skip, w.hasMove, w.nested = false, false, false
		w.nest = 0
		w.Out.InGame = false
		return
	case c == 4:
		w.hasMove = true
	case c == 5:
		w.nest++
		w.nested = true
		w.hasMove = false
	case c == 6:
		w.nest--
		w.nested = w.nest != 0
		w.hasMove = true
	case c == 7:
		w.state = wordLength
	case c == 8:
		w.state = wordNAG
	case c == 40:
		w.state = wordStart
	}
	if w.depth != 0 && !w.skip && !badPlace {
		w.open, w.shut = c == 5, c == 6
	}
	w.skip = w.skip || badPlace || c > 40
}

// examine looks at a row of a start record that goes to the board.
func (w *Words) examine(row uint32) {
	if w.row&8 != 0 {
		w.row, w.fault, w.white, w.black = 0, false, 0, 0
		return
	}
	w.row++
	for ; row != 0; row >>= 4 {
		switch man := row & 15; {
		case man&7 == 7 || man == 8:
			w.fault = true
		case man == 1:
			w.white = w.white<<1&2 | w.white&2 | 1
		case man == 9:
			w.black = w.black<<1&2 | w.black&2 | 1
		}
	}
}
