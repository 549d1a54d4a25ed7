// SPDX-License-Identifier: Apache-2.0

package files_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"ply11/beam/internal/files"
	"ply11/beam/internal/storetest"
	"ply11/internal/httprange"
)

// TestS3Untold: an object whose length an answer does not tell is not taken for an empty one.
func TestS3Untold(t *testing.T) {
	storetest.S3(t, "games", 0, 0)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush() // all of the object, whatever range is asked for
		w.Write([]byte("eleven bits"))
	}))
	defer server.Close()
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	in, err := files.OpenAt(t.Context(), "s3://games/x")
	if err == nil {
		all, err := io.ReadAll(io.NewSectionReader(in, 0, 100))
		t.Errorf("%q, %v", all, err)
	} else if !errors.Is(err, httprange.ErrNoRanges) {
		t.Error(err)
	}
}

// TestS3: an object is written, in parts if it is large, and read by ranges, by a server that is busy and cuts answers
// off; a write that fails leaves nothing, not even parts.
func TestS3(t *testing.T) {
	server := storetest.S3(t, "games", 6, 3)
	ctx := t.Context()
	c, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		t.Fatal(err)
	}
	client := s3.NewFromConfig(c)
	rng := rand.NewChaCha8([32]byte{1})
	for size, parts := range map[int]int64{0: 0, 1: 0, 100_000: 0, 20 << 20: 1} {
		want := make([]byte, size)
		rng.Read(want)
		before := server.Uploads()
		if err := files.Write(ctx, "s3://games/x/object", func(w io.Writer) error {
			_, err := io.Copy(w, bytes.NewReader(want))
			return err
		}); err != nil {
			t.Fatal(size, err)
		}
		if got := server.Uploads() - before; got != parts {
			t.Errorf("%d bytes: %d uploads in parts", size, got)
		}
		list, err := files.Match(ctx, []string{"s3://games/x/*"})
		if err != nil || len(list) != 1 || list[0].Size != int64(size) {
			t.Errorf("%d bytes: %v, %v", size, list, err)
		}
		in, err := files.OpenAt(ctx, "s3://games/x/object")
		if err != nil {
			t.Fatal(size, err)
		}
		all, err := io.ReadAll(io.NewSectionReader(in, 0, int64(size)+10))
		if err != nil || !bytes.Equal(all, want) {
			t.Errorf("%d bytes: %v, %d read", size, err, len(all))
		}
		for range 20 {
			if size == 0 {
				break
			}
			at := rng.Uint64() % uint64(size)
			b := make([]byte, min(uint64(size)-at, 1000))
			if _, err := in.ReadAt(b, int64(at)); err != nil || !bytes.Equal(b, want[at:][:len(b)]) {
				t.Errorf("%d bytes, at %d: %v", size, at, err)
			}
		}
		in.Close()
		if size == 0 {
			continue // an archive is not empty
		}
		// The other commands read by a signed address.
		signed, err := s3.NewPresignClient(client).PresignGetObject(ctx, &s3.GetObjectInput{Bucket: aws.String("games"),
			Key: aws.String("x/object")})
		if err != nil {
			t.Fatal(err)
		}
		r, err := httprange.Open(ctx, signed.URL)
		if err != nil {
			t.Fatal(size, err)
		}
		if all, err := io.ReadAll(io.NewSectionReader(r, 0, r.Size())); err != nil || !bytes.Equal(all, want) {
			t.Errorf("%d bytes by a signed address: %v, %d read", size, err, len(all))
		}
	}
	if _, err := files.Open(ctx, "s3://games/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	wrong := errors.New("wrong")
	for _, size := range []int{0, 1, 20 << 20} {
		if err := files.Write(ctx, "s3://games/broken", func(w io.Writer) error {
			w.Write(make([]byte, size))
			return wrong
		}); err != wrong {
			t.Errorf("%v", err)
		}
	}
	// One that is given up before it begins, and one when parts are sent.
	for _, size := range []int{0, 20 << 20} {
		before := server.Uploads()
		short, cancel := context.WithCancel(ctx)
		if err := files.Write(short, "s3://games/broken", func(w io.Writer) error {
			w.Write(make([]byte, size))
			if size > 0 && server.Uploads() == before {
				t.Error("no part is sent yet")
			}
			cancel()
			_, err := w.Write(make([]byte, 20<<20))
			return err
		}); err == nil {
			t.Error("what was given up is written")
		}
		cancel()
	}
	if list, err := files.Match(ctx, []string{"s3://games/broken*"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v", list, err)
	}
	uploads, err := client.ListMultipartUploads(ctx, &s3.ListMultipartUploadsInput{Bucket: aws.String("games")})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(uploads.Uploads); n != 0 {
		t.Errorf("%d uploads are open", n)
	}
}
