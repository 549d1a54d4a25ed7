// SPDX-License-Identifier: Apache-2.0
// The index, its pipelines and its ROM, for simulators: -f rtl/ply11.f in the folder hdl. (A file
// of this ending cannot stand beside Go sources: go takes it for Fortran.)
rtl/ply11_decode.v
rtl/ply11_encode.v
rtl/ply11_decode_pipe.v
rtl/ply11_encode_pipe.v
rtl/ply11_rom_case.v
rtl/ply11_rom.v
