// SPDX-License-Identifier: Apache-2.0

package dense

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"ply11/chess"
)

// Version is the version of model and coder, which an archive names.
//
// Frozen: the weights, the book, the features and each step of the arithmetic of version 1 must stay as they are, since
// nothing else reads its archives. A second model is Version 2, with a file and a scorer of its own beside these.
const Version = 1

// The file of the model, compressed with zstd, is, all numbers little-endian:
//
//	magic    8 bytes  "ply11dm" and the version
//	tables   numWeights int8, in sixteenths of a bit, in the order of frame.go
//	input    numInputs rows of int8, one for each neuron, in the order of net.go
//	output   numOutputs rows, likewise
//	nodes    uint32, the number of positions in the book
//	         for each, by rising hash: hash uint64, n uint8, then n times move uint16, count uint16
const modelMagic = "ply11dm\x01"

// model is the weights and the book of a version. It is read once, and not changed.
type model struct {
	tables [numWeights]int8
	net    net
	book   book
}

// modelFile is the file of the model, as it is compressed.
//
//go:embed model1.bin.zst
var modelFile []byte

// shared returns the model of this version. The tests read its file: an error means that the program was built wrongly.
var shared = sync.OnceValue(func() *model {
	m, err := readModel(modelFile)
	if err != nil {
		panic(err)
	}
	return m
})

func readModel(compressed []byte) (*model, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	data, err := z.DecodeAll(compressed, nil)
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	data, ok := bytes.CutPrefix(data, []byte(modelMagic))
	if !ok || len(data) < numWeights+(numInputs+numOutputs)*neurons+4 {
		return nil, fmt.Errorf("model: not one of version %d", Version)
	}
	m := new(model)
	for i := range m.tables {
		m.tables[i] = int8(data[i])
	}
	data = data[numWeights:]
	for _, rows := range [][][neurons / 8]uint64{m.net.input[:], m.net.output[:]} {
		for i := range rows {
			for j := range rows[i] {
				rows[i][j] = binary.LittleEndian.Uint64(data)
				data = data[8:]
			}
		}
	}
	nodes := int(binary.LittleEndian.Uint32(data))
	data = data[4:]
	m.book.init(nodes)
	for range nodes {
		if len(data) < 9 || len(data) < 9+4*int(data[8]) {
			return nil, fmt.Errorf("model: the book is cut short")
		}
		node := m.book.insert(binary.LittleEndian.Uint64(data))
		n := int(data[8])
		data = data[9:]
		for range n {
			m.book.add(node, chess.Move(binary.LittleEndian.Uint16(data)), uint32(binary.LittleEndian.Uint16(data[2:])))
			data = data[4:]
		}
	}
	if len(data) != 0 {
		return nil, fmt.Errorf("model: %d bytes after the book", len(data))
	}
	return m, nil
}
