// SPDX-License-Identifier: Apache-2.0

package web

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"
)

// Errors that are not of what was asked.
var (
	ErrRate = errors.New("too many requests from this address")
	ErrBusy = errors.New("too many requests are under way: ask again soon")
	// ErrHere: only the machine that serves may ask this.
	ErrHere = errors.New("only a browser on the machine that serves can do this")
)

// Status is the status of an answer that is an error.
func Status(err error) int {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.Is(err, ErrRate):
		return http.StatusTooManyRequests
	case errors.Is(err, ErrBusy):
		return http.StatusServiceUnavailable
	case errors.Is(err, ErrHere):
		return http.StatusForbidden
	}
	return http.StatusBadRequest
}

// Limits bound what one address may ask.
type Limits struct {
	rate    float64
	proxies []netip.Prefix
	of      *lru.Cache[netip.Addr, *limit]
}

type limit struct {
	rate *rate.Limiter
	busy atomic.Int64
}

// maxAtOnce is how many requests of one address may be under way. A browser has six.
const maxAtOnce = 32

// NewLimits lets one address make so many requests a second for long, and twice as many at once; 0 is any number. This
// machine is not bounded, and of IPv6 the first 64 bits are an address. Of requests of proxies, which stand before the
// server, the address is that in X-Forwarded-For.
func NewLimits(perSecond float64, proxies []netip.Prefix) *Limits {
	l := &Limits{rate: perSecond, proxies: proxies}
	l.of, _ = lru.New[netip.Addr, *limit](1 << 14)
	return l
}

// Client returns the address of a request, not valid if it has none, and whether proxies told it. Each proxy adds the
// address that asked it to X-Forwarded-For: the last one that is no proxy's is the client's, and what stands before it
// may be made up.
func (l *Limits) Client(req *http.Request) (ip netip.Addr, forwarded bool) {
	host, _, err := net.SplitHostPort(req.RemoteAddr)
	if err != nil {
		host = req.RemoteAddr
	}
	ip, _ = netip.ParseAddr(host)
	ip = ip.Unmap().WithZone("")
	told := strings.Split(strings.Join(req.Header.Values("X-Forwarded-For"), ","), ",")
	isProxy := func(p netip.Prefix) bool { return p.Contains(ip) }
	for i := len(told) - 1; i >= 0 && slices.ContainsFunc(l.proxies, isProxy); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(told[i]))
		if err != nil {
			break
		}
		ip, forwarded = next.Unmap().WithZone(""), true
	}
	return ip, forwarded
}

// Here reports whether a request comes from this machine, and through no proxy.
func (l *Limits) Here(req *http.Request) bool {
	ip, _ := l.Client(req)
	for _, name := range []string{"X-Forwarded-For", "Forwarded", "Via"} {
		if req.Header.Get(name) != "" {
			return false
		}
	}
	return ip.IsLoopback()
}

// Begin counts a request of a client. The error is ErrRate if it comes too soon, or too many are under way; else end is
// to be called when it is answered.
func (l *Limits) Begin(ip netip.Addr, forwarded bool) (end func(), err error) {
	if l.rate <= 0 || !ip.IsValid() || ip.IsLoopback() && !forwarded {
		return func() {}, nil
	}
	if ip.Is6() {
		if p, err := ip.Prefix(64); err == nil {
			ip = p.Addr()
		}
	}
	of, ok := l.of.Get(ip)
	if !ok {
		of = &limit{rate: rate.NewLimiter(rate.Limit(l.rate), max(1, int(2*l.rate)))}
		if had, there, _ := l.of.PeekOrAdd(ip, of); there {
			of = had
		}
	}
	if !of.rate.Allow() {
		return nil, ErrRate
	}
	if of.busy.Add(1) > maxAtOnce {
		of.busy.Add(-1)
		return nil, ErrRate
	}
	return func() { of.busy.Add(-1) }, nil
}

// Bound answers with h what the limits let pass.
func (l *Limits) Bound(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		end, err := l.Begin(l.Client(r))
		if err != nil {
			w.Header().Set("Retry-After", "1")
			w.Header().Set("Connection", "close")
			Answer(w, r, nil, err)
			return
		}
		defer end()
		h.ServeHTTP(w, r)
	})
}

const part = 32 << 10

// Patient lets a client have so long to take each 32 KiB of an answer, and to send each part of a request. Then its
// connection is closed.
func Patient(patience time.Duration, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := &patient{ResponseWriter: w, body: r.Body, control: http.NewResponseController(w), patience: patience}
		p.control.SetWriteDeadline(time.Time{}) // that of the request before; where it is not supported there is none
		r.Body = p
		h.ServeHTTP(p, r)
		p.control.SetWriteDeadline(time.Now().Add(patience)) // for what is not written yet
		if r.ContentLength != 0 && !p.ended {
			p.control.SetReadDeadline(time.Now().Add(patience)) // for what the server throws away
		}
	})
}

type patient struct {
	http.ResponseWriter
	body     io.ReadCloser
	control  *http.ResponseController
	patience time.Duration
	ended    bool // the body was read to its end
}

func (p *patient) Write(b []byte) (n int, err error) {
	for {
		p.control.SetWriteDeadline(time.Now().Add(p.patience))
		k, err := p.ResponseWriter.Write(b[:min(len(b), part)])
		n, b = n+k, b[k:]
		if err != nil || len(b) == 0 {
			return n, err
		}
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (p *patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }

func (p *patient) Read(b []byte) (int, error) {
	p.control.SetReadDeadline(time.Now().Add(p.patience))
	n, err := p.body.Read(b)
	if err == io.EOF { // else the server would wait for the rest, to throw it away
		p.ended = true
		p.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

func (p *patient) Close() error { return p.body.Close() }
