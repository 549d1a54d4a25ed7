// SPDX-License-Identifier: Apache-2.0

package explorer

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"ply11/game/decompress"
	"ply11/query/index"
	"ply11/web"
)

const maxName = 200

var errTooLarge = fmt.Errorf("files of more than %d MiB, or %d MiB together, cannot be dropped: "+
	"name them to ply11 serve", maxDropped>>20, maxFolder>>20)

// dropped keeps the file of a request, below a name, in a folder of its own.
func (h *Handler) dropped(r *http.Request, name string) (path string, err error) {
	if h.options.Here == nil || !h.options.Here(r) {
		return "", web.ErrHere
	}
	if name == "" || name == "." || len(name) > maxName || !filepath.IsLocal(name) ||
		filepath.Base(name) != name || strings.ContainsAny(name, "/\\\x00") {
		return "", fmt.Errorf("%q is no name of a file", short(name, maxText))
	}
	h.mu.Lock()
	if h.folder == "" {
		h.folder, err = os.MkdirTemp("", "ply11-serve-")
	}
	folder := h.folder
	h.mu.Unlock()
	if err != nil {
		return "", err
	}
	size := int64(0)
	err = filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(folder, "")
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, name)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	n, err := io.Copy(f, io.LimitReader(r.Body, maxDropped+1))
	if err = errors.Join(err, f.Close()); err == nil && (n > maxDropped || size+n > maxFolder) {
		err = errTooLarge
	}
	if err != nil {
		os.RemoveAll(dir)
	}
	return path, err
}

// drop serves a file of a browser on this machine. What is no archive is packed.
func (h *Handler) drop(r *http.Request) (any, error) {
	name := r.URL.Query().Get("name")
	path, err := h.dropped(r, name)
	if err != nil {
		return nil, err
	}
	keep := false
	defer func() {
		if !keep {
			os.RemoveAll(filepath.Dir(path))
		}
	}()
	a := &Archive{Name: name, Open: OpenFile(path), Index: OpenFile(path + "x")}
	o, err := a.open()
	if err != nil && h.options.Pack != nil && !strings.EqualFold(filepath.Ext(name), ".p11") && !isArchive(path) {
		to := filepath.Join(filepath.Dir(path), "packed")
		if err := h.options.Pack(r.Context(), path, to); err != nil {
			return nil, errors.New(strings.ReplaceAll(err.Error(), filepath.Dir(path)+string(filepath.Separator), ""))
		}
		os.Remove(path)
		if decompress.Named(name) != "" {
			name = strings.TrimSuffix(name, filepath.Ext(name))
		}
		a.Name = strings.TrimSuffix(name, filepath.Ext(name)) + ".p11"
		a.Open, a.Index = OpenFile(to), OpenFile(to+"x")
		o, err = a.open()
	}
	if err != nil {
		return nil, err
	}
	defer o.Close()
	h.Add(a)
	keep = true
	return o.tell(), nil
}

func isArchive(path string) bool {
	const magic = "\x89P11\r\n\x1a\n"
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == magic
}

// dropIndex takes a file of a browser on this machine for the index of an archive, unless it is another archive's.
func (h *Handler) dropIndex(r *http.Request, o *opened) (any, error) {
	a := o.Archive
	path, err := h.dropped(r, a.Name+"x")
	if err != nil {
		return nil, err
	}
	with := *a
	with.Index = OpenFile(path)
	c, err := with.Index()
	if err == nil {
		var x *index.Index
		if x, err = index.Open(c, c.Size); err == nil {
			err = x.Of(o.source(nil).File())
		}
		c.Close()
	}
	if err != nil {
		os.RemoveAll(filepath.Dir(path))
		return nil, err
	}
	h.mu.Lock()
	for i, b := range h.list {
		if b == a {
			h.list[i] = &with
		}
	}
	h.mu.Unlock()
	o.Archive = &with
	return h.told(r, o)
}
