// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"fmt"
	"strings"
	"testing"
)

// lines are command lines in a folder with the files that TestLines makes: with what they end, what they print, and
// what they say is wrong, of each a piece. EMPTY is an empty argument. What is refused leaves no file.
const lines = `
0                 --version                                        ply11
0                 completion bash                                  complete
0                 verify a.p11                                     whole
0                 show a.p11 2                                     a comment
0                 show a.p11 1 --ply 3 --board                     after 2.Nf3
0                 show a.p11 1 --ply 3 --board                     PPPP1PPP/RNBQKB1R b KQkq - 1 2
0                 show a.p11 1 --ply 3 --board                     3  . . . . . N . .
0                 find --result 1-0 --pgn a.p11                    Morphy
0                 stats a.p11                                      2 games, 15 plies
0                 stats --top 0 a.p11                              2 games
0                 dedupe --report a.p11
exitUsage         nothing                                          unknown command "nothing"
exitUsage         pakc games.pgn                                   did you mean pack?
exitUsage         help pakc                                        did you mean pack?
exitUsage         pack --forec games.pgn                           did you mean --force?
exitUsage         find --elo 2500 x.p11                            it is --rating here
exitUsage         pack                                             pack
exitUsage         pack --nothing a.pgn                             --nothing
exitUsage         pack a.pgn                                       a.p11
exitUsage         pack --block 0 -f a.pgn                          block
exitUsage         pack --block 4097 -f a.pgn                       block
exitUsage         pack -j -1 -f a.pgn                              -1
exitUsage         unpack -j -1 -o - a.p11                          -1
exitUsage         cat -j -1 a.p11                                  -1
exitUsage         pack --json -o - a.pgn                           json
exitUsage         recover --json -o - a.p11                        json
exitUsage         pack -f is-archive.pgn                           is an archive already
exitUsage         pack -f a.p11                                    is an archive already
exitUsage         pack -f wide.pgn                                 UTF-16
exitUsage         pack -f zip.pgn                                  zip
exitUsage         pack -f -o x.p11.zst a.pgn                       compressed as it is
exitUsage         pack -f -o x.p11.GZ a.pgn                        compressed as it is
exitUsage         find --date yesterday a.p11                      yesterday
exitUsage         find --limit -1 a.p11                            --limit and --skip are 0 or more
exitUsage         convert --to nothing a.pgn                       nothing
exitUsage         show                                             show
exitUsage         show --nothing                                   --nothing
exitUsage         show --top                                       --top
exitUsage         show a.p11 5-3                                   5-3
exitUsage         show a.p11 x                                     x
exitUsage         show a.p11 1x                                    1x
exitUsage         show a.p11 0x1                                   0x1
exitUsage         show a.p11 01                                    01
exitUsage         show a.p11 -- -3                                 -3
exitUsage         show a.p11 1-x                                   1-x
exitUsage         show a.p11 EMPTY                                 is no game's number
exitUsage         show a.p11 3-0                                   3-0
exitUsage         show a.p11 18446744073709551616                  18446744073709551616
exitUsage         stats --top x a                                  --top
exitUsage         stats --top -1 a.p11                             -1
exitUsage         stats --top -9223372036854775808 a.p11           -9223372036854775808
exitUsage         stats --top 10001 a.p11                          10001
exitUsage         stats --invalid none a.p11                       none
exitUsage         find --limit 3 --limit 4 a                       --limit" flag: it is given twice
exitUsage         find --invalid skip --invalid only a             --invalid" flag: it is given twice
exitUsage         find -o x --output y a                           --output" flag: it is given twice
exitUsage         export --to npy --to npz a                       --to" flag: it is given twice
exitUsage         export --seed 1 --seed 2 a                       --seed" flag: it is given twice
exitUsage         stats --top 1 --top 2 a                          --top" flag: it is given twice
exitUsage         explain                                          explain
exitUsage         explain -                                        format
exitUsage         explain --format chess -                         chess
exitUsage         explain --option numbering a.cbf                 numbering
exitUsage         explain --option numbering=roman a.cbf           roman
exitUsage         explain -o a.pgn a.pgn                           a.pgn
exitError         explain none.brn                                 none.brn
exitError         pack none.pgn                                    none.pgn
exitError         pack -o a.pgn/x.p11 a.pgn                        a.pgn/x.p11: not a directory
exitError         verify a.p11 missing a.p11                       missing
exitError         verify a.p11 missing a.p11                       a.p11: whole: 2 games, 15 plies in 1 blocks are right
exitError         verify missing bad.p11 a.p11                     a.p11: whole: 2 games, 15 plies in 1 blocks are right
exitCorrupt       verify bad.p11 missing a.p11                     a.p11: whole: 2 games, 15 plies in 1 blocks are right
exitCorrupt       unpack -o - bad.p11                              bad.p11
exitCorrupt       cat -q -o three.p11 a.p11 a.pgn                  a.pgn:
exitCorrupt       info a.pgn                                       a.pgn
exitInvalid       pack -f prose.pgn                                there is no game in it
exitInvalid       pack -f --on-error skip prose.pgn                there is no game in it
exitInvalid       pack -f noise.pgn                                there is no game in it
exitLoss          convert --to uci a.pgn                           --lossy drops it
exitMissing       show a.p11 0                                     0
exitMissing       show a.p11 3                                     3
exitMissing       show a.p11 10-12                                 10
exitMissing       show a.p11 18446744073709551615                  no such game
exitMissing       show a.p11 1 --ply 14                            14
exitMissing       find --player nobody a.p11
`

func TestLines(t *testing.T) {
	dir := packed(t, games)
	t.Chdir(dir)
	archive := read(t, dir, "a.p11")
	for name, content := range map[string]string{"is-archive.pgn": archive, "bad.p11": archive[:300] + "x" + archive[301:],
		"prose.pgn": "Dear reader,\nthere is no game here.\n", "wide.pgn": "\xff\xfe[\x00E\x00v\x00",
		"noise.pgn": "\x00\x01\x02\xff\xfe" + strings.Repeat("\x81\x00", 100), "zip.pgn": "PK\x03\x04 and so on",
		"a.cbf": "\x40\x17\x07"} {
		write(t, dir, name, content)
	}
	codes := map[string]int{"0": 0, "exitUsage": exitUsage, "exitError": exitError, "exitCorrupt": exitCorrupt,
		"exitInvalid": exitInvalid, "exitLoss": exitLoss, "exitMissing": exitMissing}
	before := left(t, dir)
	for line := range strings.SplitSeq(strings.Trim(lines, "\n"), "\n") {
		line += strings.Repeat(" ", 67) // where it has no piece
		code, known := codes[strings.TrimSpace(line[:18])]
		command, piece := strings.TrimSpace(line[18:67]), strings.TrimSpace(line[67:])
		args := strings.Fields(command)
		for i := range args {
			args[i] = strings.TrimPrefix(args[i], "EMPTY")
		}
		got, out, errs := runBoth(t, args...)
		if !known || got != code || !strings.Contains(out+errs, piece) {
			t.Errorf("%s: exit code %d, want %d, and no %q in %s%s", command, got, code, piece, out, errs)
		}
		if now := left(t, dir); now != before {
			t.Errorf("%s: there is %s", command, now)
		}
	}
	if code := codeOf(fmt.Errorf("what nobody expected")); code != exitError {
		t.Errorf("an error that is not classified: exit code %d", code)
	}
}
