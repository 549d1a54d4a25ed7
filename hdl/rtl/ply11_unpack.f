// SPDX-License-Identifier: Apache-2.0
// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors
// The files of ply11_unpack. Give simulators -f rtl/ply11_unpack.f in the folder hdl.
rtl/ply11_unpack.v
rtl/ply11_gearbox.v
