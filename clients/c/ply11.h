/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ply11: a chess move is eleven bits. The index of moves, the rules of chess, streams of moves, inputs of networks, and
 * a reader of archives, in C99.
 *
 * Copy ply11.h and ply11.c into your program. They need no library, have no variable that changes, and do not recurse. Archives take memory from
 * your allocator; nothing else allocates. All functions may be called from several threads at once, with different objects. The pages
 * docs/INDEX.md, docs/WORDS.md, docs/train.md, docs/FORMAT.md and docs/INDEXFILE.md define what they do.
 *
 * A move is a code: a number of docs/INDEX.md, 0 to 1967. Codes from 1968 on are no moves (results, texts, variations).
 * A square is 8 * rank + file: a1 is 0, b1 is 1, h8 is 63. A piece is 1 to 6 for K Q N B R P, and 8 more for Black; 0 is none.
 *
 * Functions that can fail return PLY11_OK, which is 0, or another ply11_status. ply11_status_text() tells what it means, and an
 * argument "at", which may be NULL, gets the place. Input may be anything: a wrong one is refused, and does no harm. The
 * pointers must be those of objects, and positions those that a function of this file has made.
 */
#ifndef PLY11_H
#define PLY11_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The index ---- */

#define PLY11_MOVES 1968 /* codes of moves: 0..1967 */
#define PLY11_CODES 2048 /* all codes, of eleven bits */
#define PLY11_BITS 11
#define PLY11_MASK_BYTES 246  /* a bit for each move, low bits first */
#define PLY11_HALFMOVES 7752  /* coloured halfmoves: see ply11_halfmove */
#define PLY11_NONE 0xffffu    /* no code, and no move: what a function returns that has none */

/* The codes that are no moves. */
enum {
  PLY11_BLACK_WINS = 1968, /* a game ends: 0-1 */
  PLY11_DRAW = 1969,
  PLY11_WHITE_WINS = 1970,
  PLY11_UNKNOWN = 1971, /* a game ends: * */
  PLY11_NULL = 1972,    /* the null move: the turn is passed */
  PLY11_VARIATION = 1973,
  PLY11_VARIATION_END = 1974,
  PLY11_TEXT = 1975,
  PLY11_NAG = 1976,
  PLY11_NAG1 = 1977, /* NAG n, 1 to 31, is PLY11_NAG + n */
  PLY11_START = 2008,
  PLY11_START_960 = 2009, /* as PLY11_START, of Chess960 */
  PLY11_IDLE = 2047
};

/* The classes of codes. */
typedef enum ply11_class {
  PLY11_CLASS_ROOK,
  PLY11_CLASS_BISHOP,
  PLY11_CLASS_KNIGHT,
  PLY11_CLASS_PROMOTION,
  PLY11_CLASS_CONTROL,
  PLY11_CLASS_RESERVED
} ply11_class;

/* Pieces, without their colour. */
enum { PLY11_KING = 1, PLY11_QUEEN, PLY11_KNIGHT, PLY11_BISHOP, PLY11_ROOK, PLY11_PAWN };
#define PLY11_BLACK 8 /* what a black piece has more */

/*
 * ply11_word returns the move of a code: bits 0..5 the square that the piece leaves, 6..11 its target, 12..14 the
 * promotion (0 none, 4 knight, 5 bishop, 6 rook, 7 queen), bit 15 one. It is 0 for what is no move. A look-up.
 */
uint16_t ply11_word(unsigned code);

/*
 * ply11_code returns the code of a move from one square to another. promotion is 0, PLY11_QUEEN, PLY11_KNIGHT,
 * PLY11_BISHOP or PLY11_ROOK. It is PLY11_NONE for what is no move of chess. A look-up or two.
 */
uint16_t ply11_code(unsigned from, unsigned to, unsigned promotion);

/* ply11_mirror_ranks and ply11_mirror_files return the code of the same move on a mirrored board: of its ranks (a1 and a8
 * change places), of its files (a1 and h1). What is no move stays. */
uint16_t ply11_mirror_ranks(unsigned code);
uint16_t ply11_mirror_files(unsigned code);

/* ply11_code_class returns the class of a code; what has more than eleven bits is reserved. */
ply11_class ply11_code_class(unsigned code);

