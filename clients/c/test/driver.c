/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells what ply11.c says, line by line, for the tests of folder clients, which compare it with the Go packages:
 *
 *   driver codes                all 2,048 codes: code, UCI, class, both mirrors, word, name
 *   driver halfmoves            the words of the coloured halfmoves, in the order of docs/INDEX.md
 *   driver labels               for each vocabulary and piece: the label of each move, the move of each label
 *   driver decode CAP DEPTH     the events of the .words file on the standard input; a text buffer of CAP bytes
 *   driver encode               the .words file of such events
 *   driver play                 lines "FEN <tab> UCI ...": all that is said of each position
 *   driver fen                  lines of FEN: what is read, as FEN, or the error and its byte
 *   driver san, driver uci      lines "FEN <tab> text <tab> text ...": what each move is read as
 *   driver perft                lines "FEN <tab> depth": the number of sequences of moves
 *   driver make                 lines "FEN <tab> UCI ...": the position after each move alone, legal or not, by make and twice by replay
 *   driver planes               lines as of play: planes, states and lc0's planes, hashed
 *   driver games MODEL          lines of names of archives: all games of each, or what is wrong with it
 *   driver replay FILE          games of FILE, 16 bits a code, 65535 at the end of each: plies a second
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../ply11.h"

#define LINE (1 << 20)

static char line[LINE];

static void die(const char *what) {
  fprintf(stderr, "driver: %s\n", what);
  exit(1);
}

static int read_line(void) {
  size_t n;
  if (!fgets(line, LINE, stdin)) return 0;
  n = strlen(line);
  if (n > 0 && line[n - 1] == '\n') line[n - 1] = 0;
  return 1;
}

static uint8_t *read_all(FILE *f, size_t *size) {
  size_t cap = 1 << 16, n;
  uint8_t *all = (uint8_t *)malloc(cap);
  *size = 0;
  while (all && (n = fread(all + *size, 1, cap - *size, f)) > 0) {
    *size += n;
    if (*size == cap) all = (uint8_t *)realloc(all, cap *= 2);
  }
  if (!all) die("no memory");
  /* Exactly as long as it is, so that a sanitizer sees a read behind it. */
  return (uint8_t *)realloc(all, *size ? *size : 1);
}

static uint64_t hash(const void *data, size_t size) {
  const uint8_t *b = (const uint8_t *)data;
  uint64_t h = 0xcbf29ce484222325u;
  while (size-- > 0) h = (h ^ *b++) * 0x100000001b3u;
  return h;
}

static void print_hash(uint64_t h) { printf("%08lx%08lx", (unsigned long)(h >> 32), (unsigned long)(h & 0xffffffffu)); }

static void codes(void) {
  static const char *const classes[] = {"rook", "bishop", "knight", "promotion", "control", "reserved"};
  unsigned c;
  char uci[PLY11_UCI_SIZE];
  for (c = 0; c < PLY11_CODES; c++) {
    const char *name = ply11_control_name(c);
    unsigned w = ply11_word(c), k = w >> 12 & 7u;
    ply11_to_uci(c, uci);
    printf("%u %s %s %u %u %04x %s\n", c, *uci ? uci : "-", classes[ply11_code_class(c)], ply11_mirror_ranks(c), ply11_mirror_files(c), w,
           name ? name : "-");
    if (w && ply11_code(w & 63, w >> 6 & 63, k == 0 ? 0 : k == 4 ? PLY11_KNIGHT : k == 5 ? PLY11_BISHOP : k == 6 ? PLY11_ROOK : PLY11_QUEEN) != c)
      die("a code is not that of its move");
  }
  for (c = 0; c < 64 * 64 * 8; c++) { /* and no other move has a code */
    unsigned code = ply11_code(c % 64, c / 64 % 64, c / 4096), w = ply11_word(code);
    if (code != PLY11_NONE && (w & 4095) != (c & 4095)) die("a move has the code of another");
  }
}

static const uint8_t pieces[] = {PLY11_KING, PLY11_QUEEN, PLY11_ROOK, PLY11_BISHOP, PLY11_KNIGHT, PLY11_PAWN};

