// SPDX-License-Identifier: Apache-2.0

package files

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"ply11/internal/httprange"
)

// Beam reads an object of S3 from its front, in one answer, and if that is cut off the step begins again; and of an
// upload that is given up it leaves the parts that were sent, which cost money and which no list of objects tells. So
// objects of S3 are read by ranges here, and written by an upload that is taken back.

const s3Scheme = "s3://"

// s3Client returns a client with the settings and credentials that Beam uses, and the bucket and key of a name.
func s3Client(ctx context.Context, name string) (client *s3.Client, bucket, key *string, err error) {
	b, k, _ := strings.Cut(strings.TrimPrefix(name, s3Scheme), "/")
	c, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	return s3.NewFromConfig(c), &b, &k, nil
}

// s3File is an object of S3.
type s3File struct{ *io.SectionReader }

// Close does nothing: a request is open only while it is read.
func (s3File) Close() error { return nil }

// openS3 opens an object, from any place of which one can read: what was cut off is asked for again from there.
func openS3(ctx context.Context, name string) (s3File, error) {
	client, bucket, key, err := s3Client(ctx, name)
	if err != nil {
		return s3File{}, err
	}
	r, err := httprange.New(ctx, name, func(ctx context.Context, byteRange string) (*httprange.Response, error) {
		out, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: key, Range: &byteRange})
		var refused *smithyhttp.ResponseError
		if errors.As(err, &refused) && refused.Response != nil {
			if refused.HTTPStatusCode() == http.StatusRequestedRangeNotSatisfiable {
				// So S3 answers for an empty object, and does not say that it is empty.
				if head, err := client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: bucket, Key: key}); err == nil &&
					aws.ToInt64(head.ContentLength) == 0 {
					refused.Response.Header.Set("Content-Range", "bytes */0")
				}
			}
			return &httprange.Response{Status: refused.HTTPStatusCode(), Length: -1,
				Header: refused.Response.Header.Get, Body: http.NoBody}, nil
		}
		if err != nil {
			return nil, err
		}
		header := http.Header{}
		header.Set("Content-Range", aws.ToString(out.ContentRange))
		header.Set("ETag", aws.ToString(out.ETag))
		status := http.StatusOK
		if out.ContentRange != nil {
			status = http.StatusPartialContent
		}
		length := int64(-1) // not told
		if out.ContentLength != nil {
			length = *out.ContentLength
		}
		return &httprange.Response{Status: status, Length: length, Header: header.Get, Body: out.Body}, nil
	})
	if err != nil {
		return s3File{}, err
	}
	return s3File{io.NewSectionReader(r, 0, r.Size())}, nil
}

// giveUp is how long an upload that failed has to take its parts back. It needs a time of its own, because ctx may have
// ended.
const giveUp = 30 * time.Second

// writeS3 writes an object, in parts if it is large: 8 MiB each, and 10,000 at the most, as S3 allows. If that fails,
// or ctx ends, no part stays.
func writeS3(ctx context.Context, name string, write func(io.Writer) error) error {
	client, bucket, key, err := s3Client(ctx, name)
	if err != nil {
		return err
	}
	body, in := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		manager := transfermanager.New(client, func(o *transfermanager.Options) { o.FailTimeout = giveUp })
		_, err := manager.UploadObject(ctx, &transfermanager.UploadObjectInput{Bucket: bucket, Key: key, Body: body})
		body.CloseWithError(err) // if it ended before what is written
		sent <- err
	}()
	wrong := write(in)
	in.CloseWithError(wrong) // without an error it is the end
	err = <-sent
	if wrong != nil {
		return wrong
	}
	return err
}
