// SPDX-License-Identifier: Apache-2.0

//go:build long

package pipelines

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"ply11/beam/internal/storetest"
	"ply11/internal/samples"
)

// TestGCS: from a server of Google Cloud Storage, which others wrote, the pipelines write the same bytes as from a
// disk.
func TestGCS(t *testing.T) {
	storetest.GCS(t, "games")
	sameAsOnDisk(t, gcs.New(t.Context()), "gs://games")
}

// TestS3Commands: of an archive that a pipeline wrote to a server of S3, with faults, ply11 says by a signed address
// what it says of the same archive on a disk.
func TestS3Commands(t *testing.T) {
	server := storetest.S3(t, "games", 9, 5)
	ctx := t.Context()
	dir := t.TempDir()
	program := filepath.Join(dir, "ply11")
	if out, err := exec.Command("go", "build", "-C", "../..", "-o", program, "./cmd/ply11").CombinedOutput(); err !=
		nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Chdir(dir)
	var text []byte
	for _, name := range samples.Names {
		text = append(append(text, samples.File(name)...), "\n\n"...)
	}
	if err := os.WriteFile("all.pgn", text, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, prefix := range []string{"s3://games/all", "all"} {
		run(t, func(s beam.Scope) { Pack(s, []string{"all.pgn"}, PackOptions{}, prefix, 1) })
	}
	const name = "all-00001-of-00001.p11"
	c, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := s3.NewPresignClient(s3.NewFromConfig(c)).PresignGetObject(ctx, &s3.GetObjectInput{
		Bucket: aws.String("games"), Key: aws.String(name)})
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"find --no-index IN", "find --no-index --moves 1.e4 IN", "tree --no-index --json IN",
		"export --to parquet -o OUT IN", "index -o OUT IN"} {
		var said, wrote [2][]byte
		for i, in := range []string{name, signed.URL} {
			words := strings.Fields(args)
			for k := range words {
				words[k] = strings.NewReplacer("IN", in, "OUT", fmt.Sprint("out", i)).Replace(words[k])
			}
			cmd := exec.Command(program, words...)
			var wrong bytes.Buffer
			cmd.Stderr = &wrong
			if said[i], err = cmd.Output(); err != nil {
				t.Fatalf("%s: %v: %s", words, err, wrong.Bytes())
			}
			said[i] = bytes.ReplaceAll(said[i], []byte(in), nil)
			if strings.Contains(args, "OUT") {
				if wrote[i], err = os.ReadFile(fmt.Sprint("out", i)); err != nil || len(wrote[i]) == 0 {
					t.Fatal(err)
				}
				os.Remove(fmt.Sprint("out", i))
			}
		}
		if !bytes.Equal(said[0], said[1]) || !bytes.Equal(wrote[0], wrote[1]) {
			t.Errorf("%s: %d and %d bytes are said, %d and %d written", args, len(said[0]), len(said[1]), len(wrote[0]),
				len(wrote[1]))
		}
	}
	if server.Refused() == 0 || server.Cut() == 0 {
		t.Errorf("%d requests refused, %d answers cut", server.Refused(), server.Cut())
	}
}
