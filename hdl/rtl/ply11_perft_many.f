// SPDX-License-Identifier: Apache-2.0
// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors
// The files of ply11_perft_many. Give simulators -f rtl/ply11_perft_many.f in the folder hdl.
rtl/ply11_perft_many.v
rtl/ply11_perft.v
rtl/ply11_board.v
rtl/ply11_moves.v
rtl/ply11_moves_find.v
rtl/ply11_moves_emit.v
rtl/ply11_star.v
rtl/ply11_encode.v
