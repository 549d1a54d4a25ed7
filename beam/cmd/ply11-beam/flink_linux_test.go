// SPDX-License-Identifier: Apache-2.0

//go:build long

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ply11/game"
	"ply11/game/pgn"
	"ply11/internal/gamegen"
)

// jarsVariable names a folder with the jars of beam/flink/pom.xml: make beam-flink sets it.
const jarsVariable = "PLY11_FLINK_JARS"

// patience is how long the test waits for a process of Flink.
const patience = 3 * time.Minute

const (
	flinkArchives = 200
	flinkGames    = 20 // of a PGN file
	flinkShards   = 7  // of the export that shuffles all rows
)

// TestFlink: on a cluster of Apache Flink all commands write the same bytes as on prism. If the task manager is killed,
// the command succeeds, and its files are the same. If the job manager is killed, the command fails, what it has
// written is whole, and the next run writes the rest.
func TestFlink(t *testing.T) {
	jars := os.Getenv(jarsVariable)
	if jars == "" {
		t.Fatalf("%s is not set: make beam-flink runs this test", jarsVariable)
	}
	dir, want := prism(t)
	c := startFlink(t, jars, dir)
	all(t, dir, "flink", c.flags()...)
	whole := func(name, prefix string, complete bool) {
		t.Helper()
		got := contents(t, dir, name)
		n := 0
		for file, b := range want {
			if !strings.HasPrefix(file, prefix) {
				continue
			}
			n++
			if have, ok := got[file]; complete && !ok || ok && !bytes.Equal(have, b) {
				t.Errorf("%s: %s is there: %v, and has other bytes than on prism", name, file, ok)
			}
			delete(got, file)
		}
		for file := range got {
			t.Errorf("%s: there is %s", name, file)
		}
		if n == 0 {
			t.Fatalf("no file begins with %s", prefix)
		}
		if err := os.RemoveAll(filepath.Join(dir, name)); complete && err != nil {
			t.Fatal(err)
		}
	}
	whole("flink", "", true)
	for _, j := range c.jobs() {
		if why := c.again(j); why != nil {
			t.Errorf("a job began again, of which nothing was killed: %s", why)
		}
	}

	// run starts dedupe, and calls kill when the first of its files is there.
	args := append([]string{"dedupe", "-o", "killed/once", "prism/g-*.p11"}, c.flags()...)
	run := func(kill func()) error {
		t.Helper()
		cmd := program(dir, args...)
		log := c.log("command")
		cmd.Stdout, cmd.Stderr = log, log
		start(t, cmd)
		written := func() int {
			names, _ := filepath.Glob(filepath.Join(dir, "killed", "once-*"))
			return len(names)
		}
		c.wait("the first file", func() bool { return written() > 0 })
		kill()
		if n := written(); n >= flinkArchives {
			t.Fatalf("%d files are there, so that the kill was not in the middle", n)
		}
		return cmd.Wait()
	}
	if err := run(func() {
		c.worker.Process.Kill()
		c.worker.Wait()
		c.startTask()
	}); err != nil {
		t.Fatalf("the task manager was killed: %v", err)
	}
	jobs := c.jobs()
	why := c.again(jobs[len(jobs)-1])
	if why == nil {
		t.Error("the newest job was not hit by the kill")
	}
	t.Logf("began again: %s", why)
	whole("killed", "once", true)
	if err := run(func() { c.manager.Process.Kill() }); err == nil {
		t.Error("a command whose job manager was killed did not fail")
	}
	whole("killed", "once", false)
	c.startManager()
	c.ready()
	if out, err := program(dir, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole("killed", "once", true)
}

// flink is a cluster of processes on this machine, and Beam's job server.
type flink struct {
	t              *testing.T
	dir, jars      string
	config         string   // the folder beam/flink
	own            []string // arguments of the cluster's processes: the ports and folders of this test
	rest, endpoint string   // the addresses of the job manager's questions, and of the job server
	manager        *exec.Cmd
	worker         *exec.Cmd // the task manager
	logs           int
}

// startFlink starts a job manager, a task manager and the job server, whose files are in a folder.
func startFlink(t *testing.T, jars, dir string) *flink {
	t.Helper()
	config, err := filepath.Abs("../../flink")
	if err != nil {
		t.Fatal(err)
	}
	c := &flink{t: t, dir: filepath.Join(dir, "cluster"), jars: jars, config: config, rest: freeAddress(t),
		endpoint: freeAddress(t)}
	for _, sub := range []string{"", "temp", "artifacts", "logs"} {
		if err := os.Mkdir(filepath.Join(c.dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(c.tell)
	_, restPort, _ := net.SplitHostPort(c.rest)
	_, port, _ := net.SplitHostPort(freeAddress(t))
	c.own = []string{"--configDir", c.config, "-D", "rest.port=" + restPort, "-D", "jobmanager.rpc.port=" + port, "-D",
		"io.tmp.dirs=" + filepath.Join(c.dir, "temp")}
	c.startManager()
	c.startTask()
	_, port, _ = net.SplitHostPort(c.endpoint)
	c.java("job-server", "org.apache.beam.runners.flink.FlinkJobServerDriver", "--flink-master", c.rest,
		"--flink-conf-dir", c.config,
		"--job-host", "127.0.0.1", "--job-port", port, "--artifact-port", "0", "--expansion-port", "0",
		"--artifacts-dir", filepath.Join(c.dir, "artifacts"))
	c.wait("the job server", func() bool {
		conn, err := net.Dial("tcp", c.endpoint)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	c.ready()
	return c
}

// flags are those that submit a command to the cluster.
func (c *flink) flags() []string {
	return []string{"--runner", "flink", "--endpoint", c.endpoint, "--environment_type", "LOOPBACK"}
}

// log makes a file for what a process tells.
func (c *flink) log(name string) *os.File {
	c.t.Helper()
	c.logs++
	f, err := os.Create(filepath.Join(c.dir, "logs", fmt.Sprintf("%02d-%s", c.logs, name)))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { f.Close() })
	return f
}

// java starts a class of the jars.
func (c *flink) java(name, class string, args ...string) *exec.Cmd {
	c.t.Helper()
	cmd := exec.Command("java", slices.Concat([]string{"@" + filepath.Join(c.config, "java.options"),
		"-Djava.io.tmpdir=" + filepath.Join(c.dir, "temp"), "-cp", filepath.Join(c.jars, "*"), class}, args)...)
	cmd.Env = append(os.Environ(), "FLINK_CONF_DIR="+c.config)
	log := c.log(name)
	cmd.Stdout, cmd.Stderr = log, log
	start(c.t, cmd)
	return cmd
}

// startManager starts a job manager.
func (c *flink) startManager() {
	c.t.Helper()
	c.manager = c.java("job-manager", "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
		c.own...)
}

// startTask starts a task manager.
func (c *flink) startTask() {
	c.t.Helper()
	c.worker = c.java("task-manager", "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", c.own...)
}

// ask puts a question to the job manager, and tells whether it has answered.
func (c *flink) ask(path string, answer any) bool {
	response, err := http.Get("http://" + c.rest + path)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK && json.NewDecoder(response.Body).Decode(answer) == nil
}

// ready waits for the task manager.
func (c *flink) ready() {
	c.t.Helper()
	c.wait("a task manager", func() bool {
		var list struct{ TaskManagers []struct{ ID string } }
		return c.ask("/taskmanagers", &list) && len(list.TaskManagers) == 1
	})
}

// jobs are the names of all jobs, the oldest first.
func (c *flink) jobs() (ids []string) {
	c.t.Helper()
	type job struct {
		JID   string
		Start int64 `json:"start-time"`
	}
	var list struct{ Jobs []job }
	if !c.ask("/jobs/overview", &list) || len(list.Jobs) == 0 {
		c.t.Fatal("the job manager knows no jobs")
	}
	slices.SortFunc(list.Jobs, func(a, b job) int { return cmp.Compare(a.Start, b.Start) })
	for _, j := range list.Jobs {
		ids = append(ids, j.JID)
	}
	return ids
}

// again tells why a job has begun again, each time.
func (c *flink) again(job string) (why []string) {
	c.t.Helper()
	var history struct {
		ExceptionHistory struct{ Entries []struct{ Stacktrace string } }
	}
	if !c.ask("/jobs/"+job+"/exceptions", &history) {
		c.t.Fatalf("the job manager does not know the job %s", job)
	}
	for _, e := range history.ExceptionHistory.Entries {
		first, _, _ := strings.Cut(e.Stacktrace, "\n")
		why = append(why, first)
	}
	return why
}

// wait waits until something is so.
func (c *flink) wait(what string, so func() bool) {
	c.t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("%s: waited for %v", what, patience)
		}
	}
}

// tell shows the ends of the logs of a test that has failed.
func (c *flink) tell() {
	if !c.t.Failed() {
		return
	}
	names, _ := filepath.Glob(filepath.Join(c.dir, "logs", "*"))
	for _, name := range names {
		b, _ := os.ReadFile(name)
		c.t.Logf("%s:\n%s", filepath.Base(name), b[max(0, len(b)-3000):])
	}
}

// childEnv tells the test's program to be ply11-beam.
const childEnv = "PLY11_BEAM_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		os.Exit(m.Run())
	}
	os.Exit(execute(os.Args[1:]))
}

// prism makes PGN files in a folder, and runs each command by prism. It returns the folder, and the files that were
// written.
func prism(t *testing.T) (dir string, want map[string][]byte) {
	t.Helper()
	dir = t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "temp"))
	for _, sub := range []string{"temp", "in"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	style := pgn.Export()
	for i := range flinkArchives {
		gen := gamegen.New(uint64(i % (flinkArchives - 10))) // ten files are there twice
		var text []byte
		var g game.Game
		for range flinkGames {
			gen.Next(&g)
			text = pgn.AppendGame(text, &g, &style)
		}
		if err := os.WriteFile(filepath.Join(dir, "in", fmt.Sprintf("%03d.pgn", i)), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all(t, dir, "prism")
	want = contents(t, dir, "prism")
	if n := len(want); n != 2*flinkArchives+flinkShards+1 { // and a manifest
		t.Fatalf("%d files", n)
	}
	return dir, want
}

// program is this program with arguments, as TestMain has it.
func program(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), childEnv+"=1")
	return cmd
}

// all runs each command, with what it writes in a folder of the name.
func all(t *testing.T, dir, name string, flags ...string) {
	t.Helper()
	for _, args := range []string{
		fmt.Sprintf("pack -o %s/g --shards %d in/*.pgn", name, flinkArchives),
		"dedupe -o NAME/once NAME/g-*.p11",
		fmt.Sprintf("export --to npz --dedupe --seed 1 --shards %d -o NAME/mixed NAME/g-*.p11", flinkShards),
	} {
		words := append(strings.Fields(strings.ReplaceAll(args, "NAME", name)), flags...)
		if out, err := program(dir, words...).CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v: %s", name, args, err, out)
		}
	}
}

// contents returns the files of a folder, in which the folder's own name is taken out.
func contents(t *testing.T, dir, name string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, name, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = bytes.ReplaceAll(b, []byte(name+"/"), nil)
	}
	return files
}

// freeAddress is one of this machine at which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// start starts a process that ends with the test.
func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}
