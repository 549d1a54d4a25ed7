// SPDX-License-Identifier: Apache-2.0
// Made from hdl/registers.tsv by: go run ./cmd/genrom vectors
// The registers of ply11_regs. docs/hardware-reference.md says what they do.
//
//   PLY11_REG_name              offset in bytes
//   PLY11_REG_name_field_MASK   bits of the field in the register
//   PLY11_REG_name_field_SHIFT  number of its lowest bit
//   PLY11_REG_name_DEFAULT      value after reset, where the build does not decide it

#ifndef PLY11_REGS_H
#define PLY11_REGS_H

#define PLY11_REGS_SIZE 0x100u

#define PLY11_REG_ID 0x00u
#define PLY11_REG_ID_ID_MASK 0xffffffffu  /* ro: the letters PL11, which tell that the registers are there */
#define PLY11_REG_ID_ID_SHIFT 0
#define PLY11_REG_ID_DEFAULT 0x504c3131u

#define PLY11_REG_VERSION 0x04u
#define PLY11_REG_VERSION_MAJOR_MASK 0xffff0000u  /* ro: a driver refuses another than its own */
#define PLY11_REG_VERSION_MAJOR_SHIFT 16
#define PLY11_REG_VERSION_MINOR_MASK 0x0000ffffu  /* ro: grows with what is added */
#define PLY11_REG_VERSION_MINOR_SHIFT 0
#define PLY11_REG_VERSION_DEFAULT 0x00010004u

#define PLY11_REG_CONTROL 0x08u
#define PLY11_REG_CONTROL_RESET_MASK 0x00000001u  /* rw: 1: the player is held in reset, and the rest of a packet that had begun is dropped (reset of ply11_player_axis) */
#define PLY11_REG_CONTROL_RESET_SHIFT 0
#define PLY11_REG_CONTROL_CLEAR_MASK 0x00000002u  /* w1: 1: counters, errors, HITS and INTERRUPT become 0; the next beat that comes to m_axis is of game 1 */
#define PLY11_REG_CONTROL_CLEAR_SHIFT 1
#define PLY11_REG_CONTROL_RESTART_MASK 0x00000004u  /* w1: 1: the next beat begins a packet, though no tlast has come */
#define PLY11_REG_CONTROL_RESTART_SHIFT 2
#define PLY11_REG_CONTROL_MODE_MASK 0x00000300u  /* rw: mode of the next packet: 0 words, 1 Brenner, 2 jose, 3 ChessBase */
#define PLY11_REG_CONTROL_MODE_SHIFT 8
#define PLY11_REG_CONTROL_NUMBERING_MASK 0x00000400u  /* rw: numbering of ChessBase's moves in the next packet: 0 document, 1 CBASCII; with the wrong one some games play on to their end, with other moves */
#define PLY11_REG_CONTROL_NUMBERING_SHIFT 10
#define PLY11_REG_CONTROL_DEFAULT 0x00000000u

