// SPDX-License-Identifier: Apache-2.0

// Package pool starts workers in this process, as a runner asks for them.
//
// Beam's own pool, extworker, refuses a worker whose name it knows. But each task manager of Flink counts the workers
// that it asks for by itself, and a new one begins at 1 again: so two that have one pool ask for workers of one name. A
// pool of this package starts both.
package pool

import (
	"context"
	"log/slog"
	"net"
	"strconv"
	"sync"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
	"google.golang.org/grpc"
)

// Start listens at a port of localhost, or at any that is free if it is 0, and returns the address for
// --environment_config. The pool ends with the process.
func Start(port int) (address string, err error) {
	l, err := net.Listen("tcp", net.JoinHostPort("localhost", strconv.Itoa(port)))
	if err != nil {
		return "", err
	}
	server := grpc.NewServer()
	fnpb.RegisterBeamFnExternalWorkerPoolServer(server, &service{workers: map[string]*namesakes{}, work: work})
	go func() {
		if err := server.Serve(l); err != nil {
			slog.Error("the pool of workers has ended", "error", err)
		}
	}()
	return net.JoinHostPort("localhost", strconv.Itoa(l.Addr().(*net.TCPAddr).Port)), nil
}

// service answers runners.
type service struct {
	fnpb.UnimplementedBeamFnExternalWorkerPoolServer
	work    func(ctx context.Context, request *fnpb.StartWorkerRequest) error
	mu      sync.Mutex
	workers map[string]*namesakes // by name
}

// namesakes are the workers of one name.
type namesakes struct {
	wanted int                           // those that no runner has stopped yet, also of a runner that is gone
	stop   map[uint64]context.CancelFunc // those that work, by the order in which they were started
	last   uint64
}

// StartWorker starts a worker. It ends when its runner closes the channel of control, or is gone.
func (s *service) StartWorker(_ context.Context, request *fnpb.StartWorkerRequest) (*fnpb.StartWorkerResponse, error) {
	id := request.GetWorkerId()
	refuse := func(reason string) (*fnpb.StartWorkerResponse, error) {
		return &fnpb.StartWorkerResponse{Error: "worker " + strconv.Quote(id) + ": " + reason}, nil
	}
	switch logging, control := request.GetLoggingEndpoint(), request.GetControlEndpoint(); {
	case logging == nil || control == nil:
		return refuse("the addresses of logging and control are not given")
	case logging.Authentication != nil || control.Authentication != nil:
		return refuse("authentication is not supported")
	}
	ctx, cancel := context.WithCancel(grpcx.WriteWorkerID(context.Background(), id))
	s.mu.Lock()
	defer s.mu.Unlock()
	same := s.workers[id]
	if same == nil {
		same = &namesakes{stop: map[uint64]context.CancelFunc{}}
		s.workers[id] = same
	}
	same.wanted++
	same.last++
	n := same.last
	same.stop[n] = cancel
	go func() {
		defer func() {
			cancel()
			s.mu.Lock()
			delete(same.stop, n)
			s.mu.Unlock()
		}()
		if err := s.work(ctx, request); err != nil && ctx.Err() == nil {
			slog.Error("a worker has ended", "worker", id, "error", err)
		}
	}()
	return &fnpb.StartWorkerResponse{}, nil
}

// StopWorker ends the workers of a name when each is stopped: the request does not tell which of them it means, and one
// that still works must go on.
func (s *service) StopWorker(_ context.Context, request *fnpb.StopWorkerRequest) (*fnpb.StopWorkerResponse, error) {
	id := request.GetWorkerId()
	s.mu.Lock()
	defer s.mu.Unlock()
	same := s.workers[id]
	if same == nil {
		return &fnpb.StopWorkerResponse{Error: "worker " + strconv.Quote(id) + ": there is none"}, nil
	}
	if same.wanted--; same.wanted == 0 {
		for _, stop := range same.stop {
			stop()
		}
		delete(s.workers, id)
	}
	return &fnpb.StopWorkerResponse{}, nil
}

// work is what a worker does until its runner closes the channel of control.
func work(ctx context.Context, request *fnpb.StartWorkerRequest) error {
	var options harness.Options
	if url := request.GetProvisionEndpoint().GetUrl(); url != "" {
		if info, err := tools.ProvisionInfo(ctx, url); err == nil { // a runner need not tell more
			options.StatusEndpoint = info.GetStatusEndpoint().GetUrl()
			options.RunnerCapabilities = info.GetRunnerCapabilities()
		}
	}
	return harness.MainWithOptions(ctx, request.GetLoggingEndpoint().GetUrl(), request.GetControlEndpoint().GetUrl(),
		options)
}