static void halfmoves(void) {
  unsigned black, k, c, n = 0;
  for (black = 0; black < 2; black++)
    for (k = 0; k < 6; k++)
      for (c = 0; c < PLY11_MOVES; c++)
        if (ply11_piece_moves(pieces[k] | black << 3, c)) {
          printf("%04x\n", 1u << 15 | black << 14 | (unsigned)pieces[k] << 11 | c);
          n++;
        }
  if (n != PLY11_HALFMOVES) die("not 7,752 halfmoves");
}

static void labels(void) {
  unsigned v, black, k, c;
  for (v = 0; v <= PLY11_SEARCHLESS_CHESS; v++) {
    ply11_vocabulary vocabulary = (ply11_vocabulary)v;
    size_t size = ply11_vocabulary_size(vocabulary), l;
    printf("%s %lu %d\n", ply11_vocabulary_name(vocabulary), (unsigned long)size, ply11_vocabulary_turns(vocabulary));
    for (black = 0; black < 2; black++)
      for (k = 0; k < 6; k++) {
        unsigned piece = pieces[k] | black << 3;
        for (c = 0; c < PLY11_MOVES; c++) printf("%ld\n", (long)ply11_label(vocabulary, piece, c));
        for (l = 0; l < size; l++) printf("%u\n", ply11_unlabel(vocabulary, piece, (int32_t)l));
      }
  }
}

/* ---- Events ---- */

static void decode(size_t cap, uint32_t depth) {
  size_t size;
  uint8_t *bytes = read_all(stdin, &size);
  ply11_level *levels = (ply11_level *)malloc(depth * sizeof *levels + 1);
  char *text = (char *)malloc(cap), fen[PLY11_FEN_SIZE], uci[PLY11_UCI_SIZE];
  ply11_reader r;
  ply11_event e;
  ply11_status status;
  int open = 0;
  size_t i;
  ply11_reader_bytes(&r, bytes, size, levels, depth, text, cap);
  for (;;) {
    status = ply11_read(&r, &e);
    if (status == PLY11_END) break;
    if (status != PLY11_OK) {
      if (open) printf("\n");
      printf("error %lu %lu %s\n", (unsigned long)r.games, (unsigned long)r.word, ply11_status_text(status));
      break;
    }
    switch (e.kind) {
      case PLY11_EVENT_START:
        ply11_to_fen(&r.position, fen);
        printf(e.told ? "start %s\n" : "begin\n", fen);
        break;
      case PLY11_EVENT_MOVE:
        ply11_to_uci(e.code, uci);
        printf("move %s\n", uci);
        break;
      case PLY11_EVENT_VARIATION: printf("(\n"); break;
      case PLY11_EVENT_VARIATION_END: printf(")\n"); break;
      case PLY11_EVENT_NAG: printf("nag %u\n", e.nag); break;
      case PLY11_EVENT_TEXT:
        if (!open) printf("text ");
        for (i = 0; i < e.size; i++) printf("%02x", (unsigned)(uint8_t)e.text[i]);
        open = e.more;
        if (!open) printf("\n");
        break;
      case PLY11_EVENT_RESULT: printf("result %u\n", e.code); break;
    }
  }
  free(bytes);
  free(levels);
  free(text);
}

static uint16_t *out_words;
static size_t out_n, out_cap;

static uint16_t *room(size_t n) {
  if (out_n + n > out_cap) {
    out_cap = 2 * (out_n + n);
    out_words = (uint16_t *)realloc(out_words, out_cap * sizeof *out_words);
    if (!out_words) die("no memory");
  }
  return out_words + out_n;
}

static void put_word(unsigned w) {
  *room(1) = (uint16_t)w;
  out_n++;
}