#define PLY11_REG_STATUS 0x0cu
#define PLY11_REG_STATUS_IN_GAME_MASK 0x00000001u  /* ro: 1: inside a game */
#define PLY11_REG_STATUS_IN_GAME_SHIFT 0
#define PLY11_REG_STATUS_BEAT_MASK 0x00000002u  /* ro: 1: a beat is offered */
#define PLY11_REG_STATUS_BEAT_SHIFT 1
#define PLY11_REG_STATUS_ERRORS_MASK 0x00000004u  /* ro: 1: there was an error since the last CLEAR */
#define PLY11_REG_STATUS_ERRORS_SHIFT 2
#define PLY11_REG_STATUS_WAITS_MASK 0x00000008u  /* ro: 1: a word of START waits for the player, which takes it between games */
#define PLY11_REG_STATUS_WAITS_SHIFT 3
#define PLY11_REG_STATUS_PERFT_MASK 0x000000f0u  /* ro: PERFT of this build: plies that perft can count, 0 where there is none */
#define PLY11_REG_STATUS_PERFT_SHIFT 4
#define PLY11_REG_STATUS_MODES_MASK 0x00000f00u  /* ro: MODES of this build */
#define PLY11_REG_STATUS_MODES_SHIFT 8
#define PLY11_REG_STATUS_LAYOUT_MASK 0x00003000u  /* ro: LAYOUT of this build */
#define PLY11_REG_STATUS_LAYOUT_SHIFT 12
#define PLY11_REG_STATUS_DIALECT_MASK 0x00004000u  /* ro: DIALECT of this build */
#define PLY11_REG_STATUS_DIALECT_SHIFT 14
#define PLY11_REG_STATUS_MATCH_MASK 0x00008000u  /* ro: MATCH of this build */
#define PLY11_REG_STATUS_MATCH_SHIFT 15
#define PLY11_REG_STATUS_WIDTH_MASK 0x007f0000u  /* ro: WIDTH of this build */
#define PLY11_REG_STATUS_WIDTH_SHIFT 16
#define PLY11_REG_STATUS_DEPTH_MASK 0x1f000000u  /* ro: DEPTH of this build */
#define PLY11_REG_STATUS_DEPTH_SHIFT 24

#define PLY11_REG_INTERRUPT 0x10u
#define PLY11_REG_INTERRUPT_END_MASK 0x00000001u  /* w1c: a game's END was offered */
#define PLY11_REG_INTERRUPT_END_SHIFT 0
#define PLY11_REG_INTERRUPT_ERROR_MASK 0x00000002u  /* w1c: an ERROR was offered */
#define PLY11_REG_INTERRUPT_ERROR_SHIFT 1
#define PLY11_REG_INTERRUPT_COUNT_MASK 0x00000004u  /* w1c: a count of perft was offered */
#define PLY11_REG_INTERRUPT_COUNT_SHIFT 2
#define PLY11_REG_INTERRUPT_HIT_MASK 0x00000008u  /* w1c: a PLY that matches was offered */
#define PLY11_REG_INTERRUPT_HIT_SHIFT 3
#define PLY11_REG_INTERRUPT_DEFAULT 0x00000000u

#define PLY11_REG_ENABLE 0x14u
#define PLY11_REG_ENABLE_END_MASK 0x00000001u  /* rw: 1: INTERRUPT.END sets irq */
#define PLY11_REG_ENABLE_END_SHIFT 0
#define PLY11_REG_ENABLE_ERROR_MASK 0x00000002u  /* rw: 1: INTERRUPT.ERROR sets irq */
#define PLY11_REG_ENABLE_ERROR_SHIFT 1
#define PLY11_REG_ENABLE_COUNT_MASK 0x00000004u  /* rw: 1: INTERRUPT.COUNT sets irq */
#define PLY11_REG_ENABLE_COUNT_SHIFT 2
#define PLY11_REG_ENABLE_HIT_MASK 0x00000008u  /* rw: 1: INTERRUPT.HIT sets irq */
#define PLY11_REG_ENABLE_HIT_SHIFT 3
#define PLY11_REG_ENABLE_DEFAULT 0x00000000u

#define PLY11_REG_SNAPSHOT 0x18u
#define PLY11_REG_SNAPSHOT_NOW_MASK 0x00000001u  /* w1: 1: take a snapshot now */
#define PLY11_REG_SNAPSHOT_NOW_SHIFT 0
#define PLY11_REG_SNAPSHOT_WITH_END_MASK 0x00000002u  /* rw: 1: take one with each END */
#define PLY11_REG_SNAPSHOT_WITH_END_SHIFT 1
#define PLY11_REG_SNAPSHOT_WITH_ERROR_MASK 0x00000004u  /* rw: 1: take one with each ERROR */
#define PLY11_REG_SNAPSHOT_WITH_ERROR_SHIFT 2
#define PLY11_REG_SNAPSHOT_TAKEN_MASK 0xffff0000u  /* ro: how many were taken, modulo 65,536 */
#define PLY11_REG_SNAPSHOT_TAKEN_SHIFT 16
#define PLY11_REG_SNAPSHOT_DEFAULT 0x00000000u

