/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives any bytes to every function that reads. With -DLIBFUZZER it is a target of libFuzzer; else a program that makes so many inputs as
 * its first argument says, by changing right ones; the other arguments are files of archives to begin with, the smallest first, each with its index beside it. Of 32 inputs 27 are archives and indexes,
 * and one of these 27 is asked everything. PLY11_MODEL is the file of the model of dense moves; with another PLY11_SEED, a number, other inputs are made. With
 * -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION the core takes any checksum for right. Run it with sanitizers: what it looks for is undefined behaviour. Without them it ends, too, where
 * the core reads or writes 16 bytes or more behind its input or its memory, which stand before pages that are not there. It also asks that what was read is written and read back the same.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "../ply11.h"

static void must(int yes, const char *what) {
  if (yes) return;
  fprintf(stderr, "fuzz: %s\n", what);
  abort();
}

/* Positions to begin with: two of them of Chess960. */
static const char *const fens[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R w HAha d6 0 17", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 9 1",
    "1r2k1r1/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1"};

/* ask asks everything of a position, which may be one that no game has. */
static void ask(const ply11_position *p, int real) {
  uint16_t list[600], code;
  uint8_t mask[PLY11_MASK_BYTES], bytes[2 * PLY11_LC0_PLANES_BYTES], labels[(4672 + 7) / 8];
  char fen[PLY11_FEN_SIZE], san[PLY11_SAN_SIZE];
  ply11_position q, line[2];
  size_t n = ply11_legal(p, list, 600), i, at;
  unsigned v;
  must(ply11_to_fen(p, fen) < PLY11_FEN_SIZE, "a FEN is too long");
  ply11_legal_masks(p, 1, mask);
  ply11_outcome(p);
  for (i = 0; i < n && i < 600; i += 5) {
    at = ply11_to_san(p, list[i], san);
    must(at < PLY11_SAN_SIZE, "a SAN is too long");
    if (real) must(at > 0 && ply11_from_san(p, san, at, &code) == PLY11_OK && code == list[i], "SAN is not read back");
  }
  ply11_planes(p, 1, 1, bytes);
  ply11_states(p, 1, 1, bytes);
  line[0] = *p;
  q = *p;
  if (n > 0) ply11_make(&q, list[0]);
  line[1] = q;
  ply11_lc0_planes(line, 0, 2, bytes);
  for (v = 0; v <= PLY11_SEARCHLESS_CHESS; v++) ply11_label_masks((ply11_vocabulary)v, p, 1, labels);
  if (real && p->clock < 65536 && p->number < 65536 && p->number > 0) {
    must(ply11_from_fen(&q, fen, strlen(fen), &at) == PLY11_OK && memcmp(&q, p, sizeof q) == 0, "a FEN is not read back");
    i = ply11_start_words(p, list);
    if (i > 0) must(ply11_from_start_words(&q, list, i, &at) == PLY11_OK && memcmp(&q, p, sizeof q) == 0, "a start is not read back");
  }
}

static void read_games(ply11_reader *r) {
  ply11_event e;
  ply11_status status;
  size_t faults = 0, events = 0;
  for (;;) {
    status = ply11_read(r, &e);
    if (status == PLY11_OK) {
      if (++events % 16 == 0) ask(&r->position, 1);
      continue;
    }
    if (status == PLY11_END || status == PLY11_ERROR_PADDING || ++faults == 8) break;
    must(*ply11_status_text(status) != 0, "a status without a text");
    ply11_skip(r);
  }
}

/* Memory, of which the core must ask for no more than the limit. */
static size_t taken;

#if defined(__SANITIZE_ADDRESS__) || defined(LIBFUZZER)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif

typedef union counted {
  struct {
    size_t size;
    union counted *next;
    unsigned class;
  } is;
  uint64_t align[4];
} counted;

