// SPDX-License-Identifier: Apache-2.0

package clients_test

import (
	"os"
	"testing"

	"ply11/clients"
)

// TestDeclarations: the declarations for Rust are those of ply11.h.
func TestDeclarations(t *testing.T) {
	const name = "rust/src/c.rs"
	want := clients.RustDeclarations(string(contents(t, "c/ply11.h")))
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if string(contents(t, name)) != want {
		t.Errorf("%s is not what is made of ply11.h; mend it with: go generate ./clients", name)
	}
}
