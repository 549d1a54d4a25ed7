// SPDX-License-Identifier: Apache-2.0

// Package codegen writes the index for hardware and other languages: ROM images in the formats that FPGA tools and
// programmers read, and the table as Verilog, SystemVerilog, VHDL, C and JSON. It also writes what other languages need
// of the hardware: components, registers, includes.
//
// There are three images (see Images). Formats lists each image in each format, and the sources. Check says whether a
// file is one of them, or where it differs.
//
// All output depends on the table alone. It begins with a banner with the command that makes it again, and the table's
// SHA-256 and CRC-32. Plain hex, both kinds of Intel HEX, and binary have no room for comments. The file SHA256SUMS
// holds the checksum of every file, in the form that `sha256sum -c` reads.
package codegen
