// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/netutil"

	"ply11/bitstream/archive"
	"ply11/internal/formats"
	"ply11/internal/httprange"
	"ply11/testdata"
	"ply11/web"
	"ply11/web/explorer"
	"ply11/web/lichess"
)

const defaultListen = "localhost:8011"

// onSignal, unless nil, is what the first signal to end calls.
var onSignal atomic.Pointer[func()]

func serveCommand() *cobra.Command {
	var o serving
	var proxies []string
	var of struct{ masters, lichess []string }
	var rate float64
	var quiet, explored bool
	cmd := &cobra.Command{
		Use:   "serve [flags] [games.p11 | games.pgn ...]",
		Short: "Show archives, bytes and moves in a browser",
		Long: `Serve the explorer, a page for the browser: it shows a move with all its names, explains bytes, and
searches and replays the games of archives, here or at addresses. Other files are packed into a temporary folder.
Without a file, it shows famous games. It sees games and indexes that are added while it runs. EXPLORER.md
describes the page and its JSON.

The command prints the address, which only this machine can reach. --listen :9000 lets anyone who can reach this
machine read the archives. If the default port is in use, the command takes another one. Ctrl-C ends the server.

A request must name this machine: by an address, as localhost, by the machine's own name or by a name of --listen or
--host. This keeps other sites from reading the archives by DNS rebinding.

--explorer also answers as Lichess's opening explorer does: /masters, /lichess, /lichess/history, /player and
/masters/pgn/ID, of all archives that are named. --masters names archives that answer only /masters, --lichess such
that answer only the others. Each needs an index (ply11 index). /metrics has figures for Prometheus. It prints each request on the standard error, unless -q is given.`,
		Example: `  ply11 serve games.p11
  ply11 serve games.pgn.zst
  ply11 serve --listen localhost:9000 *.p11
  ply11 serve --explorer --listen localhost:9002 games.p11
  ply11 serve --masters twic.p11 --lichess mine.p11
  ply11 serve --listen :443 --tls cert.pem,key.pem --host chess.example.org games.p11`,
		Args: argCount(0, -1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		explored = explored || len(of.masters)+len(of.lichess) > 0
		var files, only []string
		for i, names := range [][]string{args, of.masters, of.lichess} {
			list, err := expand(names)
			if err != nil {
				return err
			}
			files = append(files, list...)
			only = append(only, slices.Repeat([]string{"", "masters", "lichess"}[i:i+1], len(list))...)
		}
		switch {
		case explored && len(files) == 0:
			return usage("--explorer needs an archive")
		case rate < 0:
			return usage("--rate is 0 or more, not %v", rate)
		}
		trusted, err := networks(proxies)
		if err != nil {
			return err
		}
		o.limits = web.NewLimits(rate, trusted)
		o.explorer = explorer.New(explorer.Options{Here: o.limits.Here, Pack: packFor})
		defer o.explorer.Close()
		temporary := sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "ply11-serve-") })
		defer func() {
			if dir, err := temporary(); err == nil {
				os.RemoveAll(dir)
			}
		}()
		var archives []lichess.Archive
		for i, path := range files {
			if explored && (httprange.IsURL(path) || !rereadable(path) || compressionOf(path) != "") {
				return usage("%s: --explorer needs a file with an index beside it", path)
			}
			if explored {
				_, done, err := openArchive(path)
				if err != nil {
					return err
				}
				done()
			}
			archives = append(archives, lichess.Archive{Name: filepath.Base(path), Path: path, Index: indexOf(path),
				Only: only[i]})
			a, done, err := servedArchive(cmd.Context(), path, temporary)
			if err != nil {
				return err
			}
			defer done()
			a.Label = labelOf(files, i)
			o.explorer.Add(a)
		}
		if len(files) == 0 {
			var famous bytes.Buffer
			if _, err := archive.Pack(cmd.Context(), &famous, strings.NewReader(testdata.Famous)); err != nil {
				return err
			}
			r := bytes.NewReader(famous.Bytes())
			o.explorer.Add(&explorer.Archive{Name: "famous.p11", Open: explorer.Fixed(r, r.Size())})
		}
		if explored {
			options := lichess.Options{Limits: o.limits}
			if !quiet {
				options.Log = slog.New(slog.NewTextHandler(stderr, nil))
			}
			if o.api, err = lichess.New(archives, options); err != nil {
				return err
			}
			defer o.api.Close()
			// Facts of each game, twice while an archive changes, and kept answers. Under a lower limit the
			// collector would run all the time.
			limitMemory(128<<20 + 16*int64(o.api.Games()))
		}
		l, err := net.Listen("tcp", o.listen)
		if err != nil && !cmd.Flags().Changed("listen") {
			l, err = net.Listen("tcp", "localhost:0")
		}
		if err != nil {
			return err
		}
		return o.serve(cmd.Context(), l)
	}
	cmd.Flags().StringVar(&o.listen, "listen", defaultListen, "the `HOST:PORT` to listen on")
	cmd.Flags().StringSliceVar(&o.hosts, "host", nil,
		"a `NAME` by which requests may ask for this machine, besides its own; several with commas")
	cmd.Flags().StringSliceVar(&o.tls, "tls", nil,
		"serve by https, with the files of a certificate and its key, `CERT,KEY`, in PEM")
	cmd.Flags().BoolVar(&explored, "explorer", false, "answer as Lichess's opening explorer does, too")
	cmd.Flags().StringSliceVar(&of.masters, "masters", nil,
		"an `ARCHIVE` that answers /masters only; several with commas")
	cmd.Flags().StringSliceVar(&of.lichess, "lichess", nil,
		"an `ARCHIVE` that answers /lichess and /player only; several with commas")
	cmd.Flags().Float64Var(&rate, "rate", 20,
		"how many `REQUESTS` a second one address may make for long; 0 for any number")
	cmd.Flags().StringSliceVar(&proxies, "proxy", nil,
		"an `ADDRESS` or network (10.0.0.0/8) of a proxy whose X-Forwarded-For is believed; several with commas")
	common(cmd, nil, &quiet, nil)
	return cmd
}

