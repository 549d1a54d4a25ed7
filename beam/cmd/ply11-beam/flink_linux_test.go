// SPDX-License-Identifier: Apache-2.0

//go:build long

package main

import (
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
)

// jarsVariable names a folder with the jars of beam/flink/pom.xml: make beam-flink sets it.
const jarsVariable = "PLY11_FLINK_JARS"

// patience is how long the test waits for a process of Flink.
const patience = 3 * time.Minute

// TestFlink: on a cluster of Apache Flink, with one job manager and two task managers, all commands write the same
// bytes as on prism, over 200 archives, with workers in the process that submits and with those of a pool. If a task
// manager or the pool is killed, Flink does again what was lost: the command succeeds, and its files are the same. If
// the job manager is killed, the command fails, what it has written is whole, and the next run writes the rest.
func TestFlink(t *testing.T) {
	jars := os.Getenv(jarsVariable)
	if jars == "" {
		t.Fatalf("%s is not set: make beam-flink runs this test", jarsVariable)
	}
	dir, want := prism(t)
	c := startFlink(t, jars, dir)
	loopback := c.flags("LOOPBACK")
	all(t, dir, "loopback", loopback...)
	same(t, dir, "loopback", want)
	workers, address := startPool(t, dir, "0")
	pooled := append(c.flags("EXTERNAL"), "--environment_config", address)
	all(t, dir, "pool", pooled...)
	same(t, dir, "pool", want)
	for _, j := range c.jobs() {
		if why := c.again(j); why != nil {
			t.Errorf("a job began again, of which nothing was killed: %s", why)
		}
	}

	// run starts a command, and calls kill when the first of its files is there.
	run := func(kill func(), args ...string) error {
		t.Helper()
		cmd := program(dir, args...)
		log := c.log("command")
		cmd.Stdout, cmd.Stderr = log, log
		start(t, cmd)
		c.wait("the first file", func() bool {
			names, _ := filepath.Glob(filepath.Join(dir, args[2]) + "-*")
			return len(names) > 0
		})
		kill()
		if names, _ := filepath.Glob(filepath.Join(dir, args[2]) + "-*"); len(names) >= portableShards {
			t.Fatalf("%d files are there, so that the kill was not in the middle", len(names))
		}
		return cmd.Wait()
	}
	whole := func(prefix string, complete bool) {
		t.Helper()
		got := contents(t, dir, "killed")
		n := 0
		for file, b := range want {
			if !strings.HasPrefix(file, prefix) {
				continue
			}
			n++
			if have, ok := got[file]; complete && !ok || ok && string(have) != string(b) {
				t.Errorf("after a kill, %s is there: %v, and has other bytes", file, ok)
			}
			delete(got, file)
		}
		for file := range got {
			t.Errorf("after a kill, there is %s", file)
		}
		if n == 0 {
			t.Fatalf("no file begins with %s", prefix)
		}
		if err := os.RemoveAll(filepath.Join(dir, "killed")); complete && err != nil {
			t.Fatal(err)
		}
	}

	for _, args := range [][]string{{"export", "-o", "killed/table"}, {"dedupe", "-o", "killed/once"}} {
		args = append(args, "prism/g-*.p11")
		prefix := filepath.Base(args[2])
		if err := run(c.killTask, append(args, pooled...)...); err != nil {
			t.Fatalf("%s, whose task manager was killed: %v", args[0], err)
		}
		c.restarted()
		whole(prefix, true)
		c.task()
		c.tasks(2)

		if err := run(func() {
			workers.Process.Kill()
			workers.Wait()
			_, port, _ := net.SplitHostPort(address)
			workers, _ = startPool(t, dir, port)
		}, append(args, pooled...)...); err != nil {
			t.Fatalf("%s, whose workers were killed: %v", args[0], err)
		}
		c.restarted()
		whole(prefix, true)
	}

	args := append([]string{"export", "-o", "killed/table", "prism/g-*.p11"}, pooled...)
	if err := run(func() { c.manager.Process.Kill() }, args...); err == nil {
		t.Error("a command whose job manager was killed did not fail")
	}
	whole("table", false)
	c.startManager()
	c.tasks(2)
	if out, err := program(dir, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	whole("table", true)
}

// flink is a cluster of processes on this machine, and Beam's job server.
type flink struct {
	t              *testing.T
	dir, jars      string
	config         string   // the folder beam/flink
	own            []string // arguments of the cluster's processes: the ports and folders of this test
	rest, endpoint string   // the addresses of the job manager's questions, and of the job server
	manager        *exec.Cmd
	workers        []*exec.Cmd // the task managers that were not killed
	logs           int
}

// startFlink starts one job manager, two task managers and the job server, whose files are in a folder.
func startFlink(t *testing.T, jars, dir string) *flink {
	t.Helper()
	config, err := filepath.Abs("../../flink")
	if err != nil {
		t.Fatal(err)
	}
	c := &flink{t: t, dir: filepath.Join(dir, "flink"), jars: jars, config: config, rest: freeAddress(t),
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
	c.task()
	c.task()
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
	c.tasks(2)
	return c
}

// flags are those that submit a command to the cluster.
func (c *flink) flags(environment string) []string {
	return []string{"--runner", "flink", "--endpoint", c.endpoint, "--environment_type", environment}
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

// task starts a task manager.
func (c *flink) task() {
	c.t.Helper()
	c.workers = append(c.workers, c.java("task-manager", "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
		c.own...))
}

// killTask kills the task manager that has run for the longest time.
func (c *flink) killTask() {
	c.workers[0].Process.Kill()
	c.workers[0].Wait()
	c.workers = c.workers[1:]
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

// tasks waits for so many task managers.
func (c *flink) tasks(n int) {
	c.t.Helper()
	c.wait(fmt.Sprintf("%d task managers", n), func() bool {
		var list struct{ TaskManagers []struct{ ID string } }
		return c.ask("/taskmanagers", &list) && len(list.TaskManagers) == n
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

// restarted fails the test if the newest job has not begun again.
func (c *flink) restarted() {
	c.t.Helper()
	jobs := c.jobs()
	why := c.again(jobs[len(jobs)-1])
	if why == nil {
		c.t.Error("the newest job was not hit by the kill")
	}
	c.t.Logf("began again: %s", why)
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
