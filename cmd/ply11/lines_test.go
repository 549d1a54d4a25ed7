// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"strings"
	"testing"

	"ply11/internal/cli"
)

// lines are command lines by their exit codes, in a folder with the files that TestLines makes, each with a piece of
// what is printed. None of them leaves a file.
const lines = `
0:
--version | ply11
completion bash | complete
verify a.p11 | whole
show a.p11 2 | a comment
show a.p11 1 --ply 3 --board | after 2.Nf3
show a.p11 1 --ply 3 --board | PPPP1PPP/RNBQKB1R b KQkq - 1 2
show a.p11 1 --ply 3 --board | 3  . . . . . N . .
find --result 1-0 --pgn a.p11 | Morphy
stats a.p11 | 2 games, 15 plies
stats --top 0 a.p11 | 2 games
dedupe --report a.p11 |
exitUsage:
nothing | unknown command "nothing"
pakc games.pgn | did you mean pack?
help pakc | did you mean pack?
pack --forec games.pgn | did you mean --force?
find --elo 2500 x.p11 | it is --rating here
pack | pack
pack --nothing a.pgn | --nothing
pack a.pgn | a.p11
pack --block 0 -f a.pgn | block
pack --block 4097 -f a.pgn | block
pack -j -1 -f a.pgn | -1
unpack -j -1 -o - a.p11 | -1
cat -j -1 a.p11 | -1
pack --json -o - a.pgn | json
recover --json -o - a.p11 | json
pack -f is-archive.pgn | is an archive already
pack -f a.p11 | is an archive already
pack -f wide.pgn | UTF-16
pack -f zip.pgn | zip
pack -f -o x.p11.zst a.pgn | compressed as it is
pack -f -o x.p11.GZ a.pgn | compressed as it is
find --date yesterday a.p11 | yesterday
find --limit -1 a.p11 | --limit is 0 or more, not -1
convert --to nothing a.pgn | nothing
show | show
show --nothing | --nothing
show --top | --top
show a.p11 5-3 | 5-3
show a.p11 x | x
show a.p11 1x | 1x
show a.p11 0x1 | 0x1
show a.p11 01 | 01
show a.p11 -- -3 | -3
show a.p11 1-x | 1-x
show a.p11 '' | is no game's number
show a.p11 3-0 | 3-0
stats --top x a | --top
stats --top -1 a.p11 | -1
stats --top -9223372036854775808 a.p11 | -9223372036854775808
stats --top 10001 a.p11 | 10001
stats --invalid none a.p11 | none
find --limit 3 --limit 4 a | --limit" flag: it is given twice
find --invalid skip --invalid only a | --invalid" flag: it is given twice
find -o x --output y a | --output" flag: it is given twice
export --to npy --to npz a | --to" flag: it is given twice
export --seed 1 --seed 2 a | --seed" flag: it is given twice
stats --top 1 --top 2 a | --top" flag: it is given twice
explain | explain
explain - | format
explain --format chess - | chess
explain --option numbering a.cbf | numbering
explain --option numbering=roman a.cbf | roman
explain -o a.pgn a.pgn | a.pgn
exitError:
explain none.brn | none.brn
pack none.pgn | none.pgn
pack -o a.pgn/x.p11 a.pgn | a.pgn/x.p11: not a directory
verify a.p11 missing a.p11 | missing
verify a.p11 missing a.p11 | a.p11: whole: 2 games, 15 plies in 1 blocks are right
verify missing bad.p11 a.p11 | a.p11: whole: 2 games, 15 plies in 1 blocks are right
exitCorrupt:
verify bad.p11 missing a.p11 | a.p11: whole: 2 games, 15 plies in 1 blocks are right
unpack -o - bad.p11 | bad.p11
cat -q -o three.p11 a.p11 a.pgn | a.pgn:
info a.pgn | a.pgn
exitInvalid:
pack -f prose.pgn | there is no game in it
pack -f --on-error skip prose.pgn | there is no game in it
pack -f noise.pgn | there is no game in it
exitLoss:
convert --to uci a.pgn | --lossy drops it
exitMissing:
show a.p11 0 | 0
show a.p11 3 | 3
show a.p11 10-12 | 10
show a.p11 18446744073709551616 | no such game
show a.p11 1 --ply 14 | 14
find --player nobody a.p11 |
`

func TestLines(t *testing.T) {
	dir := packed(t, games)
	t.Chdir(dir)
	archive := read(t, dir, "a.p11")
	for name, content := range map[string]string{"is-archive.pgn": archive,
		"bad.p11":   archive[:300] + "x" + archive[301:],
		"prose.pgn": "Dear reader,\nthere is no game here.\n", "wide.pgn": "\xff\xfe[\x00E\x00v\x00",
		"noise.pgn": "\x00\x01\x02\xff\xfe" + strings.Repeat("\x81\x00", 100), "zip.pgn": "PK\x03\x04 and so on",
		"a.cbf": "\x40\x17\x07"} {
		write(t, dir, name, content)
	}
	codes := map[string]int{"0": 0, "exitUsage": cli.Usage, "exitError": cli.Failed, "exitCorrupt": cli.Wrong,
		"exitInvalid": cli.Invalid, "exitLoss": cli.Loss, "exitMissing": cli.NotFound}
	before, code := left(t, dir), 0
	for line := range strings.SplitSeq(strings.Trim(lines, "\n"), "\n") {
		command, piece, ok := strings.Cut(line, " |")
		if !ok {
			code, ok = codes[strings.TrimSuffix(line, ":")]
			if !ok {
				t.Errorf("%q is no exit code", line)
			}
			continue
		}
		piece = strings.TrimPrefix(piece, " ")
		got, out, errs := runBoth(t, words(command)...)
		if got != code || !strings.Contains(out+errs, piece) {
			t.Errorf("%s: exit code %d, want %d, and no %q in %s%s", command, got, code, piece, out, errs)
		}
		if now := left(t, dir); now != before {
			t.Errorf("%s: there is %s", command, now)
		}
	}
}
