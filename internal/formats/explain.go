// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

// Explainer writes what the bytes of a file say, for people who study its format: for each its offset, its fields
// and their meaning, with the moves in SAN. It explains a file to its end, and returns the first error
// of a game in it (as Format.Read gives them), or an error of the input or the output.
type Explainer func(w io.Writer, in Input, o Options) error

var explainers = map[string]Explainer{}

// RegisterExplainer gives the format of a name an Explainer. It panics if it has one.
func RegisterExplainer(name string, e Explainer) {
	mu.Lock()
	defer mu.Unlock()
	if explainers[name] != nil {
		panic(fmt.Sprintf("formats: %s is explained twice", name))
	}
	explainers[name] = e
}

// ExplainerOf returns the Explainer of a format; ErrUnknown if there is no such format, ErrDirection if it has none.
func ExplainerOf(name string) (Explainer, error) {
	if _, err := ByName(name); err != nil {
		return nil, err
	}
	mu.RLock()
	defer mu.RUnlock()
	if e := explainers[name]; e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("%w: %s cannot be explained", ErrDirection, name)
}

// Explained returns the names of the formats that have an Explainer, in order.
func Explained() []string {
	mu.RLock()
	defer mu.RUnlock()
	return slices.Sorted(maps.Keys(explainers))
}
