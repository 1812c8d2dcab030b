// SPDX-License-Identifier: Apache-2.0
// Pages of many rows. Times are printed and not held: they are the machine's.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { onPage } from './browser.mjs';
import { pagePath } from './chromium.mjs';

const megabytes = (name) => fs.statSync(pagePath(name)).size / 1e6;
const ready = (page) => page.evaluate(() => performance.getEntriesByType('navigation')[0].domInteractive);

onPage('1,343 rows of 100 steps are under 3 MB', 'large.html', {}, async ({ page, note }) => {
	note(`1,343 rows of 100 steps: ${megabytes('large.html').toFixed(2)} MB, interactive after ${(await ready(page)).toFixed(0)} ms`);
	assert.ok(megabytes('large.html') < 3);
});

onPage('20,000 rows open', 'many.html', {}, async ({ page, requests, complaints, note }) => {
	note(`20,000 rows: ${megabytes('many.html').toFixed(2)} MB, interactive after ${(await ready(page)).toFixed(0)} ms`);
	assert.match(await page.locator('.counts').innerText(), /20,?000\s+rows/);
	await page.locator('tr[data-curve] button').first().click();
	await page.locator('.panel svg').waitFor();
	assert.deepEqual([...requests, ...complaints], []);
});
