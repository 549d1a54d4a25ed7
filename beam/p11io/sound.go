// SPDX-License-Identifier: Apache-2.0

package p11io

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"ply11/beam/internal/files"
	"ply11/bitstream/archive"
)

func init() { beam.RegisterDoFn(reflect.TypeFor[soundFn]()) }

// bad counts the archives that Sound has set aside.
var bad = beam.NewCounter(files.CounterSpace, BadCounter)

// BadCounter is the name of the counter of archives that Sound has set aside.
const BadCounter = "bad archives"

// Sound returns those of a collection of files, which the module has found before, that are archives without damage, of
// a version that this program reads. For each of the others it writes a text to a folder: the file's name and its
// error, a line each. It reads each archive whole, and compares the digests of its blocks, so that what comes after it
// reads them a second time. The files keep their numbers.
//
// An archive that is only not to be had, as when a server does not answer or access is refused, ends the pipeline: it
// may be sound.
func Sound(s beam.Scope, found beam.PCollection, folder string) beam.PCollection {
	return beam.ParDo(s.Scope("p11io.Sound"), &soundFn{folder}, found)
}

// soundFn verifies an archive.
type soundFn struct{ Folder string }

// ProcessElement gives it, or sets it aside.
func (fn *soundFn) ProcessElement(ctx context.Context, f files.File, emit func(files.File)) error {
	in, err := files.OpenAt(ctx, f.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	defer in.Close()
	err = verify(in, f.Size)
	switch {
	case err == nil:
		emit(f)
		return nil
	case !errors.Is(err, archive.ErrCorrupt) && !errors.Is(err, archive.ErrNotArchive) &&
		!errors.Is(err, archive.ErrVersion):
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	bad.Inc(ctx, 1)
	name := fn.Folder + "/" + textName(f.Name)
	if err := files.Write(ctx, name, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n%v\n", f.Name, err)
		return err
	}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// maxTextBase is how many bytes of a file's own name the name of its text has at most: file systems take 255, also for
// the temporary file that Write makes beside it.
const maxTextBase = 100

// textName returns the name of the text that tells of a file: the last part of its name, and a hash of the whole name,
// so that files of other folders have other texts. It does not have the file's number, so that a pipeline that runs
// again with more files replaces the text. What not every file system takes in a name is '_'.
func textName(file string) string {
	base := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(".-_", r) {
			return r
		}
		return '_'
	}, file[strings.LastIndexByte(file, '/')+1:])
	if len(base) > maxTextBase {
		base = strings.ToValidUTF8(base[:maxTextBase], "") // the last rune may be cut
	}
	sum := sha256.Sum256([]byte(file))
	return fmt.Sprintf("%s-%x.txt", base, sum[:8])
}

// verify reads all blocks of an archive, and compares their digests. It decodes no moves.
func verify(in io.ReaderAt, size int64) error {
	r, err := archive.NewReader(in, size)
	if err != nil {
		return err
	}
	for n := range r.Blocks() {
		b, err := r.Block(n + 1)
		if err != nil {
			return err
		}
		if err := b.VerifyDigests(); err != nil {
			return err
		}
	}
	return nil
}
