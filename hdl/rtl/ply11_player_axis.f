// SPDX-License-Identifier: Apache-2.0
// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors
// The files of ply11_player_axis. Give simulators -f rtl/ply11_player_axis.f in the folder hdl.
rtl/ply11_player_axis.v
rtl/ply11_skid.v
rtl/ply11_player.v
rtl/ply11_unpack.v
rtl/ply11_gearbox.v
rtl/ply11_words.v
rtl/ply11_board.v
rtl/ply11_brenner.v
rtl/ply11_pieces.v
rtl/ply11_jose.v
rtl/ply11_stack.v
rtl/ply11_encode.v
rtl/ply11_cbf.v
rtl/ply11_chessbase.v
