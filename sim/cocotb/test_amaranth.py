# SPDX-License-Identifier: Apache-2.0
"""The component of examples/amaranth decodes each index to the move that the table has, with stalls on both sides."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

import common


@cocotb.test(timeout_time=common.TIMEOUT, timeout_unit="ms")
async def decodes(dut):
    rng = random.Random(common.SEED)
    dut.rst.value, dut.i__valid.value, dut.o__ready.value = 1, 0, 0
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    coming, waiting, before = rng.sample(range(2048), 2048), [], None
    while coming or waiting:
        dut.i__valid.value = int(bool(coming) and (rng.random() < 0.7 or dut.i__valid.value == 1))
        dut.i__payload.value = coming[0] if coming else 0
        dut.o__ready.value = ready = rng.randrange(2)
        await Timer(1, "ns")
        now = int(dut.o__payload.value) if dut.o__valid.value else None
        assert before in (None, now), "a word changed while it waited"
        before = None if ready else now
        if dut.o__valid.value and ready:
            index, word = waiting.pop(0), int(dut.o__payload.value)
            move = common.MOVES.get(index)
            assert word >> 15 == (move is not None), index
            if move:
                assert word & 0x7fff == move.from_square | move.to_square << 6 | common.PROMOTIONS[move.promotion] << 12, (index, word)
        if dut.i__valid.value and dut.i__ready.value:
            waiting.append(coming.pop(0))
        await FallingEdge(dut.clk)