/* ply11_control_name returns the name of a code that is no move, as docs/WORDS.md has it ("ResultDraw", "NAG3"), or NULL
 * for a move and a reserved code. */
const char *ply11_control_name(unsigned code);

/* ply11_piece_moves tells (1 or 0) whether a piece, with its colour, makes such a move on some board. Castling is the king's
 * step of two squares here. The 7,752 pairs for which it is 1 are the coloured halfmoves of docs/INDEX.md. */
int ply11_piece_moves(unsigned piece, unsigned code);

/* ---- Words and bytes ---- */

/* ply11_packed_size returns the number of bytes that n words of eleven bits take. n is at most SIZE_MAX / 11. */
size_t ply11_packed_size(size_t n);

/* ply11_pack writes n words of eleven bits to ply11_packed_size(n) bytes. The unused bits of the last byte are ones. */
void ply11_pack(const uint16_t *words, size_t n, uint8_t *bytes);

/* ply11_unpack reads n words, from word number first on, out of the bytes. It returns how many it has written: fewer where
 * the bytes end. */
size_t ply11_unpack(const uint8_t *bytes, size_t size, size_t first, uint16_t *words, size_t n);

/* ---- Errors ---- */

typedef enum ply11_status {
  PLY11_OK = 0,
  PLY11_END,                /* no error: the stream has no more games */
  PLY11_ERROR_ARGUMENT,     /* an argument is out of its range */
  PLY11_ERROR_SYNTAX,       /* the text is not of the notation */
  PLY11_ERROR_BOARD,        /* pieces that cannot stand so: kings, pawns on the first or last rank */
  PLY11_ERROR_CASTLING,     /* a right to castle without the king or the rook in its place */
  PLY11_ERROR_EN_PASSANT,   /* an en passant square that no double push can have left */
  PLY11_ERROR_CHECK,        /* the side that is not to move is in check */
  PLY11_ERROR_COUNTERS,     /* a halfmove clock or a move number out of range */
  PLY11_ERROR_ILLEGAL,      /* a move that is not legal here */
  PLY11_ERROR_AMBIGUOUS,    /* more than one legal move fits */
  PLY11_ERROR_TRUNCATED,    /* the stream ends inside a game */
  PLY11_ERROR_RESERVED,     /* a reserved code */
  PLY11_ERROR_GRAMMAR,      /* a code where it may not stand */
  PLY11_ERROR_NAG,          /* a NAG above 255 */
  PLY11_ERROR_TEXT,         /* a text that is not UTF-8, holds NUL or has wrong pieces */
  PLY11_ERROR_DEPTH,        /* variations deeper than there is memory for */
  PLY11_ERROR_PADDING,      /* bits after the last word that are not ones */
  PLY11_ERROR_UNSUPPORTED,  /* what the format cannot hold */
  PLY11_ERROR_READ,         /* the source did not give the bytes */
  PLY11_ERROR_MEMORY,       /* the allocator gave none, or the limit is reached */
  PLY11_ERROR_FORMAT,       /* the file is no archive, or no index */
  PLY11_ERROR_CORRUPT,      /* bytes that no writer makes: a wrong checksum, length or content */
  PLY11_ERROR_LATER         /* something of a later version, which a reader must know */
} ply11_status;

/* ply11_status_text returns what a status means, in English, without a capital and a full stop. */
const char *ply11_status_text(ply11_status status);

/* ---- Positions ---- */

/*
 * A position: the board, who is to move, rights to castle, the last double push, and the counters. It may be copied. Read
 * it with the functions below, or directly; only functions of this file may change it.
 */
typedef struct ply11_position {
  uint64_t plane[4];  /* bit s of plane b is bit b of the piece on square s; plane 3 is the black pieces */
  uint64_t castling;  /* the squares of the rooks with which castling is still a right */
  uint32_t clock;     /* plies since a capture or a pawn's move */
  uint32_t number;    /* of the move, from 1; it grows after Black's move */
  uint8_t black;      /* 1 if Black is to move */
  uint8_t en_passant; /* 1..8: the file of the pawn that the last move pushed by two squares; 0: it did not */
  uint8_t chess960;   /* 1: castling is "king takes rook"; 0: it is the king's step of two squares, or there is no right to it left */
  uint8_t zero[5];
} ply11_position;

