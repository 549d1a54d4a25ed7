/* SPDX-License-Identifier: Apache-2.0 */
#include "ply11_driver.h"

#include "ply11_regs.h"

#define FIELD(value, name) (((value) & PLY11_REG_##name##_MASK) >> PLY11_REG_##name##_SHIFT)
#define PUT(value, name) (((uint32_t)(value) << PLY11_REG_##name##_SHIFT) & PLY11_REG_##name##_MASK)

static int read_register(const struct ply11_bus *bus, uint32_t offset, uint32_t *value) {
  return bus->read(bus, offset, value) ? PLY11_BUS : PLY11_OK;
}

static int write_register(const struct ply11_bus *bus, uint32_t offset, uint32_t value) {
  return bus->write(bus, offset, value) ? PLY11_BUS : PLY11_OK;
}

static int mapped_read(const struct ply11_bus *bus, uint32_t offset, uint32_t *value) {
  *value = bus->registers[offset / 4];
  return 0;
}

static int mapped_write(const struct ply11_bus *bus, uint32_t offset, uint32_t value) {
  bus->registers[offset / 4] = value;
  return 0;
}

struct ply11_bus ply11_mapped(volatile uint32_t *registers) {
  struct ply11_bus bus;
  bus.read = mapped_read;
  bus.write = mapped_write;
  bus.context = 0;
  bus.registers = registers;
  return bus;
}

int ply11_open(const struct ply11_bus *bus, struct ply11_build *build) {
  uint32_t id, version, status;
  int err = read_register(bus, PLY11_REG_ID, &id);
  if (!err) err = read_register(bus, PLY11_REG_VERSION, &version);
  if (!err) err = read_register(bus, PLY11_REG_STATUS, &status);
  if (err) return err;
  if (id != PLY11_REG_ID_DEFAULT) return PLY11_NONE;
  if (FIELD(version, VERSION_MAJOR) != FIELD(PLY11_REG_VERSION_DEFAULT, VERSION_MAJOR)) return PLY11_VERSION;
  if (build) {
    build->minor = FIELD(version, VERSION_MINOR);
    build->modes = FIELD(status, STATUS_MODES);
    build->layout = FIELD(status, STATUS_LAYOUT);
    build->dialect = FIELD(status, STATUS_DIALECT);
    build->width = FIELD(status, STATUS_WIDTH);
    build->depth = FIELD(status, STATUS_DEPTH);
    build->perft = FIELD(status, STATUS_PERFT);
    build->match = FIELD(status, STATUS_MATCH);
  }
  return PLY11_OK;
}

/* What CONTROL keeps of a packet's kind. */
#define KIND_MASK (PLY11_REG_CONTROL_MODE_MASK | PLY11_REG_CONTROL_NUMBERING_MASK)

/* Writes CONTROL with other bits; RESET is as bits says. */
static int control(const struct ply11_bus *bus, uint32_t bits) {
  uint32_t value;
  const int err = read_register(bus, PLY11_REG_CONTROL, &value);
  if (err) return err;
  return write_register(bus, PLY11_REG_CONTROL, (value & KIND_MASK) | bits);
}

int ply11_set_mode(const struct ply11_bus *bus, enum ply11_mode mode) {
  uint32_t status, value;
  int err;
  if ((uint32_t)mode > PLY11_CHESSBASE) return PLY11_RANGE;
  err = read_register(bus, PLY11_REG_STATUS, &status);
  if (err) return err;
  if (!(FIELD(status, STATUS_MODES) >> mode & 1)) return PLY11_RANGE;
  err = read_register(bus, PLY11_REG_CONTROL, &value);
  if (err) return err;
  return write_register(bus, PLY11_REG_CONTROL, (value & PLY11_REG_CONTROL_NUMBERING_MASK) | PUT(mode, CONTROL_MODE));
}

