// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ply11/bitstream/archive"
	"ply11/bitstream/dense"
	"ply11/chess"
	"ply11/internal/datadir"
	"ply11/internal/processgroup"
	"ply11/internal/pytools"
	"ply11/internal/querytest"
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
	"ply11/query/index"
)

// deepened returns a tree file in which the entries of the root are in a page, as in one of more than 44 MB.
func deepened(tree []byte) []byte {
	const start = 52
	end := start + 24*int(binary.LittleEndian.Uint32(tree[48:]))
	seal := func(b []byte) []byte {
		return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	}
	page, body := seal(bytes.Clone(tree[start:end])), tree[end+4:]
	head := bytes.Clone(tree[:start+24])
	head[14] = 1
	binary.LittleEndian.PutUint64(head[40:], uint64(start+24+4+len(body)+len(page)))
	binary.LittleEndian.PutUint32(head[48:], 1)
	binary.LittleEndian.PutUint32(head[start+12:], uint32(len(page)))
	binary.LittleEndian.PutUint64(head[start+16:], uint64(len(body)))
	return slices.Concat(seal(head), body, page)
}

// exampleArchives writes what the examples and tests of the packages read: games.p11 with its index and tree file, with
// dense moves in small blocks; large.p11, of which not all is read when it is opened; and deep.p11t, its tree file, in
// which a page stands before each part.
func exampleArchives(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	famous := contents(t, "../testdata/famous.pgn")
	games := filepath.Join(dir, "games.p11")
	large := pack(t, bytes.Repeat(append(famous, '\n'), 100), archive.WithBlockGames(64))
	err := errors.Join(os.WriteFile(games, pack(t, famous, archive.WithDense(true), archive.WithBlockGames(8)), 0o666),
		os.WriteFile(filepath.Join(dir, "large.p11"), large, 0o666))
	if err != nil || len(large) < 60_000 {
		t.Fatal(len(large), err)
	}
	ply11(t, "index", "-q", games)
	ply11(t, "index", "-q", "--min-games", "1", games)
	tree := querytest.BuildTree(t, large, index.TreeOptions{})
	if err := os.WriteFile(filepath.Join(dir, "deep.p11t"), deepened(tree), 0o666); err != nil || len(tree) < 20_000 {
		t.Fatal(len(tree), err)
	}
	return dir
}

// TestJavaScript builds the npm package, runs its tests in Node, installs its tarball in an empty folder, without a
// network, and runs the examples of its README there.
func TestJavaScript(t *testing.T) {
	dir, empty := jsFolder(t), exampleArchives(t)
	output(t, dir, "", nil, "npm", "pack", "--silent", "--pack-destination", empty)
	if !bytes.Equal(contents(t, filepath.Join(dir, "wasm.js")), contents(t, "js/wasm.js")) {
		t.Error("js/wasm.js, which the page has, is not what is made now: go generate ./clients makes it")
	}
	output(t, dir, "", []string{"PLY11_ARCHIVES=" + empty}, "node", "--test", "test.mjs")
	tarballs, _ := filepath.Glob(filepath.Join(empty, "*.tgz"))
	if len(tarballs) != 1 {
		t.Fatalf("packed are %v", tarballs)
	}
	output(t, empty, "", nil, "npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", tarballs[0])
	runExamples(t, "js", "js", func(program string) string {
		if err := os.WriteFile(filepath.Join(empty, "example.mjs"), []byte(program), 0o666); err != nil {
			t.Fatal(err)
		}
		return output(t, empty, "", nil, "node", "example.mjs")
	})
	t.Run("bundlers", func(t *testing.T) { bundled(t, empty, readmeExamples(t, "js", "js")[0]) })
	t.Run("Chromium", func(t *testing.T) { inChromium(t, empty, readmeExamples(t, "js", "js")) })
	t.Run("explorer", func(t *testing.T) { explorerInChromium(t, empty) })
}

