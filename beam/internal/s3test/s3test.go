// SPDX-License-Identifier: Apache-2.0

// Package s3test runs a server of S3 for tests: gofakes3, which others wrote, in this process, with faults as a real one has.
package s3test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Server is a server with faults.
type Server struct {
	store                 http.Handler
	busy, short           int64
	requests, gets        atomic.Int64
	refused, cut, uploads atomic.Int64
}

// Refused is the number of requests that were answered with 503.
func (s *Server) Refused() int64 { return s.refused.Load() }

// Cut is the number of answers that were cut off.
func (s *Server) Cut() int64 { return s.cut.Load() }

// Uploads is the number of uploads in parts.
func (s *Server) Uploads() int64 { return s.uploads.Load() }

// Serve serves a bucket until the test ends, and sets the variables of the environment by which clients find it. Of so many requests one is answered with
// 503, and of so many answers with an object one is cut off; 0 is none.
func Serve(t *testing.T, bucket string, busy, short int64) *Server {
	t.Helper()
	s := &Server{store: gofakes3.New(s3mem.New()).Server(), busy: busy, short: short}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"} {
		t.Setenv(name, value)
	}
	request, err := http.NewRequest(http.MethodPut, server.URL+"/"+bucket, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	if s.store.ServeHTTP(answer, request); answer.Code != http.StatusOK {
		t.Fatal(answer.Code, answer.Body)
	}
	return s
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if n := s.requests.Add(1); s.busy > 0 && n%s.busy == 0 {
		s.refused.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if r.Method == http.MethodPost && r.URL.Query().Has("uploads") {
		s.uploads.Add(1)
	}
	object := strings.Count(strings.Trim(r.URL.Path, "/"), "/") > 0
	if r.Method != http.MethodGet || !object || s.short == 0 || s.gets.Add(1)%s.short != 0 {
		s.store.ServeHTTP(w, r)
		return
	}
	s.cut.Add(1)
	answer := httptest.NewRecorder()
	s.store.ServeHTTP(answer, r)
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.Code)
	w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
	panic(http.ErrAbortHandler)
}
