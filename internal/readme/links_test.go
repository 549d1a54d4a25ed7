// SPDX-License-Identifier: Apache-2.0

package readme_test

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ply11/hdl"
)

// eachFile calls visit with each file of the tree, but for what is built or installed: its path from the tree's root,
// with slashes, and where it is.
func eachFile(t *testing.T, visit func(name, file string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && file != root {
			return nil // it was there for a moment: a test of another package made it
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case !d.IsDir():
			visit(name, file)
		case strings.HasPrefix(d.Name(), ".") && name != "." || name == "build" || name == "bin" ||
			d.Name() == "node_modules":
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// pages returns the Markdown files of the tree, by their paths from its root.
func pages(t *testing.T) []string {
	t.Helper()
	var list []string
	eachFile(t, func(name, _ string) {
		if path.Ext(name) == ".md" {
			list = append(list, name)
		}
	})
	if len(list) < 8 {
		t.Fatalf("only %d pages: %v", len(list), list)
	}
	return list
}

var (
	pageLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	// repoPath is what may be a path of the tree: two names or more with slashes between.
	repoPath = regexp.MustCompile(`[A-Za-z0-9_.*-]+(?:/[A-Za-z0-9_.*-]+)+/?`)
	notWord  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchor returns the name that a heading has as a target of links, as the usual renderers make it.
func anchor(heading string) string {
	return strings.ReplaceAll(notWord.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// TestLinks follows every relative link of every page, to its heading where it names one.
func TestLinks(t *testing.T) {
	links := 0
	for _, name := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pageLink.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			links++
			file, target, _ := strings.Cut(m[1], "#")
			to := name
			if file != "" {
				to = path.Join(path.Dir(name), file)
			}
			linked, err := os.ReadFile(filepath.Join(root, to))
			if info, dirErr := os.Stat(filepath.Join(root, to)); dirErr == nil && info.IsDir() {
				linked, err = nil, nil
			}
			if err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
				continue
			}
			found := target == ""
			for _, h := range heading.FindAllSubmatch(linked, -1) {
				found = found || anchor(string(h[1])) == target
			}
			if !found {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links", links)
	}
}

// TestPaths looks up every path of the tree that a page names. A path is known by its first name, which is
// one of the tree's top level. What commands make is in build/ and bin/, which are not in the tree.
func TestPaths(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	top := make(map[string]bool)
	for _, e := range entries {
		top[e.Name()] = e.IsDir() && e.Name() != "build" && e.Name() != "bin" && e.Name() != ".git"
	}
	checked := 0
	for _, name := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range repoPath.FindAllString(string(text), -1) {
			p = strings.TrimPrefix(strings.Trim(p, "."), "/")
			p = strings.TrimPrefix(strings.TrimPrefix(p, "ply11/"), "./")
			first, rest, _ := strings.Cut(p, "/")
			if !top[first] || rest == "" || strings.HasSuffix(p, "...") {
				continue
			}
			checked++
			if found, err := filepath.Glob(filepath.Join(root, p)); err != nil || len(found) == 0 {
				t.Errorf("%s names %s, which is not there", name, p)
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d paths", checked)
	}
}

// TestRunPatterns: where a page says `genrom prove --run PATTERN`, or synth, the pattern, as it stands there,
// matches a row. A bar with a backslash, as tables of Markdown want it, would match nothing.
func TestRunPatterns(t *testing.T) {
	command := regexp.MustCompile("(prove|synth)(?: --[a-z-]+)* --run ('[^']*'|[^ `\n]+)")
	found := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range command.FindAllStringSubmatch(string(text), -1) {
			raw := strings.Trim(m[2], "'")
			if raw == "NAME" || strings.HasPrefix(raw, "^NAME") {
				continue // whoever reads it puts another there
			}
			found++
			rows, err := hdl.Table(map[string]string{"prove": "checks.tsv", "synth": "syn/designs.tsv"}[m[1]])
			if err != nil {
				t.Fatal(err)
			}
			pattern, err := regexp.Compile(raw)
			if err != nil || strings.Contains(raw, `\|`) ||
				!slices.ContainsFunc(rows, func(row hdl.Row) bool { return pattern.MatchString(row["name"]) }) {
				t.Errorf("%s: %s matches nothing (%v)", page, m[0], err)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d patterns", found)
	}
}
