// SPDX-License-Identifier: Apache-2.0
// Made from hdl/checks.tsv by: go run ./cmd/genrom vectors
// The files of ply11_pack. Give simulators -f rtl/ply11_pack.f in the folder hdl.
rtl/ply11_pack.v
rtl/ply11_gearbox.v