static void encode(void) {
  uint8_t *bytes;
  size_t size;
  while (read_line()) {
    if (!strncmp(line, "start ", 6)) {
      ply11_position p;
      size_t n, at;
      if (ply11_from_fen(&p, line + 6, strlen(line + 6), &at) != PLY11_OK) die("a start that is none");
      n = ply11_start_words(&p, room(PLY11_START_WORDS));
      if (n == 0) die("a start that words cannot hold");
      out_n += n;
    } else if (!strncmp(line, "move ", 5)) {
      uint16_t code;
      if (ply11_from_uci(NULL, line + 5, strlen(line + 5), &code) != PLY11_OK) die("a move that is none");
      put_word(code);
    } else if (!strcmp(line, "(")) {
      put_word(PLY11_VARIATION);
    } else if (!strcmp(line, ")")) {
      put_word(PLY11_VARIATION_END);
    } else if (!strncmp(line, "nag ", 4)) {
      unsigned n = (unsigned)atoi(line + 4);
      if (n >= 1 && n <= 31) {
        put_word(PLY11_NAG + n);
      } else {
        put_word(PLY11_NAG);
        put_word(n);
      }
    } else if (!strncmp(line, "text ", 5)) {
      size_t n = strlen(line + 5) / 2, i, count;
      char *text = (char *)malloc(n + 1);
      for (i = 0; i < n; i++) {
        unsigned b;
        if (sscanf(line + 5 + 2 * i, "%2x", &b) != 1) die("no hexadecimal text");
        text[i] = (char)b;
      }
      count = ply11_text_words(text, n, NULL, 0);
      if (count == 0 || ply11_text_words(text, n, room(count), count) != count) die("a text that is none");
      out_n += count;
      free(text);
    } else if (!strncmp(line, "result ", 7)) {
      put_word((unsigned)atoi(line + 7));
    }
  }
  while (out_n % 8) put_word(PLY11_IDLE);
  size = ply11_packed_size(out_n);
  bytes = (uint8_t *)malloc(size + 1);
  ply11_pack(out_words, out_n, bytes);
  fwrite(bytes, 1, size, stdout);
  free(bytes);
  free(out_words);
}

/* ---- Positions ---- */

/* set_up reads a FEN up to a tab, and returns what follows the tab. */
static char *set_up(ply11_position *p) {
  char *tab = strchr(line, '\t');
  size_t at;
  if (!tab) die("no tab in a line");
  *tab = 0;
  if (ply11_from_fen(p, line, strlen(line), &at) != PLY11_OK) die("a position that is none");
  return tab + 1;
}

static void play_one(const ply11_position *p) {
  uint16_t list[512], one;
  uint8_t mask[PLY11_MASK_BYTES], other[PLY11_MASK_BYTES];
  char fen[PLY11_FEN_SIZE], san[PLY11_SAN_SIZE], uci[PLY11_UCI_SIZE];
  size_t n = ply11_legal(p, list, 512), i, ones = 0;
  unsigned c;
  if (n != ply11_count_legal(p) || n > 512) die("the number of legal moves is not that of the list");
  memset(other, 0, sizeof other);
  for (i = 0; i < n; i++) other[list[i] / 8] |= (uint8_t)(1 << list[i] % 8);
  ply11_legal_masks(p, 1, mask);
  if (memcmp(mask, other, sizeof mask)) die("the mask is not that of the list");
  for (c = 0; c < PLY11_MOVES; c++) {
    unsigned bit = mask[c / 8] >> c % 8 & 1u;
    ones += bit;
    if ((unsigned)ply11_is_legal(p, c) != bit) die("is_legal is not what the mask says");
  }
  if (ones != n) die("a legal move is twice in the list");
  ply11_to_fen(p, fen);
  printf("%s; %d; %lu; ", fen, (int)ply11_outcome(p), (unsigned long)n);
  print_hash(hash(mask, sizeof mask));
  printf(";");
  for (c = 0; c < PLY11_MOVES; c++) {
    if (!(mask[c / 8] >> c % 8 & 1u)) continue;
    ply11_to_san(p, c, san);
    printf(" %s", san);
    if (ply11_from_san(p, san, strlen(san), &one) != PLY11_OK || one != c) die("SAN is not read as it was written");
    ply11_to_uci(c, uci);
    if (ply11_from_uci(p, uci, strlen(uci), &one) != PLY11_OK || one != c) die("UCI is not read as it was written");
  }
  printf("\n");
}

static void play(void) {
  ply11_position p;
  while (read_line()) {
    char *moves = set_up(&p), *m;
    play_one(&p);
    for (m = strtok(moves, " "); m; m = strtok(NULL, " ")) {
      uint16_t code, words[PLY11_START_WORDS];
      size_t n, at, made;
      ply11_position q;
      if (ply11_from_uci(&p, m, strlen(m), &code) != PLY11_OK) die("a move that is not legal");
      if (ply11_verify(&p, &code, 1, NULL, &made) != PLY11_OK || made != 1) die("a move that cannot be made");
      play_one(&p);
      n = ply11_start_words(&p, words);
      if (n && (ply11_from_start_words(&q, words, n, &at) != PLY11_OK || memcmp(&p, &q, sizeof p))) die("the words of a start are not those of the position");
    }
  }
}

