// SPDX-License-Identifier: Apache-2.0

package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// filesOf returns the files below a folder, by their paths from there, in order.
func filesOf(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		files = append(files, name)
		return err
	})
	slices.Sort(files)
	return files, err
}

// pack packs a folder under its own name, as a zip for systems that have no tar, and else by tar and gzip. All files
// have the same time, nobody owns them, and all of them are read.
func (d *dist) pack(path, folder string) error {
	parent, name := filepath.Split(folder)
	line := []string{"tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=pax",
		"--pax-option=delete=atime,delete=ctime", "--use-compress-program=gzip -9n", "-cf", path, name}
	if filepath.Ext(path) == ".zip" {
		line = []string{"python3", "-m", "zipfile", "-c", path, name}
	}
	for _, line := range [][]string{{"chmod", "-R", "u=rwX,go=rX", name},
		{"find", name, "-exec", "touch", "-d", "@" + strconv.FormatInt(d.time.Unix(), 10), "{}", "+"}, line} {
		if _, err := d.do(parent, nil, line...); err != nil {
			return err
		}
	}
	return nil
}

// modulesOf adds the modules that are linked into a program: path@version.
func modulesOf(program string, linked map[string]bool) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		linked[m.Path+"@"+m.Version] = true
	}
	return nil
}

// licence is what the files are called in which a module says what one may do with it.
var licence = regexp.MustCompile(`(?i)^(licen[sc]e|notice|copying|patents)([.-].*)?$`)

// notices writes the licences of Go and of all modules that are linked.
func (d *dist) notices(linked map[string]bool, path string) error {
	var b strings.Builder
	add := func(name, folder string) error {
		files, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		found := false
		for _, f := range files {
			if f.IsDir() || !licence.MatchString(f.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s\n%s: %s\n%[1]s\n\n%s\n\n", strings.Repeat("=", 80), name, f.Name(),
				strings.TrimSpace(string(text)))
			found = true
		}
		if !found {
			return fmt.Errorf("%s has no licence in %s", name, folder)
		}
		return nil
	}
	b.WriteString(
		"ply11 is under the Apache License 2.0. Its programs hold these libraries, under licences of their own.\n\n")
	root, err := d.do(d.src, nil, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	if err := add("The Go Programming Language", root); err != nil {
		return err
	}
	for _, module := range slices.Sorted(maps.Keys(linked)) {
		text, err := d.do(d.src, nil, "go", "mod", "download", "-json", module)
		if err != nil {
			return err
		}
		var m struct{ Dir string }
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			return err
		}
		if err := add(module, m.Dir); err != nil {
			return err
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}
