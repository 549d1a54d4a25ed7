/* SPDX-License-Identifier: Apache-2.0 */
/* Has the peripheral play the games that stand in the ROM: prints each move and result as the records tell it, then the position of the last end as a snapshot
 * tells it; then searches them, prints where they match, and ends the simulation. */
#include "ply11_driver.h"

#include "computer.h"

/* TURNS is how often a loop may wait in all; 700 records need a small part of it. */
enum { RECORDS = 700, SIZE = PLY11_RECORD_SIZE + 4, TURNS = 1000000 };

static volatile uint8_t records[RECORDS * SIZE] __attribute__((aligned(4)));

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

static void number(uint32_t n) {
  if (n >= 10) number(n / 10);
  put((char)('0' + n % 10));
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

/* Has the games played, and returns how many records came. What is left in the player comes within a few hundred clocks: it waits until the snapshot and
 * the memory stand still. */
static uint32_t run(const struct ply11_bus *bus, struct ply11_snapshot *s) {
  uint32_t have = 0, written = 0, i, turns = 0;
  dma(CSR_PLY11_WRITER_BASE_ADDR, CSR_PLY11_WRITER_LENGTH_ADDR, CSR_PLY11_WRITER_ENABLE_ADDR, records, sizeof records);
  dma(CSR_PLY11_READER_BASE_ADDR, CSR_PLY11_READER_LENGTH_ADDR, CSR_PLY11_READER_ENABLE_ADDR, games, sizeof games);
  while (*csr(CSR_PLY11_READER_DONE_ADDR) == 0) if (++turns == TURNS) finish("no end");
  for (i = 0; i < 20; i++) {
    const uint32_t before = have + written;
    if (++turns == TURNS) finish("no end");
    if (ply11_read_snapshot(bus, s, 3)) finish("no snapshot");
    have = s->games + s->plies + s->errors;
    written = *csr(CSR_PLY11_WRITER_OFFSET_ADDR);
    if (have + written != before) i = 0;
    if (have > RECORDS - 1) finish("too many records");
  }
  return written / (SIZE / 4);
}

static void play(void) {
  static const char pieces[] = ".KQNBRP??kqnbrp?", *const results[] = {"0-1", "1/2-1/2", "1-0", "*"};
  struct ply11_bus bus = ply11_mapped((volatile uint32_t *)PLY11_BASE);
  struct ply11_build build;
  static struct ply11_snapshot s;
  static struct ply11_pattern pattern;
  struct ply11_record r;
  uint32_t have, hits, i;
  if (ply11_open(&bus, &build) || build.width != 32 || ply11_set_mode(&bus, PLY11_WORDS) ||
      ply11_snapshot_with(&bus, PLY11_EVENT_END | PLY11_EVENT_ERROR)) finish("no peripheral");
  have = run(&bus, &s);
  for (i = 0; i < have; i++) {
    ply11_read_record((const uint8_t *)(uintptr_t)(records + i * SIZE), &r);
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
    put(pieces[s.position.pieces[at / 8] >> (4 * (at % 8)) & 15]);
    if (i % 8 == 0) put('\n');
  }
  puts_(s.position.side ? "Black to move\n" : "White to move\n");

  /* The same games once more, searched for a white piece on b7. */
  for (i = 0; i < 64; i++) pattern.pieces[i] = PLY11_ANY;
  pattern.pieces[49] = 0x7e;
  pattern.white = pattern.black = 1;
  pattern.first = 1;
  pattern.last = 0xffff;
  if (ply11_search(&bus, &pattern)) finish("no search");
  have = run(&bus, &s);
  for (i = 0; i < have; i++) {
    ply11_read_record((const uint8_t *)(uintptr_t)(records + i * SIZE), &r);
    if (r.kind != 0) continue;
    puts_("game ");
    number(*(const volatile uint32_t *)(uintptr_t)(records + i * SIZE + PLY11_RECORD_SIZE));
    puts_(", ply ");
    number(r.ply);
    put('\n');
  }
  if (ply11_hits(&bus, &hits)) finish("no hits");
  number(hits);
  finish(" hits");
}

__attribute__((naked, section(".start"))) void _start(void) {
  /* The linker reaches memory near gp by it. */
  __asm__(".option push\n\t.option norelax\n\tla gp, __global_pointer$\n\t.option pop\n\tla sp, stack_top\n\tj main\n");
}

int main(void) {
  play();
  return 0;
}
