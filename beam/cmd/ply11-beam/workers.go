// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/spf13/cobra"

	"ply11/beam/internal/pool"
)

func workersCommand() *cobra.Command {
	var port int
	cmd := &cobra.Command{
		Use:   "workers [flags]",
		Short: "Be a pool of workers for a runner on this machine",
		Long: `Be a pool of workers for a runner on this machine, until a signal ends the program. So Docker is not needed: have a pool on each machine of the
runner, and submit with --environment_type EXTERNAL --environment_config localhost:PORT. The pool must be the same program as the one that submits.

It takes whatever job comes to the port, and does not ask who sends it. It listens on the address localhost alone.`,
		Example: `  ply11-beam workers --port 50000
  ply11-beam tree --runner universal --endpoint localhost:8099 --environment_type EXTERNAL --environment_config localhost:50000 -o tree.json "archives/*.p11"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if port < 0 || port > 65535 {
				return usage("--port is 0 to 65535, not %d", port)
			}
			beam.Init()
			tune()
			address, err := pool.Start(port)
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "ply11-beam: workers at %s\n", address)
			select {} // a signal ends the process, and removes what steps have made: see runs.Process
		},
	}
	cmd.Flags().IntVar(&port, "port", 50000, "where to listen, on localhost; 0 for any that is free")
	return cmd
}