static void fens(void) {
  ply11_position p;
  char out[PLY11_FEN_SIZE];
  size_t at;
  while (read_line()) {
    ply11_status status = ply11_from_fen(&p, line, strlen(line), &at);
    if (status != PLY11_OK) {
      printf("%s at %lu\n", ply11_status_text(status), (unsigned long)at);
      continue;
    }
    ply11_to_fen(&p, out);
    printf("%s\n", out);
  }
}

static void texts(int san) {
  ply11_position p;
  while (read_line()) {
    char *moves = set_up(&p), *m, uci[PLY11_UCI_SIZE];
    for (m = strtok(moves, "\t"); m; m = strtok(NULL, "\t")) {
      uint16_t code = PLY11_NONE;
      ply11_status status = san ? ply11_from_san(&p, m, strlen(m), &code) : ply11_from_uci(&p, m, strlen(m), &code);
      ply11_to_uci(code, uci);
      printf("%s\n", status == PLY11_OK ? uci : ply11_status_text(status));
    }
  }
}

static uint64_t perft(const ply11_position *p, int depth) {
  uint16_t list[512];
  size_t n, i;
  uint64_t sum = 0;
  if (depth == 0) return 1;
  if (depth == 1) return ply11_count_legal(p);
  n = ply11_legal(p, list, 512);
  for (i = 0; i < n; i++) {
    ply11_position q = *p;
    ply11_make(&q, list[i]);
    sum += perft(&q, depth - 1);
  }
  return sum;
}

static void print_number(uint64_t v) {
  if (v >= 1000000000u) printf("%lu%09lu\n", (unsigned long)(v / 1000000000u), (unsigned long)(v % 1000000000u));
  else printf("%lu\n", (unsigned long)v);
}

static void perfts(void) {
  ply11_position p;
  while (read_line()) {
    char *depth = set_up(&p);
    print_number(perft(&p, atoi(depth)));
  }
}

static void makes(void) {
  ply11_position p;
  while (read_line()) {
    char *moves = set_up(&p), *m, fen[PLY11_FEN_SIZE];
    for (m = strtok(moves, " "); m; m = strtok(NULL, " ")) {
      ply11_position made = p, replayed = p, again = p, line_of[2];
      uint16_t code;
      if (ply11_from_uci(NULL, m, strlen(m), &code) != PLY11_OK) die("a move that is none");
      ply11_make(&made, code);
      ply11_replay(&replayed, &code, 1, NULL);
      ply11_replay(&again, &code, 1, line_of);
      ply11_to_fen(&made, fen);
      printf("%s: make %s", m, fen);
      ply11_to_fen(&replayed, fen);
      printf("; replay %s", fen);
      ply11_to_fen(&line_of[1], fen);
      printf("; in a line %s\n", fen);
      if (memcmp(&again, &line_of[1], sizeof again)) die("replay leaves another position than the last of the line");
    }
  }
}

static void planes(void) {
  static ply11_position positions[4096];
  static uint16_t moves[4096];
  static int32_t labels_of[4096];
  static uint8_t bytes[4096 * 7168], bits[4096 * 896];
  while (read_line()) {
    ply11_position p;
    char *text = set_up(&p), *m;
    size_t n = 0, i;
    unsigned v;
    int turns;
    ply11_position start = p;
    for (m = strtok(text, " "); m; m = strtok(NULL, " "), n++) {
      if (n == 4095 || ply11_from_uci(&p, m, strlen(m), moves + n) != PLY11_OK) die("a move that is not legal");
      ply11_make(&p, moves[n]);
    }
    p = start;
    ply11_replay(&p, moves, n, positions);
    for (turns = 0; turns < 2; turns++) {
      ply11_planes(positions, n, turns, bits);
      print_hash(hash(bits, n * PLY11_PLANES_BYTES));
      printf(" ");
      ply11_states(positions, n, turns, bits);
      print_hash(hash(bits, n * PLY11_STATE_BYTES));
      printf(" ");
    }
    ply11_lc0_planes(positions, 0, n, bits);
    print_hash(hash(bits, n * PLY11_LC0_PLANES_BYTES));
    ply11_spread(bits, n * PLY11_LC0_PLANES_BYTES, bytes);
    for (i = 0; i < n * PLY11_LC0_PLANES_BYTES * 8; i++)
      if (bytes[i] != (bits[i / 8] >> i % 8 & 1)) die("bits that are not spread");
    for (v = 0; v < 24; v++) { /* a few bytes, and nothing behind what they fill */
      memset(bytes, 2, 8 * 24);
      ply11_spread(bits, v, bytes);
      for (i = 0; i < 8 * 24; i++)
        if (bytes[i] != (i < 8 * v ? bits[i / 8] >> i % 8 & 1 : 2)) die("a few bits that are not spread");
    }
    for (i = 1; i < n; i++) { /* the same planes when they are not made from the first on */
      ply11_lc0_planes(positions, i, i + 1, bytes);
      if (memcmp(bytes, bits + i * PLY11_LC0_PLANES_BYTES, PLY11_LC0_PLANES_BYTES)) die("planes that depend on where they begin");
    }
    for (v = 0; v <= PLY11_SEARCHLESS_CHESS; v++) {
      ply11_labels((ply11_vocabulary)v, positions, moves, n, labels_of);
      printf(" ");
      for (i = 0; i < n; i++) printf(i ? ",%ld" : "%ld", (long)labels_of[i]);
      ply11_label_masks((ply11_vocabulary)v, positions, n, bits);
      printf(" ");
      print_hash(hash(bits, n * ((ply11_vocabulary_size((ply11_vocabulary)v) + 7) / 8)));
    }
    printf("\n");
  }
}

