// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"crypto/sha256"
	"io"
	"sync"
)

// Unpack writes the text of an archive, which it reads front to back: the very bytes that were packed, unless it is
// canonical. Every checksum is verified; what is written before an error is right. workers is the number of
// goroutines; 0 is one for each processor, at most 4.
func Unpack(dst io.Writer, src io.Reader, workers int, progress func(Stats)) (Stats, error) {
	workers = atMostWorkers(workers)
	var stats Stats
	s := NewScanner(src)
	type job struct {
		b    *Block
		text []byte
		err  error
		done chan struct{}
	}
	free := make(chan *job, workers+2)
	for range workers + 2 {
		free <- &job{b: new(Block)}
	}
	jobs, order := make(chan *job, workers+2), make(chan *job, workers+2)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var readErr error
	wg.Go(func() {
		defer close(jobs)
		defer close(order)
		for {
			var j *job
			select {
			case j = <-free:
			case <-stop:
				return
			}
			b, err := s.Next()
			if err != nil {
				if err != io.EOF {
					readErr = err
				}
				return
			}
			// The job's block takes the scanner's, and gives it its memory.
			j.b.take(b)
			j.done = make(chan struct{})
			jobs <- j
			order <- j
		}
	})
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				j.text, j.err = j.b.AppendAll(j.text[:0])
				if j.err == nil {
					j.err = j.b.complete()
				}
				close(j.done)
			}
		})
	}
	sum := sha256.New()
	var err error
	for j := range order {
		<-j.done
		if err = j.err; err != nil {
			break
		}
		sum.Write(j.text)
		if _, err = dst.Write(j.text); err != nil {
			break
		}
		stats.Games += uint64(j.b.head.games)
		stats.Plies += uint64(j.b.head.plies)
		stats.Text += int64(len(j.text))
		stats.Bytes = j.b.at + j.b.Size()
		stats.Blocks++
		if progress != nil {
			progress(stats)
		}
		if cap(j.text) > 2*mostText {
			j.text = nil
		}
		free <- j
	}
	close(stop)
	for range order {
	}
	wg.Wait()
	if err == nil {
		err = readErr
	}
	if err == nil {
		sum.Sum(stats.SHA256[:0])
		stats.Hashed = true
		stats.Bytes = s.at + trailerSize
		if s.hash != nil && string(s.hash) != string(stats.SHA256[:]) {
			err = &CorruptError{Part: "text", Block: -1, Detail: "its SHA-256 is not that of what was packed", Err: ErrCorrupt}
		}
	}
	return stats, err
}

// take makes b the block that o is, and gives o the memory that b had.
func (b *Block) take(o *Block) {
	b.reset()
	b.head, o.head = o.head, b.head
	b.data, o.data = o.data, b.data
	b.at, b.number = o.at, o.number
}
