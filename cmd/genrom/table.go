// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ply11/chess"
	"ply11/moveindex"
)

func newTable() *cobra.Command {
	var halfmoves bool
	var format string
	cmd := &cobra.Command{
		Use:   "table",
		Short: "Print the 1,968 moves, or the 7,752 halfmoves, as a table",
		Long: `table prints the index: a row for each of the 1,968 moves, with its class and squares. With --halfmoves it prints a row for each of the
7,752 coloured halfmoves (a colour, a piece, and a move that this piece can make). Every generated file names the SHA-256 of the table of moves
as TSV.`,
		Example: `  go run ./cmd/genrom table | sha256sum
  go run ./cmd/genrom table --halfmoves --format csv | head`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			write, ok := map[string]func(io.Writer, []string, [][]string) error{
				"tsv": writeTSV, "csv": writeCSV, "json": writeJSON,
			}[format]
			if !ok {
				return usage(fmt.Errorf("unknown table format %q; there are tsv, csv and json", format))
			}
			header, rows := moveRows()
			if halfmoves {
				header, rows = halfmoveRows()
			}
			w := bufio.NewWriter(cmd.OutOrStdout())
			if err := write(w, header, rows); err != nil {
				return err
			}
			return w.Flush()
		},
	}
	cmd.Flags().BoolVar(&halfmoves, "halfmoves", false, "the coloured halfmoves instead of the moves")
	cmd.Flags().StringVar(&format, "format", "tsv", "tsv, csv or json")
	return cmd
}

// moveRows cuts moveindex's own table into cells, so that there is one source of it.
func moveRows() (header []string, rows [][]string) {
	lines := strings.Split(strings.TrimSuffix(string(moveindex.AppendTable(nil)), "\n"), "\n")
	for _, line := range lines[1:] {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return strings.Split(lines[0], "\t"), rows
}

func halfmoveRows() (header []string, rows [][]string) {
	for h := range moveindex.Halfmove(moveindex.NumHalfmoves) {
		m := h.Move()
		castling := "-"
		if h.IsCastling() {
			castling = "O-O"
			if m.To() < m.From() {
				castling = "O-O-O"
			}
		}
		rows = append(rows, []string{
			strconv.Itoa(int(h)), h.Color().String(), h.Piece().String(), strconv.Itoa(int(h.Index())),
			m.From().String(), m.To().String(), chess.PromotionName(m.Promotion()), castling,
		})
	}
	return []string{"halfmove", "color", "piece", "index", "from", "to", "promotion", "castling"}, rows
}

func writeTSV(w io.Writer, header []string, rows [][]string) error {
	for _, row := range append([][]string{header}, rows...) {
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(w io.Writer, header []string, rows [][]string) error {
	c := csv.NewWriter(w)
	if err := c.Write(header); err != nil {
		return err
	}
	return c.WriteAll(rows)
}

// writeJSON writes an array of objects, a line for each, with the columns in their order; "-" is null.
func writeJSON(w io.Writer, header []string, rows [][]string) error {
	for i, row := range rows {
		sep := ","
		if i == 0 {
			sep = "["
		}
		for k, cell := range row {
			var value any = cell
			if n, err := strconv.Atoi(cell); err == nil {
				value = n
			} else if cell == "-" {
				value = nil
			}
			text, err := json.Marshal(value)
			if err != nil {
				return err
			}
			before := ", "
			if k == 0 {
				before = sep + "\n  {"
			}
			if _, err := fmt.Fprintf(w, "%s%q: %s", before, header[k], text); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(w, "}"); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "\n]\n")
	return err
}