#ifdef SANITIZED
static counted *piece(size_t size) {
  counted *c = (counted *)malloc(size);
  must(c != NULL, "no memory");
  return c;
}

static void keep(counted *c) { free(c); }
#else
/* Without a sanitizer each piece ends before a page that is not there. What is given back is kept, by the power of two of its pages. */
#define PAGE ((size_t)4096)

static counted *unused[16];

static counted *piece(size_t size) {
  unsigned class = 0;
  uint8_t *end;
  size = (size + 15) & ~(size_t)15;
  while (PAGE << class < size) class++;
  must(class < 16, "more memory than the limit");
  if (unused[class] != NULL) {
    end = (uint8_t *)(unused[class] + 1);
    unused[class] = unused[class]->is.next;
  } else {
    uint8_t *bytes = (uint8_t *)mmap(NULL, (PAGE << class) + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    must(bytes != (uint8_t *)MAP_FAILED, "no memory");
    end = bytes + (PAGE << class);
    must(mprotect(end, PAGE, PROT_NONE) == 0, "no memory");
  }
  ((counted *)(end - size))->is.class = class;
  return (counted *)(end - size);
}

static void keep(counted *c) {
  unsigned class = c->is.class;
  uint8_t *end = (uint8_t *)c + ((c->is.size + sizeof *c + 15) & ~(size_t)15);
  counted *last = (counted *)end - 1;
  last->is.next = unused[class];
  unused[class] = last;
}
#endif

static void *allocate(void *user, size_t size) {
  counted *c;
  (void)user;
  taken += size;
  must(taken <= PLY11_MEMORY_LIMIT, "more memory than the limit");
  c = piece(size + sizeof *c);
  c->is.size = size;
  return c + 1;
}

static void release(void *user, void *bytes) {
  counted *c = (counted *)bytes - 1;
  (void)user;
  taken -= c->is.size;
  keep(c);
}

/* What was read, and whether an input is asked everything. */
static struct {
  unsigned long inputs, archives, blocks, refused, games, plies, indexes, trees;
} told;
static int thorough = 1;

static int read_memory(void *user, uint64_t offset, uint8_t *bytes, size_t size) {
  memcpy(bytes, (const uint8_t *)user + offset, size);
  return 1;
}

static const ply11_model *the_model(void) {
  static uint8_t file[1 << 20];
  static ply11_model *model;
  ply11_memory memory = {NULL, allocate, release, 0};
  const char *name = getenv("PLY11_MODEL");
  FILE *f;
  if (model != NULL || name == NULL) return model;
  f = fopen(name, "rb");
  must(f != NULL, "no such model");
  must(ply11_model_open(&model, file, fread(file, 1, sizeof file, f), &memory) == PLY11_OK, "the model is refused");
  fclose(f);
  taken = 0;
  return model;
}

/* make_rows makes rows of a block, from its end to its begin. Its moves need not be legal. */
static void make_rows(const ply11_block *b) {
  enum { MOST = 2048 };
  static ply11_window_game list[MOST];
  static ply11_position positions[MOST + 1], position;
  static uint32_t of[MOST], order[MOST];
  static uint16_t moves[MOST], move;
  static uint8_t repeated[MOST], planes[8 * PLY11_LC0_PLANES_BYTES], legal[PLY11_MASK_BYTES];
  static int16_t evals[MOST], eval;
  int8_t result;
  int64_t game;
  int32_t ply, label;
  ply11_window w = {0, 0, 0, list, moves, of, order, positions, repeated, b->evals == NULL ? NULL : evals};
  ply11_rows row = {PLY11_ZETA36, 1, 1, &move, &result, &game, &ply, b->evals == NULL ? NULL : &eval, &position, planes, &label, legal};
  if (b->plies > MOST || b->games > MOST || ply11_window_add(&w, b, 0, 1) != PLY11_OK) return;
  must(w.plies == b->plies && w.rows <= w.plies && w.games == b->games, "a window of other plies than the block's");
  while (w.rows > 0) ply11_window_rows(&w, order + --w.rows, 1, &row, 0);
}

static void read_archive(const uint8_t *data, size_t size) {
  ply11_source source;
  ply11_memory memory = {NULL, allocate, release, 0};
  ply11_archive *a;
  ply11_fault fault;
  uint32_t i, k, found;
  const ply11_model *model = the_model();
  source.user = (void *)data;
  source.size = size;
  source.read = read_memory;
  if (ply11_archive_open(&a, &source, &memory, &fault) != PLY11_OK) {
    must(fault.what != NULL, "an error without a text");
  } else {
    ply11_archive_use(a, model);
    told.archives++;
    for (i = 0; i < ply11_archive_blocks(a) && i < 64; i++) {
      ply11_block *b;
      if (ply11_block_open(a, i, i % 2 ? PLY11_TAGS | PLY11_NOTES : PLY11_LINES, &b) != PLY11_OK) {
        must(ply11_archive_fault(a)->what != NULL, "an error without a text");
        told.refused++;
        continue;
      }
      if (ply11_block_read(b, PLY11_TAGS) != PLY11_OK) must(ply11_archive_fault(a)->what != NULL && (b->games == 0 || ply11_block_tags(b, 0) == 0), "tags that are wrong are there");
      if (ply11_block_read(b, PLY11_NOTES) != PLY11_OK) must(b->clocks == NULL, "clocks that are wrong are there");
      if (thorough) make_rows(b);
      told.blocks++;
      told.games += b->games;
      for (k = 0; k < b->games; k++) {
        ply11_position p;
        uint32_t n = ply11_block_tags(b, k), j;
        size_t sum = 0, made, at;
        if (k % 16 == 0) must(ply11_archive_find(a, b->first + k, &found) == PLY11_OK || ply11_archive_fault(a)->what != NULL, "an error without a text");
        for (j = 0; j < n; j++) {
          ply11_tag tag = ply11_block_tag(b, k, j);
          for (at = 0; at < tag.name_size; at++) sum += (uint8_t)tag.name[at];
          for (at = 0; at < tag.value_size; at++) sum += (uint8_t)tag.value[at];
        }
        must(sum < (size_t)1 << 31, "tags that are too long");
        if (ply11_block_start(b, k, &p) == PLY11_OK) {
          ply11_verify(&p, b->moves + b->offsets[k], b->offsets[k + 1] - b->offsets[k], NULL, &made);
          told.plies += made;
          if (thorough) ask(&p, 0);
        }
      }
      ply11_block_close(b);
    }
    if (thorough) ply11_archive_verify(a);
    ply11_archive_close(a);
  }
  must(taken == 0, "memory is not given back");
}

/* read_indexed reads an archive and its index or tree file, before which are two bytes, the size of the archive. */
static void read_indexed(const uint8_t *data, size_t size) {
  ply11_source source, indexed;
  ply11_memory memory = {NULL, allocate, release, 0};
  ply11_archive *a;
  ply11_index *x;
  ply11_fault fault;
  ply11_status status;
  size_t first;
  uint32_t i, k, ply;
  const ply11_model *model = the_model();
  if (size < 2 || (first = (size_t)(data[0] | data[1] << 8)) > size - 2) return;
  source.user = (void *)(data + 2);
  source.size = first;
  source.read = read_memory;
  indexed = source;
  indexed.user = (void *)(data + 2 + first);
  indexed.size = size - 2 - first;
  if (ply11_archive_open(&a, &source, &memory, NULL) != PLY11_OK) return;
  ply11_archive_use(a, model);
  if (indexed.size > 4 && data[2 + first + 3] == 't') {
    status = ply11_tree_open(&x, &indexed, &memory, &fault);
  } else {
    status = ply11_index_open(&x, a, &indexed);
    fault = *ply11_archive_fault(a);
  }
  if (status != PLY11_OK) {
    must(fault.what != NULL, "an error without a text");
  } else {
    told.indexes++;
    for (i = 0; i < ply11_archive_blocks(a) && i < 8; i++) {
      ply11_block *b;
      if (ply11_block_open(a, i, PLY11_LINES, &b) != PLY11_OK) continue;
      for (k = 0; k < b->games && k < 4; k++) {
        ply11_position p;
        if (ply11_block_start(b, k, &p) != PLY11_OK) continue;
        for (ply = b->offsets[k]; ply < b->offsets[k + 1] && ply < b->offsets[k] + (thorough ? 20 : 2); ply++) {
          const ply11_tree *tree;
          if (ply11_index_tree(x, &p, &tree) == PLY11_OK) {
            must(tree->count <= PLY11_MOVES + 1, "too many branches");
            told.trees++;
          } else must(ply11_index_fault(x)->what != NULL, "an error without a text");
          ply11_make(&p, b->moves[ply]);
        }
      }
      ply11_block_close(b);
    }
    ply11_index_close(x);
  }
  ply11_archive_close(a);
  must(taken == 0, "memory is not given back");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint16_t *words;
  ply11_position p;
  ply11_level levels[3];
  ply11_reader r;
  char text[17];
  size_t i, n, at;
  uint16_t code;
  unsigned what;
  if (size == 0) return 0;
  what = data[0] % 7;
  data++;
  size--;
  if (what == 0) {
    ply11_reader_bytes(&r, data, size, levels, 3, text, sizeof text);
    read_games(&r);
    return 0;
  }
  if (what == 1) {
    if (ply11_from_fen(&p, (const char *)data, size, &at) == PLY11_OK) ask(&p, 1);
    else must(at <= size, "the place of an error is behind the text");
    return 0;
  }
  if (what == 5) {
    read_archive(data, size);
    return 0;
  }
  if (what == 6) {
    read_indexed(data, size);
    return 0;
  }
  n = size / 2;
  words = (uint16_t *)malloc(2 * n + 1);
  must(words != NULL, "no memory");
  for (i = 0; i < n; i++) words[i] = (uint16_t)(data[2 * i] | data[2 * i + 1] << 8);
  if (what == 2) {
    ply11_reader_words(&r, words, n, levels, 3, text, sizeof text);
    read_games(&r);
  } else if (what == 3) { /* any codes, legal or not, of which make and replay make the same */
    const char *fen = fens[size % 4];
    ply11_position start, last, line[65];
    uint16_t codes[64];
    must(ply11_from_fen(&start, fen, strlen(fen), &at) == PLY11_OK, "a seed that is none");
    p = last = start;
    if (n > 64) n = 64;
    for (i = 0; i < n; i++) {
      unsigned c = words[i] % 4 ? words[i] % PLY11_MOVES : words[i];
      codes[i] = (uint16_t)c;
      ply11_mirror_ranks(c);
      ply11_mirror_files(c);
      ply11_code_class(c);
      ply11_control_name(c);
      ply11_make(&p, c);
      ask(&p, 0);
    }
    ply11_replay(&last, codes, n, NULL);
    must(memcmp(&last, &p, sizeof p) == 0, "replay does not end where make does");
    p = last = start;
    ply11_replay(&last, codes, n, line);
    for (i = 0; i < n; i++) {
      must(memcmp(&line[i], &p, sizeof p) == 0, "replay and make differ");
      ply11_make(&p, codes[i]);
    }
    must(memcmp(&line[n], &p, sizeof p) == 0 && memcmp(&last, &p, sizeof p) == 0, "replay and make differ in the last position");
  } else { /* texts as moves, from a position that legal moves lead to */
    ply11_start(&p);
    for (i = 0; i < n && i < 40; i++) {
      uint16_t list[256];
      size_t legal = ply11_legal(&p, list, 256);
      if (legal == 0) break;
      ply11_make(&p, list[words[i] % legal]);
    }
    ask(&p, 1);
    for (i = 0; i + 1 < size && i < 40; i++) {
      size_t length = data[i] % 9u;
      if (length > size - i) length = size - i;
      if (ply11_from_san(&p, (const char *)data + i, length, &code) == PLY11_OK) must(ply11_is_legal(&p, code), "SAN is read as a move that is not legal");
      if (ply11_from_uci(&p, (const char *)data + i, length, &code) == PLY11_OK) must(ply11_is_legal(&p, code), "UCI is read as a move that is not legal");
      ply11_from_uci(NULL, (const char *)data + i, length, &code);
      ply11_text_words((const char *)data + i, length, words, n);
    }
  }
  free(words);
  return 0;
}

#ifndef LIBFUZZER
static uint32_t state = 2008;

static uint32_t draw(uint32_t n) {
  state = state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)state * n >> 32);
}

