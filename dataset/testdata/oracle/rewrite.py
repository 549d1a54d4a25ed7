# SPDX-License-Identifier: Apache-2.0
"""Writes a Parquet file again with DuckDB, pyarrow and polars, as people do who choose rows and columns, in all forms that these programs have.

Usage: rewrite.py FILE FOLDER. It prints the names of the files. Those that begin with "less" are without UTCTime, other_tags and tag_order.
"""
import sys
from pathlib import Path

import duckdb
import polars
import pyarrow
import pyarrow.compute
import pyarrow.parquet as parquet

file, folder = sys.argv[1], Path(sys.argv[2])
names = []


def path(name):
    names.append(name)
    return str(folder / name)


for codec in "uncompressed snappy zstd gzip brotli lz4_raw".split():
    for version in "V1", "V2":
        duckdb.sql(f"copy '{file}' to '{path(f'duckdb-{codec}-{version}')}' (format parquet, codec {codec}, parquet_version {version})")
# DuckDB writes times in microseconds.
duckdb.sql(f"copy (select * exclude (UTCTime, other_tags, tag_order) from '{file}') to '{path('less-duckdb')}' (format parquet, row_group_size 2)")
duckdb.sql(f"copy (select *, 1 as more, [White, Black] as players from '{file}' order by game) to '{path('more-duckdb')}' (format parquet)")

table = parquet.read_table(file)
for codec in "none snappy zstd gzip brotli lz4".split():
    for dictionary in True, False:
        for page in "1.0", "2.0":
            parquet.write_table(
                table, path(f"pyarrow-{codec}-{dictionary}-{page}"), compression=codec, use_dictionary=dictionary, data_page_version=page
            )
for version in "1.0", "2.4", "2.6":
    parquet.write_table(table, path(f"pyarrow-version-{version}"), version=version)
parquet.write_table(table, path("pyarrow-groups"), row_group_size=1, write_page_index=True, store_schema=False)
parquet.write_table(table, path("pyarrow-items"), use_compliant_nested_type=False)
parquet.write_table(table, path("pyarrow-delta"), use_dictionary=False, column_encoding={"Event": "DELTA_LENGTH_BYTE_ARRAY", "game": "DELTA_BINARY_PACKED"})
large = [
    pyarrow.field(f.name, pyarrow.large_string() if f.type == pyarrow.string() else pyarrow.large_list(f.type.value_type) if f.name == "moves" else f.type)
    for f in table.schema
]
parquet.write_table(table.cast(pyarrow.schema(large)), path("pyarrow-large"))
for unit in "us", "ns":
    at = table.schema.get_field_index("UTCTime")
    times = table.column(at).cast(pyarrow.time64(unit))
    parquet.write_table(table.set_column(at, "UTCTime", times), path(f"pyarrow-{unit}"))
at = table.schema.get_field_index("UTCTime")
parquet.write_table(table.set_column(at, "UTCTime", table.column(at).cast(pyarrow.time32("s"))), path("pyarrow-s"))
# Columns that a program has made dictionaries.
coded = table
for name in "White", "Black", "ECO":
    at = coded.schema.get_field_index(name)
    coded = coded.set_column(at, name, coded.column(at).dictionary_encode())
parquet.write_table(coded, path("pyarrow-dictionaries"))
parquet.write_table(table.drop_columns(["UTCTime", "other_tags", "tag_order"]), path("less-pyarrow"))

# polars writes times in nanoseconds.
frame = polars.read_parquet(file)
for codec in "uncompressed snappy zstd gzip brotli lz4".split():
    frame.write_parquet(path(f"polars-{codec}"), compression=codec, statistics="full")
frame.drop(["UTCTime", "other_tags", "tag_order"]).write_parquet(path("less-polars"), row_group_size=1)
frame.lazy().filter(polars.col("Event") != "").sink_parquet(path("polars-sink"))
print("\n".join(names))
