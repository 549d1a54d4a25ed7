// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"ply11/bitstream/archive"
)

func recoverCommand() *cobra.Command {
	var output string
	var force, quiet, asJSON bool
	cmd := &cobra.Command{
		Use:   "recover [flags] -o new.p11 damaged.p11",
		Short: "Write the undamaged blocks of an archive to a new one",
		Long: `Write the undamaged parts of an archive to a new one, and print the numbers of the lost games. The
command needs neither the archive's header nor its index. If the tags, comments or layout of a block are damaged and
its moves are not, it saves the games without these. It also takes whole games behind an archive that is unfinished
or cut off. Several archives one after the other become one.`,
		Example: `  ply11 recover -o sound.p11 damaged.p11`,
		Args:    argCount(1, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if output == "" {
			return usage("recover: --output must name the new archive")
		}
		if err := refuseBoth(asJSON, output); err != nil {
			return err
		}
		told := io.Writer(&stdout)
		if output == "-" {
			told = stderr
		}
		out, err := createArchive(output, force, args...)
		if err != nil {
			return err
		}
		defer out.abandon()
		rep, err := salvage(cmd.Context(), args[0], "recovering", quiet, func(ctx context.Context, f io.ReaderAt,
			size int64, progress archive.ProgressOption) (*archive.Report, error) {
			return archive.Recover(ctx, out, f, size, progress)
		})
		if err != nil {
			return err
		}
		if err := out.end(); err != nil {
			return err
		}
		if err := tellReport(told, args[0], rep, quiet, asJSON); err != nil {
			return err
		}
		if !rep.OK() {
			return failed(exitCorrupt)
		}
		return nil
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the new archive")
	common(cmd, &force, &quiet, &asJSON)
	return cmd
}
