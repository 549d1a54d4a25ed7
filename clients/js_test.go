// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
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
	"ply11/internal/samples"
	"ply11/internal/testenv"
	"ply11/moveindex"
	"ply11/position"
)

// exampleArchives writes what the examples and tests of the packages read: games.p11 and its index, with dense moves in
// small blocks, and large.p11, of which not all is read when it is opened.
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
	return dir
}

// TestJavaScript builds the npm package, runs its tests in Node, installs its tarball in an empty folder, without a
// network, and runs the examples of its README there.
func TestJavaScript(t *testing.T) {
	dir, empty := jsFolder(t), exampleArchives(t)
	env := []string{"PLY11_ARCHIVE=" + filepath.Join(empty, "games.p11"),
		"PLY11_LARGE=" + filepath.Join(empty, "large.p11")}
	output(t, dir, "", nil, "npm", "pack", "--silent", "--pack-destination", empty)
	if !bytes.Equal(contents(t, filepath.Join(dir, "wasm.js")), contents(t, "js/wasm.js")) {
		t.Error("js/wasm.js, which the page has, is not what is made now: go generate ./clients makes it")
	}
	output(t, dir, "", env, "node", "--test", "test.mjs")
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
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for _, name := range []string{"ply11.js", "core.js", "board.js", "archive.js", "wasm.js"} {
		w.Write(contents(t, filepath.Join(empty, "node_modules", "ply11", name)))
	}
	w.Close()
	if packed.Len() > 95_000 {
		t.Errorf("the module takes %d bytes, compressed by gzip", packed.Len())
	}
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
	page := fmt.Sprintf(`<!doctype html><title>ply11</title>
<script type="importmap">{"imports":{"ply11":"/node_modules/ply11/ply11.js"}}</script>
<script type="module">
let said = "";
globalThis.print = (...words) => said += words.join(" ") + "\n";
try {
%s} catch (error) {
print(error.stack);
}
await fetch("/said", { method: "POST", body: said });
</script>
`, runs)
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
		if got != want.String() {
			t.Errorf("a page of Chromium prints\n%s\nwant\n%s", got, &want)
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