#define PLY11_MAX_LEGAL 218  /* legal moves of a position that a game can reach */
#define PLY11_FEN_SIZE 128   /* bytes of the longest FEN, with the zero at its end */
#define PLY11_SAN_SIZE 12    /* bytes of the longest SAN, with the zero at its end */
#define PLY11_UCI_SIZE 8     /* bytes of the longest UCI move, with the zero at its end */

/* ply11_start sets the usual position at the start of a game. */
void ply11_start(ply11_position *p);

/*
 * ply11_from_fen reads a FEN of six fields, strictly: one space between fields, castling letters in their order, no signs and
 * no leading zeros, counters up to 65535. It refuses an impossible position, as docs/WORDS.md has it.
 * Castling may be told by KQkq, which is the outermost rook on that side (X-FEN), or by the letters of the rooks' files
 * (Shredder-FEN). A position whose king or rook with a right is not at its usual place, or with letters of files, is of Chess960: in
 * others castling is the king's step of two squares.
 * text has size bytes. at gets the byte of the first error. If it fails, p is not changed.
 */
ply11_status ply11_from_fen(ply11_position *p, const char *text, size_t size, size_t *at);

/*
 * ply11_to_fen writes the FEN, with a zero at its end, and returns its length. The en passant square is written
 * after every double push. A right to castle is K, Q, k or q for the outermost rook on that side, or else the letter of its file; all are letters
 * of files where a position of Chess960 would be read as one of standard chess.
 */
size_t ply11_to_fen(const ply11_position *p, char out[PLY11_FEN_SIZE]);

/* ply11_piece_on returns the piece on a square, 0 if it is empty. */
unsigned ply11_piece_on(const ply11_position *p, unsigned square);

/* ply11_legal writes the codes of the legal moves, at most cap of them, and returns how many there are. They are in order of
 * the pieces: king, queens, knights, bishops, rooks, pawns. */
size_t ply11_legal(const ply11_position *p, uint16_t *codes, size_t cap);

/* ply11_count_legal returns how many legal moves there are. */
size_t ply11_count_legal(const ply11_position *p);

/* ply11_is_legal tells (1 or 0) whether the move of a code is legal. PLY11_NULL is legal if the side to move is not in check. */
int ply11_is_legal(const ply11_position *p, unsigned code);

/* ply11_legal_masks writes n masks of the legal moves, each of PLY11_MASK_BYTES bytes: bit c mod 8 of byte c div 8 is 1 if
 * the move of code c is legal. */
void ply11_legal_masks(const ply11_position *p, size_t n, uint8_t *masks);

/* ply11_in_check tells (1 or 0) whether the side to move is in check. */
int ply11_in_check(const ply11_position *p);

/* ply11_outcome tells how the position stands by its moves: see the values. */
typedef enum ply11_outcomes { PLY11_PLAYING, PLY11_IN_CHECK, PLY11_STALEMATE, PLY11_MATE } ply11_outcomes;
ply11_outcomes ply11_outcome(const ply11_position *p);

/* ply11_make makes the move of a code, which must be legal. Any other code below 1,968 leaves a position that need not be one,
 * but does no other harm; from 1,968 on, all are the null move. */
void ply11_make(ply11_position *p, unsigned code);

/*
 * ply11_replay makes n moves, without asking whether they are legal, as ply11_make. If line is not NULL, it gets the n + 1
 * positions from p, the first, to the last. p is then the last one.
 */
void ply11_replay(ply11_position *p, const uint16_t *codes, size_t n, ply11_position *line);

/* ply11_verify makes n moves, and asks before each whether it is legal. It stops before the first that is not,
 * with PLY11_ERROR_ILLEGAL; made gets the number of moves that were made. line is as for ply11_replay. */
ply11_status ply11_verify(ply11_position *p, const uint16_t *codes, size_t n, ply11_position *line, size_t *made);

/* ply11_to_san writes a legal move in the export form of the PGN standard, with + or #, and a zero at its end; the null move is
 * "--". It returns the length, or 0 for a move that is not legal. */
size_t ply11_to_san(const ply11_position *p, unsigned code, char out[PLY11_SAN_SIZE]);

/* ply11_from_san reads a move in SAN. It takes more disambiguation than is needed, zeros in castling, a promotion without
 * its =, and missing or wrong + and #. code gets the one legal move that fits. */
