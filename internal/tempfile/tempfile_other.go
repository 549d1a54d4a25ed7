// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package tempfile

import (
	"errors"
	"os"
)

func unnamed(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func link(*os.File, string) error { return errors.ErrUnsupported }

func linkBeside(*os.File, string) (string, error) { return "", errors.ErrUnsupported }
