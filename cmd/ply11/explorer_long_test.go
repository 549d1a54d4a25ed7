// SPDX-License-Identifier: Apache-2.0

//go:build long && linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"

	"ply11/internal/datadir"
	"ply11/internal/testenv"
	"ply11/position"
)

// loadTime is how long the load lasts, unless the variable PLY11_LOAD says so.
const loadTime = 20 * time.Second

// startExplorer starts the command on one core, and returns its address and its process.
func startExplorer(t *testing.T, dir string, files ...string) (address string, pid int, end func()) {
	t.Helper()
	cmd := command(dir, append([]string{"serve", "--explorer", "-q", "--listen", "localhost:0"}, files...)...)
	cmd.Env = append(cmd.Env, "GOMAXPROCS=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), cmd.Process.Pid, sync.OnceFunc(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
		use := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		t.Logf("the server used %v of processor time and at most %d MiB of memory",
			cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), use.Maxrss>>10)
	})
}

// explore asks for an answer.
func explore(t *testing.T, address string) (e explored) {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 || json.Unmarshal(b, &e) != nil {
		t.Fatalf("%s: %s %s", address, r.Status, b)
	}
	return e
}

// walked are questions about positions to which games lead: those of moves that an explorer's user would look at, the
// more often the more games have them.
func walked(t *testing.T, address string, n int) (list []string) {
	rng := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	for len(list) < n {
		at := position.Start()
		for range 4 + rng.IntN(20) {
			fen := url.QueryEscape(at.FEN())
			e := explore(t, address+"masters?topGames=0&fen="+fen)
			if e.total() == 0 {
				break
			}
			if !seen[fen] {
				seen[fen] = true
				list = append(list, "masters?fen="+fen, "lichess?fen="+fen, "lichess?ratings=2200,2500&fen="+fen)
			}
			m, err := at.ParseSAN(e.Moves[min(rng.IntN(len(e.Moves)), rng.IntN(len(e.Moves)))].SAN)
			if err != nil {
				t.Fatal(err)
			}
			at.Make(m)
		}
	}
	return list
}

// TestExplorerLoad asks the command, on one core, for positions of its index, as fast as PLY11_RATE says (5000 a second
// without it) and as long as PLY11_LOAD says, while slow and hostile clients are connected, and games are added. No
// answer may fail, games that were added are seen, and none is lost. It tells what it measured, which depends on the
// machine's load. The archive is a copy of the one that PLY11_MEASURE names, which has its index beside it; or else one
// of real games, or of samples.
func TestExplorerLoad(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.p11")
	if from := os.Getenv("PLY11_MEASURE"); from != "" {
		for _, x := range []string{"", "x"} {
			if out, err := exec.Command("cp", from+x, file+x).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
	} else {
		from, _ := datadir.PathOr("plain.pgn", "pgn", "master", "master-50k.pgn.zst")
		from, err := filepath.Abs(from)
		if err != nil {
			t.Fatal(err)
		}
		runCode(t, dir, 0, "", "pack", "-q", "-o", file, from)
		runCode(t, dir, 0, "", "index", "-q", file)
	}
	more := writeFile(t, dir, "more.pgn", strings.Repeat(treeGames, 25))
	lasts := loadTime
	if s := os.Getenv("PLY11_LOAD"); s != "" {
		var err error
		if lasts, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
	}
	rate := 5000
	if s := os.Getenv("PLY11_RATE"); s != "" {
		if _, err := fmt.Sscan(s, &rate); err != nil {
			t.Fatal(err)
		}
	}
	address, pid, end := startExplorer(t, dir, file)
	defer end()
	for ready := false; !ready; time.Sleep(100 * time.Millisecond) { // the games are read
		r, err := http.Get(address + "metrics")
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		ready = strings.Contains(string(b), "\nply11_explorer_ready 1\n")
	}
	t.Logf("all games are read after %v of processor time", processorTime(t, pid))
	before := explore(t, address+"lichess?recentGames=0")
	list := walked(t, address, 3000)
	var targets []vegeta.Target
	for _, q := range list {
		targets = append(targets, vegeta.Target{Method: "GET", URL: address + q, Header: http.Header{
			"Accept-Encoding": {"gzip"}}})
	}
	measure := func(name string, d time.Duration) {
		var m vegeta.Metrics
		attacker := vegeta.NewAttacker(vegeta.Workers(32), vegeta.MaxWorkers(64), vegeta.Timeout(30*time.Second))
		used := processorTime(t, pid)
		for r := range attacker.Attack(vegeta.NewStaticTargeter(targets...), vegeta.Rate{Freq: rate, Per: time.Second},
			d, name) {
			m.Add(r)
		}
		m.Close()
		used = processorTime(t, pid) - used
		t.Logf("%s: %d requests, %.0f a second; half within %v, 99 of 100 within %v; %v of the server's processor "+
			"time for each: %.0f a second on one core", name,
			m.Requests, m.Rate, m.Latencies.P50, m.Latencies.P99, used/time.Duration(m.Requests),
			float64(m.Requests)/used.Seconds())
		if m.Success < 1 {
			t.Errorf("%s: %v %v", name, m.StatusCodes, m.Errors)
		}
	}
	measure("answers that are made", time.Duration(len(targets))*time.Second/time.Duration(rate))
	measure("answers that are kept", lasts/4)
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	host := strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/")
	for i := range 60 {
		wg.Go(func() {
			for ctx.Err() == nil {
				hostile(ctx, host, i)
			}
		})
	}
	added := 0
	wg.Go(func() {
		for ctx.Err() == nil {
			for _, args := range [][]string{{"append", "-q", file, more}, {"index", "-q", "--update", file}} {
				if out, err := command(dir, args...).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
					return
				}
			}
			added++
			select {
			case <-ctx.Done():
			case <-time.After(10 * time.Second):
			}
		}
	})
	measure("with slow and hostile clients, and games that are added", lasts)
	cancel()
	wg.Wait()
	if added == 0 {
		t.Fatal("no games were added")
	}
	want := before.total() + 75*uint64(added) // of four games one has no result
	got := uint64(0)
	for until := time.Now().Add(time.Minute); got != want &&
		time.Now().Before(until); time.Sleep(100 * time.Millisecond) {
		e := explore(t, address+"lichess?recentGames=0")
		got = e.total()
	}
	t.Logf("games were added %d times", added)
	if got != want {
		t.Errorf("%d games after %d, want %d", got, before.total(), want)
	}
	if peak := testenv.StatusKiB(fmt.Sprintf("/proc/%d/status", pid), "VmHWM"); peak > 256<<10 {
		t.Errorf("the server took %d KiB of memory", peak)
	}
	end()
}