int ply11_set_numbering(const struct ply11_bus *bus, enum ply11_numbering numbering) {
  uint32_t status, value;
  int err;
  if ((uint32_t)numbering > PLY11_CBASCII) return PLY11_RANGE;
  err = read_register(bus, PLY11_REG_STATUS, &status);
  if (err) return err;
  if (!(FIELD(status, STATUS_MODES) >> PLY11_CHESSBASE & 1)) return PLY11_RANGE;
  err = read_register(bus, PLY11_REG_CONTROL, &value);
  if (err) return err;
  err = write_register(bus, PLY11_REG_CONTROL, (value & PLY11_REG_CONTROL_MODE_MASK) | PUT(numbering, CONTROL_NUMBERING));
  if (err) return err;
  /* Before version 1.3 the numbering was fixed, and the bit is not kept. */
  err = read_register(bus, PLY11_REG_CONTROL, &value);
  if (err) return err;
  return FIELD(value, CONTROL_NUMBERING) == (uint32_t)numbering ? PLY11_OK : PLY11_RANGE;
}

int ply11_reset(const struct ply11_bus *bus) {
  const int err = control(bus, PLY11_REG_CONTROL_RESET_MASK);
  return err ? err : control(bus, 0);
}

int ply11_restart(const struct ply11_bus *bus) { return control(bus, PLY11_REG_CONTROL_RESTART_MASK); }

int ply11_clear(const struct ply11_bus *bus) { return control(bus, PLY11_REG_CONTROL_CLEAR_MASK); }

int ply11_enable(const struct ply11_bus *bus, uint32_t events) {
  if (events > 15) return PLY11_RANGE;
  return write_register(bus, PLY11_REG_ENABLE, events);
}

int ply11_events(const struct ply11_bus *bus, uint32_t *events) {
  const int err = read_register(bus, PLY11_REG_INTERRUPT, events);
  return err ? err : write_register(bus, PLY11_REG_INTERRUPT, *events);
}

/* Writes a word of START when none waits. */
static int start_word(const struct ply11_bus *bus, uint32_t offset, uint32_t value, uint32_t tries) {
  for (; tries > 0; tries--) {
    uint32_t status;
    const int err = read_register(bus, PLY11_REG_STATUS, &status);
    if (err) return err;
    if (!FIELD(status, STATUS_WAITS)) return write_register(bus, offset, value);
  }
  return PLY11_BUSY;
}

int ply11_start(const struct ply11_bus *bus, const struct ply11_position *position, uint32_t tries) {
  int rank;
  if (position->ep > 8 || position->rights > 15 || position->side > 1) return PLY11_RANGE;
  for (rank = 7; rank >= 0; rank--) {
    const int err = start_word(bus, PLY11_REG_START0 + 4 * (uint32_t)rank, position->pieces[rank], tries);
    if (err) return err;
  }
  return start_word(bus, PLY11_REG_START,
                    PUT(position->ply, START_PLY) | PUT(position->ep, START_EP) |
                        PUT(position->rights, START_RIGHTS) | PUT(position->side, START_SIDE),
                    tries);
}

int ply11_snapshot_with(const struct ply11_bus *bus, uint32_t events) {
  if (events > 3) return PLY11_RANGE;
  return write_register(bus, PLY11_REG_SNAPSHOT,
                        (events & PLY11_EVENT_END ? PLY11_REG_SNAPSHOT_WITH_END_MASK : 0) |
                            (events & PLY11_EVENT_ERROR ? PLY11_REG_SNAPSHOT_WITH_ERROR_MASK : 0));
}

int ply11_snapshot_now(const struct ply11_bus *bus) {
  uint32_t value;
  const int err = read_register(bus, PLY11_REG_SNAPSHOT, &value);
  if (err) return err;
  return write_register(bus, PLY11_REG_SNAPSHOT,
                        (value & (PLY11_REG_SNAPSHOT_WITH_END_MASK | PLY11_REG_SNAPSHOT_WITH_ERROR_MASK)) |
                            PLY11_REG_SNAPSHOT_NOW_MASK);
}

