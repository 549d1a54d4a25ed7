// SPDX-License-Identifier: Apache-2.0

package codegen

import "fmt"

// words prints the words of an image in hexadecimal digits, each between what around returns for its address.
func (p *printer) words(m *Image, around func(a int) (before, after string)) {
	for a, w := range m.Words() {
		before, after := around(a)
		p.f("%s%04x%s", before, w, after)
	}
}

func lines(int) (before, after string) { return "", "\n" }

// eights returns a line's end behind every eighth word, and else a separator.
func eights(a int, separator string) string {
	if a%8 == 7 {
		return "\n"
	}
	return separator
}

// writeMemh writes what $readmemh reads, eight words a line.
func writeMemh(p *printer, f *Format) {
	p.banner("//", f)
	p.words(f.Image, func(a int) (string, string) { return "", eights(a, " ") })
}

// writeHex writes a word a line and nothing else, which is all that icebram takes.
func writeHex(p *printer, f *Format) { p.words(f.Image, lines) }

// writeCOE writes Xilinx's coefficient file. The vector comes last and ends in a semicolon.
func writeCOE(p *printer, f *Format) {
	p.banner(";", f)
	p.f("memory_initialization_radix=16;\nmemory_initialization_vector=\n")
	p.words(f.Image, func(a int) (string, string) {
		if a == f.Image.Depth-1 {
			return "", ";\n"
		}
		return "", ",\n"
	})
}

// writeMIF writes Intel's (Altera's) memory initialization file. The four keywords come first.
func writeMIF(p *printer, f *Format) {
	p.banner("--", f)
	p.f("DEPTH = %d;\nWIDTH = %d;\nADDRESS_RADIX = HEX;\nDATA_RADIX = HEX;\nCONTENT BEGIN\n", f.Image.Depth, Width)
	p.words(f.Image, func(a int) (string, string) { return fmt.Sprintf("%04x : ", a), ";\n" })
	p.f("END;\n")
}

// writeLattice writes Lattice's memory initialization file. Its header takes no comments, so the banner stands behind
// it. Radix number 3 is hexadecimal.
func writeLattice(p *printer, f *Format) {
	p.f("#Format=Hex\n#Depth=%d\n#Width=%d\n#AddrRadix=3\n#DataRadix=3\n#Data\n", f.Image.Depth, Width)
	p.banner("#", f)
	p.words(f.Image, lines)
}

// writeIntelHex writes Intel HEX with byte addresses, 16 bytes a record, the low byte of a word first. No image needs
// an extended address.
func writeIntelHex(p *printer, f *Format) {
	words := f.Image.Words()
	for a := 0; a < len(words); a += 8 {
		var data []byte
		for _, w := range words[a : a+8] {
			data = append(data, byte(w), byte(w>>8))
		}
		p.record(2*a, 0, data...)
	}
	p.record(0, 1)
}

// writeIntelHex16 writes the kind that Quartus reads for 16-bit words: a record a word, addressed by words, the high
// byte first, the length still counted in bytes.
func writeIntelHex16(p *printer, f *Format) {
	for a, w := range f.Image.Words() {
		p.record(a, 0, byte(w>>8), byte(w))
	}
	p.record(0, 1)
}

func (p *printer) record(address int, kind byte, data ...byte) {
	b := append([]byte{byte(len(data)), byte(address >> 8), byte(address), kind}, data...)
	var sum byte
	for _, v := range b {
		sum += v
	}
	p.f(":%X%02X\n", b, -sum)
}

func writeBinaryLE(p *printer, f *Format) {
	for _, w := range f.Image.Words() {
		p.Write([]byte{byte(w), byte(w >> 8)})
	}
}

func writeBinaryBE(p *printer, f *Format) {
	for _, w := range f.Image.Words() {
		p.Write([]byte{byte(w >> 8), byte(w)})
	}
}