type serving struct {
	listen   string
	hosts    []string // names that requests may have besides the machine's own
	tls      []string // files of a certificate and its key; none for http
	limits   *web.Limits
	explorer *explorer.Handler
	api      *lichess.Handler // answers as Lichess's explorer; or nil
}

// labelOf tells a file from others of its name, by as few folders above it as do.
func labelOf(files []string, i int) string {
	label, above := filepath.Base(files[i]), filepath.Dir(files[i])
	for {
		same := func(path string) bool {
			return path != files[i] && strings.HasSuffix("/"+filepath.ToSlash(path), "/"+label)
		}
		if !slices.ContainsFunc(files, same) || above == "." || above == filepath.Dir(above) {
			return label
		}
		label, above = filepath.Base(above)+"/"+label, filepath.Dir(above)
	}
}

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

// servedArchive opens an archive to be served. What is none is packed into a temporary folder.
func servedArchive(ctx context.Context, path string, temporary func() (string, error)) (*explorer.Archive, func(),
	error) {
	in, err := openSource(path)
	if err != nil {
		return nil, nil, err
	}
	a := &explorer.Archive{Name: bareName(filepath.Base(path))}
	switch {
	case path == "-":
		a.Name = "stdin.p11"
	case httprange.IsURL(path):
		a.Name = bareName(httprange.Name(path))
	}
	if head, _ := in.Peek(len(archiveMagic)); !isArchive(head) && !strings.EqualFold(filepath.Ext(a.Name), ".p11") ||
		path == "-" && in.isPGN() {
		defer in.Close()
		dir, err := temporary()
		if err == nil {
			dir, err = os.MkdirTemp(dir, "")
		}
		if err != nil {
			return nil, nil, err
		}
		a.Name = strings.TrimSuffix(a.Name, filepath.Ext(a.Name)) + ".p11"
		to := filepath.Join(dir, "games.p11")
		a.Open, a.Index = explorer.OpenFile(to), explorer.OpenFile(to+"x")
		if path != "-" {
			return a, func() {}, packFor(ctx, path, to)
		}
		out, err := createArchive(to, false)
		if err != nil {
			return nil, nil, err
		}
		defer out.abandon()
		p := packing{OnError: archive.Keep, quiet: true}
		_, _, err = p.into(ctx, in, out)
		return a, func() {}, err
	}
	asIs := in.file != nil && in.plain // and not a copy
	f, err := in.anywhere(string(archiveMagic), archive.ErrNotArchive)
	if err != nil {
		return nil, nil, err
	}
	if _, err := archive.NewReader(f, f.size); err != nil {
		f.Close()
		return nil, nil, inFile(path, err)
	}
	a.Open = explorer.Fixed(f, f.size)
	if httprange.IsURL(path) {
		a.Index = remoteIndex(path)
		return a, f.Close, nil
	}
	if !rereadable(path) {
		return a, f.Close, nil
	}
	// The page reports what is wrong with an index.
	a.Index = explorer.OpenFile(indexOf(path))
	if !asIs {
		return a, f.Close, nil
	}
	f.Close()
	a.Open = explorer.OpenFile(path)
	return a, func() {}, nil
}

