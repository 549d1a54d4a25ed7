// SPDX-License-Identifier: Apache-2.0
// Runs queries in DuckDB and writes their rows as JSON, a query a line. Usage: duckdb.mjs MODULE QUERY...
import { createRequire } from 'node:module';

const { DuckDBInstance } = createRequire(process.argv[2] + '/')('@duckdb/node-api');
const connection = await (await DuckDBInstance.create(':memory:')).connect();
for (const query of process.argv.slice(3)) {
  const reader = await connection.runAndReadAll(query);
  console.log(JSON.stringify(reader.getRowObjectsJson()));
}