#define PLY11_REG_START 0x1cu
#define PLY11_REG_START_PLY_MASK 0x0000ffffu  /* wo: of the next game's start position: plies played */
#define PLY11_REG_START_PLY_SHIFT 0
#define PLY11_REG_START_EP_MASK 0x000f0000u  /* wo: en passant file, 0 none, 1 to 8 */
#define PLY11_REG_START_EP_SHIFT 16
#define PLY11_REG_START_RIGHTS_MASK 0x00f00000u  /* wo: castling rights q, k, Q, K */
#define PLY11_REG_START_RIGHTS_SHIFT 20
#define PLY11_REG_START_SIDE_MASK 0x01000000u  /* wo: side to move, 1 Black */
#define PLY11_REG_START_SIDE_SHIFT 24

#define PLY11_REG_GAMES 0x20u
#define PLY11_REG_GAMES_COUNT_MASK 0xffffffffu  /* ro: END beats */
#define PLY11_REG_GAMES_COUNT_SHIFT 0
#define PLY11_REG_GAMES_DEFAULT 0x00000000u

#define PLY11_REG_PLIES 0x24u
#define PLY11_REG_PLIES_COUNT_MASK 0xffffffffu  /* ro: PLY beats */
#define PLY11_REG_PLIES_COUNT_SHIFT 0
#define PLY11_REG_PLIES_DEFAULT 0x00000000u

#define PLY11_REG_ERRORS 0x28u
#define PLY11_REG_ERRORS_COUNT_MASK 0xffffffffu  /* ro: ERROR beats */
#define PLY11_REG_ERRORS_COUNT_SHIFT 0
#define PLY11_REG_ERRORS_DEFAULT 0x00000000u

#define PLY11_REG_STATE 0x2cu
#define PLY11_REG_STATE_PLY_MASK 0x0000ffffu  /* ro: plies played */
#define PLY11_REG_STATE_PLY_SHIFT 0
#define PLY11_REG_STATE_EP_MASK 0x000f0000u  /* ro: en passant file, 0 none, 1 to 8 */
#define PLY11_REG_STATE_EP_SHIFT 16
#define PLY11_REG_STATE_RIGHTS_MASK 0x00f00000u  /* ro: castling rights q, k, Q, K */
#define PLY11_REG_STATE_RIGHTS_SHIFT 20
#define PLY11_REG_STATE_SIDE_MASK 0x01000000u  /* ro: side to move, 1 Black */
#define PLY11_REG_STATE_SIDE_SHIFT 24
#define PLY11_REG_STATE_DEPTH_MASK 0xf8000000u  /* ro: variations that the position is inside */
#define PLY11_REG_STATE_DEPTH_SHIFT 27
#define PLY11_REG_STATE_DEFAULT 0x00000000u

#define PLY11_REG_FIRST_ERROR 0x30u
#define PLY11_REG_FIRST_ERROR_CODE_MASK 0x0000000fu  /* ro: code of the first error since the last CLEAR */
#define PLY11_REG_FIRST_ERROR_CODE_SHIFT 0
#define PLY11_REG_FIRST_ERROR_VALID_MASK 0x80000000u  /* ro: 1: there is one */
#define PLY11_REG_FIRST_ERROR_VALID_SHIFT 31
#define PLY11_REG_FIRST_ERROR_DEFAULT 0x00000000u

#define PLY11_REG_FIRST_BYTE 0x34u
#define PLY11_REG_FIRST_BYTE_OFFSET_MASK 0xffffffffu  /* ro: its offset */
#define PLY11_REG_FIRST_BYTE_OFFSET_SHIFT 0
#define PLY11_REG_FIRST_BYTE_DEFAULT 0x00000000u

