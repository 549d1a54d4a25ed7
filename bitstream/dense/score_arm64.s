// SPDX-License-Identifier: Apache-2.0

//go:build !purego

#include "textflag.h"

// What Go's assembler has no names for, with the numbers of the registers; the second of a pair takes the upper halves.

// n.8H + m.8B
#define SADDW(m, n, d) WORD $(0x0e201000 | (m)<<16 | (n)<<5 | (d))
#define SADDW2(m, n, d) WORD $(0x4e201000 | (m)<<16 | (n)<<5 | (d))

// n.8B * m.8B, and the sum with d.8H
#define SMULL(m, n, d) WORD $(0x0e20c000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2(m, n, d) WORD $(0x4e208000 | (m)<<16 | (n)<<5 | (d))

// d.4S + pairs of n.8H
#define SADALP(n, d) WORD $(0x4e606800 | (n)<<5 | (d))

// n.8H within 0 to 255
#define SQXTUN(n, d) WORD $(0x2e212800 | (n)<<5 | (d))
#define SQXTUN2(n, d) WORD $(0x6e212800 | (n)<<5 | (d))

// A row of 96 weights goes to V16 to V21.
#define ROW(p) \
	VLD1.P 64(p), [V16.B16, V17.B16, V18.B16, V19.B16] \
	VLD1   (p), [V20.B16, V21.B16]

// func sense(rows *uint64, inputs *uint16, n int, neurons *uint8)
TEXT ·sense(SB), NOSPLIT, $0-32
	MOVD rows+0(FP), R0
	MOVD inputs+8(FP), R1
	MOVD n+16(FP), R2
	MOVD neurons+24(FP), R3
	MOVD $96, R4
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	VEOR V8.B16, V8.B16, V8.B16
	VEOR V9.B16, V9.B16, V9.B16
	VEOR V10.B16, V10.B16, V10.B16
	VEOR V11.B16, V11.B16, V11.B16

row:
	MOVHU.P 2(R1), R5
	MADD    R4, R0, R5, R5
	ROW(R5)
#define ADD16(k) SADDW(16+k, 2*k, 2*k); SADDW2(16+k, 2*k+1, 2*k+1)
	ADD16(0)
	ADD16(1)
	ADD16(2)
	ADD16(3)
	ADD16(4)
	ADD16(5)
	SUBS $1, R2
	BNE  row

	VMOVI $127, V31.B16
#define CLAMP(k) SQXTUN(2*k, 16+k); SQXTUN2(2*k+1, 16+k)
	CLAMP(0)
	CLAMP(1)
	CLAMP(2)
	CLAMP(3)
	CLAMP(4)
	CLAMP(5)
	VUMIN  V31.B16, V16.B16, V16.B16
	VUMIN  V31.B16, V17.B16, V17.B16
	VUMIN  V31.B16, V18.B16, V18.B16
	VUMIN  V31.B16, V19.B16, V19.B16
	VUMIN  V31.B16, V20.B16, V20.B16
	VUMIN  V31.B16, V21.B16, V21.B16
	VST1.P [V16.B16, V17.B16, V18.B16, V19.B16], 64(R3)
	VST1   [V20.B16, V21.B16], (R3)
	RET

// func weigh(neurons *uint8, output *uint64, moves *uint16, tactics *uint16, n int, flip uint64, scores *int16)
TEXT ·weigh(SB), NOSPLIT, $0-56
	MOVD   neurons+0(FP), R0
	MOVD   output+8(FP), R1
	MOVD   moves+16(FP), R2
	MOVD   tactics+24(FP), R3
	MOVD   n+32(FP), R4
	MOVD   flip+40(FP), R5
	MOVD   scores+48(FP), R6
	MOVD   $96, R7
	VLD1.P 64(R0), [V0.B16, V1.B16, V2.B16, V3.B16]
	VLD1   (R0), [V4.B16, V5.B16]
	ADD    $(8*64*96), R1, R12   // rows of targets
	ADD    $(2*8*64*96), R1, R13 // of exchanges

move:
	MOVHU.P 2(R2), R8
	MOVHU.P 2(R3), R11
	UBFX    $6, R8, $6, R9 // the target
	AND     $63, R8        // the square that is left
	EOR     R5, R8
	EOR     R5, R9
	UBFX    $9, R11, $3, R10 // the piece
	ADD     R10<<6, R8
	ADD     R10<<6, R9
	MADD    R7, R1, R8, R8
	MADD    R7, R12, R9, R9
	MADD    R7, R13, R11, R11
	VEOR    V30.B16, V30.B16, V30.B16
#define MUL16(k) SMULL(16+k, k, 22+k); SMLAL2(16+k, k, 22+k); SADALP(22+k, 30)
#define PRODUCT(p) \
	ROW(p) \
	MUL16(0) \
	MUL16(1) \
	MUL16(2) \
	MUL16(3) \
	MUL16(4) \
	MUL16(5)
	PRODUCT(R8)
	PRODUCT(R9)
	PRODUCT(R11)
	VADDV V30.S4, V30
	VMOV  V30.S[0], R8
	ASRW  $8, R8
	MOVH  (R6), R9
	ADD   R8, R9
	MOVH.P R9, 2(R6)
	SUBS  $1, R4
	BNE   move
	RET
