// SPDX-License-Identifier: Apache-2.0
// The error codes of the hardware, for test benches. Made from sim/oracle/fault.go by: go run ./cmd/genrom vectors

localparam [3:0] ERR_EMPTY = 4'd1;
localparam [3:0] ERR_OPPONENT = 4'd2;
localparam [3:0] ERR_OWN = 4'd3;
localparam [3:0] ERR_GEOMETRY = 4'd4;
localparam [3:0] ERR_CASTLING = 4'd5;
localparam [3:0] ERR_CODE = 4'd6;
localparam [3:0] ERR_PLACE = 4'd7;
localparam [3:0] ERR_STOPPED = 4'd7;
localparam [3:0] ERR_OPERAND = 4'd8;
localparam [3:0] ERR_START = 4'd9;
localparam [3:0] ERR_DEPTH = 4'd10;
localparam [3:0] ERR_CHESS960 = 4'd11;
localparam [3:0] ERR_CUT = 4'd15;
// Bit c is 1: code c is of a start position. Its beat has no index, and the usual position is back.
localparam [15:0] ERRS_OF_START = 16'd512;