// packFor makes an archive of a file of games. Names without a format are of PGN.
func packFor(ctx context.Context, path, to string) error {
	src, err := formats.ByPath(httprange.Name(path))
	if err != nil {
		src, err = formats.ByName("pgn")
	}
	dst, bad := formats.ByName("p11")
	if err := errors.Join(err, bad); err != nil {
		return err
	}
	c := conversion{src: src, dst: dst, wo: formats.Options{Lossy: true}, input: path, output: to, quiet: true,
		policy: archive.Skip}
	if src.Name == "pgn" || src.Name == "p11" {
		c.policy = archive.Keep
	}
	return c.run(ctx)
}

// remoteIndex opens the index beside an archive on a web server, once.
func remoteIndex(path string) func() (explorer.Content, error) {
	return sync.OnceValues(func() (explorer.Content, error) {
		f, err := httprange.Open(context.Background(), indexOf(path))
		if err != nil {
			if noIndexThere(err) {
				err = fs.ErrNotExist
			}
			return explorer.Content{}, err
		}
		return explorer.Content{ReaderAt: f, Size: f.Size(), State: fmt.Sprint(f.Size()), Close: func() {}}, nil
	})
}

// shortBuffers gives connections a short buffer. Else megabytes of answers would be made for a client who reads
// nothing.
type shortBuffers struct{ net.Listener }

func (l shortBuffers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		tcp.SetWriteBuffer(64 << 10) // what fails is told when something is written
	}
	return c, err
}

// clientPatience is how long a client may take to read a part of an answer, or to send a part of a file.
const clientPatience = 10 * time.Second

// serve serves until a signal, or until ctx is done.
func (o *serving) serve(ctx context.Context, l net.Listener) error {
	defer l.Close()
	host, _, err := net.SplitHostPort(o.listen)
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	names := append([]string{"localhost"}, o.hosts...) // that requests may have, besides addresses
	if host != "" {
		names = append(names, host)
	}
	if own, err := os.Hostname(); err == nil {
		names = append(names, own, own+".local")
	}
	if !l.Addr().(*net.TCPAddr).IP.IsLoopback() {
		say("everybody who reaches this machine at port %s can read what is served here: "+
			"--listen localhost:%s is for this machine alone", port, port)
	}
	if host == "" {
		host = "localhost"
	}
	page, err := web.Page("games", "openings", "move", "bytes")
	if err != nil {
		return err
	}
	bounded := o.limits.Bound(o.explorer)
	var open atomic.Int64 // connections
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if open.Load() > maxConnections*3/4 {
			w.Header().Set("Connection", "close") // none is kept for nothing while others wait
		}
		switch {
		case o.api != nil && o.api.Handles(r.URL.Path):
			o.api.ServeHTTP(w, r)
		case explorer.Handles(r.URL.Path):
			bounded.ServeHTTP(w, r)
		default:
			page.ServeHTTP(w, r)
		}
	})
	server := &http.Server{Handler: web.Patient(clientPatience, web.OnlyHosts(names, h)),
		ReadHeaderTimeout: clientPatience, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: log.New(io.Discard, "", 0),
		ConnState: func(_ net.Conn, s http.ConnState) {
			switch s {
			case http.StateNew:
				open.Add(1)
			case http.StateClosed, http.StateHijacked:
				open.Add(-1)
			}
		}}
	scheme := "http"
	if len(o.tls) > 0 {
		scheme = "https"
		if len(o.tls) > 2 {
			return usage("--tls takes two files, CERT,KEY, not %d", len(o.tls))
		}
		pair, err := tls.LoadX509KeyPair(o.tls[0], o.tls[len(o.tls)-1]) // a file may have both
		if err != nil {
			return fmt.Errorf("--tls: %w", err)
		}
		server.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}}
	}
	if o.api != nil {
		server.RegisterOnShutdown(o.api.End)
	}
	ended := make(chan struct{})
	stop := sync.OnceFunc(func() {
		defer close(ended)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			server.Close()
		}
	})
	defer context.AfterFunc(ctx, stop)()
	onSignal.Store(&stop)
	defer onSignal.Store(nil)
	address := fmt.Sprintf("%s://%s/", scheme, net.JoinHostPort(host, port))
	if _, err := fmt.Fprintln(&stdout, address); err != nil {
		return err
	}
	l = netutil.LimitListener(shortBuffers{l}, maxConnections)
	if scheme == "https" {
		err = server.ServeTLS(l, "", "")
	} else {
		err = server.Serve(l)
	}
	if !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	<-ended
	return nil
}
