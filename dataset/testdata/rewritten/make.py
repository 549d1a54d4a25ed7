# SPDX-License-Identifier: Apache-2.0
"""Makes the Parquet files in this folder: games.pgn, exported, and written again by other programs, as people do who choose rows and columns.

In this folder, with DuckDB 2.0.0, pyarrow 26.0.1 and polars 2.1.0 from PyPI:

    ply11 pack -o games.p11 games.pgn && ply11 export -o games.parquet games.p11 && python3 make.py && rm games.p11 games.parquet*
"""
import duckdb
import polars
import pyarrow.parquet as parquet

# DuckDB writes times in microseconds.
duckdb.sql("copy (select * from 'games.parquet' where Event <> 'Empty') to 'rows.parquet'")
duckdb.sql("copy (select * exclude (UTCTime, other_tags) from 'games.parquet') to 'columns.parquet' (codec zstd)")
# polars writes them in nanoseconds.
polars.read_parquet("games.parquet").write_parquet("polars.parquet")
parquet.write_table(parquet.read_table("games.parquet"), "pyarrow.parquet", compression="gzip", use_dictionary=False, version="1.0")
