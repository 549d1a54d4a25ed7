/* SPDX-License-Identifier: Apache-2.0 */
/* Has the peripheral play the games that stand in the ROM: prints each move and result as the records tell it, then the position of the last end as a snapshot
 * tells it, and ends the simulation. */
#include "ply11_driver.h"

#include "computer.h"

/* TURNS is how often a loop may wait in all; 900 records need a small part of it. */
enum { RECORDS = 900, TURNS = 1000000 };

static volatile uint8_t records[RECORDS * PLY11_RECORD_SIZE] __attribute__((aligned(4)));

static volatile uint32_t *csr(uint32_t address) { return (volatile uint32_t *)address; }

static void put(char c) {
  while (*csr(CSR_UART_TXFULL_ADDR) != 0) {
  }
  *csr(CSR_UART_RXTX_ADDR) = (uint8_t)c;
}

static void puts_(const char *s) {
  while (*s) put(*s++);
}

static void square(uint8_t s) {
  put((char)('a' + s % 8));
  put((char)('1' + s / 8));
}

static void finish(const char *why) {
  puts_(why);
  put('\n');
  while (*csr(CSR_UART_TXEMPTY_ADDR) == 0) {
  }
  /* An empty loop may keep the bus, and the write would wait for ever. */
  for (;;) *csr(CSR_SIM_FINISH_FINISH_ADDR) = 1;
}

/* A DMA of LiteX: where, how many bytes, go. The base has 64 bits, the high ones first. */
static void dma(uint32_t base, uint32_t length, uint32_t enable, const volatile void *memory, uint32_t bytes) {
  *csr(enable) = 0;
  *csr(base) = 0;
  *csr(base + 4) = (uint32_t)(uintptr_t)memory;
  *csr(length) = bytes;
  *csr(enable) = 1;
}

static void play(void) {
  static const char men[] = ".KQNBRP??kqnbrp?", *const results[] = {"0-1", "1/2-1/2", "1-0", "*"};
  struct ply11_bus bus = ply11_mapped((volatile uint32_t *)PLY11_BASE);
  struct ply11_build build;
  static struct ply11_snapshot s;
  struct ply11_record r;
  uint32_t have = 0, i, turns = 0;
  if (ply11_open(&bus, &build) || build.width != 32 || ply11_set_mode(&bus, PLY11_WORDS) ||
      ply11_snapshot_with(&bus, PLY11_EVENT_END | PLY11_EVENT_ERROR)) finish("no peripheral");
  dma(CSR_PLY11_WRITER_BASE_ADDR, CSR_PLY11_WRITER_LENGTH_ADDR, CSR_PLY11_WRITER_ENABLE_ADDR, records, sizeof records);
  dma(CSR_PLY11_READER_BASE_ADDR, CSR_PLY11_READER_LENGTH_ADDR, CSR_PLY11_READER_ENABLE_ADDR, games, sizeof games);
  while (*csr(CSR_PLY11_READER_DONE_ADDR) == 0) if (++turns == TURNS) finish("no end");
  /* What is left in the player comes within a few hundred clocks: wait until the snapshot stands still, and all that it counts is in memory. */
  for (i = 0; i < 20; i++) {
    if (++turns == TURNS) finish("no end");
    if (ply11_read_snapshot(&bus, &s, 3)) finish("no snapshot");
    if (s.games + s.plies + s.errors != have || *csr(CSR_PLY11_WRITER_OFFSET_ADDR) != 4 * have) i = 0;
    have = s.games + s.plies + s.errors;
    if (have > RECORDS - 1) finish("too many records");
  }
  for (i = 0; i < have; i++) {
    ply11_read_record((const uint8_t *)(uintptr_t)(records + i * PLY11_RECORD_SIZE), &r);
    if (r.kind == 0) {
      square(r.from);
      square(r.to);
      if (r.promotion) put("nbrq"[r.promotion - 4]);
      put(' ');
    } else {
      puts_(r.kind == 2 ? results[r.result] : "error");
      put('\n');
    }
  }
  for (i = 64; i-- > 0;) {
    uint32_t at = i ^ 7;
    put(men[s.position.men[at / 8] >> (4 * (at % 8)) & 15]);
    if (i % 8 == 0) put('\n');
  }
  finish(s.position.side ? "Black to move" : "White to move");
}

__attribute__((naked, section(".start"))) void _start(void) {
  __asm__("la sp, stack_top\n\tj main\n");
}

int main(void) {
  play();
  return 0;
}
