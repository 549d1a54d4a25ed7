// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/netutil"

	"ply11/bitstream/archive"
	"ply11/internal/httprange"
	"ply11/web"
	"ply11/web/lichess"
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
	var hosts, proxies []string
	var rate float64
	var quiet, explorer bool
	cmd := &cobra.Command{
		Use:   "serve [flags] [archive.p11 ...]",
		Short: "Show archives, bytes and moves in a browser",
		Long: `Serve the explorer, a page for the browser. It shows a move with all its names, explains bytes, and searches and replays the games of
archives. Everything is computed in the page. The command also serves the named archives, read-only and in parts (HTTP
ranges), with their indexes if ply11 index has made them. Games and indexes that are added meanwhile are served, too. You can drop
other archives on the page.

The command prints the address. Only this machine can reach it, unless --listen names another address: --listen :9000 lets
everybody read the archives who reaches this machine, and the command warns of it. If the default port is in use, the command
takes another one. Ctrl-C ends the server.

A request must name this machine: by an address, as localhost, by the machine's own name or by the name in --listen. --host
allows more names. So no page of another site can read the archives by a name of its own that leads here.

--explorer also answers as Lichess's opening explorer does: /masters, /lichess, /lichess/history and /player with their parameters, and
/masters/pgn/ID. Programs that ask https://explorer.lichess.org can ask the printed address instead. Both /masters and /lichess tell of all
archives that are named, each of which needs an index (ply11 index). /metrics has figures for Prometheus. Pages of all sites may ask, as they may
ask Lichess. Games that are added with append and index --update are seen some seconds later. Each request is told on the standard
error, unless -q is given. One address may make --rate requests a second, but for this machine's own addresses. Behind a proxy, such as nginx,
name its address with --proxy: the limit is then for each address that it tells in X-Forwarded-For.`,
		Example: `  ply11 serve games.p11
  ply11 serve --listen localhost:9000 *.p11
  ply11 serve --explorer --listen localhost:9002 games.p11
  ply11 serve --listen :9000 --host chess.example.org games.p11`,
		Args: argCount(0, -1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := expand(args)
			if err != nil {
				return err
			}
			switch {
			case explorer && len(files) == 0:
				return usage("--explorer needs an archive")
			case rate < 0:
				return usage("--rate is 0 or more, not %v", rate)
			case len(proxies) > 0 && !explorer:
				return usage("--proxy is for --explorer")
			}
			trusted, err := networks(proxies)
			if err != nil {
				return err
			}
			var archives []*web.Archive
			var explored []lichess.Archive
			for _, path := range files {
				if explorer && (httprange.IsURL(path) || !rereadable(path) || compressionOf(path) != "") {
					return usage("%s: --explorer needs a file with an index beside it", path)
				}
				explored = append(explored, lichess.Archive{Name: filepath.Base(path), Path: path,
					Index: indexOf(path)})
				a, done, err := servedArchive(path)
				if err != nil {
					return err
				}
				defer done()
				archives = append(archives, a)
			}
			var api *lichess.Handler
			if explorer {
				o := lichess.Options{Rate: rate, Proxies: trusted}
				if !quiet {
					o.Log = slog.New(slog.NewTextHandler(stderr, nil))
				}
				if api, err = lichess.New(explored, o); err != nil {
					return err
				}
				defer api.Close()
				// What is known of each game, twice while an archive changes, and answers that are kept. Under a lower
				// limit the collector would run all the time.
				limitMemory(128<<20 + 16*int64(api.Games()))
			}
			folders := []fs.FS{web.Static()}
			switch programs, done, err := pagePrograms(cmd.Context(), quiet); {
			case err == nil:
				defer done()
				folders = append(folders, programs)
			case explorer && errors.Is(err, errNoPage):
				folders = nil
				fmt.Fprintln(stderr,
					"ply11: this ply11 was built without the page: only the explorer's answers are served")
			default:
				return err
			}
			l, err := net.Listen("tcp", listen)
			if err != nil && !cmd.Flags().Changed("listen") {
				l, err = net.Listen("tcp", "localhost:0")
			}
			if err != nil {
				return err
			}
			return serve(l, listen, hosts, folders, archives, api)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", defaultListen, "the `HOST:PORT` to listen on")
	cmd.Flags().StringSliceVar(&hosts, "host", nil,
		"a `NAME` by which requests may ask for this machine, besides its own; several with commas")
	cmd.Flags().BoolVar(&explorer, "explorer", false, "answer as Lichess's opening explorer does, too")
	cmd.Flags().Float64Var(&rate, "rate", 20,
		"with --explorer, how many `REQUESTS` a second one address may make for long; 0 for any number")
	cmd.Flags().StringSliceVar(&proxies, "proxy", nil, "with --explorer, an `ADDRESS` or network (10.0.0.0/8) of a "+
		"proxy whose X-Forwarded-For is believed; several with commas")
	common(cmd, nil, &quiet, nil)
	return cmd
}

// networks reads addresses and networks.
func networks(texts []string) (list []netip.Prefix, err error) {
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			ip, err := netip.ParseAddr(text)
			if err != nil {
				return nil, usage("--proxy: %q is neither an address, as 127.0.0.1, nor a network, as 10.0.0.0/8", text)
			}
			p = netip.PrefixFrom(ip.Unmap(), ip.Unmap().BitLen())
		}
		list = append(list, p.Masked())
	}
	return list, nil
}

