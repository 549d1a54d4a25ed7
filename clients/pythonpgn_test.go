// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ply11/internal/datadir"
	"ply11/internal/testenv"
)

// pgnProgram is what Python does with PGN, in a folder of its own that has games.pgn.zst. The others that read it are
// python-chess, and DuckDB, polars and pyarrow, which get the same tables from the archive as from its Parquet.
const pgnProgram = `import contextlib, io, multiprocessing, os, pickle, re, sys
import chess.pgn, duckdb, numpy as np, polars, pyarrow.parquet
import ply11
from ply11 import _program

path, archive = "games.pgn.zst", "games.p11"


@contextlib.contextmanager
def refused(kind, words):
    try:
        yield
    except kind as e:
        assert re.search(words, str(e)), e
    else:
        raise AssertionError(words)


# A batch is what python-chess reads.
kinds = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]
planes, moves, results = [], [], []
with pyarrow.input_stream(path, compression="zstd") as raw:
    games = io.StringIO(raw.read().decode())
while len(moves) < 5000 and (game := chess.pgn.read_game(games)) is not None:
    won = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game.headers["Result"])
    for node in game.mainline():
        board = node.parent.board()
        sides = [board.pieces_mask(k, color) for color in (board.turn, not board.turn) for k in kinds]
        planes.append(sides if board.turn else [chess.flip_vertical(m) for m in sides])
        moves.append(node.move.uci())
        results.append(-128 if won is None else won if board.turn else -won)
with ply11.open(path) as a:
    batch = next(a.batches(len(moves), bits=True))
np.testing.assert_array_equal(np.ascontiguousarray(batch.planes[:, :12]).view("<u8")[..., 0], np.array(planes, np.uint64))
assert [ply11.to_uci(m) for m in batch.moves] == moves and batch.results.tolist() == results

# A temporary archive is there for other processes, until it is closed or nothing reads it.
with ply11.open(path) as a:
    name, n = a._handle.name, len(a)
    again = pickle.loads(pickle.dumps(a))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(len, (a,)) == n
    assert again[0].moves.tolist() == a[0].moves.tolist() and os.path.exists(name)
assert not os.path.exists(os.path.dirname(name))
a = ply11.open(path)
game, name = a[-1], a._handle.name
del a
assert game.start and os.path.exists(name)
del game
assert not os.path.exists(os.path.dirname(name))
assert next(iter(ply11.Dataset(path, 10)))["moves"].shape == (10,)

# One beside the file is made once.
a = ply11.open(path, beside=True)
made, size = os.stat(archive).st_mtime_ns, os.path.getsize(archive)
assert len(ply11.open(path, beside=True)) == n and os.stat(archive).st_mtime_ns == made
os.utime(archive, (1, 1))
with refused(ply11.ProgramError, "exist"):
    ply11.open(path, beside=True)
ply11.pack(path, "dense.p11", dense=True)
assert os.path.getsize("dense.p11") < size
for force in (False, False, True):
    ply11.index(archive, force=force)
    assert 0 < a.tree(ply11.Board()).all.games <= n

# What was played in positions that three games reach, as the games have it.
played = {}
for g in a:
    line = g.positions()
    for p, m in zip(line, g.moves.tolist()):
        played.setdefault((p["plane"].tobytes(), int(p["castling"]), bool(p["black"])), {}).setdefault(m, set()).add(g.number)
rows = 0
for b in a.targets(64, games=3, labels="index"):
    for p, policy, wdl, reached in zip(b.positions, b.policy, b.wdl, b.games):
        moves = played[p["plane"].tobytes(), int(p["castling"]), bool(p["black"])]
        if not p["en_passant"]:
            assert len(set().union(*moves.values())) == reached >= 3
            want = np.zeros(1968)
            want[list(moves)] = [len(games) for games in moves.values()]
            np.testing.assert_allclose(policy, want / want.sum(), atol=1e-6)
            ends = [a[i - 1].result for i in set().union(*moves.values())]
            sides = [ends.count("1-0"), ends.count("1/2-1/2"), ends.count("0-1")][::-1 if p["black"] else 1]
            np.testing.assert_allclose(wdl, np.array(sides) / max(1, sum(sides)), atol=1e-6)
            rows += 1
assert rows > 100 and next(a.targets(1, games=3, plies=0)).games.tolist() == [a.tree(ply11.Board()).all.games]

# Searches.
white = a[1].tags["White"]
want = [i for i, g in enumerate(a) if g.tags["White"] == white]
assert a.find(f"white=={white}").tolist() == want
assert a.find(f"limit=1; white=={white}; fen=startpos; not=games=1; plies=-9999").tolist() == [i for i in want if i][:1]
assert a.find("player==nobody at all").tolist() == [] and a.find("").tolist() == list(range(n))
with refused(ply11.ProgramError, "^--date.* no date"):
    a.find("date=x")
with open(archive, "rb") as f, refused(TypeError, ""):
    ply11.open(f.read()).find("")

# Tables are those of export.
_program.run("export", "--to", "parquet", "--no-movetext", "--output", "games.parquet", archive)
want = pyarrow.parquet.read_table("games.parquet")
columns = [c for c in a.to_arrow().schema.names if c != "valid"]
assert set(want.column_names) - set(columns) == {"movetext", "other_tags", "tag_order"}
table = a.to_arrow(columns + ["valid", "None"], batch=100).read_all()
assert max(map(len, table["game"].chunks)) <= 100 and table["None"].null_count == n
games = table.filter(table["valid"])
for c in columns:
    assert games[c].to_pylist() == want[c].to_pylist(), c
    of_items = [getattr(t.type, "value_type", t.type) for t in (games[c], want[c])]
    assert of_items[0] == of_items[1], (c, of_items)
sums = n, a.n_plies, sum(r or 0 for r in table["WhiteElo"].to_pylist())
sql = "select count(*), sum(len(moves)), coalesce(sum(WhiteElo), 0) from a"
assert duckdb.sql(sql).fetchall() == [sums]
frame = polars.DataFrame(a)
assert (frame.height, frame["moves"].list.len().sum(), frame["WhiteElo"].sum()) == sums
with refused(ValueError, "no column 'move'"):
    a.to_arrow(["move"])

_program.run("export", "--to", "parquet-positions", "--legal", "--from-ply", "3", "--every", "2", "-o", "positions.parquet", archive)
want = pyarrow.parquet.read_table("positions.parquet")
assert len(want) > 1000
got = a.to_arrow(want.column_names, rows="positions", from_ply=3, every=2).read_all()
for c in want.column_names:
    assert got[c].to_pylist() == want[c].to_pylist(), c
positions = a.to_arrow(rows="positions")
assert duckdb.sql("select count(*) from positions").fetchall()[0][0] == sum(len(b.moves) for b in a.batches(1000, planes=None))
with refused(ValueError, "no column 'x'"):
    a.to_arrow(["x"], rows="positions")

# The questions of docs/sql.md have the same answers.
with open(sys.argv[1]) as f:
    questions = re.findall("(?s)` + "```" + `sql\n(select.*?);\n` + "```" + `", f.read())
labels = duckdb.from_query("select unnest(range(1968)) as n, unnest($1) as move", params=[[ply11.to_uci(c) for c in range(1968)]])
answers = []
for games in duckdb.read_parquet("games.parquet"), duckdb.sql("select * from a where valid"):
    answers.append([duckdb.sql(q).fetchall() for q in questions])
assert len(questions) == 10 and answers[0] == answers[1] and sum(map(len, answers[0])) > 20

# Rows are chosen as by export, in parts and in epochs, too.
for choice in ({"rating": "1500-", "sample": 0.5}, {"split": "0-0.6", "weight": ["result=draw:0.25", "result=white:0.5"]},
               {"only": "no-check", "per_game": 5, "seed": 3, "max_eval": 300}, {"dedupe": True, "to_ply": 20}, {"white": "nobody"}):
    flags = [f"--{k.replace('_', '-')}={v}" for k, vs in choice.items() for v in (vs if isinstance(vs, list) else [vs])]
    _program.run("export", "--to", "npz", "--planes", "none", "--force", *flags, "-o", "set/", archive, nothing=6)
    want = set()
    if choice.get("white") is None:
        with np.load("set/00001-of-00001.npz") as z:
            want = set(zip((z["game"].astype(int) - 1).tolist(), z["ply"].tolist()))
        assert len(want) > 100, choice
    batches = [b for i in range(2) for b in a.batches(64, planes=None, shuffle=1, part=(i, 2), **choice)]
    rows = [r for b in batches for r in zip(b.games.tolist(), b.plies.tolist())]
    assert len(rows) == len(want) and set(rows) == want, choice
    d = pickle.loads(pickle.dumps(ply11.Dataset(archive, 64, planes=None, **choice)))
    _program.run, run = None, _program.run  # it is asked once
    assert sorted(r for b in d for r in zip(b["games"].tolist(), b["plies"].tolist())) == sorted(want)
    _program.run = run
with refused(ValueError, "augment"):
    a.batches(10, augment="colors")
with refused(ply11.ProgramError, "no-such"):
    ply11.Dataset(archive, 10, no_such=1)
with open(archive, "rb") as f, refused(TypeError, ""):
    ply11.open(f.read()).batches(10, rating="1-")

# Without a program.
_program._BUNDLED, os.environ["PATH"] = "/none", ""
with refused(FileNotFoundError, "install Go"):
    ply11.open(path)
`

