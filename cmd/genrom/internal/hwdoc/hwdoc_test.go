// SPDX-License-Identifier: Apache-2.0

package hwdoc_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ply11/cmd/genrom/internal/hwdoc"
	"ply11/internal/testenv"
	"ply11/sim/eda"
	"ply11/sim/eda/edatest"
)

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", name))
	testenv.Must(t, err)
	return string(text)
}

// A page with a diagram too few, too many, unknown or without an end is refused.
func TestUpdateRefuses(t *testing.T) {
	text := readPage(t, "hardware.md")
	for name, bad := range map[string]string{
		"missing": regexp.MustCompile(`(?s)<!-- begin .*<!-- end -->`).ReplaceAllString(text, ""),
		"unknown": text + "<!-- begin nothing -->\n<!-- end -->",
		"twice":   text + "<!-- begin timing.playing -->\n<!-- end -->",
		"open":    strings.Replace(text, "<!-- end -->", "", 1),
		"empty":   "",
	} {
		if _, err := hwdoc.Update([]byte(bad)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The module of the page compiles in Icarus and in Verilator without a warning, and counts the captures that the
// example in plain Verilog writes for the same file.
func TestSnippet(t *testing.T) {
	testenv.Tools(t, "iverilog", "vvp", "verilator")
	_, text, _ := strings.Cut(readPage(t, "hardware.md"), "```verilog\n")
	snippet, _, ok := strings.Cut(text, "```\n")
	if !ok {
		t.Fatal("the page has no Verilog")
	}
	instance, _, _ := strings.Cut(snippet[strings.Index(snippet, "  ply11_player"):], ");\n")
	if n := strings.Count(instance, "\n") + 1; n > 10 {
		t.Errorf("the instance has %d lines", n)
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "examples", "icarus", "README.md"))
	testenv.Must(t, err)
	want := len(regexp.MustCompile(`[KQRBNP][a-h][1-8]x[a-h][1-8]`).FindAllString(string(readme), -1))
	if want == 0 {
		t.Fatal("the example has no captures")
	}
	words, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "examples", "icarus", "evergreen.words"))
	testenv.Must(t, err)
	w := edatest.NewWork(t)
	files := w.Path("snippet.v")
	bench := fmt.Sprintf(`
module bench;
  reg clk = 1'b0, rst = 1'b1, valid = 1'b0;
  wire ready;
  wire [31:0] count;
  reg [%d:0] bytes = %d'h%x;
  integer n = 0;
  always #5 clk = !clk;
  captures u_dut (.clk(clk), .rst(rst), .byte_valid(valid), .byte_ready(ready), .byte_data(bytes[8*(%d-n) +: 8]), .count(count));
  always @(posedge clk) if (valid && ready) begin
    n <= n + 1;
    if (n == %d) valid <= 1'b0;
  end
  initial begin
    repeat (2) @(posedge clk);
    rst <= 1'b0;
    valid <= 1'b1;
    repeat (400) @(posedge clk);
    $display("count %%0d", count);
    $finish;
  end
endmodule
`, 8*len(words)-1, 8*len(words), words, len(words)-1, len(words)-1)
	testenv.Must(t, os.WriteFile(files, []byte(snippet+bench), 0o666))
	_, list, _ := strings.Cut(text, "Its files are ")
	list, _, _ = strings.Cut(list, ". Modes")
	testenv.Must(t, os.WriteFile(w.Path("captures.v"), []byte(snippet), 0o666))
	lint := []string{"--lint-only", "-Wall", "--top-module", "captures", "captures.v"}
	b := eda.Verilog{Top: "bench", Files: []string{"snippet.v"}}
	for _, f := range regexp.MustCompile("`(ply11_\\w+\\.v)`").FindAllStringSubmatch(list, -1) {
		b.Files = append(b.Files, "rtl/"+f[1])
		lint = append(lint, "rtl/"+f[1])
	}
	if r, err := w.Run(t.Context(), w.Dir, "verilator", lint...); err != nil || r.Output != "" {
		t.Errorf("verilator -Wall: %v\n%s", err, r.Output)
	}
	s, err := w.Icarus(t.Context(), b)
	testenv.Must(t, err)
	r, err := s.Run(t.Context())
	testenv.Must(t, err)
	if got := fmt.Sprintf("count %d\n", want); r.Output != got {
		t.Errorf("%q, want %q", r.Output, got)
	}
}