ply11_status ply11_from_san(const ply11_position *p, const char *text, size_t size, uint16_t *code);

/* ply11_to_uci writes the move of a code as UCI does ("e2e4", "a7a8q"; "0000" for PLY11_NULL), with a zero at its end, and returns
 * the length. It is 0 for other codes. Castling is as the code has it. */
size_t ply11_to_uci(unsigned code, char out[PLY11_UCI_SIZE]);

/*
 * ply11_from_uci reads a legal move as UCI writes it. Castling may be the king's step or king takes rook; code gets the
 * one that the position uses. p may be NULL: then the move need not be legal, and is taken as it is.
 */
ply11_status ply11_from_uci(const ply11_position *p, const char *text, size_t size, uint16_t *code);

/* ---- The start position in words ---- */

#define PLY11_START_WORDS 29 /* the most words that a start position takes, with its code */

/* ply11_start_words writes a start position, with the code before it, and returns the number of words: 27, or 29 for Chess960. It is 0
 * for a position that words cannot hold: a clock above 255, a number above 8,187, or a word that would be idle. */
size_t ply11_start_words(const ply11_position *p, uint16_t words[PLY11_START_WORDS]);

/* ply11_from_start_words reads a start position of n words with the code before it. at gets the word at which it fails. */
ply11_status ply11_from_start_words(ply11_position *p, const uint16_t *words, size_t n, size_t *at);

/* ply11_text_words writes a text, in pieces, and returns the number of words that it takes, of which it writes at most cap. It is 0 for
 * a text that is not UTF-8 or holds NUL. */
size_t ply11_text_words(const char *text, size_t size, uint16_t *words, size_t cap);

/* ---- Games as words ---- */

typedef enum ply11_events {
  PLY11_EVENT_START,         /* a game begins; position is where */
  PLY11_EVENT_MOVE,          /* a move, or PLY11_NULL, was made; position is the one after it */
  PLY11_EVENT_VARIATION,     /* a variation begins, which replaces the last move; position is the one before that */
  PLY11_EVENT_VARIATION_END, /* it ends; position is the one after the move that it replaced */
  PLY11_EVENT_TEXT,          /* a text, or a part of it */
  PLY11_EVENT_NAG,
  PLY11_EVENT_RESULT /* the game ends; code is the result */
} ply11_events;

/* An event of a game. What it does not have is 0. */
typedef struct ply11_event {
  ply11_events kind;
  uint16_t code;     /* of a move or a result */
  uint8_t nag;       /* 0..255 */
  uint8_t more;      /* of a text: 1 if the next event has more of it */
  uint8_t told;      /* of a start: 1 if the stream tells it, 0 if it is the usual one and not told */
  uint32_t depth;    /* variations around: 0 in the main line. Of the ends of a variation: inside it */
  size_t ply;        /* moves of the main line so far */
  const char *text;  /* UTF-8, in the reader's buffer, until the next call; no zero at its end */
  size_t size;       /* of the text, in bytes */
} ply11_event;

/* A level of variations: what a reader keeps for each that is open. */
typedef struct ply11_level {
  ply11_position at, before;
} ply11_level;

/* A reader of games. Set it up with ply11_reader_bytes or ply11_reader_words. position, games and word may be read. */
typedef struct ply11_reader {
  ply11_position position; /* after the last event */
  ply11_position before;   /* before the last move */
  size_t games;            /* games that have begun */
  size_t word;             /* the word at which the last call failed; else the words that were read */
  size_t ply;              /* moves of the main line so far */
  const uint8_t *bytes;
  const uint16_t *words;
  size_t size, next;
  ply11_level *levels;
  char *text;
  size_t cap;
  size_t piece; /* bytes of this piece of a text that have not been read */
  uint32_t max_depth, depth, acc;
  uint32_t have;
  uint32_t utf8; /* what the last bytes of a text wait for */
  uint8_t state, full, moved, told;
  ply11_status failed;
} ply11_reader;

/*
 * ply11_reader_bytes sets a reader to the beginning of a .words file in memory, ply11_reader_words to that of an array of words.
 * levels has room for max_depth variations inside each other, and may be NULL if that is 0. text is the
 * buffer for texts, of cap bytes, at least 1; a longer text comes in several events. The reader keeps the pointers.
 */
