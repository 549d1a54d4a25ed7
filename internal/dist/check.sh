#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Takes what dist.sh has made as somebody would who has neither this repository nor Go, and uses it: PGN in, moves out.
#   internal/dist/check.sh build/dist
# With more arguments it checks these parts alone. It says of each what became of it, and fails if one failed. One whose programs are
# not here is skipped; which is told, too.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=$(cd "$1" && pwd) || exit 1
shift
root=$PWD tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
release=$(sed -n 's/^const Release = "\(.*\)"/\1/p' internal/cli/version.go)
system=$(uname -s | tr '[:upper:]' '[:lower:]') machine=$(uname -m)
case $machine in
x86_64) go=amd64 node=x64 ;;
*) go=arm64 node=arm64 ;;
esac

# A PATH without Go and ply11.
mkdir "$tmp/bin"
for name in sh env node cargo rustc cc gcc ld as ar; do
  ! path=$(command -v $name) || ln -s "$path" "$tmp/bin/$name"
done

# says WANT COMMAND compares what a command prints.
says() {
  want=$1
  shift
  got=$("$@") || { echo "$* fails: $got" && return 1; }
  [ "$got" = "$want" ] || { printf '%s prints\n%s\nwant\n%s\n' "$*" "$got" "$want" && return 1; }
}

# only PATTERN prints the one file of a pattern.
only() {
  [ $# = 1 ] && [ -e "$1" ] && echo "$1" && return
  echo "there is not one file, but: $*" >&2
  return 1
}

need() {
  for name; do
    command -v "$name" >/dev/null || { echo "$name is not here" && exit 77; }
  done
}

sums() {
  cd "$out"
  sha256sum --quiet --check SHA256SUMS
}

programs() {
  archive=$(only "$out"/ply11-*-"$system-$go".tar.gz)
  tar -xzf "$archive" -C "$tmp"
  cd "$tmp/$(basename "$archive" .tar.gz)"
  says "ply11 $release" sh -c './ply11 --version | head -n 1'
  ./genrom --version >/dev/null
  test -s share/doc/ply11/NOTICES
  ./ply11 pack -q -o ../pack.p11 "$root/testdata/famous.pgn"
  ./ply11 unpack -q -o - ../pack.p11 | cmp - "$root/testdata/famous.pgn"
}

# Debian's package in a root that has nothing else, not even a C library.
deb() {
  need dpkg chroot
  root_of=sh
  [ "$(id -u)" = 0 ] || { need unshare && root_of='unshare -r sh'; }
  mkdir -p "$tmp/root/var/lib/dpkg/info" "$tmp/root/var/lib/dpkg/updates"
  : >"$tmp/root/var/lib/dpkg/status"
  cp testdata/famous.pgn "$tmp/root/games.pgn"
  package=$(only "$out"/ply11_*_"$go".deb)
  $root_of -ec '
    dpkg --root="$1" --force-script-chrootless --log=/dev/null --install "$2" >/dev/null
    chroot "$1" /usr/bin/ply11 --version | head -n 1
    chroot "$1" /usr/bin/ply11 pack -q -o games.p11 games.pgn
    chroot "$1" /usr/bin/ply11 unpack -q -o - games.p11 | cmp - "$1/games.pgn"' sh "$tmp/root" "$package" >"$tmp/said"
  says "ply11 $release" cat "$tmp/said"
  test -s "$tmp/root/usr/share/doc/ply11/NOTICES"
}

# The wheel in a new environment that has NumPy alone, and then pandas, which reads it by Arrow.
wheel() {
  need python3
  case $system in
  darwin) wheel=$(only "$out"/ply11-*-macosx_*_"$(uname -m)".whl) ;;
  *) wheel=$(only "$out"/ply11-*-manylinux*_"$machine".whl) ;;
  esac
  python3 -m venv "$tmp/venv"
  grep '^numpy==' clients/python/requirements.txt >"$tmp/numpy.txt"
  python=$tmp/venv/bin/python
  "$python" -m pip install -q --disable-pip-version-check --require-hashes -r "$tmp/numpy.txt"
  "$python" -m pip install -q --disable-pip-version-check --no-deps "$wheel"
  cat >"$tmp/use.py" <<EOF
import sys
import ply11

with ply11.open(sys.argv[1]) as a:
    batch = next(a.batches(256, labels="lc0"))
    print(len(a), batch.planes.shape, len(batch.labels), a.find("white=morphy").size > 0, ply11.to_uci(a[0].moves[0]))
EOF
  says '36 (256, 112, 8, 8) 256 True e2e4' env -i PATH="$tmp/none" "$python" -B "$tmp/use.py" testdata/famous.pgn
  says "ply11 $release" sh -c 'PATH=$1:/usr/bin:/bin ply11 --version | head -n 1' sh "$tmp/venv/bin"
  "$python" -m pip install -q --disable-pip-version-check pandas==3.1.1 pyarrow==26.0.1
  cat >"$tmp/table.py" <<EOF
