# SPDX-License-Identifier: Apache-2.0
"""ply11_peripheral by an AXI4-Lite master and streams of cocotbext-axi; the addresses and fields are those that systemrdl-compiler reads."""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamFrame, AxiStreamSource
from cocotbext.axi.stream import define_stream
from systemrdl import RDLCompiler

import common
from test_player_axis import END, ERROR, PLY, check, games_of

# A sink of records and not of packets: a game that is given up ends without tlast.
RecordBus, _, _, RecordSink, _ = define_stream("Record", ["tvalid", "tready", "tdata", "tlast"])


class Registers:
    def __init__(self, master):
        compiler = RDLCompiler()
        compiler.compile_file(os.environ["PLY11_RDL"])
        self.master = master
        self.all = {r.inst_name: r for r in compiler.elaborate().top.registers()}
        self.free = sorted(set(range(0, 256, 4)) - {r.absolute_address for r in self.all.values()})

    async def read(self, address):
        response = await self.master.read(address, 4)
        return response.resp, int.from_bytes(response.data, "little")

    async def write(self, address, value, length=4):
        return (await self.master.write(address, value.to_bytes(4, "little")[:length])).resp

    async def get(self, register):
        """The fields of a register that is there."""
        resp, value = await self.read(self.all[register].absolute_address)
        assert resp == AxiResp.OKAY, register
        return {f.inst_name: value >> f.low & (1 << f.width) - 1 for f in self.all[register].fields()}

    async def set(self, register, **fields):
        low = {f.inst_name: f.low for f in self.all[register].fields()}
        assert await self.write(self.all[register].absolute_address, sum(value << low[name] for name, value in fields.items())) == AxiResp.OKAY, register

    async def check_reset(self):
        """What is read after a reset is what the file says. A register that the build leaves out has SLVERR, also for a write."""
        for name, r in self.all.items():
            if r.has_sw_readable:
                resp, value = await self.read(r.absolute_address)
                assert resp == AxiResp.OKAY or await self.write(r.absolute_address, 0) == AxiResp.SLVERR, name
                for f in r.fields():
                    want = f.get_property("reset")
                    assert want is None or not f.is_sw_readable or resp != AxiResp.OKAY or value >> f.low & (1 << f.width) - 1 == want, (name, f.inst_name)

    async def check_faults(self, rng):
        for address in self.free:
            assert await self.write(address, rng.getrandbits(32)) == AxiResp.SLVERR, address
            assert (await self.read(address))[0] == AxiResp.SLVERR, address
        for name, r in self.all.items():
            if not r.has_sw_writable:
                assert await self.write(r.absolute_address, rng.getrandbits(32)) == AxiResp.SLVERR, name