void ply11_reader_bytes(ply11_reader *r, const uint8_t *bytes, size_t size, ply11_level *levels, uint32_t max_depth, char *text, size_t cap);
void ply11_reader_words(ply11_reader *r, const uint16_t *words, size_t n, ply11_level *levels, uint32_t max_depth, char *text, size_t cap);

/*
 * ply11_read reads the next event. At the end of the stream it is PLY11_END. It verifies the grammar of docs/WORDS.md, and that each move
 * is legal. After an error, r->word is its place, counted in words from 0, idle words too, and r->games the number of the
 * game, from 1; further calls return the same error, until ply11_skip. A call reads as many words as the event takes.
 */
ply11_status ply11_read(ply11_reader *r, ply11_event *e);

/* ply11_skip passes over what is left of a game, to the word behind the next result. It can go wrong behind an error in a text, of
 * which a word may look like a result. */
void ply11_skip(ply11_reader *r);

/* ---- Networks ---- */

/* The orders in which networks label moves: see docs/train.md, "Labels". */
typedef enum ply11_vocabulary { PLY11_INDEX, PLY11_LC0, PLY11_ALPHAZERO, PLY11_ZETA36, PLY11_SEARCHLESS_CHESS } ply11_vocabulary;

/* ply11_vocabulary_name returns "index", "lc0", "alphazero", "zeta36" or "searchless-chess", or NULL. */
const char *ply11_vocabulary_name(ply11_vocabulary v);

/* ply11_vocabulary_size returns how many labels there are, at most 4,672; 0 for what is no vocabulary. */
size_t ply11_vocabulary_size(ply11_vocabulary v);

/* ply11_vocabulary_turns tells (1 or 0) whether labels are of the board as the side to move sees it. */
int ply11_vocabulary_turns(ply11_vocabulary v);

/* ply11_label returns the label of a piece's move, -1 where there is none. Castling is the king's step of two squares. */
int32_t ply11_label(ply11_vocabulary v, unsigned piece, unsigned code);

/* ply11_unlabel returns the code of what a label means for a piece, PLY11_NONE where it does not move so. */
uint16_t ply11_unlabel(ply11_vocabulary v, unsigned piece, int32_t label);

/* ply11_labels writes the labels of n moves, the i-th in the i-th position; -1 where there is none. Castling in a position of
 * Chess960 has the label of the king's and the rook's square. */
void ply11_labels(ply11_vocabulary v, const ply11_position *p, const uint16_t *codes, size_t n, int32_t *labels);

/* ply11_label_masks writes n masks of the labels of legal moves, each of (labels + 7) / 8 bytes, low bits first. */
void ply11_label_masks(ply11_vocabulary v, const ply11_position *p, size_t n, uint8_t *masks);

#define PLY11_PLANES_BYTES 96      /* 12 planes of 8 ranks, a bit for each square */
#define PLY11_LC0_PLANES_BYTES 896 /* 112 planes of 8 ranks */
#define PLY11_STATE_BYTES 7

/*
 * ply11_planes writes the boards of n positions, PLY11_PLANES_BYTES each: P N B R Q K of the first side, then of the other; a byte is a
 * rank, from the first, bit 0 of it the a-file. If turns is 0, the first side is White. Else it is the side to move, and the ranks
 * are mirrored for Black.
 */
void ply11_planes(const ply11_position *p, size_t n, int turns, uint8_t *planes);

/* ply11_states writes the seven numbers of n positions that docs/train.md calls state: the side to move, four rights to castle, the en
 * passant file, the clock. turns is as above. */
void ply11_states(const ply11_position *p, size_t n, int turns, uint8_t *states);

/*
 * ply11_lc0_planes writes lc0's 112 classical planes of positions first to last - 1 of a game, PLY11_LC0_PLANES_BYTES each. line
 * is all positions of the game, from its start, as ply11_replay writes them: the planes show seven earlier boards, and repetitions.
 */
void ply11_lc0_planes(const ply11_position *line, size_t first, size_t last, uint8_t *planes);

/* ply11_spread writes a byte of 0 or 1 for each bit of size bytes, low bits first: planes of bits become planes of bytes. */
void ply11_spread(const uint8_t *bits, size_t size, uint8_t *bytes);

