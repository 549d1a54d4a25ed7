# SPDX-License-Identifier: Apache-2.0
"""ply11_decode_pipe as a component of Amaranth: indices of moves in, squares out, both as streams.

    python ply11_decode.py > top.il       # RTLIL, for: yosys -p 'read_rtlil top.il; read_verilog hdl/rtl/ply11_decode_pipe.v; ...'
"""
from amaranth.back import rtlil
from amaranth.hdl import ClockSignal, Instance, Module, ResetSignal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

MOVE = data.StructLayout({"from": 6, "to": 6, "promotion": 3, "valid": 1})


class Decode(wiring.Component):
    """Takes an index a clock. `valid` of the move is 0 where the index is none of a move."""

    i: In(stream.Signature(11))
    o: Out(stream.Signature(MOVE))

    def elaborate(self, platform):
        m = Module()
        move = self.o.payload
        m.submodules.pipe = Instance(
            "ply11_decode_pipe", p_HANDSHAKE=1,
            i_clk=ClockSignal(), i_rst=ResetSignal(),
            i_s_valid=self.i.valid, o_s_ready=self.i.ready, i_s_index=self.i.payload,
            o_m_valid=self.o.valid, i_m_ready=self.o.ready,
            o_m_from=move["from"], o_m_to=move["to"], o_m_promotion=move["promotion"], o_m_is_move=move["valid"],
        )
        return m


if __name__ == "__main__":
    print(rtlil.convert(Decode(), name="top"))
