// SPDX-License-Identifier: Apache-2.0
// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors
// The files of ply11_rom. Give simulators -f rtl/ply11_rom.f in the folder hdl.
rtl/ply11_rom.v
rtl/ply11_rom_case.v