/* The archives to begin with, each with its index behind it. */
typedef struct seed {
  uint8_t *bytes;
  size_t size, all;
} seed;

static size_t load(const char *name, const char *suffix, uint8_t *bytes, size_t room) {
  char path[4096];
  FILE *f;
  size_t size;
  must(snprintf(path, sizeof path, "%s%s", name, suffix) < (int)sizeof path && (f = fopen(path, "rb")) != NULL, "no such file");
  size = fread(bytes, 1, room, f);
  fclose(f);
  return size;
}

/* change changes one thing of the n bytes from b on, of which there is room for more, and returns how many there are then. */
static size_t change(uint8_t *b, size_t n, size_t room, const seed *others, size_t count) {
  static const uint8_t borders[] = {0, 1, 0x7f, 0x80, 0xfe, 0xff};
  size_t at = draw((uint32_t)n), length = 1 + draw(8);
  if (length > n - at) length = n - at;
  switch (draw(8)) {
    case 0: b[at] = (uint8_t)draw(256); break;
    case 1: b[at] ^= (uint8_t)(1u << draw(8)); break;
    case 2: b[at] = borders[draw(sizeof borders)]; break;
    case 3: b[at] = (uint8_t)(b[at] + (draw(2) ? 1 : 255)); break;
    case 4: memset(b + at, borders[draw(sizeof borders)], length); break;
    case 5: /* bytes twice */
      if (n + length > room) break;
      memmove(b + at + length, b + at, n - at);
      return n + length;
    case 6: /* bytes away */
      if (length >= n) break;
      memmove(b + at, b + at + length, n - at - length);
      return n - length;
    default: { /* bytes of another */
      const seed *o;
      size_t from;
      if (count == 0) break;
      o = &others[draw((uint32_t)count)];
      from = draw((uint32_t)o->all);
      length = 1 + draw(32);
      if (length > n - at) length = n - at;
      if (length > o->all - from) length = o->all - from;
      memcpy(b + at, o->bytes + from, length);
    }
  }
  return n;
}

