// SPDX-License-Identifier: Apache-2.0
// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors
// The files of ply11_moves_emit. Give simulators -f rtl/ply11_moves_emit.f in the folder hdl.
rtl/ply11_moves_emit.v
rtl/ply11_encode.v
