// SPDX-License-Identifier: Apache-2.0
// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors
// The files of ply11_brenner. Give simulators -f rtl/ply11_brenner.f in the folder hdl.
rtl/ply11_brenner.v
rtl/ply11_pieces.v
rtl/ply11_encode.v
