// SPDX-License-Identifier: Apache-2.0

package dataset

// formats are the formats, in the order of their names.
var formats = []format{binFormat, binpackFormat, jsonlFormat, lc0Format, npyFormat, npzFormat, parquetFormat, parquetPositionsFormat, viriFormat}
