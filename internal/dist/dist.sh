#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes what people install, of the latest commit: programs for three systems, a Debian package, the Verilog, the packages of
# Python, npm and Rust, lists of what is linked, and SHA256SUMS.
#   internal/dist/dist.sh build/dist
# With more arguments it makes these parts alone. All times in the files are that of the commit, and no path of this machine is in
# them, so two runs make the same bytes. What pip, cargo and go fetch has versions and hashes in the tree, or here.
set -eu
nfpm=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0
sbom=github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

fail() {
  echo "dist: $*" >&2
  exit 1
}

mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[ -z "$(ls -A "$out")" ] || fail "$out is not empty"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
src=$tmp/ply11 share=$tmp/share
git clone --quiet --no-hardlinks "$(git rev-parse --show-toplevel)" "$src"
cd "$src"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC
release=$(sed -n 's/^const Release = "\(.*\)"/\1/p' internal/cli/version.go)
version=$release
git tag --points-at HEAD | grep -qx "v$release" ||
  version=$release-dev.$(date -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).$(git log -1 --format=%h)

# pack FILE FOLDER packs a folder under its own name. All files have the same time, nobody owns them, and all of them are read.
pack() (
  cd "$(dirname "$2")"
  name=$(basename "$2")
  chmod -R u=rwX,go=rX "$name"
  find "$name" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
  case $1 in
  *.zip) python3 -m zipfile -c "$1" "$name" ;; # for systems that have no tar
  *) tar --sort=name --owner=0 --group=0 --numeric-owner --format=pax --pax-option=delete=atime,delete=ctime \
    --use-compress-program='gzip -9n' -cf "$1" "$name" ;;
  esac
)

# licences NAME FOLDER prints what says what one may do with a module.
licences() {
  files=$(ls "$2" | grep -Ei '^(licen[sc]e|notice|copying|patents)([.-].*)?$') || fail "$1 has no licence in $2"
  rule=$(printf '%080d' 0 | tr 0 =)
  for f in $files; do
    [ -d "$2/$f" ] || { printf '%s\n%s: %s\n%s\n\n' "$rule" "$1" "$f" "$rule" && cat "$2/$f" && printf '\n\n'; }
  done
}

# An archive for each system: the two commands, and in share manual pages, the completion of shells, the type of files, and the
# licences.
programs() {
  complete=$share/bash-completion/completions
  mkdir -p "$share/man/man1" "$share/mime/packages" "$share/misc" "$share/doc/ply11" "$complete" \
    "$share/zsh/vendor-completions" "$share/fish/vendor_completions.d"
  for name in ply11 genrom; do go run -tags man "./cmd/$name" "$share/man/man1"; done
  gzip -r9n "$share/man/man1" # as Debian wants them
  go build -o "$tmp/complete" ./cmd/ply11
  "$tmp/complete" completion bash >"$complete/ply11"
  "$tmp/complete" completion zsh >"$share/zsh/vendor-completions/_ply11"
  "$tmp/complete" completion fish >"$share/fish/vendor_completions.d/ply11.fish"
  cp internal/dist/ply11.xml "$share/mime/packages/"
  cp internal/dist/ply11.magic "$share/misc/"
  cp LICENSE "$share/doc/ply11/copyright"
  cp README.md CHANGELOG.md "$share/doc/ply11/"
  systems='linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64'
  for system in $systems; do
    GOOS=${system%/*} GOARCH=${system#*/} CGO_ENABLED=0 go build -trimpath '-ldflags=-s -w' \
      -o "$tmp/programs/ply11-$version-${system%/*}-${system#*/}/" ./cmd/ply11 ./cmd/genrom
  done
  for name in ply11 genrom; do
    go run "$sbom" bin -json -noserial -notimestamp -licenses -std -version "v$version" \
      -output "$out/$name-$version.cdx.json" "$tmp/programs/ply11-$version-linux-amd64/$name"
  done
  {
    printf 'ply11 is under the Apache License 2.0. Its programs hold these libraries, under licences of their own.\n\n'
    licences 'The Go Programming Language' "$(go env GOROOT)"
    for module in $(go version -m "$tmp"/programs/*/* | awk '$1 == "dep" { print $2 "@" $3 }' | sort -u); do
      licences "$module" "$(go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')"
    done
  } >"$share/doc/ply11/NOTICES"
  for folder in "$tmp"/programs/*; do
    cp -r "$share" "$folder/"
    case $folder in
    *-windows-*) pack "$out/$(basename "$folder").zip" "$folder" ;;
    *) pack "$out/$(basename "$folder").tar.gz" "$folder" ;;
    esac
  done
}

# The Debian package of each processor, out of the programs.
deb() {
  mtime=$(date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
  for arch in amd64 arm64; do
    folder=$tmp/programs/ply11-$version-linux-$arch
    [ -d "$folder" ] || fail 'the package is made of the programs: make these, too'
    {
      cat <<EOF
name: ply11
arch: $arch
platform: linux
version: $version
section: games
priority: optional
license: Apache-2.0
maintainer: "$(git log -1 --format='%an <%ae>')"
mtime: $mtime
description: |
  Chess games at eleven bits a move
  Archives of chess games that give back the PGN to the byte, with a search of names, moves and
  positions. genrom makes ROM images and Verilog of the same move index.
contents:
EOF
      (cd "$folder" && find ./* -type f | sort) | while read -r f; do
        to=/usr/${f#./} mode=420 # 0644
        [ "$f" != "./${f##*/}" ] || to=/usr/bin/${f#./} mode=493
        printf '  - { src: "%s", dst: "%s", file_info: { mode: %d, mtime: %s } }\n' "$folder/${f#./}" "$to" $mode $mtime
      done
    } >"$tmp/nfpm-$arch.yaml"
    go run "$nfpm" package --packager deb --config "$tmp/nfpm-$arch.yaml" --target "$out" >&2
  done
}

