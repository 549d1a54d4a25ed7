// SPDX-License-Identifier: Apache-2.0

package pool

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	pipepb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/pipeline_v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// request asks for a worker, of the name and for the runner at the address.
func request(id, runner string) *fnpb.StartWorkerRequest {
	at := func() *pipepb.ApiServiceDescriptor { return &pipepb.ApiServiceDescriptor{Url: runner} }
	return &fnpb.StartWorkerRequest{WorkerId: id, LoggingEndpoint: at(), ControlEndpoint: at()}
}

// TestNamesakes: workers of one name work for several runners, and end when all are stopped, and not before; then the
// name is free. Others are not touched.
func TestNamesakes(t *testing.T) {
	works, ended := make(chan string), make(chan string)
	s := &service{workers: map[string]*namesakes{}, work: func(ctx context.Context, r *fnpb.StartWorkerRequest) error {
		works <- r.ControlEndpoint.Url
		<-ctx.Done()
		ended <- r.ControlEndpoint.Url
		return ctx.Err()
	}}
	start := func(id, runner string) {
		t.Helper()
		if r, err := s.StartWorker(t.Context(), request(id, runner)); err != nil || r.Error != "" {
			t.Fatalf("%v, %v", r, err)
		}
		if got := <-works; got != runner {
			t.Fatalf("the worker of %s works for %s", runner, got)
		}
	}
	stop := func(id string) string {
		t.Helper()
		r, err := s.StopWorker(t.Context(), &fnpb.StopWorkerRequest{WorkerId: id})
		if err != nil {
			t.Fatal(err)
		}
		return r.Error
	}
	for range 2 {
		start("1-1", "a")
		start("1-1", "b")
		start("2-1", "a")
		if e := stop("1-1"); e != "" {
			t.Fatal(e)
		}
		if s.workers["1-1"].wanted != 1 {
			t.Fatal("both are stopped")
		}
		if e := stop("1-1"); e != "" {
			t.Fatal(e)
		}
		if got := <-ended + <-ended; got != "ab" && got != "ba" {
			t.Fatalf("those of %s have ended", got)
		}
		if e := stop("1-1"); !strings.Contains(e, `"1-1": there is none`) {
			t.Fatalf("a third is stopped: %q", e)
		}
		stop("2-1")
		<-ended
		if len(s.workers) != 0 {
			t.Fatalf("%d names are kept", len(s.workers))
		}
	}
}

// TestEnded: of a worker that has ended by itself, nothing but its name is kept, however often its runner starts it.
func TestEnded(t *testing.T) {
	ended := make(chan bool)
	s := &service{workers: map[string]*namesakes{}, work: func(context.Context, *fnpb.StartWorkerRequest) error {
		ended <- true
		return nil
	}}
	for range 100 {
		if r, err := s.StartWorker(t.Context(), request("1-1", "a")); err != nil || r.Error != "" {
			t.Fatalf("%v, %v", r, err)
		}
		<-ended
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		n := len(s.workers["1-1"].stop)
		s.mu.Unlock()
		if n == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d workers that have ended are kept", n)
		}
	}
}

// TestRefused: what a worker cannot work for is refused, by the pool that listens.
func TestRefused(t *testing.T) {
	address, err := Start(0)
	if err != nil {
		t.Fatal(err)
	}
	if host, _, err := net.SplitHostPort(address); err != nil || host != "localhost" {
		t.Fatalf("%q, %v", address, err)
	}
	conn, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := fnpb.NewBeamFnExternalWorkerPoolClient(conn)
	secret := request("1", "localhost:1")
	secret.ControlEndpoint.Authentication = &pipepb.AuthenticationSpec{Urn: "secret"}
	for want, r := range map[string]*fnpb.StartWorkerRequest{"are not given": {WorkerId: "1"},
		"not supported": secret} {
		if got, err := client.StartWorker(t.Context(), r); err != nil || !strings.Contains(got.Error, want) {
			t.Errorf("%v, %v, not %q", got, err, want)
		}
	}
}
