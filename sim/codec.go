// SPDX-License-Identifier: Apache-2.0

package sim

// CodecIn are the inputs that ply11_words, ply11_brenner, ply11_jose and ply11_cbf have in common. SData beside them has
// eleven bits in words, and eight elsewhere.
type CodecIn struct {
	Rst    bool
	SValid bool
	MReady bool
}

// CodecOut are the outputs that they have in common: what goes to ply11_board.
type CodecOut struct {
	SReady  bool
	MValid  bool
	MKind   uint8
	MCode   uint8
	MIndex  uint16
	MOffset uint32
	InGame  bool
}

// StartIn are the inputs by which ply11_brenner and ply11_jose are told a start position, between games.
type StartIn struct {
	LoadClear  bool
	LoadValid  bool
	LoadSquare uint8
	LoadMan    uint8
	LoadState  bool
	LoadSide   uint8
	LoadEP     uint8
	LoadBad    bool
}

// codecPorts are the ports of in, data and out. The code and the index have a meaning while coded and indexed are true.
func codecPorts(in *CodecIn, data Port, out *CodecOut, coded, indexed *bool) []Port {
	ports := append([]Port{
		input("rst", 1, &in.Rst),
		input("s_valid", 1, &in.SValid),
		output("s_ready", 1, &out.SReady),
		data,
		output("m_valid", 1, &out.MValid),
		input("m_ready", 1, &in.MReady),
	}, given(&out.MValid, output("m_kind", 2, &out.MKind))...)
	ports = append(ports, given(coded, output("m_code", 4, &out.MCode))...)
	ports = append(ports, given(indexed,
		output("m_index", 11, &out.MIndex),
		output("m_offset", 32, &out.MOffset))...)
	return append(ports, output("in_game", 1, &out.InGame))
}

func (in *StartIn) ports() []Port {
	return []Port{
		input("load_clear", 1, &in.LoadClear),
		input("load_valid", 1, &in.LoadValid),
		input("load_square", 6, &in.LoadSquare),
		input("load_man", 4, &in.LoadMan),
		input("load_state", 1, &in.LoadState),
		input("load_side", 1, &in.LoadSide),
		input("load_ep", 4, &in.LoadEP),
		input("load_bad", 1, &in.LoadBad),
	}
}