#define PLY11_REG_LAST_ERROR 0x38u
#define PLY11_REG_LAST_ERROR_CODE_MASK 0x0000000fu  /* ro: code of the last error */
#define PLY11_REG_LAST_ERROR_CODE_SHIFT 0
#define PLY11_REG_LAST_ERROR_VALID_MASK 0x80000000u  /* ro: 1: there is one */
#define PLY11_REG_LAST_ERROR_VALID_SHIFT 31
#define PLY11_REG_LAST_ERROR_DEFAULT 0x00000000u

#define PLY11_REG_LAST_BYTE 0x3cu
#define PLY11_REG_LAST_BYTE_OFFSET_MASK 0xffffffffu  /* ro: its offset */
#define PLY11_REG_LAST_BYTE_OFFSET_SHIFT 0
#define PLY11_REG_LAST_BYTE_DEFAULT 0x00000000u

#define PLY11_REG_BOARD0 0x40u
#define PLY11_REG_BOARD0_PIECES_MASK 0xffffffffu  /* ro: rank 1, and so on: the piece on file f at 4*f +: 4 */
#define PLY11_REG_BOARD0_PIECES_SHIFT 0
#define PLY11_REG_BOARD0_DEFAULT 0x00000000u

#define PLY11_REG_BOARD1 0x44u
#define PLY11_REG_BOARD1_PIECES_MASK 0xffffffffu  /* ro: rank 1, and so on: the piece on file f at 4*f +: 4 */
#define PLY11_REG_BOARD1_PIECES_SHIFT 0
#define PLY11_REG_BOARD1_DEFAULT 0x00000000u

#define PLY11_REG_BOARD2 0x48u
#define PLY11_REG_BOARD2_PIECES_MASK 0xffffffffu  /* ro: rank 1, and so on: the piece on file f at 4*f +: 4 */
#define PLY11_REG_BOARD2_PIECES_SHIFT 0
#define PLY11_REG_BOARD2_DEFAULT 0x00000000u

#define PLY11_REG_BOARD3 0x4cu
#define PLY11_REG_BOARD3_PIECES_MASK 0xffffffffu  /* ro: rank 1, and so on: the piece on file f at 4*f +: 4 */
#define PLY11_REG_BOARD3_PIECES_SHIFT 0
#define PLY11_REG_BOARD3_DEFAULT 0x00000000u

#define PLY11_REG_BOARD4 0x50u
#define PLY11_REG_BOARD4_PIECES_MASK 0xffffffffu  /* ro: rank 1, and so on: the piece on file f at 4*f +: 4 */
#define PLY11_REG_BOARD4_PIECES_SHIFT 0
#define PLY11_REG_BOARD4_DEFAULT 0x00000000u

#define PLY11_REG_BOARD5 0x54u
#define PLY11_REG_BOARD5_PIECES_MASK 0xffffffffu  /* ro: rank 1, and so on: the piece on file f at 4*f +: 4 */
#define PLY11_REG_BOARD5_PIECES_SHIFT 0
#define PLY11_REG_BOARD5_DEFAULT 0x00000000u

#define PLY11_REG_BOARD6 0x58u
#define PLY11_REG_BOARD6_PIECES_MASK 0xffffffffu  /* ro: rank 1, and so on: the piece on file f at 4*f +: 4 */
#define PLY11_REG_BOARD6_PIECES_SHIFT 0
#define PLY11_REG_BOARD6_DEFAULT 0x00000000u

#define PLY11_REG_BOARD7 0x5cu
#define PLY11_REG_BOARD7_PIECES_MASK 0xffffffffu  /* ro: rank 1, and so on: the piece on file f at 4*f +: 4 */
#define PLY11_REG_BOARD7_PIECES_SHIFT 0
#define PLY11_REG_BOARD7_DEFAULT 0x00000000u

#define PLY11_REG_START0 0x60u
#define PLY11_REG_START0_PIECES_MASK 0xffffffffu  /* wo: rank 1, and so on, of the next game's start position, as BOARD; in the order START7 to START0, then START */
#define PLY11_REG_START0_PIECES_SHIFT 0

