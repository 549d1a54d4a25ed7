// SPDX-License-Identifier: Apache-2.0

// Package imports says which folder of the project may import which; its test holds the table against the tree.
package imports