// hostile is one client that means no good.
func hostile(ctx context.Context, host string, kind int) {
	c, err := net.DialTimeout("tcp", host, time.Second)
	if err != nil {
		time.Sleep(10 * time.Millisecond)
		return
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	write := func(s string) bool { _, err := io.WriteString(c, s); return err == nil }
	switch kind % 5 {
	case 0: // writes a byte a second
		for _, b := range "GET /lichess HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 100) {
			if !write(string(b)) {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
			}
		}
	case 1: // asks much and reads nothing
		for write(strings.Repeat("GET /lichess?moves=300 HTTP/1.1\r\nHost: localhost\r\n\r\n", 100)) &&
			ctx.Err() == nil {
			c.SetWriteDeadline(time.Now().Add(15 * time.Second))
		}
	case 2: // goes away in the middle of an answer
		write("GET /player?player=a&color=white HTTP/1.1\r\nHost: localhost\r\n\r\n")
		time.Sleep(time.Millisecond)
	case 3: // what is no HTTP, and what is none of ours
		write(strings.Repeat("\x00\xff garbage", 1000) + "\r\n\r\n")
		io.Copy(io.Discard, io.LimitReader(c, 1000))
	case 4: // questions that cost as much as they can, and that are wrong
		for _, q := range []string{"fen=" + strings.Repeat("q", 7000), "play=" + strings.Repeat("g1f3,g8f6,f3g1,f6g8,",
			149) + "g1f3", "speeds=bullet&since=1900-01&history=1&moves=99999999999",
			"ratings=" + strings.Repeat("0,", 3000) + "0", "%", "play=e2e4,e7e5,e1e2,e8e7,e2e1,e7e8,e1e2,e8e7"} {
			if !write("GET /lichess?" + q + " HTTP/1.1\r\nHost: localhost\r\n\r\n") {
				return
			}
			if _, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil {
				return
			}
		}
	}
	select { // not so often that there is no time for others
	case <-ctx.Done():
	case <-time.After(100 * time.Millisecond):
	}
}

// processorTime is what a process has used.
func processorTime(t *testing.T, pid int) time.Duration {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	user, system := 0, 0
	fmt.Sscan(f[11], &user)
	fmt.Sscan(f[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}
