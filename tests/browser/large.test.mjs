// SPDX-License-Identifier: Apache-2.0
// Pages of many rows. Times are printed and not held: they are the machine's; their ratios are.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, test } from 'node:test';
import { onPage } from './browser.mjs';
import { launch, pageAddress, pagePath, ready as whenReady } from './chromium.mjs';

const megabytes = (name) => fs.statSync(pagePath(name)).size / 1e6;
const ready = (page) => page.evaluate(() => performance.getEntriesByType('navigation')[0].domInteractive);

onPage('1,343 rows of 100 steps are under 3 MB', 'large.html', {}, async ({ page, note }) => {
	note(`1,343 rows of 100 steps: ${megabytes('large.html').toFixed(2)} MB, interactive after ${(await ready(page)).toFixed(0)} ms`);
	assert.ok(megabytes('large.html') < 3);
});

onPage('20,000 rows open', 'many.html', {}, async ({ page, requests, complaints, note }) => {
	note(`20,000 rows: ${megabytes('many.html').toFixed(2)} MB, interactive after ${(await ready(page)).toFixed(0)} ms`);
	assert.equal(await page.locator('#rows .filters output').innerText(), '20,000 rows');
	assert.equal(await page.locator('tr.row').count(), 500);
	await page.getByRole('button', { name: '500 more of 19,500' }).click();
	assert.equal(await page.locator('tr.row').count(), 1000);
	// What the script draws is laid out as what the page came with.
	assert.equal(...await page.locator('tr.row').evaluateAll((rows) => [rows[0], rows[999]].map((row) =>
		[...row.cells].map((cell) => `${cell.className} ${[...cell.children].map((child) => child.tagName)}`).join())));
	await page.locator('tr.row button').nth(999).click();
	await page.locator('.panel svg.plot').waitFor();
	assert.deepEqual([...requests, ...complaints], []);
});

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

// Seconds of the page's own thread: to load, for a key in the search field, and to sort.
async function costs(name) {
	const page = await browser.newPage();
	const session = await page.context().newCDPSession(page);
	await session.send('Performance.enable', { timeDomain: 'threadTicks' });
	const spent = async () => (await session.send('Performance.getMetrics')).metrics.find((metric) => metric.name === 'TaskDuration').value;
	const during = async (body) => {
		const before = await spent();
		await body();
		// What is laid out and painted is a part of it.
		await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); }));
		return await spent() - before;
	};
	const load = await during(async () => {
		await page.goto(pageAddress(name));
		await whenReady(page);
	});
	await page.getByRole('searchbox').focus();
	// Which all names have: as many rows are shown of both.
	const key = await during(() => page.keyboard.press('m'));
	await page.keyboard.press('Backspace');
	const sort = await during(() => page.getByRole('columnheader', { name: 'avg_rel_diff' }).getByRole('button').click());
	await page.close();
	return { load, key, sort };
}

test('20,000 rows cost little more than 500', async (t) => {
	await costs('few.html'); // of which the first of all pays for the browser's start
	const few = await costs('few.html'), many = await costs('many.html');

	for (const [what, limit] of [['load', 3], ['key', 3], ['sort', 3]]) {
		t.diagnostic(`note: ${what}: ${(1000 * few[what]).toFixed(0)} ms of CPU with 500 rows, ${(1000 * many[what]).toFixed(0)} ms with 20,000`);
		assert.ok(many[what] < limit * few[what] + 0.02, what);
	}
});
