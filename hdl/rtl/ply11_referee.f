// SPDX-License-Identifier: Apache-2.0
// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors
// The files of ply11_referee. Give simulators -f rtl/ply11_referee.f in the folder hdl.
rtl/ply11_referee.v
rtl/ply11_board.v
rtl/ply11_legal.v