static void replay(const char *name) {
  FILE *f = fopen(name, "rb");
  size_t size, i, n = 0, first, plies = 0;
  uint8_t *bytes;
  uint16_t *moves;
  uint32_t sum = 0;
  int round;
  clock_t start;
  if (!f) die("no such file");
  bytes = read_all(f, &size);
  fclose(f);
  moves = (uint16_t *)malloc(size + 2);
  for (i = 0; i + 1 < size; i += 2) moves[n++] = (uint16_t)(bytes[i] | bytes[i + 1] << 8);
  start = clock();
  for (round = 0; round < 20; round++) {
    for (i = first = 0; i < n; i++) {
      ply11_position p;
      if (moves[i] != 0xffff) continue;
      ply11_start(&p);
      ply11_replay(&p, moves + first, i - first, NULL);
      plies += i - first;
      sum = sum * 31 + (uint32_t)(hash(&p.plane, sizeof p.plane) + p.clock + p.number);
      first = i + 1;
    }
  }
  printf("%.1f M plies/s, sum %lx\n", (double)plies / 1e6 / ((double)(clock() - start) / CLOCKS_PER_SEC), (unsigned long)sum);
  free(bytes);
  free(moves);
}

/* Memory that is counted. */
static size_t taken, most;

typedef union counted {
  size_t size;
  uint64_t align[2];
} counted;

static void *allocate(void *user, size_t size) {
  counted *c = (counted *)malloc(size + sizeof *c);
  (void)user;
  if (!c) return NULL;
  c->size = size;
  taken += size;
  if (taken > most) most = taken;
  return c + 1;
}

static void release(void *user, void *bytes) {
  (void)user;
  taken -= ((counted *)bytes - 1)->size;
  free((counted *)bytes - 1);
}

static unsigned long reads; /* of files */

static int read_file(void *user, uint64_t offset, uint8_t *bytes, size_t size) {
  FILE *f = (FILE *)user;
  reads++;
  if (fseek(f, (long)offset, SEEK_SET) != 0 || fread(bytes, 1, size, f) != size) return 0;
  return 1;
}

static void print_fault(ply11_status status, const ply11_fault *fault) {
  if (!*ply11_status_text(status) || !fault->what) die("an error without a text");
  printf("error %d: %s; block %lu, column %lu, game %lu\n", (int)status, fault->what, (unsigned long)fault->block, (unsigned long)fault->column,
         (unsigned long)fault->game);
}

