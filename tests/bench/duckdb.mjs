// SPDX-License-Identifier: Apache-2.0
// The peer of a comparison of two tables: DuckDB reads both, joins their records by name and prints the average
// relative difference of each column.
// usage: node duckdb.mjs MODULES OLD.csv NEW.csv
import { createRequire } from "node:module";

const [modules, old, fresh] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${modules}/`)("@duckdb/node-api");
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const ask = async (sql) => (await connection.runAndReadAll(sql)).getRows();
const columns = (await ask(`describe select * from read_csv('${old}')`)).map(([name]) => name).filter((name) => name !== "name");
const figures = columns.map((c) => `avg((a.${c} - b.${c}) / abs(a.${c}))`);
const [row] = await ask(`select count(*), ${figures} from read_csv('${old}') a join read_csv('${fresh}') b using (name)`);
console.log(row.join(" "));