/* ---- Archives ---- */

/*
 * An archive is a file .p11 of docs/FORMAT.md. Its games are in blocks, and a block is what is read at a time: some hundred to some thousand games. Everything that
 * is read is verified by its digest, fixed moves by the CRC of each sixteen games, and every column is refused that is not as the page has it.
 */
typedef struct ply11_archive ply11_archive;

/* Where an archive's bytes are: a file, memory, a server. read writes size bytes from offset on, and returns 1; or 0, if it cannot. The
 * core asks only for what is inside size. */
typedef struct ply11_source {
  void *user;
  uint64_t size; /* of the archive, in bytes */
  int (*read)(void *user, uint64_t offset, uint8_t *bytes, size_t size);
} ply11_source;

/* Where memory comes from. allocate returns size bytes for any type, or NULL; release takes them back. */
typedef struct ply11_memory {
  void *user;
  void *(*allocate)(void *user, size_t size);
  void (*release)(void *user, void *bytes);
  size_t limit; /* bytes that an archive and its open blocks take at most, PLY11_MEMORY_LIMIT if it is 0 */
} ply11_memory;

#define PLY11_MEMORY_LIMIT ((size_t)64 << 20)

/* What is wrong in an archive, and where. What is not known is 0. */
typedef struct ply11_fault {
  const char *what; /* in English, as of ply11_status_text */
  uint64_t offset;  /* of the piece of the file that is wrong */
  uint64_t game;    /* number of the game, from 1 */
  uint32_t block;   /* number of the block, from 1 */
  uint32_t column;  /* kind of the column */
} ply11_fault;

/*
 * ply11_archive_open opens an archive: it reads the last 49,152 bytes, or all of a shorter one. It copies source and memory. If games are just being added to
 * the archive, or were not added to the end, it reads as many once more, and the archive is that of before; ply11_archive_unfinished tells how many bytes are behind
 * it. The file's size may be old by then: after an error, a program takes it again, and opens the archive up to twice more. fault may be NULL. The archive is for one thread at a time.
 */
ply11_status ply11_archive_open(ply11_archive **archive, const ply11_source *source, const ply11_memory *memory, ply11_fault *fault);

/* ply11_archive_close gives all memory back. Blocks must be closed before. */
void ply11_archive_close(ply11_archive *archive);

/* ply11_archive_fault tells of the last error of a function of an archive or of its blocks. */
const ply11_fault *ply11_archive_fault(const ply11_archive *archive);

/* The numbers of games and plies of main lines, and of blocks. */
uint64_t ply11_archive_games(const ply11_archive *archive);
uint64_t ply11_archive_plies(const ply11_archive *archive);
uint32_t ply11_archive_blocks(const ply11_archive *archive);

/* ply11_archive_unfinished returns how many bytes are behind the archive, of games that are being added or were not added to the end. They are not read, and
 * ply11_archive_verify refuses them. */
uint64_t ply11_archive_unfinished(const ply11_archive *archive);

/* ply11_archive_find tells which block, from 0, has a game, from 1. It reads at most four parts of the index; the last of each level is kept. */
ply11_status ply11_archive_find(ply11_archive *archive, uint64_t game, uint32_t *block);

/*
 * Dense moves need their model, which is data: the project's file bitstream/dense/model1.bin.zst. ply11_model_open makes it from the bytes of that file, and takes
 * 2.4 MB; any other bytes are refused. The model does not change, and may serve any number of archives and threads. ply11_archive_use tells an archive of it; it must stay open as
 * long as the archive. Without it, blocks of dense moves are refused with PLY11_ERROR_UNSUPPORTED. A block of them is decoded from its begin.
 */
typedef struct ply11_model ply11_model;
ply11_status ply11_model_open(ply11_model **model, const uint8_t *file, size_t size, const ply11_memory *memory);
void ply11_model_close(ply11_model *model);
void ply11_archive_use(ply11_archive *archive, const ply11_model *model);

/* ply11_archive_verify reads everything that a reader of games needs, and refuses the archive if something is wrong. It does not make the text again. */
ply11_status ply11_archive_verify(ply11_archive *archive);

/* What is to be read of a block. PLY11_LINES is always read. */
enum {
  PLY11_LINES = 0,  /* moves, results, which games are valid */
  PLY11_TAGS = 1,   /* ply11_block_tag */
  PLY11_NOTES = 2   /* clocks and evaluations */
};

