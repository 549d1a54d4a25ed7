/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives any bytes to every function that reads. With -DLIBFUZZER it is a target of libFuzzer; else a program that makes so many inputs as
 * its first argument says, by changing right ones; the other arguments are files of archives to begin with, each with its index beside it. PLY11_MODEL is the file of the model of dense moves; with another
 * PLY11_SEED, a number, other inputs are made. With
 * -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION the core takes any checksum for right. Run it with sanitizers: what it looks for is undefined behaviour. It also asks that what was
 * read is written and read back the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

typedef union counted {
  size_t size;
  uint64_t align[2];
} counted;

static void *allocate(void *user, size_t size) {
  counted *c = (counted *)malloc(size + sizeof *c);
  (void)user;
  must(c != NULL, "no memory");
  c->size = size;
  taken += size;
  must(taken <= PLY11_MEMORY_LIMIT, "more memory than the limit");
  return c + 1;
}

static void release(void *user, void *bytes) {
  (void)user;
  taken -= ((counted *)bytes - 1)->size;
  free((counted *)bytes - 1);
}

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
    for (i = 0; i < ply11_archive_blocks(a) && i < 64; i++) {
      ply11_block *b;
      if (ply11_block_open(a, i, PLY11_TAGS | PLY11_NOTES, &b) != PLY11_OK) {
        must(ply11_archive_fault(a)->what != NULL, "an error without a text");
        continue;
      }
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
          ask(&p, 0);
        }
      }
      ply11_block_close(b);
    }
    ply11_archive_verify(a);
    ply11_archive_close(a);
  }
  must(taken == 0, "memory is not given back");
}

/* read_indexed reads an archive and its index, before which are two bytes, the size of the archive. */
static void read_indexed(const uint8_t *data, size_t size) {
  ply11_source source, indexed;
  ply11_memory memory = {NULL, allocate, release, 0};
  ply11_archive *a;
  ply11_index *x;
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
  if (ply11_index_open(&x, a, &indexed) != PLY11_OK) {
    must(ply11_archive_fault(a)->what != NULL, "an error without a text");
  } else {
    for (i = 0; i < ply11_archive_blocks(a) && i < 8; i++) {
      ply11_block *b;
      if (ply11_block_open(a, i, PLY11_LINES, &b) != PLY11_OK) continue;
      for (k = 0; k < b->games && k < 4; k++) {
        ply11_position p;
        if (ply11_block_start(b, k, &p) != PLY11_OK) continue;
        for (ply = b->offsets[k]; ply < b->offsets[k + 1] && ply < b->offsets[k] + 20; ply++) {
          const ply11_tree *tree;
          if (ply11_index_tree(x, &p, &tree) == PLY11_OK) must(tree->count <= PLY11_MOVES + 1, "too many branches");
          else must(ply11_archive_fault(a)->what != NULL, "an error without a text");
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

int main(int argc, char **argv) {
  static const uint8_t stream[] = {0x8c, 0xc9, 0x7d, 0xed, 0x17, 0x73, 0xfb, 0x00, 0xe0, 0xc1, 0xf6, 0xb4, 0x8d, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  long rounds = argc > 1 ? atol(argv[1]) : 1000, left = rounds;
  clock_t begin_all = clock(), longest = 0;
  size_t size_of_longest = 0;
  if (getenv("PLY11_SEED") != NULL) state = (uint32_t)atol(getenv("PLY11_SEED"));
  while (left-- > 0) {
    static uint8_t buffer[1 << 16];
    size_t size, i, changes = draw(6);
    buffer[0] = (uint8_t)draw(argc > 2 ? 10 : 5);
    if (buffer[0] >= 5) {
      const char *name = argv[2 + draw((uint32_t)argc - 2)];
      size_t begin = buffer[0] < 8 ? 3 : 1;
      FILE *f = fopen(name, "rb");
      must(f != NULL, "no such file");
      size = begin + fread(buffer + begin, 1, sizeof buffer - begin, f);
      fclose(f);
      buffer[0] = begin == 3 ? 6 : 5;
      if (begin == 3) { /* with its index */
        char beside[4096];
        buffer[1] = (uint8_t)(size - begin);
        buffer[2] = (uint8_t)((size - begin) >> 8);
        must(snprintf(beside, sizeof beside, "%sx", name) < (int)sizeof beside && (f = fopen(beside, "rb")) != NULL, "no such index");
        begin = size;
        size += fread(buffer + size, 1, sizeof buffer - size, f);
        fclose(f);
        for (i = 0; i < changes && size > begin; i++) buffer[begin + draw((uint32_t)(size - begin))] = (uint8_t)draw(256);
        changes = 0;
      }
      if (draw(4) == 0) size -= draw((uint32_t)size - 1) & 255u;
    } else if (buffer[0] == 1) {
      const char *fen = fens[draw(4)];
      size = 1 + strlen(fen);
      memcpy(buffer + 1, fen, size - 1);
    } else if (buffer[0] == 0 && draw(2)) {
      size = 1 + sizeof stream;
      memcpy(buffer + 1, stream, sizeof stream);
    } else if (buffer[0] == 2 && draw(2)) { /* a start, and what follows */
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
    for (i = 0; i < changes && size > 1; i++) buffer[1 + draw((uint32_t)size - 1)] = (uint8_t)draw(256);
    {
      uint8_t *exact = (uint8_t *)malloc(size); /* so that a sanitizer sees a read behind it */
      clock_t begin_one;
      must(exact != NULL, "no memory");
      memcpy(exact, buffer, size);
      begin_one = clock();
      LLVMFuzzerTestOneInput(exact, size);
      begin_one = clock() - begin_one;
      if (begin_one > longest) {
        longest = begin_one;
        size_of_longest = size;
      }
      free(exact);
    }
  }
  printf("%ld inputs in %.1f s of processor time, the longest %.3f s, of %lu bytes\n", rounds, (double)(clock() - begin_all) / CLOCKS_PER_SEC, (double)longest / CLOCKS_PER_SEC,
         (unsigned long)size_of_longest);
  return 0;
}
#endif
