/* SPDX-License-Identifier: Apache-2.0 */
/* Drives a simulated ply11_peripheral by hdl/driver. Requests go to standard output and answers come from standard input, a line
 * each:
 *   r OFFSET        read a register: its value, or "error"
 *   w OFFSET VALUE  write one: "ok" or "error"
 *   s N T           send packet N on s_axis, with its tlast if T is 1: "ok" when all is taken
 *   i               wait for irq: "1", or "0" if it does not come
 *   m               the next record of m_axis, 32 digits, and the number of its game, or "none"
 *   v TEXT          a value that the test compares: "ok"
 * Numbers are hexadecimal. */
#include <stdio.h>
#include <string.h>

#include "ply11_driver.h"
#include "ply11_regs.h"

static char answer[80];

static void ask(const char *request) {
  printf("%s\n", request);
  fflush(stdout);
  if (!fgets(answer, sizeof answer, stdin)) answer[0] = 0;
}

static int bus_read(const struct ply11_bus *bus, uint32_t offset, uint32_t *value) {
  char request[40];
  unsigned long v;
  (void)bus;
  sprintf(request, "r %x", (unsigned)offset);
  ask(request);
  if (strncmp(answer, "error", 5) == 0 || sscanf(answer, "%lx", &v) != 1) return 1;
  *value = (uint32_t)v;
  return 0;
}

static int bus_write(const struct ply11_bus *bus, uint32_t offset, uint32_t value) {
  char request[40];
  (void)bus;
  sprintf(request, "w %x %lx", (unsigned)offset, (unsigned long)value);
  ask(request);
  return answer[0] != 'o';
}

static int failures;
#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      fprintf(stderr, "driver_test.c:%d: %s\n", __LINE__, #condition); \
      failures++;                                                      \
    }                                                                  \
  } while (0)

static void snapshot(const struct ply11_bus *bus) {
  struct ply11_snapshot s;
  char text[300];
  int i, n;
  memset(&s, 0xff, sizeof s);
  CHECK(ply11_read_snapshot(bus, &s, 3) == PLY11_OK);
  n = sprintf(text, "v snapshot %lx %lx %lx %lx %lx %lx %lx %x %x %x %x %x", (unsigned long)s.taken, (unsigned long)s.games,
              (unsigned long)s.plies, (unsigned long)s.errors, (unsigned long)s.first_error, (unsigned long)s.first_byte,
              (unsigned long)s.last_error, s.position.ply, s.position.ep, s.position.rights, s.position.side, s.position.depth);
  for (i = 0; i < 8; i++) n += sprintf(text + n, " %lx", (unsigned long)s.position.pieces[i]);
  ask(text);
}

static void records(int numbered) {
  for (;;) {
    uint8_t bytes[PLY11_RECORD_SIZE];
    struct ply11_record r;
    char text[200];
    unsigned v;
    int i;
    ask("m");
    if (answer[0] == 'n') return;
    for (i = 0; i < PLY11_RECORD_SIZE; i++) {
      if (sscanf(answer + 2 * i, "%2x", &v) != 1) {
        CHECK(!"a record of 32 digits");
        return;
      }
      bytes[i] = (uint8_t)v;
    }
    ply11_read_record(bytes, &r);
    if (numbered) {
      CHECK(sscanf(answer + 2 * i, "%x", &v) == 1); /* the game's number */
      sprintf(text, "v hit %x %x %x", v, r.kind, r.ply);
      ask(text);
      continue;
    }
    sprintf(text, "v record %x %x %x %x %x %x %x %x %x %x %x %x %x %x %lx", r.kind, r.side, r.code, r.result, r.index, r.from, r.to,
            r.promotion, r.piece, r.captured, r.depth, r.rights, r.ep, r.ply, (unsigned long)r.offset);
    ask(text);
  }
}

static void counts(const struct ply11_bus *bus) {
  struct ply11_count c;
  do {
    char text[60];
    if (ply11_perft_count(bus, &c, 1000) != PLY11_OK) {
      CHECK(!"a count");
      return;
    }
    sprintf(text, "v count %lx %lx %llx", (unsigned long)c.plies, (unsigned long)c.last, (unsigned long long)c.count);
    ask(text);
  } while (!c.last);
}

