// SPDX-License-Identifier: Apache-2.0

package eda

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"ply11/internal/testenv"
)

// A small design goes all the way to a bitstream; one for pins that the package does not have, or for a
// clock that is too fast, does not.
func TestBitstream(t *testing.T) {
	testenv.Tools(t, "yosys", "nextpnr-ice40", "icepack")
	w := newWork(t)
	pins := w.Path("syn/test.pcf")
	for name, text := range map[string]string{
		pins: "set_io clk J3\nset_io rx B10\nset_io tx B12\n",
		w.Path("rtl/echo.v"): `module echo (input wire clk, input wire rx, output wire tx);
  wire valid, unused;
  wire [7:0] data;
  ply11_uart u_uart (.clk(clk), .rst(1'b0), .rx(rx), .tx(tx), .m_valid(valid), .m_data(data), .broken(unused),
                     .s_valid(valid), .s_ready(), .s_data(data));
endmodule
`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b := DevBoard{Name: "test", Top: "echo", Files: []string{"rtl/echo.v", "rtl/ply11_uart.v"}, Package: "ct256", Pins: "syn/test.pcf", MHz: 12}
	got, err := w.Bitstream(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	// What an HX8K takes is always as long.
	if got.LUTs < 50 || got.MHz < 12 || got.Bytes < 135000 || got.Bytes > 136000 || len(configuration(got.Data)) == 0 {
		t.Errorf("%v", got)
	}
	if s := got.String(); !strings.Contains(s, "echo for test: ") || !strings.Contains(s, "of the 12 that it needs") {
		t.Error(s)
	}
	fast := b
	fast.MHz = 900
	if _, err := w.Bitstream(t.Context(), fast); err == nil {
		t.Error("900 MHz are reached")
	}
	if err := os.WriteFile(pins, []byte("set_io clk Z99\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Bitstream(t.Context(), b); err == nil || !strings.Contains(err.Error(), "nextpnr") {
		t.Errorf("a pin Z99: %v", err)
	}
}

// The board's pins are those of the ports of its top, each once.
func TestHX8KBreakout(t *testing.T) {
	b, err := HX8KBreakout()
	if err != nil {
		t.Fatal(err)
	}
	w := newWork(t)
	text, err := os.ReadFile(w.Path(b.Pins))
	if err != nil {
		t.Fatal(err)
	}
	top, err := os.ReadFile(w.Path("rtl/" + b.Top + ".v"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) != 3 || f[0] != "set_io" || seen[f[1]] || seen[f[2]] {
			t.Errorf("%q", line)
			continue
		}
		seen[f[1]], seen[f[2]] = true, true
		port, _, _ := strings.Cut(f[1], "[")
		if !regexp.MustCompile(`(?m)^  (?:input|output) [^/]*\b` + regexp.QuoteMeta(port) + `\b`).Match(top) {
			t.Errorf("the top has no port %s", port)
		}
	}
	if len(seen) != 2*(4+8) {
		t.Errorf("%d pins", len(seen)/2)
	}
}