// TestPythonPGN runs the program on a file of Lichess, or of our own.
func TestPythonPGN(t *testing.T) {
	dir := pythonFolder(t)
	ply11(t, "--version")
	runPythonPGN(t, "PYTHONPATH="+filepath.Join(dir, "src"), "PATH="+buildDir)
}

func runPythonPGN(t *testing.T, env ...string) {
	t.Helper()
	python, dir := testenv.Python(t), t.TempDir()
	text, _ := datadir.ReadAll(t, "clocks.pgn", "pgn", "annotated", "lichess-1k.pgn.zst")
	plain := filepath.Join(dir, "games.pgn")
	if err := os.WriteFile(plain, text, 0o666); err != nil {
		t.Fatal(err)
	}
	output(t, dir, "", nil, testenv.Tools(t, "zstd")[0], "-q", "--rm", plain, "-o", plain+".zst")
	page, err := filepath.Abs("../docs/sql.md")
	if err != nil {
		t.Fatal(err)
	}
	output(t, dir, "", env, python, "-B", "-c", pgnProgram, page)
	// The recipes of train.md, with a network that says how many rows it has got.
	_, recipes, _ := strings.Cut(string(contents(t, "../docs/train.md")), "## In Python\n")
	recipes, _, _ = strings.Cut(recipes, "\n## ")
	program := "network, got = lambda planes: __import__('numpy').ones((len(planes), 1858)), []\n" +
		"def train(*rows): got.append({len(r) for r in rows})\n"
	for _, m := range regexp.MustCompile("(?s)```python\n(.*?)```").FindAllStringSubmatch(recipes, -1) {
		program += m[1] + "print(len(got)); assert all(len(g) == 1 for g in got); got.clear()\n"
	}
	said := strings.Fields(output(t, dir, "", env, python, "-B", "-c", program+"print(len(list(again)))"))
	if len(said) != 6 || slices.Contains(said, "0") != (said[1] == "0") {
		t.Errorf("the recipes train with batches: %s", said)
	}
}
