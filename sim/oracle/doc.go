// SPDX-License-Identifier: Apache-2.0

// Package oracle says what the hardware must say of a stream: the beats of ply11_player with their positions, and the
// errors in what is damaged.
//
// It knows the grammar of each form from the headers of hdl/rtl, lets the software's codecs read the moves, and plays
// them by State.Play, which is what the header of ply11_board promises, and with Legal by package position, too. It
// says what must come and not when.
//
// Faults is the registry of error codes, from which the tables of the pages and the constants of the Verilog are made.
package oracle