// bundled runs an example, and reads dense moves, in the program that a bundler makes with the package; and require
// loads it.
func bundled(t *testing.T, folder string, example [2]string) {
	const more = `
import { open } from "ply11";
import { readFile } from "node:fs/promises";
const archive = await open(new Uint8Array(await readFile("games.p11")));
console.log(archive.length, (await archive.game(1)).moves.length);
`
	const webpack = `export default {
  entry: "./app.mjs", mode: "production", target: ["node", "es2022"], experiments: { outputModule: true },
  output: { path: import.meta.dirname + "/webpack", filename: "app.mjs", module: true },
};
`
	const vite = `export default {
  build: {
    outDir: "vite", target: "esnext", modulePreload: false,
    rollupOptions: { input: "app.mjs", external: /^node:/, output: { entryFileNames: "app.mjs" } },
  },
};
`
	err := errors.Join(os.WriteFile(filepath.Join(folder, "app.mjs"), []byte(example[0]+more), 0o666),
		os.WriteFile(filepath.Join(folder, "webpack.mjs"), []byte(webpack), 0o666),
		os.WriteFile(filepath.Join(folder, "vite.mjs"), []byte(vite), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	want := output(t, folder, "", nil, "node", "app.mjs")
	if !strings.HasPrefix(want, example[1]) || len(want) < len(example[1])+4 {
		t.Fatal(want)
	}
	for _, line := range []string{
		"esbuild app.mjs --bundle --format=esm --platform=node --splitting --out-extension:.js=.mjs --outdir=esbuild",
		"webpack --config webpack.mjs", "vite build --config vite.mjs"} {
		words := strings.Fields(line)
		t.Run(words[0], func(t *testing.T) {
			program, err := pytools.FindNPM(words[0])
			if err != nil {
				t.Skip("npm's packages of internal/pytools are not installed: ", err)
			}
			output(t, folder, "", nil, append([]string{program}, words[1:]...)...)
			// Away from the package: all of it is in the bundle.
			alone := t.TempDir()
			err = errors.Join(os.CopyFS(filepath.Join(alone, "bundle"), os.DirFS(filepath.Join(folder, words[0]))),
				os.Symlink(filepath.Join(folder, "games.p11"), filepath.Join(alone, "games.p11")))
			if err != nil {
				t.Fatal(err)
			}
			if got := output(t, alone, "", nil, "node", "bundle/app.mjs"); got != want {
				t.Errorf("it prints\n%s\nwant\n%s", got, want)
			}
		})
	}
	const script = `console.log(new (require("ply11").Board)().legal().length)`
	if got := output(t, folder, "", []string{"NODE_NO_WARNINGS=1"}, "node", "-e", script); got != "20\n" {
		t.Errorf("require: %s", got)
	}
}

// inChromium runs the examples of the README in a page of a browser, with the installed package and archives from a
// server of files.
func inChromium(t *testing.T, folder string, examples [][2]string) {
	var want strings.Builder
	var runs string
	for i, example := range examples {
		program := strings.ReplaceAll(example[0], "import { openAsBlob } from \"node:fs\";\n",
			"const openAsBlob = (name) => new URL(name, location);\n")
		name := fmt.Sprintf("page%d.mjs", i)
		if err := os.WriteFile(filepath.Join(folder, name),
			[]byte(strings.ReplaceAll(program, "console.log(", "print(")), 0o666); err != nil {
			t.Fatal(err)
		}
		runs += fmt.Sprintf("await import('/%s');\n", name)
		want.WriteString(example[1])
	}
	pageSays(t, folder, `<script type="importmap">{"imports":{"ply11":"/node_modules/ply11/ply11.js"}}</script>`, runs,
		want.String())
}

// explorerInChromium clicks through examples/explorer/index.html, whose answers come from a server of files. To open
// the tree file and look a position up takes three requests.
func explorerInChromium(t *testing.T, folder string) {
	site := filepath.Join(folder, "site")
	err := errors.Join(os.Mkdir(site, 0o777), os.Symlink("../node_modules/ply11", filepath.Join(site, "ply11")),
		os.Symlink("../deep.p11t", filepath.Join(site, "deep.p11t")),
		os.WriteFile(filepath.Join(site, "index.html"), contents(t, "../examples/explorer/index.html"), 0o666))
	if err != nil {
		t.Fatal(err)
	}
	want, shown := "", []string{"Start position", "1.e4", "1.e4 e5", "1.e4"}
	for i, moves := range []string{"", "1.e4", "1.e4 e5", "1.e4"} {
		var tree struct {
			Games int
			Moves []struct {
				SAN   string
				Games int
			}
		}
		args := []string{"tree", "-q", "--json", filepath.Join(folder, "large.p11")}
		if moves != "" {
			args = append(args, "--moves", moves)
		}
		out := ply11(t, args...)
		if err := json.Unmarshal([]byte(out), &tree); err != nil || len(tree.Moves) < 2 {
			t.Fatal(out, err)
		}
		want += fmt.Sprintf("%s: %d games", shown[i], tree.Games)
		for _, m := range tree.Moves {
			want += fmt.Sprintf(", %s %d", m.SAN, m.Games)
		}
		want += "\n"
	}
	start := position.Start()
	want += "3 requests\ndeep.p11t: \"e2e5\" in " + start.FEN() + ": illegal move\nnone.p11t: 404\n"
	pageSays(t, folder, `<iframe id="frame" src="/site/index.html?tree=deep.p11t"></iframe>`, `
const frame = document.getElementById("frame"), at = (id) => frame.contentDocument.getElementById(id);
const until = async (test) => {
  while (!frame.contentDocument?.getElementById("status")?.textContent || !test()) await new Promise((r) => setTimeout(r, 20));
};
const row = (r) => r.cells[0].textContent + " " + r.cells[1].textContent.replace(",", "").split(" ")[0];
const tell = async (line) => {
  await until(() => at("line").textContent === line && at("status").textContent.endsWith(" games"));
  print(line + ":", at("status").textContent.replace(",", "") + [...at("moves").rows].map((r) => ", " + row(r)).join(""));
};
const square = (name) => frame.contentDocument.querySelector('[aria-label^="' + name + '"]').click();
await tell("Start position");
const requests = frame.contentWindow.performance.getEntriesByType("resource").filter((r) => r.name.endsWith(".p11t")).length;
[...at("moves").rows].find((r) => row(r).startsWith("e4 ")).querySelector("button").click();
await tell("1.e4");
square("e7");
square("e5");
await tell("1.e4 e5");
at("back").click();
await tell("1.e4");
print(requests, "requests");
frame.contentWindow.location.hash = "#e2e5";
await until(() => at("status").textContent.includes("legal"));
print(at("status").textContent);
frame.src = "/site/index.html?tree=none.p11t";
await until(() => at("status").textContent.includes("404"));
print(at("status").textContent.replace(/http.*: 404.*/, "404"));
`, want)
}

// pageSays runs a script in a page of a browser, with the files of a folder, and compares what it prints.
func pageSays(t *testing.T, folder, body, script, want string) {
	t.Helper()
	chromium := testenv.Tools(t, "chromium")[0]
	said := make(chan string, 1)
	files := http.NewServeMux()
	files.Handle("/", http.FileServer(http.Dir(folder)))
	files.HandleFunc("POST /said", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		if err != nil {
			text = []byte(err.Error())
		}
		said <- string(text)
	})
	server := httptest.NewServer(files)
	defer server.Close()
	page := fmt.Sprintf(`<!doctype html><title>ply11</title>
%s
<script type="module">
let said = "";
globalThis.print = (...words) => said += words.join(" ") + "\n";
try {
%s} catch (error) {
print(error.stack);
}
await fetch("/said", { method: "POST", body: said });
</script>
`, body, script)
	if err := os.WriteFile(filepath.Join(folder, "page.html"), []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	profile := t.TempDir()
	ctx, end := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+profile,
		server.URL+"/page.html")
	// Chromium's children write to the profile, too: they end with it.
	processgroup.Own(cmd)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceFunc(func() {
		end()
		cmd.Wait()
	})
	defer stop()
	select {
	case got := <-said:
		if got != want {
			t.Errorf("a page of Chromium prints\n%s\nwant\n%s", got, want)
		}
	case <-time.After(2 * time.Minute):
		stop()
		t.Errorf("Chromium says nothing, but\n%s", &stderr)
	}
}

func jsFolder(t *testing.T) string {
	t.Helper()
	testenv.Tools(t, "clang", "wasm-ld", "node", "npm")
	return packageFolder(t, "js", func(dir string) { output(t, dir, "", nil, "npm", "run", "build", "--silent") })
}

func jsReads(t *testing.T, what string, lines []string) string {
	t.Helper()
	return output(t, jsFolder(t), strings.Join(lines, "\n"), nil, "node", "driver.mjs", what)
}

// TestJavaScriptLinks compares the links of games with what the Go encoder makes of their moves. They are short.
func TestJavaScriptLinks(t *testing.T) {
	var lines, want []string
	var lengths []int
	all := map[string][]byte{"samples": samples.File(samples.Plain), "famous": contents(t, "../testdata/famous.pgn")}
	if text, real := datadir.ReadAll(t, samples.Clocks, "pgn", "annotated", "lichess-1k.pgn.zst"); real {
		all["lichess"] = text
	}
	for name, text := range all {
		file := pack(t, text)
		r, err := archive.NewReader(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= r.Len(); n++ {
			g := readGame(t, r, n)
			var moves []string
			var codes []moveindex.Index
			for _, m := range g.MainLine() {
				k, _ := moveindex.Of(m)
				if m == chess.NullMove {
					k = moveindex.Null
				}
				moves, codes = append(moves, m.String()), append(codes, k)
			}
			if len(moves) == 0 || g.Start != position.Start() {
				continue
			}
			codes, moves = codes[:min(len(codes), 60)], moves[:min(len(moves), 60)]
			var e dense.Encoder
			e.Reset([]byte{byte(len(codes))})
			if err := e.Game(&g.Start, codes); err != nil {
				t.Fatal(err)
			}
			link := base64.RawURLEncoding.EncodeToString(e.Finish())
			lines, want = append(lines, strings.Join(moves, " ")), append(want, link)
			if name != "samples" && len(moves) == 60 {
				lengths = append(lengths, len(link))
			}
		}
	}
	sameLines(t, jsReads(t, "links", lines), strings.Join(want, "\n")+"\n")
	slices.Sort(lengths)
	at := func(percent int) int { return lengths[(len(lengths)-1)*percent/100] }
	said := fmt.Sprintf("links of 60 plies, %d games: median %d characters, 98 of 100 at most %d, the longest %d",
		len(lengths), at(50), at(98), at(100))
	t.Log(said)
	if at(50) > 32 || at(98) > 40 {
		t.Error(said)
	}
}
