// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"os"
	"path/filepath"
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
columns = [c for c in a.to_arrow().schema.names if c not in ("UTCDate", "UTCTime", "valid")]
assert set(want.column_names) - set(columns) == {
    "UTCDate", "UTCTime", "movetext", "start_eval", "fen", "other_tags", "tag_order", "file"}
table = a.to_arrow(columns + ["valid", "UTCDate", "None"], batch=100).read_all()
assert max(map(len, table["game"].chunks)) <= 100 and table["None"].null_count == n
games = table.filter(table["valid"])
for c in columns:
    assert games[c].to_pylist() == want[c].to_pylist(), c
    assert games[c].type.to_pandas_dtype() == want[c].type.to_pandas_dtype(), c
dates = [d and str(d) for d in want["UTCDate"].to_pylist()]
assert [d and d.replace(".", "-") for d in games["UTCDate"].to_pylist()] == dates
sums = n, a.n_plies, sum(r or 0 for r in table["WhiteElo"].to_pylist())
sql = "select count(*), sum(len(moves)), coalesce(sum(WhiteElo), 0) from a"
assert duckdb.sql(sql).fetchall() == [sums]
frame = polars.DataFrame(a)
assert (frame.height, frame["moves"].list.len().sum(), frame["WhiteElo"].sum()) == sums
with refused(ValueError, "no column 'move'"):
    a.to_arrow(["move"])

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
	output(t, dir, "", env, python, "-B", "-c", pgnProgram)
}
