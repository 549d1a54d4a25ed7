// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/netutil"

	"ply11/web"
	"ply11/web/move"
)

func newServe() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "serve [--listen HOST:PORT]",
		Short: "Show the player clock by clock in a browser",
		Long: `Serve a page for the browser that plays bytes on netlists of ply11_player, clock by clock, with the values of all
ports and registers. The netlists run in this command. The command prints the address, which only this machine can
reach, unless --listen names another. Ctrl-C ends it.`,
		Example: `  go run ./cmd/genrom serve
  go run ./cmd/genrom serve --listen localhost:9000`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := pageHandler(listen)
			if err != nil {
				return usage(err)
			}
			l, err := net.Listen("tcp", listen)
			if err != nil {
				return err
			}
			host, _, _ := net.SplitHostPort(listen)
			_, port, err := net.SplitHostPort(l.Addr().String())
			if err != nil {
				return err
			}
			if host == "" {
				host = "localhost"
			}
			fmt.Fprintf(cmd.OutOrStdout(), "http://%s/\n", net.JoinHostPort(host, port))
			const patience = 10 * time.Second
			s := &http.Server{Handler: web.Patient(patience, h), ReadHeaderTimeout: patience,
				IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10}
			stop := context.AfterFunc(cmd.Context(), func() { s.Close() })
			defer stop()
			if err := s.Serve(netutil.LimitListener(l, 64)); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "localhost:8012", "the address to listen on")
	return cmd
}

// pageHandler serves the page and its questions, to requests that name this machine.
func pageHandler(listen string) (http.Handler, error) {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, err
	}
	page, err := web.Page("move", "hardware")
	if err != nil {
		return nil, err
	}
	var players hardware
	answers := players.handler()
	names := []string{"localhost", host}
	if own, err := os.Hostname(); err == nil {
		names = append(names, own)
	}
	return web.OnlyHosts(names, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/hardware/"):
			answers.ServeHTTP(w, r)
		case r.URL.Path == "/api/move":
			move.Handler(w, r)
		case r.URL.Path == "/api/position":
			move.Position(w, r)
		default:
			page.ServeHTTP(w, r)
		}
	})), nil
}
