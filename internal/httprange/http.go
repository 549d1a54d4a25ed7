// SPDX-License-Identifier: Apache-2.0

package httprange

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// How long the beginning of an answer, and each next piece of it, may take, and how long the whole of it.
const (
	patience = 30 * time.Second
	longest  = 5 * time.Minute
)

// client asks, and follows no redirection from https to http.
var client = &http.Client{
	Transport: func() http.RoundTripper {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = patience
		t.DisableCompression = true
		return t
	}(),
	CheckRedirect: func(to *http.Request, via []*http.Request) error {
		if len(via) >= 10 {
			return errors.New("more than 10 redirections")
		}
		if via[len(via)-1].URL.Scheme == "https" && to.URL.Scheme != "https" {
			return errors.New("it redirects from https to http")
		}
		return nil
	},
}

// Open opens the file at an address that begins with http:// or https://. See New.
func Open(ctx context.Context, address string) (*Reader, error) {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	return New(ctx, request.URL.Redacted(), func(ctx context.Context, byteRange string) (*Response, error) {
		ctx, cancel := context.WithTimeout(ctx, longest)
		q := request.Clone(ctx)
		q.Header.Set("Range", byteRange)
		q.Header.Set("User-Agent", "ply11")
		a, err := client.Do(q)
		if err != nil {
			cancel()
			var wrapped interface{ Unwrap() error } // *url.Error, which tells the address again
			if errors.As(err, &wrapped) {
				err = wrapped.Unwrap()
			}
			return nil, err
		}
		return &Response{Status: a.StatusCode, Length: a.ContentLength, Header: a.Header.Get,
			Body: &patient{a, cancel, time.AfterFunc(patience, cancel)}}, nil
	})
}

// patient is a body of which no piece may take too long.
type patient struct {
	a      *http.Response
	cancel func()
	timer  *time.Timer
}

func (p *patient) Read(b []byte) (int, error) {
	p.timer.Reset(patience)
	return p.a.Body.Read(b)
}

func (p *patient) Close() error {
	p.timer.Stop()
	defer p.cancel()
	return p.a.Body.Close()
}