import sys
import pandas
import ply11

with ply11.open(sys.argv[1]) as a:
    games, positions = pandas.DataFrame.from_arrow(a), pandas.DataFrame.from_arrow(a.to_arrow(rows="positions"))
    print(games["moves"].map(len).sum() == a.n_plies, list(games["White"]) == [g.tags["White"] for g in a])
    print([list(m) for m in games["moves"]] == [g.moves.tolist() for g in a], len(positions) == a.n_plies)
EOF
  says 'True True
True True' "$python" -B "$tmp/table.py" testdata/famous.pgn
}

# The npm package with that of this system: npx, a page that vite makes, and its size, of which the model of dense moves is no part
# before it is needed.
npm() {
  need node npm gzip
  vite=${XDG_CACHE_HOME:-$HOME/.cache}/ply11/npmtools-$(sha256sum internal/pytools/package-lock.json | cut -c1-12)/node_modules/.bin/vite
  [ -x "$vite" ] || need 'vite, which make install-tools installs'
  mkdir "$tmp/page"
  cp testdata/famous.pgn "$tmp/page/games.pgn"
  package=$(only "$out/ply11-$release.tgz")
  program=$(only "$out/ply11-$system-$node-$release.tgz")
  cd "$tmp/page"
  echo '{ "private": true, "type": "module" }' >package.json
  command npm install --silent --offline --no-audit --no-fund "$package" "$program"
  for options in '-o games.p11' '--dense -o dense.p11'; do
    PATH=$tmp/bin sh -c "$(command -v npx) --offline ply11 pack -q $options games.pgn"
  done
  says "ply11 $release" sh -c 'npx --offline ply11 --version | head -n 1'
  echo '<!doctype html><title>page</title><script type="module" src="/page.js"></script>' >index.html
  cat >page.js <<EOF
import { open, toUCI } from "ply11";
const archive = await open(globalThis.bytes), { tags, moves } = await archive.game(3);
console.log(archive.length, tags.White, toUCI(moves[0]));
EOF
  echo 'export default { build: { target: "esnext", modulePreload: false } }' >vite.config.js
  "$vite" build --logLevel warn
  cat >"$tmp/run.mjs" <<EOF
import { readFileSync } from "node:fs";
globalThis.bytes = readFileSync(process.argv[2]);
await import(process.argv[3]);
EOF
  mv node_modules "$tmp/away"
  page=$(only dist/assets/index-*.js)
  says '36 Anderssen, Adolf e2e4' node "$tmp/run.mjs" dense.p11 "$PWD/$page"
  rm "$(only dist/assets/model-*.js)"
  says '36 Anderssen, Adolf e2e4' node "$tmp/run.mjs" games.p11 "$PWD/$page"
  size=$(cat dist/assets/*.js | gzip -9 | wc -c)
  echo "the page has $size bytes, compressed"
  [ "$size" -le 66000 ]
}

crate() (
  need cargo cc
  [ -e "$tmp/pack.p11" ] || (programs)
  file=$(only "$out"/*.crate)
  tar -xzf "$file" -C "$tmp"
  mkdir -p "$tmp/new/src"
  cd "$tmp/new"
  cat >Cargo.toml <<EOF
[package]
name = "new"
version = "0.1.0"
edition = "2021"
[dependencies]
ply11 = { path = "../$(basename "$file" .crate)" }
EOF
  cat >src/main.rs <<EOF
fn main() {
    let archive = ply11::Archive::open(std::fs::File::open("../pack.p11").unwrap()).unwrap();
    let game = archive.game(3).unwrap();
    println!("{} {} {}", archive.len(), game.tag("White").unwrap(), game.positions().unwrap().next().unwrap().1);
}
EOF
  says '36 Anderssen, Adolf e2e4' env PATH="$tmp/bin" cargo run --quiet
)

# The module under another path, by a proxy of files.
module() {
  need go git
  go test -count=1 -run '^TestRename$' ./internal/dist
}

failed=
for part in ${*:-sums programs deb wheel npm crate module}; do
  case $part in
  sums | programs | deb | wheel | npm | crate | module) ;;
  *) echo "check: there is no part $part" >&2 && exit 1 ;;
  esac
  (
    set -e
    "$part"
  ) >"$tmp/log" 2>&1
  case $? in
  0) echo "check: $part: passed" ;;
  77) echo "check: $part: SKIPPED: $(tail -n 1 "$tmp/log")" ;;
  *)
    failed="$failed $part"
    echo "check: $part: FAILED"
    sed 's/^/  /' "$tmp/log"
    ;;
  esac >&2
done
[ -z "$failed" ] || { echo "check: FAILED:$failed" >&2 && exit 1; }
