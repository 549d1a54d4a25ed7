// SPDX-License-Identifier: Apache-2.0

// Command dist makes what people install, of the latest commit: programs for three systems, a Debian package, the
// Verilog, the packages of Python, npm and Rust, a list of what is linked, and SHA256SUMS.
//
//	go run ./internal/dist -o build/dist
//
// All times in the files are that of the commit, and no path of this machine is in them, so two runs make the same
// bytes. What pip, cargo and go fetch has versions and hashes in the tree.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"ply11/internal/cli"
)

// The programs of others, in one version each. The go command knows their hashes.
const (
	nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0"
	sbom = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"
)

// systems are those that programs are built for.
var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

var commands = []string{"ply11", "genrom"}

func main() {
	out := flag.String("o", "build/dist", "folder to write to, which must be new or empty")
	only := flag.String("only", "", "make the parts alone that match a regular expression: "+strings.Join(partNames(),
		", "))
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *out, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// A part is something that is made.
type part struct {
	name string
	make func(*dist) error
}

var parts = []part{{"programs", (*dist).programs}, {"deb", (*dist).deb}, {"verilog", (*dist).verilog},
	{"python", (*dist).python}, {"npm", (*dist).npm}, {"rust", (*dist).rust}}

func partNames() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// dist is a run.
type dist struct {
	ctx     context.Context
	out     string    // what is made
	src     string    // a clone of the latest commit
	tmp     string    // the rest
	version string    // cli.Release, and more if no tag is on the commit
	time    time.Time // of the commit
}

func run(ctx context.Context, out, only string) error {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	if there, err := os.ReadDir(out); err == nil && len(there) > 0 {
		return fmt.Errorf("%s is not empty", out)
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "ply11-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	d := &dist{ctx: ctx, out: out, tmp: tmp, src: filepath.Join(tmp, "ply11")}
	if err := d.clone(); err != nil {
		return err
	}
	for _, p := range parts {
		if !wanted.MatchString(p.name) {
			continue
		}
		fmt.Fprintln(os.Stderr, "dist:", p.name)
		if err := p.make(d); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return d.sums()
}

// do executes a program in a folder, with more in its environment, and returns what it prints.
func (d *dist) do(folder string, env []string, line ...string) (string, error) {
	cmd := exec.CommandContext(d.ctx, line[0], line[1:]...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(d.time.Unix(), 10), "TZ=UTC")
	cmd.Env = append(cmd.Env, env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(line, " "), err, text, &stderr)
	}
	return strings.TrimSpace(string(text)), nil
}

// clone takes the latest commit and its versions.
func (d *dist) clone() error {
	root, err := d.do(".", nil, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if _, err := d.do(root, nil, "git", "clone", "--quiet", "--no-hardlinks", root, d.src); err != nil {
		return err
	}
	text, err := d.do(d.src, nil, "git", "log", "-1", "--format=%ct %h")
	if err != nil {
		return err
	}
	seconds, commit, _ := strings.Cut(text, " ")
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	d.time = time.Unix(n, 0).UTC()
	d.version = cli.Release
	tags, err := d.do(d.src, nil, "git", "tag", "--points-at", "HEAD")
	if err != nil {
		return err
	}
	if !slices.Contains(strings.Fields(tags), "v"+d.version) {
		d.version += "-dev." + d.time.Format("20060102150405") + "." + commit
	}
	return nil
}

// programs makes an archive for each system: the two commands, manual pages, the completion of shells, and the
// licences.
func (d *dist) programs() error {
	share, err := d.share()
	if err != nil {
		return err
	}
	linked := map[string]bool{}
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		folder := d.folder(goos, goarch)
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		env := []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}
		if _, err := d.do(d.src, env, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", folder+"/", "./cmd/ply11",
			"./cmd/genrom"); err != nil {
			return err
		}
		files, err := filesOf(folder)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := modulesOf(filepath.Join(folder, f), linked); err != nil {
				return err
			}
		}
	}
	for _, name := range commands {
		out := filepath.Join(d.out, name+"-"+d.version+".cdx.json")
		if _, err := d.do(d.src, nil, "go", "run", sbom, "bin", "-json", "-noserial", "-notimestamp", "-licenses",
			"-std", "-version", "v"+d.version,
			"-output", out, filepath.Join(d.folder("linux", "amd64"), name)); err != nil {
			return err
		}
	}
	if err := d.notices(linked, filepath.Join(share, "doc", "ply11", "NOTICES")); err != nil {
		return err
	}
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		folder := d.folder(goos, goarch)
		if err := os.CopyFS(filepath.Join(folder, "share"), os.DirFS(share)); err != nil {
			return err
		}
		ending := ".tar.gz"
		if goos == "windows" {
			ending = ".zip"
		}
		if err := d.pack(filepath.Join(d.out, filepath.Base(folder)+ending), folder); err != nil {
			return err
		}
	}
	return nil
}

func (d *dist) folder(goos, goarch string) string {
	return filepath.Join(d.tmp, "programs", strings.Join([]string{"ply11", d.version, goos, goarch}, "-"))
}