int main(int argc, char **argv) {
  static const uint8_t stream[] = {0x8c, 0xc9, 0x7d, 0xed, 0x17, 0x73, 0xfb, 0x00, 0xe0, 0xc1, 0xf6, 0xb4, 0x8d, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  static uint8_t buffer[1 << 16];
  long rounds = argc > 1 ? atol(argv[1]) : 1000, left = rounds;
  size_t count = argc > 2 ? (size_t)argc - 2 : 0, k;
  seed *seeds = (seed *)calloc(count + 1, sizeof *seeds);
  clock_t begin_all = clock(), longest = 0;
  size_t size_of_longest = 0;
  must(seeds != NULL, "no memory");
  for (k = 0; k < count; k++) {
    seed *s = &seeds[k];
    s->size = load(argv[k + 2], "", buffer, sizeof buffer);
    s->all = s->size + load(argv[k + 2], "x", buffer + s->size, sizeof buffer - s->size);
    must((s->bytes = (uint8_t *)malloc(s->all)) != NULL && s->all < sizeof buffer - 4096, "a seed that is too large");
    memcpy(s->bytes, buffer, s->all);
  }
  if (getenv("PLY11_SEED") != NULL) state = (uint32_t)atol(getenv("PLY11_SEED"));
  must(count == 0 || the_model() != NULL, "PLY11_MODEL names no model");
  while (left-- > 0) {
    size_t size, i, begin = 1, changes = draw(6);
    unsigned what = count > 0 && draw(32) >= 5 ? 5 : draw(5);
    thorough = what < 5 || draw(27) == 0;
    buffer[0] = (uint8_t)what;
    if (what == 5) {
      const seed *s = &seeds[draw((uint32_t)(draw(16) ? (count + 2) / 3 : count))]; /* the first are the smallest */
      changes = draw(2) ? 1 : 1 + draw(5);
      if (draw(2)) { /* with its index, which alone is changed */
        buffer[0] = 6;
        buffer[1] = (uint8_t)s->size;
        buffer[2] = (uint8_t)(s->size >> 8);
        begin = 3 + s->size;
        size = 3 + s->all;
        memcpy(buffer + 3, s->bytes, s->all);
      } else {
        size = 1 + s->size;
        memcpy(buffer + 1, s->bytes, s->size);
      }
      if (draw(16) == 0) size -= draw((uint32_t)(size - begin)) & 255u;
    } else if (what == 1) {
      const char *fen = fens[draw(4)];
      size = 1 + strlen(fen);
      memcpy(buffer + 1, fen, size - 1);
    } else if (what == 0 && draw(2)) {
      size = 1 + sizeof stream;
      memcpy(buffer + 1, stream, sizeof stream);
    } else if (what == 2 && draw(2)) { /* a start, and what follows */
      ply11_position p;
      uint16_t words[PLY11_START_WORDS];
      size_t at, n;
      const char *fen = fens[draw(4)];
      must(ply11_from_fen(&p, fen, strlen(fen), &at) == PLY11_OK, "a seed that is none");
      n = ply11_start_words(&p, words);
      size = 1 + 2 * n + 2 * draw(100);
      for (i = 1; i < size; i++) buffer[i] = (uint8_t)(i <= 2 * n ? (unsigned)words[(i - 1) / 2] >> 8 * ((i - 1) % 2) : draw(256));
    } else {
      size = 1 + draw(300);
      for (i = 1; i < size; i++) buffer[i] = (uint8_t)draw(256);
    }
    for (i = 0; i < changes && size > begin; i++) size = begin + change(buffer + begin, size - begin, sizeof buffer - begin, what == 5 ? seeds : NULL, what == 5 ? count : 0);
    {
      uint8_t *exact = (uint8_t *)allocate(NULL, size); /* so that a read behind it is seen */
      clock_t begin_one;
      memcpy(exact, buffer, size);
      taken = 0;
      told.inputs++;
      begin_one = clock();
      LLVMFuzzerTestOneInput(exact, size);
      begin_one = clock() - begin_one;
      if (begin_one > longest) {
        longest = begin_one;
        size_of_longest = size;
      }
      release(NULL, exact);
      taken = 0;
    }
  }
  printf("%ld inputs in %.1f s of processor time, the longest %.3f s, of %lu bytes: %lu archives were opened, %lu of their blocks read with %lu games and %lu plies and %lu refused; %lu indexes were opened, and told %lu positions\n",
         rounds, (double)(clock() - begin_all) / CLOCKS_PER_SEC, (double)longest / CLOCKS_PER_SEC, (unsigned long)size_of_longest, told.archives, told.blocks, told.games, told.plies, told.refused,
         told.indexes, told.trees);
  for (k = 0; k < count; k++) free(seeds[k].bytes);
  free(seeds);
  return 0;
}
#endif
