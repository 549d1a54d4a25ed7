// SPDX-License-Identifier: Apache-2.0

package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// crowd is a store of as many objects as the pattern says, each as large as its number, but for one without a size.
type crowd struct{}

const crowdScheme = "crowd"

func init() {
	filesystem.Register(crowdScheme, func(context.Context) filesystem.Interface { return crowd{} })
}

func (crowd) List(_ context.Context, pattern string) (names []string, err error) {
	n, err := strconv.Atoi(strings.TrimPrefix(pattern, crowdScheme+"://"))
	for i := range n {
		names = append(names, fmt.Sprintf("%s://store/lichess/2024/games-%07d.p11", crowdScheme, n-i))
	}
	return names, err
}

// without is the number of the object that has no size.
var without int64

var errNoSize = errors.New("it has no size")

func (crowd) Size(_ context.Context, name string) (int64, error) {
	n, err := strconv.ParseInt(name[len(name)-len("0000000.p11"):len(name)-len(".p11")], 10, 64)
	if n == without {
		return 0, errNoSize
	}
	return n, err
}

func (crowd) OpenRead(context.Context, string) (io.ReadCloser, error)   { return nil, errNoSize }
func (crowd) OpenWrite(context.Context, string) (io.WriteCloser, error) { return nil, errNoSize }
func (crowd) Close() error                                              { return nil }

// TestMatchMany: a million archives are found in their order, in little memory.
func TestMatchMany(t *testing.T) {
	const n = 1_000_000
	without = 13
	_, err := Match(t.Context(), []string{crowdScheme + "://20"})
	if without = 0; !errors.Is(err, errNoSize) {
		t.Errorf("a file without a size: %v", err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	list, err := Match(t.Context(), []string{crowdScheme + "://" + strconv.Itoa(n)})
	if err != nil || len(list) != n {
		t.Fatalf("%d files, %v", len(list), err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	for i, f := range list {
		if k := int64(i) + 1; f.Size != k || f.Number != k-1 || f.Count != n || f.All != n || // of one unit each
			f.Before != k-1 {
			t.Fatalf("%+v is at place %d", f, i)
		}
	}
	each := int64(after.HeapAlloc-before.HeapAlloc) / n
	t.Logf("%d bytes a file are kept, and %d were taken in all", each, int64(after.TotalAlloc-before.TotalAlloc)/n)
	if each > 200 {
		t.Errorf("%d bytes are kept of a file", each)
	}
	runtime.KeepAlive(list)
}
