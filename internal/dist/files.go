// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
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

// mode is what a file in an archive may be used for: all of a folder but programs is read.
func mode(path string) fs.FileMode {
	if info, err := os.Stat(path); err == nil && info.Mode()&0o111 != 0 {
		return 0o755
	}
	return 0o644
}

// copyTo copies a file, or a folder with all that is below it.
func copyTo(to, from string) error {
	if info, err := os.Stat(from); err != nil {
		return err
	} else if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, mode(from))
}

// writeTar packs a folder under its own name. All files have the same time, and nobody owns them.
func writeTar(path, folder string, at time.Time) error {
	return writeFile(path, func(f io.Writer) error {
		z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
		if err != nil {
			return err
		}
		w := tar.NewWriter(z)
		err = each(folder, func(name, path string, content []byte) error {
			head := &tar.Header{Name: filepath.Base(folder) + "/" + name, Mode: int64(mode(path)),
				Size: int64(len(content)), ModTime: at, Format: tar.FormatPAX}
			if err := w.WriteHeader(head); err != nil {
				return err
			}
			_, err := w.Write(content)
			return err
		})
		return errors.Join(err, w.Close(), z.Close())
	})
}

// writeZip does so for systems that have no tar.
func writeZip(path, folder string, at time.Time) error {
	return writeFile(path, func(f io.Writer) error {
		w := zip.NewWriter(f)
		err := each(folder, func(name, path string, content []byte) error {
			head := &zip.FileHeader{Name: filepath.Base(folder) + "/" + name, Method: zip.Deflate, Modified: at}
			head.SetMode(mode(path))
			in, err := w.CreateHeader(head)
			if err != nil {
				return err
			}
			_, err = in.Write(content)
			return err
		})
		return errors.Join(err, w.Close())
	})
}

// each calls do for each file below a folder, in order: with its path from there, by slashes, its path, and what it
// holds.
func each(folder string, do func(name, path string, content []byte) error) error {
	files, err := filesOf(folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(folder, f)
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := do(filepath.ToSlash(f), path, content); err != nil {
			return err
		}
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// compressAll compresses the files of a folder by gzip, as Debian wants manual pages, without a time.
func compressAll(folder string) error {
	return each(folder, func(_, path string, content []byte) error {
		err := writeFile(path+".gz", func(w io.Writer) error {
			z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
			if err != nil {
				return err
			}
			_, err = z.Write(content)
			return errors.Join(err, z.Close())
		})
		if err != nil {
			return err
		}
		return os.Remove(path)
	})
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
