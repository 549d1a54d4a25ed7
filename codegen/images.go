// SPDX-License-Identifier: Apache-2.0

package codegen

// What writes the image formats. The facts of each are its vendor's; where one allows a choice, the
// comment says what was chosen.

// writeMemh writes what $readmemh reads: hexadecimal words, // comments. Eight words a line.
func writeMemh(p *printer, f *Format) {
	p.banner("//", f.Name)
	p.comment("//", f.Image.layout)
	words := f.Image.Words()
	for a, w := range words {
		p.word(uint32(w), Width)
		if a%8 == 7 {
			p.f("\n")
		} else {
			p.f(" ")
		}
	}
}

// writeHex writes a word a line and nothing else, which is all that icebram takes.
func writeHex(p *printer, f *Format) {
	for _, w := range f.Image.Words() {
		p.word(uint32(w), Width)
		p.f("\n")
	}
}

// writeCOE writes Xilinx's coefficient file. The vector comes last and ends in a semicolon.
func writeCOE(p *printer, f *Format) {
	p.banner(";", f.Name)
	p.comment(";", f.Image.layout)
	p.f("memory_initialization_radix=16;\nmemory_initialization_vector=\n")
	words := f.Image.Words()
	for a, w := range words {
		p.word(uint32(w), Width)
		if a == len(words)-1 {
			p.f(";\n")
		} else {
			p.f(",\n")
		}
	}
}

// writeMIF writes Intel's (Altera's) memory initialization file. The four keywords come first.
func writeMIF(p *printer, f *Format) {
	p.banner("--", f.Name)
	p.comment("--", f.Image.layout)
	p.f("DEPTH = %d;\nWIDTH = %d;\nADDRESS_RADIX = HEX;\nDATA_RADIX = HEX;\nCONTENT BEGIN\n", f.Image.Depth, Width)
	for a, w := range f.Image.Words() {
		p.f("%04x : ", a)
		p.word(uint32(w), Width)
		p.f(";\n")
	}
	p.f("END;\n")
}

// writeLattice writes Lattice's memory initialization file. Its header takes no comments, so that the
// banner stands behind it. Radix number 3 is hexadecimal.
func writeLattice(p *printer, f *Format) {
	p.f("#Format=Hex\n#Depth=%d\n#Width=%d\n#AddrRadix=3\n#DataRadix=3\n#Data\n", f.Image.Depth, Width)
	p.banner("#", f.Name)
	p.comment("#", f.Image.layout)
	for _, w := range f.Image.Words() {
		p.word(uint32(w), Width)
		p.f("\n")
	}
}

// writeIntelHex writes Intel HEX with byte addresses, 16 bytes a record, the low byte of a word first.
// No image is over 64 KiB, so that no extended address is needed.
func writeIntelHex(p *printer, f *Format) {
	words := f.Image.Words()
	for a := 0; a < len(words); a += 8 {
		var data []byte
		for _, w := range words[a : a+8] {
			data = append(data, byte(w), byte(w>>8))
		}
		p.record(2*a, 0, data)
	}
	p.record(0, 1, nil)
}

// writeIntelHex16 writes the kind that Quartus reads for 16-bit words: a record a word, addressed by
// words, the high byte first, the length still counted in bytes.
func writeIntelHex16(p *printer, f *Format) {
	for a, w := range f.Image.Words() {
		p.record(a, 0, []byte{byte(w >> 8), byte(w)})
	}
	p.record(0, 1, nil)
}

// record prints an Intel HEX record.
func (p *printer) record(address int, kind byte, data []byte) {
	b := append([]byte{byte(len(data)), byte(address >> 8), byte(address), kind}, data...)
	var sum byte
	for _, v := range b {
		sum += v
	}
	p.f(":%X%02X\n", b, -sum)
}

func writeBinaryLE(p *printer, f *Format) {
	for _, w := range f.Image.Words() {
		p.bytes(byte(w), byte(w>>8))
	}
}

func writeBinaryBE(p *printer, f *Format) {
	for _, w := range f.Image.Words() {
		p.bytes(byte(w>>8), byte(w))
	}
}
