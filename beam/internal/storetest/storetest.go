// SPDX-License-Identifier: Apache-2.0

// Package storetest runs servers of objects for tests, which others wrote: of S3, behind faults as a real one has,
// gofakes3 in this process or SeaweedFS in processes of its own; and of Google Cloud Storage fake-gcs-server.
package storetest

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Variables that make beam-stores sets.
const (
	weedVariable = "PLY11_WEED"     // the program of SeaweedFS, which then is the server of S3
	gcsVariable  = "PLY11_FAKE_GCS" // that of fake-gcs-server
)

// Server is a server of S3 with faults.
type Server struct {
	store                 http.Handler
	busy, short           int64
	requests, gets        atomic.Int64
	refused, cut, uploads atomic.Int64
	last                  sync.Map // requests that were refused the last time
}

// Refused is the number of requests that were answered with 503.
func (s *Server) Refused() int64 { return s.refused.Load() }

// Cut is the number of answers that were cut off.
func (s *Server) Cut() int64 { return s.cut.Load() }

// Uploads is the number of uploads in parts.
func (s *Server) Uploads() int64 { return s.uploads.Load() }

// What requests are signed with.
const (
	accessKey = "reader"
	secretKey = "secret"
)

// S3 serves a bucket until the test ends, and sets the variables of the environment by which clients find it. Of so
// many requests one is answered with 503, and of so many answers with an object one is cut off; 0 is none.
func S3(t *testing.T, bucket string, busy, short int64) *Server {
	t.Helper()
	s := &Server{busy: busy, short: short}
	if weed := os.Getenv(weedVariable); weed != "" {
		s.store = startWeed(t, weed)
	} else {
		s.store = gofakes3.New(s3mem.New()).Server()
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": server.URL, "AWS_REGION": "eu-west-1",
		"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey,
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull} {
		t.Setenv(name, value)
	}
	c, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s3.NewFromConfig(c).CreateBucket(t.Context(), &s3.CreateBucketInput{
		Bucket: aws.String(bucket)}); err != nil {
		t.Fatal(err)
	}
	return s
}

// startWeed starts SeaweedFS: its master, a server of volumes, a filer, and the gateway that speaks S3 and verifies
// signatures. It returns a way to the gateway.
func startWeed(t *testing.T, program string) http.Handler {
	t.Helper()
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys.json")
	text := fmt.Sprintf(
		`{"identities": [{"name": "test", "credentials": [{"accessKey": %q, "secretKey": %q}], "actions": ["Admin", "Read", "Write", "List"]}]}`, accessKey, secretKey)
	if err := os.WriteFile(keys, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	free := ports(t, 9)
	to := &url.URL{Scheme: "http", Host: "127.0.0.1:" + free[0]}
	args := []string{"-logdir", dir, "server", "-dir", dir, "-ip", "127.0.0.1", "-ip.bind", "127.0.0.1",
		"-master.telemetry=false", "-master.volumeSizeLimitMB", "64", "-volume.max", "100",
		"-s3", "-s3.config", keys, "-s3.port.iceberg", "0", "-s3.port.lance", "0", "-s3.localSocket",
		filepath.Join(dir, "s3.sock"), "-filer.localSocket", filepath.Join(dir, "filer.sock")}
	for i, name := range []string{"s3.port", "s3.port.grpc", "master.port", "master.port.grpc", "volume.port",
		"volume.port.grpc", "filer.port", "filer.port.grpc", "metricsPort"} {
		args = append(args, "-"+name, free[i])
	}
	start(t, to, program, args...)
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host // it is signed
		},
		ErrorLog: log.New(io.Discard, "", 0), // an answer that a client gives up
	}
}

// ports returns so many that are free.
func ports(t *testing.T, n int) (list []string) {
	t.Helper()
	var taken []io.Closer
	for range n { // together, so that they differ
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_, port, _ := net.SplitHostPort(l.Addr().String())
		list, taken = append(list, port), append(taken, l)
	}
	for _, l := range taken {
		l.Close()
	}
	return list
}

// start starts a program that ends with the test, and waits until there is an answer at an address.
func start(t *testing.T, address *url.URL, program string, args ...string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
	})
	client := http.Client{Timeout: 5 * time.Second} // of one question: it may be taken and not answered
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		if answer, err := client.Get(address.String()); err == nil {
			answer.Body.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s: %v: %s", program, err, said.Bytes())
		default:
		}
		if time.Now().After(end) {
			cmd.Process.Kill()
			ended <- <-ended // nothing writes to said any more
			t.Fatalf("%s does not answer: %s", program, said.Bytes())
		}
	}
}

// GCS serves a bucket of Google Cloud Storage until the test ends, and sets the variable of the environment by which
// clients find it.
func GCS(t *testing.T, bucket string) {
	t.Helper()
	program := os.Getenv(gcsVariable)
	if program == "" {
		t.Fatalf("%s is not set: make beam-stores runs this test", gcsVariable)
	}
	port := ports(t, 1)[0]
	to := &url.URL{Scheme: "http", Host: "127.0.0.1:" + port, Path: "/storage/v1/b"}
	start(t, to, program, "-backend", "memory", "-scheme", "http", "-host", "127.0.0.1", "-port", port, "-public-host",
		to.Host, "-external-url", "http://"+to.Host, "-log-level", "error")
	t.Setenv("STORAGE_EMULATOR_HOST", to.Host)
	answer, err := http.Post(to.String()+"?project=test", "application/json",
		strings.NewReader(fmt.Sprintf(`{"name": %q}`, bucket)))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	// Clients give a request up after three refusals: so what was refused is not refused again at once, however the
	// requests of others fall between.
	what := r.Method + " " + r.URL.String() + " " + r.Header.Get("Range")
	if _, again := s.last.LoadAndDelete(what); !again && s.busy > 0 && s.requests.Add(1)%s.busy == 0 {
		s.last.Store(what, true)
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