#define PLY11_NO_EVAL (-32768)
#define PLY11_NO_CLOCK (-1)

/* Flags of games. */
enum {
  PLY11_GAME_START = 1,  /* it does not begin in the usual position: ply11_block_start */
  PLY11_GAME_INVALID = 2 /* the text is no valid game; there is as much of it as is valid */
};

/* A block, in memory that is its own until it is closed. Arrays that were not asked for are NULL. */
typedef struct ply11_block {
  uint64_t first;          /* number of its first game, from 1 */
  uint32_t number;         /* of the block, from 0 */
  uint32_t games, plies;
  const uint32_t *offsets; /* games + 1: the moves of game i are moves[offsets[i]] to moves[offsets[i + 1] - 1] */
  const uint16_t *moves;   /* plies: the codes of all main lines, one behind the other; PLY11_NULL is one of them */
  const uint16_t *results; /* games: PLY11_BLACK_WINS to PLY11_UNKNOWN */
  const uint8_t *flags;    /* games: PLY11_GAME_... */
  const int32_t *clocks;   /* plies: [%clk] after the move, in hundredths of a second; PLY11_NO_CLOCK if there is none */
  const int16_t *evals;    /* plies: [%eval] after the move, as docs/train.md has scores: from White's side, in hundredths of a pawn,
                              PLY11_NO_EVAL if there is none */
  const int16_t *start_evals; /* games: the same of the start position */
} ply11_block;

/*
 * ply11_block_open reads a block, in one read. parts is the sum of what is wanted beside the lines; ply11_block_read gets more from what was read. Where comments tell several
 * clocks or evaluations after a move, it is the first.
 */
ply11_status ply11_block_open(ply11_archive *archive, uint32_t number, unsigned parts, ply11_block **block);
ply11_status ply11_block_read(ply11_block *block, unsigned parts);
void ply11_block_close(ply11_block *block);

/* ply11_block_sizes tells how many games and plies a block has, of which it reads and verifies the header alone. */
ply11_status ply11_block_sizes(ply11_archive *archive, uint32_t number, uint32_t *games, uint32_t *plies);

/* ply11_block_start sets the position in which game i of a block begins, i from 0. An impossible one is refused. */
ply11_status ply11_block_start(const ply11_block *block, uint32_t i, ply11_position *p);

/* ply11_block_tags returns how many tags game i has. */
uint32_t ply11_block_tags(const ply11_block *block, uint32_t i);

/* A tag. The texts are in the block's memory, have no zero at their end, and are UTF-8 as a rule. */
typedef struct ply11_tag {
  const char *name, *value;
  size_t name_size, value_size;
} ply11_tag;

/* ply11_block_tag returns tag k of game i, in the order of the game; all is 0 where there is none. */
ply11_tag ply11_block_tag(const ply11_block *block, uint32_t i, uint32_t k);

/* ---- Rows for networks ---- */

/* A game of a window. */
typedef struct ply11_window_game {
  uint64_t number;   /* in the archive, from 0 */
  uint32_t begin;    /* its first ply in the window */
  int8_t results[2]; /* from White's side, from Black's: 1 won, 0 drawn, -1 lost, -128 not known */
  uint8_t black;     /* 1 if Black begins */
  uint8_t usual;     /* 1 if it begins in the usual position */
} ply11_window_game;

/*
 * A window is all plies of the main lines of some blocks, one behind the other, of which rows are made in any order. The caller sets the numbers to 0, and gives the arrays, for as many
 * games and plies as the blocks have. The last three may be NULL, where no row needs them.
 */
typedef struct ply11_window {
  uint32_t games, plies, rows; /* that are in it */
  ply11_window_game *list;     /* games */
  uint16_t *moves;             /* plies */
  uint32_t *of;                /* plies: the game, from 0 */
  uint32_t *order;             /* rows, at most plies: the plies of which there are rows. Null moves, and games that are not valid, have none */
  ply11_position *positions;   /* plies + 1: before each ply. For planes, labels and legal moves */
  uint8_t *repeated;           /* plies: bit k tells whether the position k plies ago had been there before. For lc0's planes */
  int16_t *evals;              /* plies: before each, from White's side. The blocks must have PLY11_NOTES */
} ply11_window;

