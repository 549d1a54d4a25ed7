# SPDX-License-Identifier: Apache-2.0
"""ply11_peripheral by an AXI4-Lite master and streams of cocotbext-axi; the addresses and fields are those that systemrdl-compiler reads."""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamFrame
from systemrdl import RDLCompiler

import common
from test_player_axis import check_game, games_of, stream_sink, stream_source


class Registers:
    def __init__(self, master):
        compiler = RDLCompiler()
        compiler.compile_file(os.environ["PLY11_RDL"])
        self.master = master
        self.all = {r.inst_name: r for r in compiler.elaborate().top.registers()}

    async def get(self, register, field):
        r = self.all[register]
        f = {f.inst_name: f for f in r.fields()}[field]
        return await self.master.read_dword(r.absolute_address) >> f.low & (1 << f.width) - 1

    async def set(self, register, **fields):
        r = self.all[register]
        await self.master.write_dword(r.absolute_address, sum(value << {f.inst_name: f for f in r.fields()}[name].low for name, value in fields.items()))


@cocotb.test(timeout_time=common.TIMEOUT, timeout_unit="ms")
async def plays_by_registers(dut):
    rng = random.Random(common.SEED)
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    dut.aresetn.value = 0
    dut.m_axis_text_tready.value = 1
    reset = {"reset": dut.aresetn, "reset_active_level": False}
    source, sink = stream_source(dut, rng, dut.aclk, **reset), stream_sink(dut, rng, dut.aclk, "m_axis", **reset)
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.aclk, **reset)
    for channel in (master.write_if.aw_channel, master.write_if.w_channel, master.read_if.ar_channel, master.write_if.b_channel, master.read_if.r_channel):
        channel.set_pause_generator(common.stalls(rng, 0.4))
    for interface in (master.write_if, master.read_if):
        interface.log.setLevel("WARNING")
    await ClockCycles(dut.aclk, 3)
    dut.aresetn.value = 1
    registers = Registers(master)
    assert await registers.get("ID", "ID") == int.from_bytes(b"PL11", "big")
    for name, r in registers.all.items():  # what is read after a reset is what the file says
        for f in r.fields():
            if f.is_sw_readable and f.get_property("reset") is not None:
                assert await registers.get(name, f.inst_name) == f.get_property("reset"), (name, f.inst_name)
    await registers.set("ENABLE", END=1)
    played = plies = 0
    while played < common.GAMES:
        words, games = games_of(rng, rng.randrange(1, 3))
        await source.send(AxiStreamFrame(common.pack(words)))
        for moves, result, first in games:
            check_game(await sink.recv(), moves, result, first)
            played, plies = played + 1, plies + len(moves)
        assert dut.irq.value == 1
        await registers.set("SNAPSHOT", NOW=1)
        assert await registers.get("GAMES", "COUNT") == played and await registers.get("PLIES", "COUNT") == plies
        assert await registers.get("ERRORS", "COUNT") == 0 and await registers.get("STATUS", "IN_GAME") == 0
        await registers.set("INTERRUPT", END=1)
        assert await registers.get("INTERRUPT", "END") == 0 and dut.irq.value == 0
    await registers.set("CONTROL", CLEAR=1)
    await registers.set("SNAPSHOT", NOW=1)
    assert await registers.get("GAMES", "COUNT") == 0
    dut._log.info("%d games, %d plies", played, plies)