int ply11_read_snapshot(const struct ply11_bus *bus, struct ply11_snapshot *snapshot, uint32_t tries) {
  for (; tries > 0; tries--) {
    uint32_t before, after, words[16];
    uint32_t i;
    int err = read_register(bus, PLY11_REG_SNAPSHOT, &before);
    for (i = 0; i < 16 && !err; i++) err = read_register(bus, PLY11_REG_GAMES + 4 * i, &words[i]);
    if (!err) err = read_register(bus, PLY11_REG_SNAPSHOT, &after);
    if (err) return err;
    if (FIELD(before, SNAPSHOT_TAKEN) != FIELD(after, SNAPSHOT_TAKEN)) continue;
#define WORD(name) words[(PLY11_REG_##name - PLY11_REG_GAMES) / 4]
    snapshot->taken = FIELD(after, SNAPSHOT_TAKEN);
    snapshot->games = WORD(GAMES);
    snapshot->plies = WORD(PLIES);
    snapshot->errors = WORD(ERRORS);
    snapshot->first_error = FIELD(WORD(FIRST_ERROR), FIRST_ERROR_CODE);
    snapshot->first_byte = WORD(FIRST_BYTE);
    snapshot->last_error = FIELD(WORD(LAST_ERROR), LAST_ERROR_CODE);
    snapshot->last_byte = WORD(LAST_BYTE);
    snapshot->position.ply = (uint16_t)FIELD(WORD(STATE), STATE_PLY);
    snapshot->position.ep = (uint8_t)FIELD(WORD(STATE), STATE_EP);
    snapshot->position.rights = (uint8_t)FIELD(WORD(STATE), STATE_RIGHTS);
    snapshot->position.side = (uint8_t)FIELD(WORD(STATE), STATE_SIDE);
    snapshot->position.depth = (uint8_t)FIELD(WORD(STATE), STATE_DEPTH);
    for (i = 0; i < 8; i++) snapshot->position.pieces[i] = words[(PLY11_REG_BOARD0 - PLY11_REG_GAMES) / 4 + i];
#undef WORD
    return PLY11_OK;
  }
  return PLY11_BUSY;
}

int ply11_perft_start(const struct ply11_bus *bus, uint32_t depth) {
  uint32_t status;
  const int err = read_register(bus, PLY11_REG_STATUS, &status);
  if (err) return err;
  if (depth > FIELD(status, STATUS_PERFT) || !FIELD(status, STATUS_PERFT)) return PLY11_RANGE;
  return write_register(bus, PLY11_REG_PERFT, PUT(depth, PERFT_DEPTH) | PLY11_REG_PERFT_GO_MASK);
}

int ply11_perft_root(const struct ply11_bus *bus, const struct ply11_position *position, uint32_t tries) {
  uint32_t status;
  int err = read_register(bus, PLY11_REG_STATUS, &status), other;
  if (err) return err;
  if (!FIELD(status, STATUS_PERFT)) return PLY11_RANGE;
  err = write_register(bus, PLY11_REG_PERFT, PLY11_REG_PERFT_ROOT_MASK);
  if (!err) err = ply11_start(bus, position, tries);
  other = write_register(bus, PLY11_REG_PERFT, 0);
  return err ? err : other;
}

int ply11_perft_count(const struct ply11_bus *bus, struct ply11_count *count, uint32_t tries) {
  for (; tries > 0; tries--) {
    uint32_t value, low, high;
    int err = read_register(bus, PLY11_REG_PERFT, &value);
    if (err) return err;
    if (!FIELD(value, PERFT_VALID)) continue;
    err = read_register(bus, PLY11_REG_COUNT_LOW, &low);
    if (!err) err = read_register(bus, PLY11_REG_COUNT_HIGH, &high);
    if (err) return err;
    count->plies = FIELD(value, PERFT_PLIES);
    count->last = FIELD(value, PERFT_LAST);
    count->count = (uint64_t)high << 32 | low;
    return write_register(bus, PLY11_REG_PERFT, PLY11_REG_PERFT_NEXT_MASK);
  }
  return PLY11_BUSY;
}

