// SPDX-License-Identifier: Apache-2.0
// The queries of regild-export(5), asked of DuckDB about exported files, against the same figures worked out here
// from what `regild history show --json` prints.
// usage: node queries.mjs MANUAL DUCKDB RUNS.json…    in the folder that has exported/
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import assert from "node:assert/strict";

const [manual, modules, ...documents] = process.argv.slice(2);
const { DuckDBInstance } = createRequire(`${modules}/`)("@duckdb/node-api");

const text = readFileSync(manual, "utf8");
const [, copy] = text.match(/^\.Dl (COPY .*)$/m);
const [jsonView, csvView, ...queries] = text
	.split(".Bd -literal -offset indent\n").slice(1).map((block) => block.split("\n.Ed")[0]);

// ---- what is to come out ----

const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const series = documents.flatMap((file) => JSON.parse(readFileSync(file, "utf8")).runs).flatMap((run) =>
	run.files.flatMap(({ file, metrics }) => metrics.filter(({ values }) => values).map((metric) => ({
		...run, ...metric, path: file, mean: mean(metric.values.map(Number)),
	})))).sort((a, b) => byText(a.when, b.when) || a.id - b.id);
const groups = (list, key) => [...list.reduce((map, item) =>
	map.set(key(item), [...(map.get(key(item)) ?? []), item]), new Map()).values()];

const lossAt100 = series.filter((s) => s.branch === "main" && s.metric === "lm loss" && s.steps.includes(100) &&
	s.path.endsWith("/gpt3_mcore_te_tp1_pp2/golden_values_dev_dgx_h100.json") && s.when.startsWith("2026"))
	.map((s) => [s.when, s.id, s.values[s.steps.indexOf(100)]]);

const finite = series.filter((s) => s.branch === "main" && Number.isFinite(s.mean));
const noisiest = groups(finite, (s) => `${s.path}\n${s.metric}`).filter((list) => list.length > 2).map((list) => {
	const means = list.map((s) => s.mean), middle = mean(means);
	const spread = Math.sqrt(means.reduce((sum, x) => sum + (x - middle) ** 2, 0) / (means.length - 1));
	return [list[0].path, list[0].metric, list.length, spread / Math.abs(middle)];
}).sort((a, b) => b[3] - a[3] || byText(a[0], b[0]) || byText(a[1], b[1])).slice(0, 10);

const broke = groups(finite.filter((s) => s.metric === "lm loss"), (s) => s.path).filter((list) => list.length > 1)
	.map((list) => {
		const moves = list.slice(1).map((s, i) => Math.abs(s.mean - list[i].mean));
		const at = moves.indexOf(Math.max(...moves));
		return [list[0].path, list[at + 1].when, list[at].mean, list[at + 1].mean];
	}).sort((a, b) => Math.abs(b[3] - b[2]) - Math.abs(a[3] - a[2]) || byText(a[0], b[0]));

// ---- what DuckDB says ----

const same = (got, wanted) => typeof wanted === "number"
	? Math.abs(Number(got) - wanted) <= 1e-9 * Math.abs(wanted)
	: got === wanted;

async function ask(name, view) {
	const db = await (await DuckDBInstance.create(":memory:")).connect();
	await db.run(view);
	await db.run(copy);
	const counts = await db.runAndReadAll("SELECT count(*) FROM series UNION ALL SELECT count(*) FROM 'series.parquet'");
	const [[all], [copied]] = counts.getRowsJson();
	assert.equal(copied, all, `${name}: Parquet has all rows`);
	const wanted = { "loss at step 100": lossAt100, "noisiest metrics": noisiest, "when a metric broke": broke };
	assert.equal(queries.length, Object.keys(wanted).length);
	for (const [i, [question, rows]] of Object.entries(wanted).entries()) {
		const got = (await db.runAndReadAll(queries[i])).getRowsJson();
		assert.ok(rows.length > 0, `${question}: there is something to find`);
		assert.equal(got.length, rows.length, `${name}: ${question}`);
		rows.forEach((row, at) => row.forEach((cell, k) => assert.ok(same(got[at][k], cell),
			`${name}: ${question}: row ${at}: ${got[at]} instead of ${row}`)));
		console.log(`ok ${name}: ${question}: ${got.length} rows`);
	}
}

await ask("JSON Lines", jsonView);
await ask("CSV", csvView);
