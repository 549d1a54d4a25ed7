// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main_test

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ply11/internal/cli"
	"ply11/web/explorer"
)

// served is what the server gave in a test.
var served struct {
	address, page string
	list          []explorer.Told
	content       []byte // of the first archive
	wrong         error
}

func fetch(address string) []byte {
	r, err := http.Get(address)
	if err != nil {
		served.wrong = err
		return nil
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		served.wrong = fmt.Errorf("%s: %d %s %w", address, r.StatusCode, b, err)
		return nil
	}
	return b
}

// serving runs the command serve, calls use with the address that it prints, and ends it as a signal does. It returns
// what the command leaves: its exit code, standard output and standard error.
func serving(t *testing.T, use func(address string), args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := command(".", append([]string{"serve"}, args...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	stdout, err = out.ReadString('\n')
	if err == nil {
		use(strings.TrimSuffix(stdout, "\n"))
		cmd.Process.Signal(syscall.SIGTERM)
	}
	rest, _ := io.ReadAll(out)
	cmd.Wait()
	return cmd.ProcessState.ExitCode(), stdout + string(rest), errs.String()
}

// serveOnce is serving, and asks for everything once.
func serveOnce(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	served.list, served.content, served.wrong = nil, nil, nil
	return serving(t, func(address string) {
		served.address, served.page = address, string(fetch(address))
		if err := json.Unmarshal(fetch(address+"api/archives"), &served.list); err != nil {
			served.wrong = err
		}
		if len(served.list) > 0 {
			served.content = fetch(address + served.list[0].Path)
		}
	}, args...)
}

// TestServe serves a page and archives, with names that are no plain ones, and ends at a signal.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	pgn := writeFile(t, dir, "x.pgn", games)
	odd := filepath.Join(dir, "a b%2f#?ü.p11")
	runCode(t, dir, 0, "", "pack", "-q", "-o", odd, pgn)
	want, err := os.ReadFile(odd)
	if err != nil {
		t.Fatal(err)
	}
	code, out, errs := serveOnce(t, odd)
	if code != 0 || served.wrong != nil || string(served.content) != string(want) ||
		!strings.Contains(served.page, "<title>ply11 explorer</title>") || strings.Contains(served.page, "hw-bytes") ||
		!strings.HasPrefix(out, "http://localhost:") || served.list[0].Name != filepath.Base(odd) ||
		served.list[0].Bytes != int64(len(want)) {
		t.Errorf("%d %q %s: %v, %+v, %d bytes", code, out, errs, served.wrong, served.list, len(served.content))
	}
	if served.list[0].Indexed {
		t.Error("an index that is not there")
	}
	runCode(t, dir, 0, "", "index", "-q", odd)
	if code, _, errs := serveOnce(t, odd); code != 0 || !served.list[0].Indexed || len(served.list) != 1 {
		t.Errorf("with an index: %d %s, %+v", code, errs, served.list)
	}
	if code, _, errs := serveOnce(t, "-q"); code != 0 || len(served.list) != 1 ||
		served.list[0].Name != "famous.p11" {
		t.Errorf("without archives: %d %s, %+v", code, errs, served.list)
	}
	// What is no archive is packed, into a folder that goes.
	t.Setenv("TMPDIR", t.TempDir())
	if err := os.Mkdir(filepath.Join(dir, "b"), 0o777); err != nil {
		t.Fatal(err)
	}
	other := writeFile(t, filepath.Join(dir, "b"), "x.pgn", games+games)
	if code, _, errs := serveOnce(t, pgn, other); code != 0 || len(served.list) != 2 ||
		served.list[1].Games != 2*served.list[0].Games || served.list[0].Games == 0 ||
		served.list[0].Name != "x.p11" || served.list[1].Name != "x-2.p11" || served.list[1].Label != "b/x.pgn" ||
		served.list[0].Label == served.list[1].Label {
		t.Errorf("PGN: %d %s, %+v", code, errs, served.list)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("%v stay, %v", left, err)
	}
	cert, key := certificate(t, dir)
	served.list = nil
	code, _, errs = serving(t, func(address string) {
		client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
		r, err := client.Get(address + "api/archives")
		if served.address, served.wrong = address, err; err == nil {
			served.wrong = json.NewDecoder(r.Body).Decode(&served.list)
			r.Body.Close()
		}
	}, "--listen", "localhost:0", "--tls", cert+","+key, odd)
	if code != 0 ||
		served.wrong != nil || len(served.list) != 1 || !strings.HasPrefix(served.address, "https://") {
		t.Errorf("%d %s, %v", code, errs, served.wrong)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"serve", filepath.Join(dir, "none.p11")}, cli.Failed, "no such file"},
		{[]string{"serve", "--tls", "none.pem", odd}, cli.Failed, "none.pem"},
		{[]string{"serve", "--tls", odd + "," + odd, odd}, cli.Failed, "--tls"},
		{[]string{"serve", "--listen", "nonsense"}, cli.Failed, "nonsense"},
		{[]string{"serve", "--listen", "localhost:99999"}, cli.Failed, "99999"},
	} {
		if code, _, errs := runBoth(t, c.args...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: %d %s", c.args, code, errs)
		}
	}
}

func certificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{
		"localhost"}}
	signed, err := x509.CreateCertificate(rand.Reader, of, of, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return writeFile(t, dir, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed}))),
		writeFile(t, dir, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
}

// TestServeHosts: who listens on all addresses is warned, and is asked by its own names and addresses alone.
func TestServeHosts(t *testing.T) {
	file := filepath.Join(packed(t, games), "a.p11")
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	status := map[string]int{}
	ask := func(address string) {
		for _, name := range []string{"localhost", "127.0.0.1", own, "evil.example", "games.example",
			"localhost.evil.example"} {
			r, err := http.NewRequest("GET", address+"archives/a.p11", nil)
			if err != nil {
				served.wrong = err
				continue
			}
			r.Host = name + ":" + r.URL.Port()
			if a, err := http.DefaultClient.Do(r); err != nil {
				served.wrong = err
			} else {
				a.Body.Close()
				status[name] = a.StatusCode
			}
		}
	}
	for _, c := range []struct {
		args   []string
		warned bool
		games  int // the status for games.example
	}{
		{[]string{"-q", "--listen", ":0", file}, true, 421},
		{[]string{"-q", "--listen", "0.0.0.0:0", "--host", "more.example,games.example", file}, true, 200},
		{[]string{"-q", "--listen", "localhost:0", file}, false, 421},
		{[]string{"-q", "--listen", "127.0.0.1:0", file}, false, 421},
	} {
		clear(status)
		served.wrong = nil
		code, _, errs := serving(t, ask, c.args...)
		if code != 0 || served.wrong != nil || strings.Contains(errs, "everybody") != c.warned {
			t.Errorf("%q: %d, %v, %q", c.args, code, served.wrong, errs)
		}
		for name, want := range map[string]int{"localhost": 200, "127.0.0.1": 200, own: 200, "evil.example": 421,
			"localhost.evil.example": 421, "games.example": c.games} {
			if status[name] != want {
				t.Errorf("%q: %s gets %d, want %d", c.args, name, status[name], want)
			}
		}
	}
}
