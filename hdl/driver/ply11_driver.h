/* SPDX-License-Identifier: Apache-2.0 */
/* Driver of ply11_peripheral: registers, start positions, snapshots, and the records of m_axis. C99, no library, no
 * allocation, no waiting without an end. How bytes come to s_axis and records from m_axis is the matter of the DMA. */
#ifndef PLY11_DRIVER_H
#define PLY11_DRIVER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the functions return. */
enum ply11_status {
  PLY11_OK = 0,
  PLY11_BUS = -1,     /* the bus answered SLVERR, or read or write gave an error of their own */
  PLY11_NONE = -2,    /* ID is not that of ply11_regs */
  PLY11_VERSION = -3, /* the major version is another */
  PLY11_RANGE = -4,   /* an argument has a value that the registers do not hold */
  PLY11_BUSY = -5     /* the peripheral did not become ready in the number of tries */
};

/* The codes of errors: code of struct ply11_record, and first_error and last_error of struct ply11_snapshot. */
enum ply11_error {
  PLY11_ERR_NONE = 0,
  PLY11_ERR_EMPTY = 1,
  PLY11_ERR_OPPONENT = 2,
  PLY11_ERR_OWN = 3,
  PLY11_ERR_GEOMETRY = 4,
  PLY11_ERR_CASTLING = 5,
  PLY11_ERR_CODE = 6,
  PLY11_ERR_PLACE = 7,
  PLY11_ERR_OPERAND = 8,
  PLY11_ERR_START = 9,
  PLY11_ERR_DEPTH = 10,
  PLY11_ERR_CHESS960 = 11,
  PLY11_ERR_CUT = 15
};

enum ply11_mode { PLY11_WORDS = 0, PLY11_BRENNER = 1, PLY11_JOSE = 2, PLY11_CHESSBASE = 3 };

/* How a file of ChessBase's numbers its moves: as the format's description says, or as the converter CBASCII did. */
enum ply11_numbering { PLY11_DOCUMENT = 0, PLY11_CBASCII = 1 };

/* Events: bits of INTERRUPT and ENABLE. */
enum ply11_event { PLY11_EVENT_END = 1, PLY11_EVENT_ERROR = 2, PLY11_EVENT_COUNT = 4, PLY11_EVENT_HIT = 8 };

/* How the registers are reached. Offsets are those of ply11_regs.h. The functions return 0, or anything else where the bus
 * answers SLVERR. A write has all four byte strobes. */
struct ply11_bus {
  int (*read)(const struct ply11_bus *bus, uint32_t offset, uint32_t *value);
  int (*write)(const struct ply11_bus *bus, uint32_t offset, uint32_t value);
  void *context;                /* for functions of your own */
  volatile uint32_t *registers; /* for those of ply11_mapped */
};

/* A bus for registers that are mapped at an address. A processor that traps on SLVERR wants one of its own. */
struct ply11_bus ply11_mapped(volatile uint32_t *registers);

/* How the peripheral was built. */
struct ply11_build {
  uint32_t minor;                         /* of its version */
  uint32_t modes;                         /* bit 0 words, bit 1 Brenner, bit 2 jose, bit 3 ChessBase */
  uint32_t layout, dialect, width, depth; /* as the parameters of ply11_peripheral */
  uint32_t perft;                         /* likewise; 0: it does not count */
  uint32_t match;                         /* 1: it searches */
};

/* A position. pieces holds rank 1 to 8, the piece on file f in bits 4*f+3 .. 4*f: 0 none, 1 king, 2 queen, 3 knight, 4 bishop,
 * 5 rook, 6 pawn, 8 more for Black. */
struct ply11_position {
  uint32_t pieces[8];
  uint16_t ply;   /* plies played */
  uint8_t ep;     /* en passant file, 0 none, 1..8 */
  uint8_t rights; /* castling: 1 K, 2 Q, 4 k, 8 q */
  uint8_t side;   /* side to move, 1 Black */
  uint8_t depth;  /* variations that it is inside; ply11_start ignores it */
};

/* What a snapshot holds, all of the same clock. */
struct ply11_snapshot {
  uint32_t taken; /* how many were taken, modulo 65,536 */
  uint32_t games, plies, errors;
  uint32_t first_error, first_byte; /* code and offset of the first error since ply11_clear, PLY11_ERR_NONE where there is none */
  uint32_t last_error, last_byte;
  struct ply11_position position;
};

/* A beat of m_axis, as it lies in memory: 16 bytes, low bytes first. */
enum { PLY11_RECORD_SIZE = 16 };
struct ply11_record {
  uint8_t kind;      /* 0 ply, 2 end, 3 error */
  uint8_t side;      /* side to move after it, 1 Black */
  uint8_t code;      /* of an error: enum ply11_error */
  uint8_t result;    /* of an end: 0 0-1, 1 1/2-1/2, 2 1-0, 3 * */
  uint16_t index;    /* of a ply: the index of the move */
  uint8_t from, to;  /* of a ply: squares, 0 a1 .. 63 h8 */
  uint8_t promotion; /* of a ply: 0, or 4 knight, 5 bishop, 6 rook, 7 queen */
  uint8_t piece;       /* of a ply: the piece that moved */
  uint8_t captured;  /* of a ply: what it took, or 0 */
  uint8_t depth;     /* variations around it */
  uint8_t rights, ep;
  uint16_t ply;    /* plies applied so far */
  uint32_t offset; /* byte of the packet in which it begins */
};

