// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ply11/moveindex"
)

// Names of files beside the manifest.
const (
	LabelsName = "labels.txt" // has Manifest.LabelsText
	cardName   = "README.md"
)

// cardMark distinguishes a card from a page that somebody wrote.
const cardMark = "<!-- made by ply11 export -->"

// besides writes the moves of labels, and the card.
func (w *writer) besides() error {
	if w.path == "" || w.o.Single {
		return nil
	}
	if text := w.m.LabelsText(); text != nil {
		if err := writeFile(filepath.Join(w.o.Output, LabelsName), text, w.o.Mode); err != nil {
			return err
		}
	}
	if w.o.Card == "" {
		return nil
	}
	return writeFile(filepath.Join(w.o.Output, cardName), w.card(), w.o.Mode)
}

// LabelsText is the text of labels.txt: the move of each label, or of each number of the index with the null move, on a
// line; nil if the format has neither.
func (m *Manifest) LabelsText() []byte {
	var order []string
	if m.Labels != nil {
		order = m.Labels.Order
	} else if f, err := formatOf(m.Job.Format); err != nil || f.positions {
		return nil
	} else {
		order = append(labelsOf(nil).Order, make([]string, moveindex.Null+1-moveindex.NumMoves)...)
		order[moveindex.Null] = "0000"
	}
	return []byte(strings.Join(order, "\n") + "\n")
}

// removeBesides removes what besides wrote before.
func (w *writer) removeBesides(old *Manifest) {
	if w.o.Single {
		return
	}
	if old.LabelsText() != nil {
		os.Remove(filepath.Join(w.o.Output, LabelsName))
	}
	if w.mayWriteCard() {
		os.Remove(filepath.Join(w.o.Output, cardName))
	}
}

// mayWriteCard reports whether no page of somebody else is in the place of the card.
func (w *writer) mayWriteCard() bool {
	text, err := os.ReadFile(filepath.Join(w.o.Output, cardName))
	return os.IsNotExist(err) || err == nil && bytes.Contains(text, []byte(cardMark))
}

// hubFormats are the formats that the hub of Hugging Face reads.
var hubFormats = map[string]bool{"jsonl": true, "parquet": true, "parquet-positions": true, "webdataset": true}

// card is the page of the data set, with a head for the hub of Hugging Face.
func (w *writer) card() []byte {
	var b bytes.Buffer
	m := &w.m
	name := filepath.Base(w.o.Output)
	fmt.Fprintf(&b, "---\nlicense: %s\npretty_name: %s\ntags:\n- chess\nsize_categories:\n- %s\n", w.o.Card,
		appendJSON(nil, name), sizeCategory(int64(m.Rows)))
	if hubFormats[w.p.f.name] {
		fmt.Fprintf(&b, "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: \"*%s\"\n",
			w.p.f.ext)
	} else {
		b.WriteString("viewer: false\n")
	}
	fmt.Fprintf(&b, "---\n%s\n\n# %s\n\n%d rows of %d chess games in the format `%s`: %s.\n\n## How it was made\n\n",
		cardMark, name, m.Rows, m.Games, w.p.f.name, w.p.f.description)
	options, _ := json.MarshalIndent(m.Job, "", " ") // a Job can always be
	fmt.Fprintf(&b, "By `ply11 export` with these options, of these archives:\n\n```json\n%s\n```\n\n| archive | "+
		"bytes | games | plies | SHA-256 of its text |\n|---|---:|---:|---:|---|\n", options)
	for _, in := range m.Inputs {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %s |\n", cell(in.Name), in.Bytes, in.Games, in.Plies, in.SHA256)
	}
	if m.LeftOut > 0 {
		fmt.Fprintf(&b, "\n%d games are left out that the format cannot hold.\n", m.LeftOut)
	}
	if m.Duplicates > 0 {
		fmt.Fprintf(&b, "\n%d positions are left out that were there already.\n", m.Duplicates)
	}
	if len(m.Arrays) > 0 {
		b.WriteString("\n## What a row has\n\n| name | type | shape | what it says |\n|---|---|---|---|\n")
		for _, a := range m.Arrays {
			shape := strings.Trim(fmt.Sprint(a.Shape), "[]")
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", a.Name, a.Type, strings.ReplaceAll(shape, " ", " × "),
				cell(a.Meaning))
		}
		fmt.Fprintf(&b, "\nLine n + 1 of `%s` is the move whose number or label is n.\n", LabelsName)
	}
	b.WriteString("\n## Files\n\n| file | rows | bytes | SHA-256 |\n|---|---:|---:|---|\n")
	for _, s := range m.Shards {
		for _, f := range s.Files {
			fmt.Fprintf(&b, "| `%s` | %d | %d | %s |\n", f.Name, s.Rows, f.Bytes, f.SHA256)
		}
	}
	return b.Bytes()
}

func cell(s string) string { return strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "|", "\\|") }

// sizeCategory is the hub's name for a number of rows.
func sizeCategory(n int64) string {
	names := []string{"1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T"}
	for i, most := 0, int64(1000); i < len(names); i, most = i+1, 10*most {
		switch {
		case n >= most:
		case i == 0:
			return "n<1K"
		default:
			return names[i-1] + "<n<" + names[i]
		}
	}
	return "n>1T"
}
