// SPDX-License-Identifier: Apache-2.0

// Package codegen writes the index for hardware and other languages: ROM images in the formats that FPGA tools and
// programmers read, and the table as Verilog, SystemVerilog, VHDL, C and JSON.
//
// There are three images (see Images). The ROM decodes an index. The inverse encodes a
// move. The halfmoves are the table of every coloured halfmove. Formats lists each image in each
// format, and the sources. Lookup finds one by name, and Generate makes its file. Check tells whether a
// file is one of them. If it differs, Check names the first line.
//
// All output depends on the table alone: no date, path or host is in it. It begins with a banner with
// the command that makes it again, and the table's SHA-256 and CRC-32. Four formats have no
// room for comments: plain hex, both kinds of Intel HEX, and binary. For these (and for all others) the
// file SHA256SUMS holds the checksum of every file, in the form that
// `sha256sum -c` reads.
package codegen