/* print_game prints number, result, 1 if it is valid, start, moves, clocks, evaluations, that of the start, and tags in hexadecimal. */
static void print_game(const ply11_block *b, uint32_t i) {
  ply11_position start;
  char fen[PLY11_FEN_SIZE] = "-";
  uint32_t k, n;
  if (b->flags[i] & PLY11_GAME_START && ply11_block_start(b, i, &start) == PLY11_OK) ply11_to_fen(&start, fen);
  else if (b->flags[i] & PLY11_GAME_START) strcpy(fen, "?");
  printf("%lu\t%u\t%d\t%s\t", (unsigned long)(b->first + i), b->results[i], !(b->flags[i] & PLY11_GAME_INVALID), fen);
  for (k = b->offsets[i]; k < b->offsets[i + 1]; k++) printf("%u,", b->moves[k]);
  printf("\t");
  for (k = b->offsets[i]; k < b->offsets[i + 1]; k++) printf("%ld,", (long)b->clocks[k]);
  printf("\t");
  for (k = b->offsets[i]; k < b->offsets[i + 1]; k++) printf("%d,", b->evals[k]);
  printf("\t%d\t", b->start_evals[i]);
  for (k = 0, n = ply11_block_tags(b, i); k < n; k++) {
    ply11_tag tag = ply11_block_tag(b, i, k);
    size_t at;
    for (at = 0; at < tag.name_size; at++) printf("%02x", (uint8_t)tag.name[at]);
    printf("=");
    for (at = 0; at < tag.value_size; at++) printf("%02x", (uint8_t)tag.value[at]);
    printf(" ");
  }
  printf("\n");
}

static ply11_model *open_model(const char *name, const ply11_memory *memory) {
  ply11_model *model;
  FILE *f = fopen(name, "rb");
  size_t size;
  uint8_t *bytes;
  if (!f) die("no model");
  bytes = read_all(f, &size);
  fclose(f);
  if (ply11_model_open(&model, bytes, size, memory) != PLY11_OK) die("the model is refused");
  free(bytes);
  return model;
}

/* open_file opens a file as a source. */
static FILE *open_file(const char *name, ply11_source *source) {
  FILE *f = fopen(name, "rb");
  if (!f) die("no such file");
  fseek(f, 0, SEEK_END);
  source->user = f;
  source->size = (uint64_t)ftell(f);
  source->read = read_file;
  return f;
}

static void archives(const char *name, int unfinished) {
  ply11_memory memory = {NULL, allocate, release, 0};
  ply11_model *model = open_model(name, &memory);
  size_t held;
  held = taken;
  while (read_line()) {
    ply11_source source;
    ply11_archive *a;
    ply11_fault fault;
    ply11_status status;
    FILE *f = open_file(line, &source);
    uint32_t i, k;
    most = 0;
    if ((status = ply11_archive_open(&a, &source, &memory, &fault)) != PLY11_OK) {
      print_fault(status, &fault);
    } else {
      ply11_archive_use(a, model);
      if ((ply11_archive_unfinished(a) > 0) < unfinished) die("the archive is whole");
      status = ply11_archive_verify(a);
      if (unfinished ? status != PLY11_ERROR_CORRUPT : status != PLY11_OK) {
        print_fault(status, ply11_archive_fault(a));
      } else {
        printf("games %lu, plies %lu\n", (unsigned long)ply11_archive_games(a), (unsigned long)ply11_archive_plies(a));
        for (i = 0; i < ply11_archive_blocks(a); i++) {
          ply11_block *b;
          uint32_t found;
          if (ply11_block_open(a, i, PLY11_TAGS | PLY11_NOTES, &b) != PLY11_OK) die("a block that was sound is no more");
          for (k = 0; k < b->games; k++) {
            if (ply11_archive_find(a, b->first + k, &found) != PLY11_OK || found != i) die("a game is found in another block");
            print_game(b, k);
          }
          ply11_block_close(b);
        }
      }
      ply11_archive_close(a);
    }
    if (taken != held) die("memory is not given back");
    if (most > PLY11_MEMORY_LIMIT + held) die("more memory than the limit");
    fclose(f);
  }
  ply11_model_close(model);
  if (taken) die("the model's memory is not given back");
}

/* requests prints how many reads it takes to open an archive, and to have a game of it, for numbers of games. */
static void requests(const char *path) {
  ply11_memory memory = {NULL, allocate, release, 0};
  while (read_line()) {
    ply11_source source;
    ply11_archive *a;
    ply11_block *b;
    ply11_fault fault;
    unsigned long opening;
    uint32_t number;
    FILE *f = open_file(path, &source);
    reads = 0;
    if (ply11_archive_open(&a, &source, &memory, &fault) != PLY11_OK) die(fault.what);
    opening = reads;
    if (ply11_archive_find(a, (uint64_t)atol(line), &number) != PLY11_OK || ply11_block_open(a, number, PLY11_TAGS | PLY11_NOTES, &b) != PLY11_OK) die("no such game");
    printf("%lu %lu\n", opening, reads - opening);
    ply11_block_close(b);
    ply11_archive_close(a);
    fclose(f);
  }
}

