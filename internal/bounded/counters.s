// SPDX-License-Identifier: Apache-2.0

// This file lets a function of the package have no body.
