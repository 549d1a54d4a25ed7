// SPDX-License-Identifier: Apache-2.0

package readme

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// longest is how many words a sentence of a page may have.
const longest = 36

var (
	fenced   = regexp.MustCompile("(?ms)^```.*?^```$|^    .*?$|<!--.*?-->")
	linkText = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	codeSpan = regexp.MustCompile("`[^`]*`")
	word     = regexp.MustCompile(`\p{L}[\p{L}'-]*`)
	// stop ends a sentence, or a part of one that stands by itself: an item, a clause behind a colon or semicolon.
	stop = regexp.MustCompile(`[.!?:;](?:["”)*]*)(?:\s+|$)|\n\s*\n|\n\s*[*-] |\n\s*\d+\. |\n#+ `)
)

// sentences returns the sentences of a page, without its code, tables and headings' marks.
func sentences(page string) []string {
	page = fenced.ReplaceAllString(page, "\n\n")
	var lines []string
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "|") {
			line = "\n"
		}
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	page = linkText.ReplaceAllString(strings.Join(lines, "\n"), "$1")
	page = codeSpan.ReplaceAllString(page, "code")
	return stop.Split(page, -1)
}

// TestShortSentences: the pages are for readers whose second language is English.
func TestShortSentences(t *testing.T) {
	for _, name := range pages(t) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sentences(string(text)) {
			if n := len(word.FindAllString(s, -1)); n > longest {
				t.Errorf("%s: a sentence of %d words: %.160s", name, n, strings.Join(strings.Fields(s), " "))
			}
		}
	}
	if got := len(sentences("A b. C d: e; f\n\n| x. y |\n```\nq. r\n```\n* g\n* h `i. j`.\n")); got < 6 {
		t.Errorf("%d sentences in the sample", got)
	}
}