int ply11_perft_stop(const struct ply11_bus *bus) { return write_register(bus, PLY11_REG_PERFT, PLY11_REG_PERFT_STOP_MASK); }

/* The pieces that a square's eight bits let stand there: two bits for each bit of a piece, as the header of ply11_match tells. */
static uint32_t pieces_of(uint32_t code) {
  static const uint16_t one[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
  uint32_t pieces = 0xffff, i;
  for (i = 0; i < 4; i++) {
    switch (code >> 2 * i & 3) {
      case 3: break;
      case 2: pieces &= one[i]; break;
      case 1: pieces &= ~(uint32_t)one[i]; break;
      default: pieces = i == 0 ? 0 : i == 3 ? ~pieces & 0xffff : pieces | one[i];
    }
  }
  return pieces;
}

int ply11_search(const struct ply11_bus *bus, const struct ply11_pattern *pattern) {
  uint32_t status, square, words[16], word = 0, code = 255;
  int err = read_register(bus, PLY11_REG_STATUS, &status);
  if (err) return err;
  if (!FIELD(status, STATUS_MATCH)) return PLY11_RANGE;
  if (!pattern) return write_register(bus, PLY11_REG_MATCH, 0);
  if (pattern->first == 0) return PLY11_RANGE;
  for (square = 0; square < 64; square++) {
    /* The pieces that there are, and none. The squares before often have the same set. */
    const uint32_t there = 0x7e7f, pieces = pattern->pieces[square];
    uint32_t tries;
    for (tries = 0; (pieces_of(code) ^ pieces) & there; code = (code + 1) & 255)
      if (++tries == 256) return PLY11_RANGE;
    word = word >> 8 | code << 24;
    words[square / 4] = word;
  }
  for (square = 0; square < 16 && !err; square++) err = write_register(bus, PLY11_REG_PATTERN0 + 4 * square, words[square]);
  if (!err) err = write_register(bus, PLY11_REG_MATCH_PLIES, PUT(0x10000u - pattern->first, MATCH_PLIES_TO_FIRST) | PUT(0xffffu - pattern->last, MATCH_PLIES_TO_LAST));
  if (!err) err = ply11_clear(bus);
  if (!err)
    err = write_register(bus, PLY11_REG_MATCH, PLY11_REG_MATCH_ON_MASK | PUT(pattern->white, MATCH_WHITE) | PUT(pattern->black, MATCH_BLACK));
  return err;
}

int ply11_hits(const struct ply11_bus *bus, uint32_t *hits) { return read_register(bus, PLY11_REG_HITS, hits); }

void ply11_read_record(const uint8_t bytes[PLY11_RECORD_SIZE], struct ply11_record *record) {
  record->kind = bytes[0] & 3;
  record->side = bytes[0] >> 7;
  record->code = bytes[1] & 15;
  record->result = bytes[1] >> 4 & 3;
  record->index = (uint16_t)(bytes[2] | bytes[3] << 8);
  record->from = bytes[4];
  record->to = bytes[5];
  record->promotion = bytes[6];
  record->piece = bytes[7] & 15;
  record->captured = bytes[7] >> 4;
  record->offset = (uint32_t)bytes[8] | (uint32_t)bytes[9] << 8 | (uint32_t)bytes[10] << 16 | (uint32_t)bytes[11] << 24;
  record->ply = (uint16_t)(bytes[12] | bytes[13] << 8);
  record->depth = bytes[14];
  record->rights = bytes[15] & 15;
  record->ep = bytes[15] >> 4;
}