/*
 * ply11_window_add replays a block to the end of a window. If verify is not 0, a move that is not legal is refused, which costs twice as much. If invalid is not 0, also games that are not
 * valid have rows. A start that is impossible is refused, but for games that are not valid: those get the usual one. After an error the window is of no more use.
 */
ply11_status ply11_window_add(ply11_window *window, const ply11_block *block, int verify, int invalid);

/* The columns of rows. moves, results, games and plies are always written; the others may be NULL. */
typedef struct ply11_rows {
  ply11_vocabulary vocabulary; /* of labels and legal */
  int turns;                   /* planes: as for ply11_planes */
  int bytes;                   /* planes: as by ply11_spread, but that lc0's plane 109 has the clock */
  uint16_t *moves;             /* what was played */
  int8_t *results;             /* from the mover's side, as above */
  int64_t *games;              /* the game, from 0 */
  int32_t *plies;              /* the plies before it */
  int16_t *evals;              /* from the mover's side */
  ply11_position *positions;
  uint8_t *planes;             /* PLY11_PLANES_BYTES each; lc0's, PLY11_LC0_PLANES_BYTES, if the window has repeated */
  int32_t *labels;
  uint8_t *legal;              /* as by ply11_label_masks */
} ply11_rows;

/* ply11_window_rows writes n rows, of those plies of the window, from row number row on. */
void ply11_window_rows(const ply11_window *window, const uint32_t *plies, size_t n, const ply11_rows *rows, size_t row);

/* ---- Indexes of positions ---- */

/*
 * An index is a file .p11x of docs/INDEXFILE.md, which tells what was played in a position. Everything that is read is verified by its CRC. The answers are those of
 * main lines. An index takes memory from its archive, tells of errors by ply11_archive_fault, and must be closed before the archive.
 *
 * A tree file, .p11t of docs/TREEFILE.md, has counts alone, and is opened as an index that needs no archive.
 */
typedef struct ply11_index ply11_index;

/* ply11_index_open opens the index of an archive: it reads the start, the trailer and the table. It copies source. That of another archive is PLY11_ERROR_ARGUMENT. */
ply11_status ply11_index_open(ply11_index **index, ply11_archive *archive, const ply11_source *source);
void ply11_index_close(ply11_index *index);

/* ply11_tree_open opens a tree file: it reads the first 16,384 bytes, or all of a shorter one. It copies source and memory. fault may be NULL. */
ply11_status ply11_tree_open(ply11_index **index, const ply11_source *source, const ply11_memory *memory, ply11_fault *fault);

/* ply11_index_fault tells of the last error of a function of an index. */
const ply11_fault *ply11_index_fault(const ply11_index *index);

/* Games, and how they ended. The others have no result. The ratings are sums, over as many games; a rating is 1 to 9999. */
typedef struct ply11_counts {
  uint64_t games, white, draws, black; /* white: White won */
  uint64_t white_ratings, white_rated, black_ratings, black_rated;
} ply11_counts;

/* A move that was played. */
typedef struct ply11_branch {
  uint16_t code; /* PLY11_NULL is one of them */
  ply11_counts counts;
} ply11_branch;

/* What was played in a position. A game counts once in all, and once for each different move that it plays there. */
typedef struct ply11_tree {
  ply11_counts all;             /* the games that reach the position */
  uint32_t count;               /* of the branches */
  const ply11_branch *branches; /* the most frequent first, then by their codes */
} ply11_tree;

/*
 * ply11_index_tree tells what was played in a position. It is compared without its counters. tree is the index's until the next call. Cost: for each of at most 64
 * segments two or three reads; a read of 2 kB for each posting of a position that fewer than 256 have; a block of the archive, where one game reaches it; the last is kept. If more
 * than 1,000 games of a segment have to be replayed, as an index may be made to ask for, it is PLY11_ERROR_UNSUPPORTED. Of a tree file it reads a part of at most 64 KiB, and before it as large a page, if the file has more than 680 parts, about
 * 44 MB; one of more than 120 GB has another page.
 */
ply11_status ply11_index_tree(ply11_index *index, const ply11_position *p, const ply11_tree **tree);

#ifdef __cplusplus
}
#endif

#endif