int main(void) {
  const struct ply11_bus bus = {bus_read, bus_write, NULL, NULL};
  /* White: Ke1, Pe2; Black: Ke8. */
  struct ply11_position position = {{0x00010000, 0x00060000, 0, 0, 0, 0, 0, 0x00090000}, 6, 0, 0, 0, 0};
  struct ply11_build build;
  struct ply11_count count;
  struct ply11_pattern pattern;
  int i;
  uint32_t value, events;

  CHECK(ply11_open(&bus, &build) == PLY11_OK);
  CHECK(build.minor == 4 && build.modes == 15 && build.layout == 0 && build.dialect == 0 && build.width == 8 && build.depth == 2);
  CHECK(build.perft == 3 && build.match == 1);
  CHECK(bus_read(NULL, PLY11_REG_START, &value) != 0);      /* write only */
  CHECK(bus_write(NULL, PLY11_REG_GAMES, 0) != 0);          /* read only */
  CHECK(ply11_set_mode(&bus, (enum ply11_mode)4) == PLY11_RANGE);
  CHECK(ply11_set_numbering(&bus, (enum ply11_numbering)2) == PLY11_RANGE);
  CHECK(ply11_enable(&bus, 16) == PLY11_RANGE);
  CHECK(ply11_snapshot_with(&bus, 8) == PLY11_RANGE);
  position.ep = 9;
  CHECK(ply11_start(&bus, &position, 1) == PLY11_RANGE);
  position.ep = 0;

  /* A packet of words: an interrupt and a snapshot with its END. */
  CHECK(ply11_set_mode(&bus, PLY11_WORDS) == PLY11_OK);
  CHECK(ply11_enable(&bus, PLY11_EVENT_END) == PLY11_OK);
  CHECK(ply11_snapshot_with(&bus, PLY11_EVENT_END) == PLY11_OK);
  CHECK(ply11_events(&bus, &events) == PLY11_OK && events == 0);
  ask("s 0 1");
  ask("i");
  CHECK(answer[0] == '1');
  CHECK(ply11_events(&bus, &events) == PLY11_OK && events == PLY11_EVENT_END);
  records(0);
  snapshot(&bus);

  /* jose's bytes from a position of one's own. */
  CHECK(ply11_set_mode(&bus, PLY11_JOSE) == PLY11_OK);
  CHECK(ply11_start(&bus, &position, 100) == PLY11_OK);
  ask("s 1 1");
  ask("i");
  CHECK(answer[0] == '1');
  CHECK(ply11_events(&bus, &events) == PLY11_OK && events == PLY11_EVENT_END);
  records(0);
  snapshot(&bus);

  /* An error, with an interrupt and a snapshot of its own. */
  CHECK(ply11_clear(&bus) == PLY11_OK);
  CHECK(ply11_enable(&bus, PLY11_EVENT_ERROR) == PLY11_OK);
  CHECK(ply11_snapshot_with(&bus, PLY11_EVENT_ERROR) == PLY11_OK);
  CHECK(ply11_set_mode(&bus, PLY11_BRENNER) == PLY11_OK);
  ask("s 2 1");
  ask("i");
  CHECK(answer[0] == '1');
  CHECK(ply11_events(&bus, &events) == PLY11_OK && (events & PLY11_EVENT_ERROR));
  records(0);
  snapshot(&bus);

  /* A packet that is given up: what follows is another. */
  CHECK(ply11_set_mode(&bus, PLY11_WORDS) == PLY11_OK);
  ask("s 3 0");
  CHECK(ply11_reset(&bus) == PLY11_OK);
  CHECK(ply11_restart(&bus) == PLY11_OK);
  CHECK(ply11_clear(&bus) == PLY11_OK);
  CHECK(ply11_enable(&bus, PLY11_EVENT_END) == PLY11_OK);
  ask("m");
  while (answer[0] != 'n') ask("m");
  ask("s 0 1");
  ask("i");
  CHECK(answer[0] == '1');
  /* The board has the next game's position by now. */
  CHECK(ply11_snapshot_now(&bus) == PLY11_OK);
  records(0);
  snapshot(&bus);

  /* In words nobody takes a start position: the second word waits for ever, and no longer after a reset. */
  CHECK(ply11_start(&bus, &position, 20) == PLY11_BUSY);
  CHECK(ply11_reset(&bus) == PLY11_OK);
  CHECK(bus_read(NULL, PLY11_REG_STATUS, &value) == 0 && !(value & PLY11_REG_STATUS_WAITS_MASK));

  /* ChessBase's bytes: a game with a variation, then one that the packet's end cuts off while its last move is counted. */
  CHECK(ply11_set_numbering(&bus, PLY11_CBASCII) == PLY11_OK);
  CHECK(ply11_set_mode(&bus, PLY11_CHESSBASE) == PLY11_OK);
  CHECK(ply11_reset(&bus) == PLY11_OK); /* neither is lost */
  CHECK(bus_read(NULL, PLY11_REG_CONTROL, &value) == 0 &&
        value == (PLY11_CHESSBASE << PLY11_REG_CONTROL_MODE_SHIFT | PLY11_CBASCII << PLY11_REG_CONTROL_NUMBERING_SHIFT));
  CHECK(ply11_clear(&bus) == PLY11_OK);
  CHECK(ply11_enable(&bus, PLY11_EVENT_ERROR) == PLY11_OK);
  CHECK(ply11_snapshot_with(&bus, PLY11_EVENT_ERROR) == PLY11_OK);
  ask("s 4 1");
  ask("i");
  CHECK(answer[0] == '1');
  CHECK(ply11_events(&bus, &events) == PLY11_OK && (events & PLY11_EVENT_ERROR));
  records(0);
  snapshot(&bus);

  /* Perft, of the usual initial position and of one's own, which goes to perft and not to the next game. */
  CHECK(ply11_enable(&bus, PLY11_EVENT_COUNT) == PLY11_OK);
  CHECK(ply11_perft_start(&bus, 4) == PLY11_RANGE);
  CHECK(ply11_perft_start(&bus, 1) == PLY11_OK);
  ask("i");
  CHECK(answer[0] == '1');
  CHECK(ply11_events(&bus, &events) == PLY11_OK && events == PLY11_EVENT_COUNT);
  CHECK(ply11_perft_start(&bus, 1) == PLY11_BUS);
  counts(&bus);
  CHECK(ply11_perft_root(&bus, &position, 20) == PLY11_OK);
  CHECK(ply11_perft_start(&bus, 3) == PLY11_OK);
  CHECK(ply11_perft_root(&bus, &position, 20) == PLY11_BUS);
  counts(&bus);
  CHECK(ply11_perft_count(&bus, &count, 5) == PLY11_BUSY);
  CHECK(ply11_perft_start(&bus, 3) == PLY11_OK);
  CHECK(ply11_perft_stop(&bus) == PLY11_OK);
  CHECK(ply11_perft_start(&bus, 1) == PLY11_OK);
  counts(&bus);

  /* A search: a white piece on e4, from the second ply on, and Black to move. */
  for (i = 0; i < 64; i++) pattern.pieces[i] = PLY11_ANY;
  pattern.pieces[28] = 0x7e;
  pattern.white = 0;
  pattern.black = 1;
  pattern.first = 0;
  pattern.last = 0xffff;
  CHECK(ply11_search(&bus, &pattern) == PLY11_RANGE);
  pattern.first = 2;
  pattern.pieces[0] = 0x1 | 1 << 3 | 1 << 6; /* nothing, a white knight or a white pawn: it has no eight bits */
  CHECK(ply11_search(&bus, &pattern) == PLY11_RANGE);
  pattern.pieces[0] = PLY11_ANY;
  CHECK(ply11_reset(&bus) == PLY11_OK);
  CHECK(ply11_set_mode(&bus, PLY11_WORDS) == PLY11_OK);
  CHECK(ply11_search(&bus, &pattern) == PLY11_OK);
  CHECK(ply11_hits(&bus, &value) == PLY11_OK && value == 0);
  CHECK(ply11_enable(&bus, PLY11_EVENT_HIT) == PLY11_OK);
  ask("s 0 1");
  ask("i");
  CHECK(answer[0] == '1');
  CHECK(ply11_events(&bus, &events) == PLY11_OK && (events & PLY11_EVENT_HIT));
  records(1);
  CHECK(ply11_hits(&bus, &value) == PLY11_OK && value > 0);
  CHECK(ply11_search(&bus, NULL) == PLY11_OK);
  ask("s 0 1");
  ask("m");
  CHECK(answer[0] != 'n' && strcmp(answer + 32, "2\n") == 0); /* the first ply of the second game */
  return failures != 0;
}
