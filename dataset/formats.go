// SPDX-License-Identifier: Apache-2.0

package dataset

// formats are the formats, in the order of their names.
var formats = []format{binFormat, binpackFormat, bulletFormat, jsonlFormat, lc0Format, npyFormat, npzFormat,
	parquetFormat, parquetPositionsFormat,
	tfrecordFormat, viriFormat, webdatasetFormat}
