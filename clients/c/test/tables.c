/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the tables of ply11.c, from the arithmetic of docs/INDEX.md alone: `go generate ./clients` puts them in place.
 * It includes nothing of ply11.h, so that a test which compares its table with ply11_word compares two programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { E, NE, N, NW };

static int flip(int yes, int k) { return yes ? 7 - k : k; }

static int square(int file, int rank) { return 8 * rank + file; }

/* decode sets the move of a code below 1968; promotion is as in the word of the ROM. */
static void decode(int c, int *from, int *to, int *promotion) {
  static const int dx[4] = {1, 1, 0, -1}, dy[4] = {0, 1, 1, 1};
  int n = c / 256 + 1, axis = c / 64 % 4, file = c % 8, rank = c % 64 / 8;
  int x = file + n * dx[axis], y = rank + n * dy[axis], tofile = (x + 8) % 8, torank = y % 8;
  *promotion = 0;
  if (c >= 1792) {
    int p = c - 1792, j = 2 * (p / 16) + p % 2, black = p / 8 % 2;
    file = (j + 1) / 3;
    *from = square(file, black ? 1 : 6);
    *to = square(j - 2 * file, black ? 0 : 7);
    *promotion = 4 + p / 2 % 4;
  } else if ((axis == NE || axis == NW) && (x != tofile) != (y != torank)) {
    int fx = tofile - file, fy = torank - rank, sx = fx < 0, sy = fy < 0, a = abs(fx);
    int u = flip(sx, file), v = flip(sy, rank), X = 0, Y = 0, tall = a == 3 || a == 5 || a == 6, x0, y0;
    switch (a) {
      case 3: case 4: X = u, Y = v; break;
      case 5: X = v, Y = 5 - u; break;
      case 6: X = 5 + u, Y = v; break;
      case 2: X = 4 + u / 2, Y = 2 * v + u % 2; break;
      case 1: X = u, Y = 4; break;
      case 7: X = v, Y = 5; break;
    }
    x0 = tall ? X : Y;
    y0 = tall ? Y : X;
    *from = square(flip(sx, x0), flip(sy, y0));
    *to = square(flip(sx, x0 + (tall ? 1 : 2)), flip(sy, y0 + (tall ? 2 : 1)));
  } else {
    *from = square(file, rank);
    *to = square(tofile, torank);
  }
}

static int column;

static void begin(const char *line) {
  printf("%s\n", line);
  column = 0;
}

static void number(const char *format, unsigned long value) {
  printf(column == 0 ? "  " : " ");
  printf(format, value);
  printf(",");
  if (++column == 16) {
    printf("\n");
    column = 0;
  }
}

static void end(void) { printf(column == 0 ? "};\n" : "\n};\n"); }

/* The knight's leaps, in the order of the rows of knight_table. */
static const int leaps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

int main(int argc, char **argv) {
  int c, from, to, promotion, i, total;
  static int code[64][64];
  (void)argv;
  memset(code, -1, sizeof code);
  if (argc > 1) { /* the table that docs/INDEX.md asks for */
    printf("index\tclass\tfrom\tto\tpromotion\n");
  } else {
    begin("/* The words of the moves, as ply11_word returns them. */\nstatic const uint16_t word_table[PLY11_MOVES] = {");
  }
  for (c = 0; c < 1968; c++) {
    int x, y;
    decode(c, &from, &to, &promotion);
    x = abs(to % 8 - from % 8);
    y = abs(to / 8 - from / 8);
    if (argc > 1) {
      printf("%d\t%s\t%c%c\t%c%c\t%c\n", c, c >= 1792 ? "promotion" : x == 0 || y == 0 ? "rook" : x == y ? "bishop" : "knight",
             "abcdefgh"[from % 8], "12345678"[from / 8], "abcdefgh"[to % 8], "12345678"[to / 8],
             promotion ? "nbrq"[promotion - 4] : '-');
      continue;
    }
    number("0x%04lx", (unsigned long)(1 << 15 | promotion << 12 | to << 6 | from));
    if (promotion == 0) code[from][to] = c;
  }
  if (argc > 1) return 0;
  end();

  begin("\n/* By the difference of two squares, 16 a rank and 1 a file, 119 more: what a slider's code has more than its square, or for a\n"
        " * knight 0x8000 and the place of its row in knight_table. */\nstatic const uint16_t step_table[240] = {");
  for (i = 0; i < 240; i++) {
    int dy = i / 16 - 7, dx = i % 16 - 7, k;
    unsigned long v = 0xffff;
    for (k = 0; k < 8; k++)
      if (dx == leaps[k][0] && dy == leaps[k][1]) v = 0x8000ul | (unsigned long)k << 6;
    for (from = 0; from < 64 && v == 0xffff; from++)
      for (to = 0; to < 64; to++)
        if (to % 8 - from % 8 == dx && to / 8 - from / 8 == dy && code[from][to] >= 0) v = (unsigned long)(code[from][to] - from);
    number("0x%04lx", v);
  }
  end();

  begin("\n/* The codes of a knight's eight leaps, by its square. */\nstatic const uint16_t knight_table[8 * 64] = {");
  for (i = 0; i < 8; i++)
    for (from = 0; from < 64; from++) {
      int x = from % 8 + leaps[i][0], y = from / 8 + leaps[i][1];
      number("0x%04lx", x < 0 || x > 7 || y < 0 || y > 7 ? 0xfffful : (unsigned long)code[from][square(x, y)]);
    }
  end();

  begin("\n/* How many moves without promotion begin on a lower square. The same where squares are counted by files: a1, a2, .. a8, b1. */\nstatic const uint16_t first_of[65] = {");
  for (from = 0, total = 0; from < 65; from++) {
    number("%4lu", (unsigned long)total);
    for (to = 0; from < 64 && to < 64; to++) total += code[from][to] >= 0;
  }
  end();

  return 0;
}
