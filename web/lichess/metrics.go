// SPDX-License-Identifier: Apache-2.0

package lichess

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

type metrics struct {
	requests     *prometheus.CounterVec
	seconds      *prometheus.HistogramVec
	hits, misses prometheus.Counter
	page         http.Handler
}

func newMetrics(h *Handler) *metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "ply11_explorer_requests_total",
			Help: "Requests that were answered."}, []string{"endpoint", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "ply11_explorer_request_seconds",
			Help:    "How long they took.",
			Buckets: []float64{.0001, .0005, .001, .005, .02, .1, .5, 2, 10}}, []string{"endpoint"}),
		hits: prometheus.NewCounter(prometheus.CounterOpts{Name: "ply11_explorer_kept_total",
			Help: "Answers that were kept from before."}),
		misses: prometheus.NewCounter(prometheus.CounterOpts{Name: "ply11_explorer_made_total",
			Help: "Answers that were not."}),
	}
	gauge := func(name, help string, value func() float64) {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
	}
	gauge("ply11_explorer_games", "Games that are served.", func() float64 { return float64(h.state.Load().games()) })
	gauge("ply11_explorer_ready", "1 if all games are read, so that filters can be answered.", func() float64 {
		if s := h.state.Load(); s.isReady() && s.err == nil {
			return 1
		}
		return 0
	})
	gauge("ply11_explorer_requests", "Requests that are under way.", func() float64 { return float64(h.busy.Load()) })
	registry.MustRegister(m.requests, m.seconds, m.hits, m.misses)
	m.page = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

func (m *metrics) request(endpoint string, status int, took time.Duration) {
	if endpoint == "" {
		endpoint = "none"
	}
	m.requests.WithLabelValues(endpoint, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(endpoint).Observe(took.Seconds())
}

func (m *metrics) serve(w http.ResponseWriter, req *http.Request) { m.page.ServeHTTP(w, req) }
