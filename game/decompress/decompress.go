// SPDX-License-Identifier: Apache-2.0

// Package decompress reads files compressed by gzip, zstd, bzip2 or xz, which it knows by their first bytes and the
// ends of their names.
package decompress

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"ply11/game/codec"
)

// MaxWindow is the most that a compressed input may look back: that of zstd --ultra -22, and twice that of xz -9.
const MaxWindow = 128 << 20

// errCutOff: a compressed file is not whole.
var errCutOff = fmt.Errorf("%w: the compressed data", codec.ErrTruncated)

// errWindow: a compressed file looks back too far.
var errWindow = fmt.Errorf("%w: to decompress it takes more than %d MiB of memory (it was compressed with a window "+
	"of more)", codec.ErrLimit, MaxWindow>>20)

// Named tells a compression by the end of a file's name, "" for none.
func Named(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".zst":
		return "zstd"
	case ".gz":
		return "gzip"
	case ".bz2":
		return "bzip2"
	case ".xz":
		return "xz"
	}
	return ""
}

// magics are the first bytes of compressed files. A point stands for any byte.
var magics = []struct{ compression, magic string }{
	{"zstd", "\x28\xb5\x2f\xfd"},
	{"zstd", ".\x2a\x4d\x18"}, // a skippable frame, as pzstd writes them
	{"gzip", "\x1f\x8b\x08"},
	{"bzip2", "BZh.\x31\x41\x59\x26\x53\x59"},
	{"bzip2", "BZh.\x17\x72\x45\x38\x50\x90"}, // of nothing
	{"xz", "\xfd7zXZ\x00"},
}

// In tells a compression by the first bytes of a file, "" for none.
func In(head []byte) string {
	compression, _ := in(head, "")
	return compression
}

// in is In. cut reports that there are too few bytes to tell that they are not of the compression want.
func in(head []byte, want string) (compression string, cut bool) {
	for _, m := range magics {
		n := 0
		for n < len(m.magic) && n < len(head) && (m.magic[n] == '.' || m.magic[n] == head[n]) {
			n++
		}
		if n == len(m.magic) && !(m.magic[0] == '.' && head[0]&^15 != 0x50) {
			return m.compression, false
		}
		cut = cut || m.compression == want && n == len(head)
	}
	return "", cut
}

// Reader reads what was compressed. It is closed after use.
type Reader struct {
	// Compression is "zstd", "gzip", "bzip2" or "xz"; or "", and the file is read as it is.
	Compression string
	r           io.Reader
	of          *bufio.Reader // what is compressed
	close       func()
}

// New returns the reader of what is in b. named is the compression that the file's name says, see Named. If anyName is
// true, the first bytes alone decide; else a file whose name says none is read as it is. A file that is not what its
// name says is read as it is if it is text and anyName is true, and refused if not.
//
// Errors are those of b; codec.ErrTruncated; codec.ErrLimit for a window of more than MaxWindow; and those of the
// compressions.
func New(b *bufio.Reader, named string, anyName bool) (*Reader, error) {
	head, err := b.Peek(min(512, b.Size()))
	if err != nil && err != io.EOF {
		return nil, err
	}
	r := &Reader{r: b, of: b, close: func() {}}
	if anyName || named != "" {
		var cut bool
		r.Compression, cut = in(head, named)
		if r.Compression == "" && named != "" {
			if cut {
				return nil, errCutOff
			}
			if bytes.IndexByte(head, 0) >= 0 || !anyName {
				return nil, fmt.Errorf("its name is that of a file compressed with %s, and it is none", named)
			}
		}
	}
	err = nil
	switch r.Compression {
	case "zstd":
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(MaxWindow),
			zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, inWords(err)
		}
		r.r, r.close = z, z.Close
	case "gzip":
		r.r, err = gzip.NewReader(b)
	case "bzip2":
		r.r = bzip2.NewReader(b)
	case "xz":
		r.r, err = xz.NewReader(b, MaxWindow)
	}
	if err != nil {
		return nil, inWords(err)
	}
	return r, nil
}

// Read returns errors as New does.
func (r *Reader) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	if r.Compression == "" {
		return n, err
	}
	if bad := bzip2.StructuralError(""); errors.As(err, &bad) {
		if _, end := r.of.Peek(1); end == io.EOF {
			err = io.ErrUnexpectedEOF // bzip2 tells of a wrong checksum there
		}
	}
	return n, inWords(err)
}

// Close gives memory back. It does not close what is read.
func (r *Reader) Close() { r.close() }

// inWords tells of an error in the words of this package.
func inWords(err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, xz.ErrBuf):
		return errCutOff
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded),
		errors.Is(err, xz.ErrMemlimit):
		return errWindow
	}
	return err
}
