// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ply11/internal/pytools"
)

// isMade compares a file that is made, or makes it.
func isMade(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(contents(t, name)) != want {
		t.Errorf("%s is not what is made now; mend it with: go generate ./clients", name)
	}
}

// TestDeclarations: the declarations for Rust are those of ply11.h.
func TestDeclarations(t *testing.T) {
	isMade(t, "rust/src/c.rs", rustDeclarations(string(contents(t, "c/ply11.h"))))
}

// TestTypes: the declarations for TypeScript are what tsc makes of the comments in the modules. A program that uses
// them is taken, and what is wrong in it is refused.
func TestTypes(t *testing.T) {
	tsc, err := pytools.FindNPM("tsc")
	if err != nil {
		t.Skip("npm's packages of internal/pytools are not installed: ", err)
	}
	dir, made := jsFolder(t), t.TempDir()
	output(t, dir, "", nil, tsc, "--outDir", made)
	for _, name := range []string{"archive", "board", "core", "ply11"} {
		text := contents(t, filepath.Join(made, name+".d.ts"))
		isMade(t, "js/types/"+name+".d.ts", "// Made from "+name+".js by go generate ./clients.\n"+string(text))
	}
	const program = `import { Archive, Board, Counts, decodeGame, Game, move, open, Source, Tree } from "ply11";
const from: Source = new Blob([]), archive: Archive = await open(from), board = new Board();
const tree: Tree = await archive.tree(board), counts: Counts | undefined = tree.moves.get(396);
for await (const game of archive) (({ start, evals }: Game): number | undefined => start?.push(evals[0]))(game);
`
	const wrong = `open(5)
board.label("e4", "lc1")
board.outcome === "draw"
move(396)?.promotion === "k"
(await archive.game(1)).result === "draw"
(await archive.game(1)).start.fen
(await archive.game(1)).tags.White === 1
archive.length === "1"
tree.moves.get(396)?.games === "1"
(await decodeGame("AA", 5))
(await decodeGame("AA"))[0] === "e4"`
	err = os.WriteFile(filepath.Join(dir, "use.ts"), []byte(program+strings.ReplaceAll("\n"+wrong, "\n",
		"\n// @ts-expect-error\n;")), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	output(t, dir, "", nil, tsc, "--noEmit", "--strict", "--target", "es2022", "--module", "es2022",
		"--moduleResolution", "bundler", "use.ts")
}

// TestPage builds the program of docs/clients.md, without a warning, and runs it.
func TestPage(t *testing.T) {
	part := regexp.MustCompile("(?s)```c\n(.*?)```\n```text\n(.*?)```\n").FindSubmatch(contents(t, "../docs/clients.md"))
	if part == nil {
		t.Fatal("docs/clients.md has no program in C")
	}
	source := filepath.Join(t.TempDir(), "example.c")
	if err := os.WriteFile(source, part[1], 0o666); err != nil {
		t.Fatal(err)
	}
	gcc(t, warnings+" -std=c99 -O2 -Ic c/ply11.c", source, "-o", source+".out")
	if out := output(t, ".", "", nil, source+".out"); out != string(part[2]) {
		t.Errorf("it prints %q, want %q", out, part[2])
	}
}