// share makes what Unix keeps in a folder of this name: manual pages, completion, and the type of files.
func (d *dist) share() (string, error) {
	share := filepath.Join(d.tmp, "share")
	man := filepath.Join(share, "man", "man1")
	for _, folder := range []string{man, filepath.Join(share, "mime", "packages"), filepath.Join(share, "misc"),
		filepath.Join(share, "doc", "ply11")} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return "", err
		}
	}
	for _, name := range commands {
		if _, err := d.do(d.src, nil, "go", "run", "-tags", "man", "./cmd/"+name, man); err != nil {
			return "", err
		}
	}
	if _, err := d.do(man, nil, "gzip", "-r9n", "."); err != nil { // as Debian wants them
		return "", err
	}
	for shell, file := range map[string]string{"bash": "bash-completion/completions/ply11",
		"zsh": "zsh/vendor-completions/_ply11", "fish": "fish/vendor_completions.d/ply11.fish"} {
		text, err := d.do(d.src, nil, "go", "run", "./cmd/ply11", "completion", shell)
		if err != nil {
			return "", err
		}
		path := filepath.Join(share, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o666); err != nil {
			return "", err
		}
	}
	for from, to := range map[string]string{"internal/dist/ply11.xml": "mime/packages/ply11.xml",
		"internal/dist/ply11.magic": "misc/ply11.magic", "LICENSE": "doc/ply11/copyright",
		"README.md": "doc/ply11/README.md", "CHANGELOG.md": "doc/ply11/CHANGELOG.md"} {
		if _, err := d.do(d.src, nil, "cp", from, filepath.Join(share, filepath.FromSlash(to))); err != nil {
			return "", err
		}
	}
	return share, nil
}

// deb makes the Debian package of each processor out of the programs.
func (d *dist) deb() error {
	maintainer, err := d.do(d.src, nil, "git", "log", "-1", "--format=%an <%ae>")
	if err != nil {
		return err
	}
	for _, arch := range []string{"amd64", "arm64"} {
		folder := d.folder("linux", arch)
		if _, err := os.Stat(folder); err != nil {
			return fmt.Errorf("the package is made of the programs: make these, too: %w", err)
		}
		type info struct {
			Mode  int       `json:"mode,omitempty"`
			MTime time.Time `json:"mtime"`
		}
		type content struct {
			Src  string `json:"src"`
			Dst  string `json:"dst"`
			Info info   `json:"file_info"`
		}
		var contents []content
		for _, p := range commands {
			contents = append(contents, content{filepath.Join(folder, p), "/usr/bin/" + p, info{0o755, d.time}})
		}
		files, err := filesOf(filepath.Join(folder, "share"))
		if err != nil {
			return err
		}
		for _, f := range files {
			contents = append(contents, content{filepath.Join(folder, "share", f), "/usr/share/" + filepath.ToSlash(f),
				info{0o644, d.time}})
		}
		// nfpm reads YAML, and JSON is YAML.
		config, err := json.Marshal(map[string]any{
			"name": "ply11", "arch": arch, "platform": "linux", "version": d.version, "section": "games",
			"priority": "optional", "license": "Apache-2.0",
			"maintainer": maintainer, "mtime": d.time, "contents": contents,
			"description": "Chess games at eleven bits a move\nArchives of chess games that give back the PGN to the " +
				"byte, with a search of names, moves and\npositions. genrom makes ROM images and Verilog of the same " +
				"move index.",
		})
		if err != nil {
			return err
		}
		path := filepath.Join(d.tmp, "nfpm-"+arch+".yaml")
		if err := os.WriteFile(path, config, 0o666); err != nil {
			return err
		}
		if _, err := d.do(d.src, nil, "go", "run", nfpm, "package", "--packager", "deb", "--config", path, "--target",
			d.out); err != nil {
			return err
		}
	}
	return nil
}

// verilog makes a zip of the folder hdl as FuseSoC, simulators and synthesis want it.
func (d *dist) verilog() error {
	folder := filepath.Join(d.tmp, "verilog", "ply11-verilog-"+d.version)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if _, err := d.do(d.src, nil, "cp", "-r", "hdl/rtl", "hdl/driver", "hdl/ply11.core", "hdl/README.md",
		"docs/hardware.md", "docs/hardware-reference.md", "LICENSE", folder); err != nil {
		return err
	}
	return d.pack(filepath.Join(d.out, filepath.Base(folder)+".zip"), folder)
}

// python makes the wheel and the source distribution.
func (d *dist) python() error {
	folder, venv := filepath.Join(d.src, "clients", "python"), filepath.Join(d.tmp, "venv")
	python := filepath.Join(venv, "bin", "python")
	sources := "ply11-" + cli.Release
	for _, line := range [][]string{
		{"python3", "-m", "venv", venv},
		{python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--require-hashes", "-r",
			"requirements.txt"},
		// From here and not from the sources handed out, which have no program.
		{python, "-m", "build", "--no-isolation", "--sdist", "--wheel", "--outdir", d.out, "."},
		{python, "-m", "tarfile", "-e", filepath.Join(d.out, sources+".tar.gz"), d.tmp},
	} {
		if _, err := d.do(folder, []string{"CFLAGS=-g0"}, line...); err != nil {
			return err
		}
	}
	// The source distribution has the time at which it was made, so it is packed again.
	return d.pack(filepath.Join(d.out, sources+".tar.gz"), filepath.Join(d.tmp, sources))
}

func (d *dist) npm() error {
	_, err := d.do(filepath.Join(d.src, "clients", "js"), nil, "npm", "pack", "--silent", "--pack-destination", d.out)
	return err
}

func (d *dist) rust() error {
	target := filepath.Join(d.tmp, "target")
	if _, err := d.do(filepath.Join(d.src, "clients", "rust"), []string{"CARGO_TARGET_DIR=" + target}, "cargo",
		"package", "--locked", "--quiet", "--no-verify"); err != nil {
		return err
	}
	_, err := d.do(target, nil, "sh", "-c", `cp package/*.crate "$0"`, d.out)
	return err
}

func (d *dist) sums() error {
	text, err := d.do(d.out, nil, "sh", "-c", `sums=$(sha256sum *) && echo "$sums" | tee SHA256SUMS`)
	fmt.Println(text)
	return err
}