#define PLY11_REG_START1 0x64u
#define PLY11_REG_START1_PIECES_MASK 0xffffffffu  /* wo: rank 1, and so on, of the next game's start position, as BOARD; in the order START7 to START0, then START */
#define PLY11_REG_START1_PIECES_SHIFT 0

#define PLY11_REG_START2 0x68u
#define PLY11_REG_START2_PIECES_MASK 0xffffffffu  /* wo: rank 1, and so on, of the next game's start position, as BOARD; in the order START7 to START0, then START */
#define PLY11_REG_START2_PIECES_SHIFT 0

#define PLY11_REG_START3 0x6cu
#define PLY11_REG_START3_PIECES_MASK 0xffffffffu  /* wo: rank 1, and so on, of the next game's start position, as BOARD; in the order START7 to START0, then START */
#define PLY11_REG_START3_PIECES_SHIFT 0

#define PLY11_REG_START4 0x70u
#define PLY11_REG_START4_PIECES_MASK 0xffffffffu  /* wo: rank 1, and so on, of the next game's start position, as BOARD; in the order START7 to START0, then START */
#define PLY11_REG_START4_PIECES_SHIFT 0

#define PLY11_REG_START5 0x74u
#define PLY11_REG_START5_PIECES_MASK 0xffffffffu  /* wo: rank 1, and so on, of the next game's start position, as BOARD; in the order START7 to START0, then START */
#define PLY11_REG_START5_PIECES_SHIFT 0

#define PLY11_REG_START6 0x78u
#define PLY11_REG_START6_PIECES_MASK 0xffffffffu  /* wo: rank 1, and so on, of the next game's start position, as BOARD; in the order START7 to START0, then START */
#define PLY11_REG_START6_PIECES_SHIFT 0

#define PLY11_REG_START7 0x7cu
#define PLY11_REG_START7_PIECES_MASK 0xffffffffu  /* wo: rank 1, and so on, of the next game's start position, as BOARD; in the order START7 to START0, then START */
#define PLY11_REG_START7_PIECES_SHIFT 0

#define PLY11_REG_PERFT 0x80u
#define PLY11_REG_PERFT_DEPTH_MASK 0x0000000fu  /* rw: plies to count; more than STATUS.PERFT are as many as that */
#define PLY11_REG_PERFT_DEPTH_SHIFT 0
#define PLY11_REG_PERFT_GO_MASK 0x00000010u  /* w1: 1: count; SLVERR, and the write is lost, while BUSY is 1 or a word of the root waits */
#define PLY11_REG_PERFT_GO_SHIFT 4
#define PLY11_REG_PERFT_NEXT_MASK 0x00000020u  /* w1: 1: the count was read; the next may come */
#define PLY11_REG_PERFT_NEXT_SHIFT 5
#define PLY11_REG_PERFT_STOP_MASK 0x00000040u  /* w1: 1: give up; the root is the usual initial position again */
#define PLY11_REG_PERFT_STOP_SHIFT 6
#define PLY11_REG_PERFT_ROOT_MASK 0x00000100u  /* rw: 1: words of START are the root of perft, and refused while BUSY is 1; it stays the root until another is written */
#define PLY11_REG_PERFT_ROOT_SHIFT 8
#define PLY11_REG_PERFT_BUSY_MASK 0x00010000u  /* ro: 1: from GO until the last count was read */
#define PLY11_REG_PERFT_BUSY_SHIFT 16
#define PLY11_REG_PERFT_VALID_MASK 0x00020000u  /* ro: 1: a count is there */
#define PLY11_REG_PERFT_VALID_SHIFT 17
#define PLY11_REG_PERFT_LAST_MASK 0x00040000u  /* ro: 1: it is the deepest */
#define PLY11_REG_PERFT_LAST_SHIFT 18
#define PLY11_REG_PERFT_PLIES_MASK 0x00f00000u  /* ro: its depth; they come from 0 on */
#define PLY11_REG_PERFT_PLIES_SHIFT 20
#define PLY11_REG_PERFT_DEFAULT 0x00000000u