static void print_counts(const ply11_counts *c) {
  printf(" %lu %lu %lu %lu %lu/%lu %lu/%lu", (unsigned long)c->games, (unsigned long)c->white, (unsigned long)c->draws, (unsigned long)c->black,
         (unsigned long)c->white_ratings, (unsigned long)c->white_rated, (unsigned long)c->black_ratings, (unsigned long)c->black_rated);
}

/* trees prints, for each archive and what is beside it, an index (x) or a tree file (t), what that tells of the positions of the games; or that it is refused. */
static void trees(const char *name, const char *suffix) {
  ply11_memory memory = {NULL, allocate, release, 0};
  ply11_model *model = open_model(name, &memory);
  size_t held = taken;
  while (read_line()) {
    ply11_source source, indexed;
    ply11_archive *a;
    ply11_index *x;
    FILE *f = open_file(line, &source), *g;
    uint32_t i, k, ply, n;
    ply11_status status;
    strcat(line, suffix);
    g = open_file(line, &indexed);
    if (ply11_archive_open(&a, &source, &memory, NULL) != PLY11_OK) die("an archive is refused");
    ply11_archive_use(a, model);
    status = *suffix == 't' ? ply11_tree_open(&x, &indexed, &memory, NULL) : ply11_index_open(&x, a, &indexed);
    printf("games %lu\n", (unsigned long)ply11_archive_games(a));
    for (i = 0; i < ply11_archive_blocks(a) && status == PLY11_OK; i++) {
      ply11_block *b;
      if (ply11_block_open(a, i, PLY11_LINES, &b) != PLY11_OK) die("a block is refused");
      for (k = 0; k < b->games && status == PLY11_OK; k++) {
        ply11_position p;
        ply11_block_start(b, k, &p);
        for (ply = b->offsets[k];; ply++) {
          const ply11_tree *tree;
          if ((ply - b->offsets[k]) % 7 < 2) {
            if ((status = ply11_index_tree(x, &p, &tree)) != PLY11_OK) {
              if (ply11_index_fault(x)->what == NULL) die("an error without a text");
              break;
            }
            print_counts(&tree->all);
            for (n = 0; n < tree->count; n++) {
              printf(", %u:", tree->branches[n].code);
              print_counts(&tree->branches[n].counts);
            }
            printf("\n");
          }
          if (ply == b->offsets[k + 1]) break;
          ply11_make(&p, b->moves[ply]);
        }
      }
      ply11_block_close(b);
    }
    if (status != PLY11_OK) printf("refused\n");
    ply11_index_close(x);
    ply11_archive_close(a);
    if (taken != held) die("memory is not given back");
    fclose(f);
    fclose(g);
  }
  ply11_model_close(model);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "codes")) codes();
  else if (!strcmp(what, "halfmoves")) halfmoves();
  else if (!strcmp(what, "labels")) labels();
  else if (!strcmp(what, "decode") && argc == 4) decode((size_t)atoi(argv[2]), (uint32_t)atoi(argv[3]));
  else if (!strcmp(what, "encode")) encode();
  else if (!strcmp(what, "play")) play();
  else if (!strcmp(what, "fen")) fens();
  else if (!strcmp(what, "san")) texts(1);
  else if (!strcmp(what, "uci")) texts(0);
  else if (!strcmp(what, "perft")) perfts();
  else if (!strcmp(what, "make")) makes();
  else if (!strcmp(what, "planes")) planes();
  else if (!strcmp(what, "games") && argc == 3) archives(argv[2], 0);
  else if (!strcmp(what, "unfinished") && argc == 3) archives(argv[2], 1);
  else if (!strcmp(what, "trees") && argc == 3) trees(argv[2], "x");
  else if (!strcmp(what, "counts") && argc == 3) trees(argv[2], "t");
  else if (!strcmp(what, "requests") && argc == 3) requests(argv[2]);
  else if (!strcmp(what, "replay") && argc == 3) replay(argv[2]);
  else die("codes, halfmoves, labels, decode, encode, play, fen, san, uci, perft, make, planes, games, unfinished, trees, counts, requests or replay");
  return 0;
}