// maxConnections bounds how many connections a server has; others wait.
const maxConnections = 1024

// servedArchive opens an archive to be served.
func servedArchive(path string) (*web.Archive, func(), error) {
	if httprange.IsURL(path) {
		return nil, nil, usage("%s: the page can open an address itself", path)
	}
	f, err := openKept(path)
	if err != nil {
		return nil, nil, err
	}
	if _, err := archive.NewReader(f, f.size); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	a := &web.Archive{Name: bareName(filepath.Base(path)), Open: web.Fixed(f, f.size)}
	if path == "-" {
		a.Name = "stdin.p11"
	}
	if !rereadable(path) {
		return a, f.Close, nil
	}
	// The page tells what is wrong with an index, and reads the games then.
	a.Positions = &web.Archive{Name: filepath.Base(indexOf(path)), Open: web.OpenFile(indexOf(path))}
	if !isFile(f, path) {
		return a, f.Close, nil // a copy: it was compressed
	}
	f.Close()
	a.Open = web.OpenFile(path)
	return a, func() {}, nil
}

// isFile reports whether what was opened is the file of that name itself.
func isFile(f *anywhere, path string) bool {
	file, ok := f.ReaderAt.(*os.File)
	if !ok {
		return false
	}
	opened, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(opened, named)
}

// errNoPage: the command has no page, and cannot make one.
var errNoPage = errors.New("this ply11 was built without the explorer's page. In the project's folder, make build " +
	"makes one that has it (or make web, and then go build ./cmd/ply11)")

// pagePrograms returns the programs that run in the page: those that are part of this command, or else they are built.
// Tests of the server replace it.
var pagePrograms = func(ctx context.Context, quiet bool) (fs.FS, func(), error) {
	if files, ok := web.Built(); ok {
		return files, func() {}, nil
	}
	if _, err := wasm.Project(ctx); err != nil {
		return nil, nil, errNoPage
	}
	if !quiet {
		fmt.Fprintln(stderr, "ply11: building the programs of the page (make build makes a command that has them)")
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

// shortBuffers gives connections a short buffer for what is written. The system would hold megabytes of answers for a
// client who asks and reads nothing, and they would be made at once, before those of others.
type shortBuffers struct{ net.Listener }

func (l shortBuffers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		tcp.SetWriteBuffer(64 << 10) // what fails is told when something is written
	}
	return c, err
}

// serve serves until a signal to end. hosts are names that requests may have besides the machine's own; api answers as
// Lichess's explorer, or is nil.
func serve(l net.Listener, listen string, hosts []string, folders []fs.FS, archives []*web.Archive,
	api *lichess.Handler) error {
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
	names := append([]string{"localhost"}, hosts...) // that requests may have, besides addresses
	if host != "" {
		names = append(names, host)
	}
	if own, err := os.Hostname(); err == nil {
		names = append(names, own, own+".local")
	}
	if !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		fmt.Fprintf(stderr, "ply11: everybody who reaches this machine at port %s can read what is served here: "+
			"--listen localhost:%s is for this machine alone\n", port, port)
	}
	if host == "" {
		host = "localhost"
	}
	page, err := web.Handler(folders, archives)
	if err != nil {
		l.Close()
		return err
	}
	h := page
	if api != nil {
		h = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if api.Handles(r.URL.Path) {
				api.ServeHTTP(w, r)
			} else {
				page.ServeHTTP(w, r)
			}
		})
	}
	server := &http.Server{Handler: web.OnlyHosts(names, h), ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10}
	if api != nil {
		server.RegisterOnShutdown(api.End)
		l = shortBuffers{l}
	}
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
	if err := server.Serve(netutil.LimitListener(l, maxConnections)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-ended
	return nil
}
