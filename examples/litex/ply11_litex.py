# SPDX-License-Identifier: Apache-2.0
"""ply11_peripheral in LiteX: its registers on the bus, its bytes and records by DMA; and a VexRiscv that plays and searches games with it.

    python ply11_litex.py FOLDER GAMES    # FOLDER: what it builds; GAMES: a file of words, as ply11 convert writes it

It prints what main.c prints on the serial line, in LiteX's simulation by Verilator.
"""
import os
import subprocess
import sys

from migen import ClockSignal, Instance, ResetSignal, Signal
from litex.build.generic_platform import Pins, Subsignal
from litex.build.io import CRG
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.gen import LiteXModule
from litex.soc.cores.dma import WishboneDMAReader, WishboneDMAWriter
from litex.soc.integration import export
from litex.soc.integration.common import get_mem_data
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import axi, stream, wishbone

HERE = os.path.dirname(os.path.abspath(__file__))
HDL = os.environ.get("PLY11_HDL", os.path.join(HERE, "..", "..", "hdl"))


class Ply11(LiteXModule):
    """The peripheral for words, with a search. `bus` has the registers of docs/hardware-reference.md. `reader` takes games from memory and `writer` puts
    records there, 16 bytes each and 4 for the game's number; both have the CSRs of LiteX's DMA. `irq` is the peripheral's."""

    def __init__(self, platform):
        self.bus = bus = axi.AXILiteInterface(data_width=32, address_width=32)
        self.reader = reader = WishboneDMAReader(wishbone.Interface(data_width=32, addressing="word"), endianness="big", with_csr=True)
        self.writer = writer = WishboneDMAWriter(wishbone.Interface(data_width=32, addressing="word"), endianness="big", with_csr=True)
        self.narrow = narrow = stream.Converter(160, 32)
        self.irq = Signal()
        self.comb += narrow.source.connect(writer.sink, keep={"valid", "ready", "data"})
        ports = dict(
            p_MODES=1, p_WIDTH=32, p_MATCH=1, i_aclk=ClockSignal(), i_aresetn=~ResetSignal(), o_irq=self.irq,
            i_s_axis_tvalid=reader.source.valid, o_s_axis_tready=reader.source.ready, i_s_axis_tdata=reader.source.data,
            i_s_axis_tkeep=0xf, i_s_axis_tlast=reader.source.last,
            o_m_axis_tvalid=narrow.sink.valid, i_m_axis_tready=narrow.sink.ready, o_m_axis_tdata=narrow.sink.data[:128],
            o_m_axis_tuser=narrow.sink.data[128:], i_m_axis_text_tready=1,
        )
        for channel, payload in (("aw", ("addr",)), ("w", ("data", "strb")), ("b", ("resp",)), ("ar", ("addr",)), ("r", ("data", "resp"))):
            to, back = ("o", "i") if channel in "br" else ("i", "o")
            endpoint = getattr(bus, channel)
            ports[f"{to}_s_axil_{channel}valid"], ports[f"{back}_s_axil_{channel}ready"] = endpoint.valid, endpoint.ready
            for name in payload:
                signal = getattr(endpoint, name)
                ports[f"{to}_s_axil_{channel}{name}"] = signal[:8] if name == "addr" else signal
        self.specials += Instance("ply11_peripheral", **ports)
        with open(os.path.join(HDL, "rtl", "ply11_peripheral.f")) as files:
            for line in files:
                if not line.startswith("//"):
                    platform.add_source(os.path.join(HDL, line.strip()))


IO = [
    ("sys_clk", 0, Pins(1)),
    ("serial", 0, Subsignal("source_valid", Pins(1)), Subsignal("source_ready", Pins(1)), Subsignal("source_data", Pins(8)),
     Subsignal("sink_valid", Pins(1)), Subsignal("sink_ready", Pins(1)), Subsignal("sink_data", Pins(8))),
]


class Computer(SoCCore):
    """A VexRiscv without caches, with a ROM for the program and 16 KiB for records."""

    def __init__(self, platform):
        SoCCore.__init__(self, platform, 1_000_000, ident="", cpu_type="vexriscv", cpu_variant="minimal", integrated_rom_size=0x8000,
                         integrated_sram_size=0x4000, uart_name="sim")
        self.crg = CRG(platform.request("sys_clk"))
        platform.add_debug(self)
        self.ply11 = ply11 = Ply11(platform)
        self.bus.add_slave("ply11", ply11.bus, SoCRegion(origin=0x90000000, size=0x100, cached=False))
        self.bus.add_master("ply11_reader", ply11.reader.bus)
        self.bus.add_master("ply11_writer", ply11.writer.bus)


def program(soc, games):
    """Compiles main.c with the computer's addresses and the games, and returns the ROM's words."""
    with open(games, "rb") as f:
        data = f.read()
    data += b"\xff" * (-len(data) % 4)  # idle words
    with open("computer.h", "w") as f:
        f.write(export.get_csr_header(soc.csr_regions, soc.constants, with_access_functions=False))
        f.write(f"#define PLY11_BASE 0x{soc.bus.regions['ply11'].origin:x}\n")
        f.write("static const uint8_t games[] __attribute__((aligned(4))) = {%s};\n" % ",".join(map(str, data)))
    rom, ram = soc.bus.regions["rom"], soc.bus.regions["sram"]
    driver = os.path.join(HDL, "driver")
    subprocess.check_call(
        ["riscv64-unknown-elf-gcc", "-std=c99", "-march=rv32i", "-mabi=ilp32", "-msmall-data-limit=0", "-Os", "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-nostdlib", "-I.",
         "-I" + driver, f"-Wl,--section-start=.start=0x{rom.origin:x},-Ttext=0x{rom.origin + 32:x},-Tdata=0x{ram.origin:x},--defsym=stack_top=0x{ram.origin + ram.size:x},-e,_start", "-o", "main.elf",
         os.path.join(HERE, "main.c"), os.path.join(driver, "ply11_driver.c"), "-lgcc"])
    subprocess.check_call(["riscv64-unknown-elf-objcopy", "-O", "binary", "main.elf", "main.bin"])
    return get_mem_data("main.bin", data_width=32, endianness="little")


def main(folder, games):
    games = os.path.abspath(games)
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    platform = SimPlatform("SIM", IO)
    soc = Computer(platform)
    soc.finalize()
    soc.init_rom("rom", program(soc, games))
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=1_000_000)
    config.add_module("serial2console", "serial")
    platform.build(soc, build_dir="build", sim_config=config, interactive=False, verbose=False, opt_level="O1")


if __name__ == "__main__":
    main(*sys.argv[1:])