# The folder hdl as FuseSoC, simulators and synthesis want it.
verilog() {
  folder=$tmp/verilog/ply11-verilog-$version
  mkdir -p "$folder"
  cp -r hdl/rtl hdl/driver hdl/ply11.core hdl/README.md docs/hardware.md docs/hardware-reference.md LICENSE "$folder"
  pack "$out/ply11-verilog-$version.zip" "$folder"
}

# The wheels, which have the program, and the sources, which have none. Zig compiles the core for systems other than this one.
python() (
  cd clients/python
  export CFLAGS=-g0
  python3 -m venv "$tmp/venv"
  python3=$tmp/venv/bin/python
  "$python3" -m pip install -q --disable-pip-version-check --require-hashes -r requirements.txt \
    -r ../../internal/dist/zig.txt
  "$python3" -m build --no-isolation --sdist --wheel --outdir "$out" . >&2
  # The time at which it was made is in it, so it is packed again.
  "$python3" -m tarfile -e "$out/ply11-$release.tar.gz" "$tmp"
  pack "$out/ply11-$release.tar.gz" "$tmp/ply11-$release"
  for system in linux/arm64/manylinux_2_17_aarch64/aarch64-linux-gnu.2.17 windows/amd64/win_amd64/x86_64-windows-gnu \
    darwin/arm64/macosx_12_0_arm64/aarch64-macos.12.0 \
    'darwin/amd64/macosx_12_0_x86_64/x86_64-macos.12.0 -mcpu=x86_64_v2'; do
    echo "$system" | (
      IFS=/ read -r GOOS GOARCH platform target
      export GOOS GOARCH PLY11_CC="$python3 -m ziglang cc -target $target"
      rm -r build
      "$python3" -m build --no-isolation --wheel --outdir "$out" "-C--build-option=--plat-name=$platform" . >&2
    )
  done
)

# The package, and one with the program for each system, of which npm installs the one that fits.
npm() (
  [ -d "$tmp/programs" ] || fail 'the packages have the programs: make these, too'
  cd clients/js
  for folder in "$tmp"/programs/*; do
    system=$(basename "$folder" | sed "s/^ply11-$version-//; s/windows/win32/; s/amd64/x64/")
    package=$tmp/npm/$system
    mkdir -p "$package"
    cp "$folder"/ply11* "$folder/share/doc/ply11/NOTICES" ../../LICENSE "$package"
    cat >"$package/package.json" <<EOF
{
  "name": "@ply11/$system",
  "version": "$release",
  "description": "The program ply11 for $system: npx ply11 runs it",
  "license": "Apache-2.0",
  "os": ["${system%-*}"],
  "cpu": ["${system#*-}"]
}
EOF
    command npm pack --silent --pack-destination "$out" "$package" >&2
    command npm pkg set "optionalDependencies.@ply11/$system=$release"
  done
  command npm pack --silent --pack-destination "$out" >&2
)

rust() (
  cd clients/rust
  CARGO_TARGET_DIR=$tmp/target cargo package --locked --quiet --no-verify
  cp "$tmp"/target/package/*.crate "$out"
)

for part in ${*:-programs deb verilog python npm rust}; do
  case $part in
  programs | deb | verilog | python | npm | rust) echo "dist: $part" >&2 && "$part" ;;
  *) fail "there are programs, deb, verilog, python, npm and rust, and no $part" ;;
  esac
done
cd "$out"
sums=$(sha256sum -- *)
echo "$sums" | tee SHA256SUMS
