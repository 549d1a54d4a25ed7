// SPDX-License-Identifier: Apache-2.0
// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors
// The files of ply11_cbf. Give simulators -f rtl/ply11_cbf.f in the folder hdl.
rtl/ply11_cbf.v
rtl/ply11_chessbase.v
rtl/ply11_encode.v