/* Looks for the peripheral, and tells how it was built; build may be a null pointer. Call it first. */
int ply11_open(const struct ply11_bus *bus, struct ply11_build *build);

/* Sets the mode of the next packet. */
int ply11_set_mode(const struct ply11_bus *bus, enum ply11_mode mode);

/* Sets how ChessBase's moves are numbered in the next packet; after aresetn it is PLY11_DOCUMENT. A file does not say which it has, and with
 * the wrong numbering some games play on to their end, with legal moves that were not played. PLY11_RANGE if the player has no ChessBase. */
int ply11_set_numbering(const struct ply11_bus *bus, enum ply11_numbering numbering);

/* Gives up what the player holds, the rest of the packet on s_axis, and words of a start position that wait. The mode and the numbering stay.
 * A record that is offered on m_axis stays until it is taken; the next packet plays after that. */
int ply11_reset(const struct ply11_bus *bus);

/* Says that the next beat of s_axis begins a packet, for a stream that was stopped before its tlast. */
int ply11_restart(const struct ply11_bus *bus);

/* Sets counters, errors, events and hits to 0, and lets ply11_match count games from 1 again. */
int ply11_clear(const struct ply11_bus *bus);

/* Sets which events raise irq: a sum of enum ply11_event. */
int ply11_enable(const struct ply11_bus *bus, uint32_t events);

/* Returns the events that have come since the last call, and takes them back, so that irq falls. */
int ply11_events(const struct ply11_bus *bus, uint32_t *events);

/* Gives the next game of Brenner's, jose's or ChessBase's bytes a start position. The player takes each word when nothing of the game before is
 * left; each is waited for as many reads of STATUS as tries says. After PLY11_BUSY call ply11_reset. */
int ply11_start(const struct ply11_bus *bus, const struct ply11_position *position, uint32_t tries);

/* Says with which events a snapshot is taken: PLY11_EVENT_END, PLY11_EVENT_ERROR, their sum, or 0. */
int ply11_snapshot_with(const struct ply11_bus *bus, uint32_t events);

/* Takes a snapshot. */
int ply11_snapshot_now(const struct ply11_bus *bus);

/* Reads the last snapshot. If another is taken meanwhile it reads again, as often as tries says. */
int ply11_read_snapshot(const struct ply11_bus *bus, struct ply11_snapshot *snapshot, uint32_t tries);

/* A count of perft: how many legal move sequences of so many plies there are. */
struct ply11_count {
  uint32_t plies; /* 0 and up */
  uint32_t last;  /* 1: the deepest */
  uint64_t count;
};

/* Sets the position that perft counts from, until another is set or ply11_perft_stop is called. At first it is the usual initial
 * position. PLY11_RANGE without perft, PLY11_BUS while it counts. depth and ply of the position do not matter. */
int ply11_perft_root(const struct ply11_bus *bus, const struct ply11_position *position, uint32_t tries);

/* Has the legal move sequences of up to depth plies counted. Then read depth + 1 counts. PLY11_RANGE if perft does not count so deep,
 * PLY11_BUS while it counts. */
int ply11_perft_start(const struct ply11_bus *bus, uint32_t depth);

/* Reads the next count, when it is there: PLY11_EVENT_COUNT tells so, else it is waited for as many reads as tries says. */
int ply11_perft_count(const struct ply11_bus *bus, struct ply11_count *count, uint32_t tries);

/* Gives up what is being counted. */
int ply11_perft_stop(const struct ply11_bus *bus);

/* A pattern to search for: a ply matches if the position after it has it. */
struct ply11_pattern {
  uint16_t pieces[64];     /* a1 .. h8: the pieces that may stand there, bit 0 none, else bit of the piece as in ply11_position; PLY11_ANY: anything */
  uint8_t white, black; /* 1: this side may be to move */
  uint16_t first, last; /* plies that may match, from 1 */
};
enum { PLY11_ANY = 0xffff };

/* Has m_axis give only what matches, each error, and the end of a game with one of these, and counts games and hits from 0. A null pointer ends the
 * search: then m_axis gives all. Call it while no packet is on its way. PLY11_RANGE without a search, or if a square's set of pieces is none of those that ply11_match
 * knows, or first is 0. */
int ply11_search(const struct ply11_bus *bus, const struct ply11_pattern *pattern);

/* Reads how many plies have matched since ply11_search or ply11_clear. */
int ply11_hits(const struct ply11_bus *bus, uint32_t *hits);

/* Reads a beat of m_axis from memory. */
void ply11_read_record(const uint8_t bytes[PLY11_RECORD_SIZE], struct ply11_record *record);

#ifdef __cplusplus
}
#endif

#endif
