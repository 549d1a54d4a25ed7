// SPDX-License-Identifier: Apache-2.0

// Package codegen writes the index out: ROM images in the formats that FPGA tools and programmers
// read, and the same table as Verilog, SystemVerilog, VHDL, C and JSON; and it reads every image
// format back.
//
// There are three images (see Images): the ROM, which decodes an index, the inverse, which encodes a
// move, and the halfmoves, the table of every coloured halfmove. Formats lists each image in each
// format and the sources; Lookup finds one by name, Generate makes its file, Check tells whether a
// file holds what it should and, if not, names the first address that differs.
//
// All output is a function of the table alone: no date, path or host is in it. It begins with a banner
// that names the command to make it again and the table's SHA-256 and CRC-32. Four formats have no
// room for comments: plain hex, both kinds of Intel HEX, and binary. For these (and for all others) the
// file SHA256SUMS holds the checksum of every file, under the same banner, in the form that
// `sha256sum -c` reads.
package codegen