class Model:
    """What the registers tell, as the records that came have it."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.taken, self.events, self.shown = 0, (), {}
        self.clear()

    def clear(self):
        self.count = {PLY: 0, END: 0, ERROR: 0}
        self.interrupt = {"END": 0, "ERROR": 0}
        self.first = self.last = {"VALID": 0, "CODE": 0, "OFFSET": 0}

    def add(self, fields, board):
        self.count[fields["kind"]] += 1
        self.interrupt["END"] |= fields["kind"] == END
        if fields["kind"] == ERROR:
            self.interrupt["ERROR"] = 1
            self.last = {"VALID": 1, "CODE": fields["error"], "OFFSET": fields["offset"]}
            self.first = self.first if self.first["VALID"] else self.last
        if fields["kind"] in self.events:
            self.snap()
            self.shown["STATE"] = {"PLY": fields["ply"], "EP": fields["ep"], "RIGHTS": fields["rights"], "SIDE": fields["side"], "DEPTH": fields["depth"]}
            self.shown.update({"BOARD%d" % rank: {"PIECES": common.planes(board) >> 32 * rank & 0xffffffff} for rank in range(8)})

    def snap(self):
        self.taken = self.taken + 1 & 0xffff
        self.shown = {"GAMES": {"COUNT": self.count[END]}, "PLIES": {"COUNT": self.count[PLY]}, "ERRORS": {"COUNT": self.count[ERROR]}}
        for name, error in ("FIRST", self.first), ("LAST", self.last):
            self.shown[name + "_ERROR"] = {field: error[field] for field in ("VALID", "CODE")}
            self.shown[name + "_BYTE"] = {"OFFSET": error["OFFSET"]}


@cocotb.test(timeout_time=common.TIMEOUT, timeout_unit="ms")
async def plays_by_registers(dut):
    rng = random.Random(common.SEED)
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    dut.aresetn.value = 0
    dut.m_axis_text_tready.value = 1
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.aclk, dut.aresetn, False)
    sink = RecordSink(RecordBus.from_prefix(dut, "m_axis"), dut.aclk, dut.aresetn, False)
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.aclk, dut.aresetn, False)
    common.pause(rng, 0.4, master.write_if.aw_channel, master.write_if.w_channel, master.read_if.ar_channel, master.write_if.b_channel, master.read_if.r_channel)
    for interface in (master.write_if, master.read_if):
        interface.log.setLevel("ERROR")
    for names in ("m_axis_tvalid", "m_axis_tready", "m_axis_tdata", "m_axis_tlast"), ("s_axil_bvalid", "s_axil_bready", "s_axil_bresp"), \
            ("s_axil_rvalid", "s_axil_rready", "s_axil_rresp", "s_axil_rdata"):
        cocotb.start_soon(common.holds(dut.aclk, dut.aresetn, 0, *(getattr(dut, name) for name in names)))
    await ClockCycles(dut.aclk, 3)
    dut.aresetn.value = 1
    registers, model = Registers(master), Model()
    assert (await registers.get("ID"))["ID"] == int.from_bytes(b"PL11", "big")
    await registers.check_reset()
    await registers.check_faults(rng)

    def judge(beat, want):
        check(int(beat.tdata).to_bytes(16, "little"), *want)
        assert beat.tlast == (want[0]["kind"] == END)
        model.add(*want)

    async def begin():
        """Sends a packet, and goes on somewhere inside it, with the records that are to come."""
        words, games = games_of(rng, 3)
        await source.send(AxiStreamFrame(common.pack(words)))
        while not (dut.s_axis_tvalid.value and dut.s_axis_tready.value):
            await RisingEdge(dut.aclk)
        await ClockCycles(dut.aclk, rng.randrange(1, 200))
        return [want for records in games for want in records]

    async def give_up(stop):
        """Resets the player by software inside a packet. With stop, the packet ends without its tlast."""
        coming, start = await begin(), registers.all["START"].absolute_address
        if stop:
            source.set_pause_generator(None)
            source.pause = True
            while dut.s_axis_tvalid.value:
                await RisingEdge(dut.aclk)
            source.assert_reset()
            source.clear()
        # In words a word of START waits until RESET.
        assert await registers.write(start, 1, length=2) == AxiResp.SLVERR
        await registers.set("START", PLY=1)
        assert (await registers.get("STATUS"))["WAITS"] and await registers.write(start, 1) == AxiResp.SLVERR
        await registers.set("CONTROL", RESET=1)
        assert await registers.write(start, 1) == AxiResp.SLVERR and not (await registers.get("STATUS"))["WAITS"] and not dut.s_axis_tready.value
        await registers.set("CONTROL", RESET=0, RESTART=stop)
        while dut.m_axis_tvalid.value:
            await RisingEdge(dut.aclk)
        while not sink.empty():
            judge(sink.recv_nowait(), coming.pop(0))
        assert (await registers.get("STATUS"))["IN_GAME"] == 0

    async def reset():
        """Resets everything inside a packet, and inside a read."""
        coming = await begin()
        master.init_read(0, 4)
        await ClockCycles(dut.aclk, rng.randrange(1, 6))
        dut.aresetn.value = 0
        await ClockCycles(dut.aclk, rng.randrange(1, 4))
        source.clear()
        while not sink.empty():
            judge(sink.recv_nowait(), coming.pop(0))
        dut.aresetn.value = 1
        model.reset()
        await registers.check_reset()

    played = turn = 0
    while played < common.GAMES or turn < 3:
        enable = {"END": rng.getrandbits(1), "ERROR": rng.getrandbits(1)}
        model.events = [kind for kind in (END, ERROR) if rng.random() < 0.6]
        await registers.set("ENABLE", **enable)
        await registers.set("SNAPSHOT", WITH_END=END in model.events, WITH_ERROR=ERROR in model.events)
        common.pause(rng, rng.choice((0, 0.3, 0.8)), source, sink)
        words, games = games_of(rng, rng.randrange(1, 3), (1, 0.3, 0)[turn % 3])
        await source.send(AxiStreamFrame(common.pack(words)))
        for records in games:
            for want in records:
                judge(await sink.recv(), want)
            played += 1
        if not model.events:
            await registers.set("SNAPSHOT", NOW=1)
            model.snap()
        assert (await registers.get("SNAPSHOT"))["TAKEN"] == model.taken
        for name, fields in model.shown.items():
            assert await registers.get(name) == fields, name
        status = await registers.get("STATUS")
        assert (status["IN_GAME"], status["BEAT"], status["ERRORS"]) == (0, 0, model.last["VALID"])
        for event in ("END", "ERROR"):
            assert model.interrupt.items() <= (await registers.get("INTERRUPT")).items()
            assert dut.irq.value == any(model.interrupt[name] and enable[name] for name in enable)
            await registers.set("INTERRUPT", **{event: 1})
            model.interrupt[event] = 0
        if rng.random() < 0.2:
            await registers.set("CONTROL", CLEAR=1)
            model.clear()
        if turn % 3 == 1:
            await reset()
        else:
            await give_up(stop=turn % 3 == 2)
        turn += 1
    dut._log.info("%d games, %d turns", played, turn)
