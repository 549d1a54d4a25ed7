// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
	"ply11/internal/httprange"
	"ply11/web"
	"ply11/web/wasm"
)

// defaultListen is where serve listens if it is not told: from this machine alone.
const defaultListen = "localhost:8011"

// onSignal, unless nil, is what the first signal to end calls: a server ends what it does, and so does its command.
var onSignal atomic.Pointer[func()]

// serving is called with the address when the server is ready; tests set it.
var serving = func(address string) {}

func serveCommand() *cobra.Command {
	var listen string
	var quiet bool
	cmd := &cobra.Command{
		Use:   "serve [flags] [archive.p11 ...]",
		Short: "Show archives, bytes and moves in a browser",
		Long: `Serve the explorer, a page for the browser. It shows a move with all its names, explains bytes, and searches and replays the games of
archives. Everything is computed in the page. The command also serves the named archives, read-only and in parts (HTTP
ranges), with their indexes if ply11 index has made them. You can drop other archives on the page.

The command prints the address. Only this machine can reach it, unless --listen names another address. If the default port
is in use, the command takes another one. Ctrl-C ends the server.`,
		Example: `  ply11 serve games.p11
  ply11 serve --listen localhost:9000 *.p11`,
		Args: argCount(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := expand(args)
			if err != nil {
				return err
			}
			var archives []*web.Archive
			for _, path := range files {
				a, done, err := servedArchive(path)
				if err != nil {
					return err
				}
				defer done()
				archives = append(archives, a)
			}
			programs, done, err := pagePrograms(cmd.Context(), quiet)
			if err != nil {
				return err
			}
			defer done()
			l, err := net.Listen("tcp", listen)
			if err != nil && !cmd.Flags().Changed("listen") {
				l, err = net.Listen("tcp", "localhost:0")
			}
			if err != nil {
				return err
			}
			return serve(l, listen, []fs.FS{web.Static(), programs}, archives)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", defaultListen, "the `HOST:PORT` to listen on")
	common(cmd, nil, &quiet, nil)
	return cmd
}

// servedArchive opens an archive to be served.
func servedArchive(path string) (*web.Archive, func(), error) {
	if httprange.IsURL(path) {
		return nil, nil, usage("%s: the page can open an address itself", path)
	}
	f, err := openAnywhere(path)
	if err != nil {
		return nil, nil, err
	}
	if _, err := archive.NewReader(f, f.size); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	a := &web.Archive{Name: filepath.Base(path), File: f, Size: f.size}
	if path == "-" {
		a.Name = "stdin.p11"
	}
	if c := compressionOf(path); c != "" {
		a.Name = strings.TrimSuffix(a.Name, filepath.Ext(a.Name))
	}
	a.State = stateOf(f)
	done := f.Close
	// The page tells what is wrong with an index, and reads the games then.
	if rereadable(path) && rereadable(indexOf(path)) {
		x, err := openAnywhere(indexOf(path))
		if err != nil {
			f.Close()
			return nil, nil, err
		}
		a.Positions = &web.Archive{Name: filepath.Base(indexOf(path)), File: x, Size: x.size, State: stateOf(x)}
		done = func() { x.Close(); f.Close() }
	}
	return a, done, nil
}

// stateOf returns what tells the state of a file, nil if it cannot change.
func stateOf(f *anywhere) func() string {
	file, ok := f.ReaderAt.(*os.File)
	if !ok {
		return nil
	}
	return func() string {
		info, err := file.Stat()
		if err != nil {
			return "gone"
		}
		return fmt.Sprintf("%x-%x", info.Size(), info.ModTime().UnixNano())
	}
}

// pagePrograms returns the programs that run in the page: those that are part of this command, or else they are built. Tests of the
// server replace it.
var pagePrograms = func(ctx context.Context, quiet bool) (fs.FS, func(), error) {
	if files, ok := web.Built(); ok {
		return files, func() {}, nil
	}
	if !quiet {
		fmt.Fprintln(stderr, "ply11: building the programs of the page (make web, and they are part of the command)")
	}
	dir, err := os.MkdirTemp("", "ply11-serve-")
	if err != nil {
		return nil, nil, err
	}
	done := func() { os.RemoveAll(dir) }
	if err := wasm.Build(ctx, dir); err != nil {
		done()
		return nil, nil, err
	}
	return os.DirFS(dir), done, nil
}

// serve serves until a signal to end.
func serve(l net.Listener, listen string, folders []fs.FS, archives []*web.Archive) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		l.Close()
		return err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		l.Close()
		return err
	}
	var hosts []string // that requests may name: all, where others than this machine may ask
	if ip := l.Addr().(*net.TCPAddr).IP; ip.IsLoopback() {
		hosts = []string{"localhost", "127.0.0.1", "::1", host}
	}
	if host == "" {
		host = "localhost"
	}
	h, err := web.Handler(folders, archives, hosts)
	if err != nil {
		l.Close()
		return err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10}
	ended := make(chan struct{})
	stop := func() {
		defer close(ended)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	}
	onSignal.Store(&stop)
	defer onSignal.Store(nil)
	address := fmt.Sprintf("http://%s/", net.JoinHostPort(host, port))
	if _, err := fmt.Fprintln(&stdout, address); err != nil {
		return err
	}
	go serving(address)
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-ended
	return nil
}