#define PLY11_REG_COUNT_LOW 0x84u
#define PLY11_REG_COUNT_LOW_COUNT_MASK 0xffffffffu  /* ro: legal move sequences of so many plies, bits 31:0; 0 while VALID is 0 */
#define PLY11_REG_COUNT_LOW_COUNT_SHIFT 0
#define PLY11_REG_COUNT_LOW_DEFAULT 0x00000000u

#define PLY11_REG_COUNT_HIGH 0x88u
#define PLY11_REG_COUNT_HIGH_COUNT_MASK 0xffffffffu  /* ro: bits 63:32 */
#define PLY11_REG_COUNT_HIGH_COUNT_SHIFT 0
#define PLY11_REG_COUNT_HIGH_DEFAULT 0x00000000u

#define PLY11_REG_MATCH_PLIES 0x90u
#define PLY11_REG_MATCH_PLIES_TO_FIRST_MASK 0x0000ffffu  /* wo: 65,536 less the first ply that may match */
#define PLY11_REG_MATCH_PLIES_TO_FIRST_SHIFT 0
#define PLY11_REG_MATCH_PLIES_TO_LAST_MASK 0xffff0000u  /* wo: 65,535 less the last */
#define PLY11_REG_MATCH_PLIES_TO_LAST_SHIFT 16

#define PLY11_REG_MATCH 0x94u
#define PLY11_REG_MATCH_ON_MASK 0x00000001u  /* wo: 1: m_axis gives only what matches, each ERROR, and the END of a game with one of these; 0: all; after aresetn 0 */
#define PLY11_REG_MATCH_ON_SHIFT 0
#define PLY11_REG_MATCH_WHITE_MASK 0x00000002u  /* wo: 1: White may be to move after a ply that matches */
#define PLY11_REG_MATCH_WHITE_SHIFT 1
#define PLY11_REG_MATCH_BLACK_MASK 0x00000004u  /* wo: 1: Black may */
#define PLY11_REG_MATCH_BLACK_SHIFT 2

#define PLY11_REG_HITS 0x98u
#define PLY11_REG_HITS_COUNT_MASK 0xffffffffu  /* ro: plies that matched since CLEAR */
#define PLY11_REG_HITS_COUNT_SHIFT 0
#define PLY11_REG_HITS_DEFAULT 0x00000000u

#define PLY11_REG_PATTERN0 0xc0u
#define PLY11_REG_PATTERN0_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN0_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN1 0xc4u
#define PLY11_REG_PATTERN1_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN1_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN2 0xc8u
#define PLY11_REG_PATTERN2_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN2_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN3 0xccu
#define PLY11_REG_PATTERN3_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN3_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN4 0xd0u
#define PLY11_REG_PATTERN4_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN4_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN5 0xd4u
#define PLY11_REG_PATTERN5_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN5_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN6 0xd8u
#define PLY11_REG_PATTERN6_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN6_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN7 0xdcu
#define PLY11_REG_PATTERN7_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN7_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN8 0xe0u
#define PLY11_REG_PATTERN8_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN8_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN9 0xe4u
#define PLY11_REG_PATTERN9_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN9_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN10 0xe8u
#define PLY11_REG_PATTERN10_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN10_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN11 0xecu
#define PLY11_REG_PATTERN11_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN11_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN12 0xf0u
#define PLY11_REG_PATTERN12_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN12_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN13 0xf4u
#define PLY11_REG_PATTERN13_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN13_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN14 0xf8u
#define PLY11_REG_PATTERN14_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN14_SQUARES_SHIFT 0

#define PLY11_REG_PATTERN15 0xfcu
#define PLY11_REG_PATTERN15_SQUARES_MASK 0xffffffffu  /* wo: four squares, from a1 to d1 and so on up to e8 to h8: the pieces that may stand on each at 8*square +: 8, as in ply11_match */
#define PLY11_REG_PATTERN15_SQUARES_SHIFT 0

#endif
