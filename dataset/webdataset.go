// SPDX-License-Identifier: Apache-2.0

package dataset

import (
	"archive/tar"
	"cmp"
	"fmt"
)

// maxBatch is the most bytes of a sample, which is in memory.
const maxBatch = 64 << 20

var webdatasetFormat = format{
	name: "webdataset", ext: ".tar",
	description: "WebDataset: the arrays of npy in a tar, a sample of some hundred positions",
	positions:   true, arrays: true, want: wantNotes, describe: describeArrays,
	check: func(j *Job) error {
		j.Batch = cmp.Or(j.Batch, 256)
		if err := checkArrays(j); err != nil {
			return err
		}
		v, err := vocabularyOf(j.Labels)
		if err != nil {
			return err
		}
		row := 0
		for _, c := range columnsOf(j, labelsOf(v).Count) {
			row += c.size
		}
		if j.Batch > maxBatch/row {
			return fmt.Errorf("a batch of these arrays is at most %d positions, which is 64 MiB, and not %d",
				maxBatch/row, j.Batch)
		}
		return nil
	},
	create: func(j *Job, out *output) (sink, error) {
		rows, err := newArrays(j, out)
		if err != nil {
			return nil, err
		}
		w := &tarredArrays{arrays: rows, tar: tar.NewWriter(out.file)}
		w.most, w.flush = j.Batch, w.write
		return w, nil
	},
}

// tarredArrays writes samples of several rows: a member for each array, named for the sample and the array.
type tarredArrays struct {
	*arrays
	tar     *tar.Writer
	samples int
}

func (w *tarredArrays) write() error {
	w.samples++
	for i, c := range w.columns {
		header := npyHeader(&c, uint64(w.waiting))
		err := w.tar.WriteHeader(&tar.Header{Name: fmt.Sprintf("%09d.%s.npy", w.samples, c.Name), Mode: 0o644,
			Size: int64(len(header) + len(w.rows[i])), Format: tar.FormatUSTAR})
		if err == nil {
			_, err = w.tar.Write(header)
		}
		if err == nil {
			_, err = w.tar.Write(w.rows[i])
		}
		if err != nil {
			return err
		}
	}
	w.clear()
	return nil
}

func (w *tarredArrays) end(*Shard) error {
	if w.waiting > 0 {
		if err := w.write(); err != nil {
			return err
		}
	}
	return w.tar.Close()
}
