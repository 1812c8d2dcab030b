// SPDX-License-Identifier: Apache-2.0
// The rows of the demo's page: sorted, filtered, opened, and reached from the strips.
import assert from 'node:assert/strict';
import { onPage } from './browser.mjs';

const shownRows = (page) => page.locator('tr.row:visible');
const readout = (page) => page.locator('.panel output').innerText();
const choose = (page, facet, value) => page.getByLabel(new RegExp(`^${facet}`)).selectOption(value);

onPage('filters the rows, and the address keeps it', 'report.html', {}, async ({ page }) => {
	await page.getByRole('searchbox').fill('GPT loss');
	assert.equal(await shownRows(page).count(), 4);
	assert.equal(await page.locator('#rows .filters output').innerText(), '4 of 41 rows');
	await choose(page, 'variant', 'lts_dgx_a100');
	assert.equal(await shownRows(page).count(), 1);
	assert.equal(await page.locator('a.point:visible').count(), 1);
	await page.reload();
	assert.equal(await page.locator('#rows .filters output').innerText(), '1 of 41 rows');
	await page.getByRole('button', { name: 'Show all' }).click();
	assert.equal(await shownRows(page).count(), 41);
	for (const [facet, value, count] of [['look', 'needs review', 1], ['metric', 'num-zeros', 8], ['stage', 't5', 5],
		['checks', 'deterministic: fails, approximate: passes', 16]]) {
		await choose(page, facet, value);
		assert.equal(await shownRows(page).count(), count, facet);
		await choose(page, facet, '');
	}
});

onPage('filters by what was measured', 'curves.html', {}, async ({ page }) => {
	for (const [verdict, count] of [['outside', 1], ['unmeasured', 3]]) {
		await choose(page, 'verdict', verdict);
		assert.equal(await shownRows(page).count(), count, verdict);
	}
});

onPage('sorts the rows by key, and back', 'report.html', {}, async ({ page }) => {
	const head = page.getByRole('columnheader', { name: 'avg_rel_diff' });
	const sizes = () => page.locator('tr.row td:nth-child(2)').allInnerTexts();
	const before = await sizes(), numbers = before.map(Number);

	await head.getByRole('button').focus();
	// By size: the sign says nothing of how far it is.
	const size = (a, b) => Math.abs(a) - Math.abs(b);
	const orders = [['descending', [...numbers].sort((a, b) => size(b, a))], ['ascending', [...numbers].sort(size)], [null, numbers]];
	for (const [direction, sorted] of orders) {
		await page.keyboard.press('Enter');
		assert.equal(await head.getAttribute('aria-sort'), direction);
		assert.deepEqual((await sizes()).map(Number).map(Math.abs), sorted.map(Math.abs));
	}
});

onPage('opens a row by mouse, and says the values under the pointer', 'report.html', {}, async ({ page }) => {
	const row = page.locator('tr.row').filter({ hasText: 'iteration-time' }).filter({ hasText: 'gpt/gpt3_mcore_te_tp1_pp2 [dev_dgx_h100]' });

	await row.locator('td').nth(1).click();
	const plot = page.locator('.panel svg.plot'), box = await plot.boundingBox();
	assert.equal(await page.locator('.panel path.curve').count(), 3);
	assert.match(await readout(page), /^step 26: old 0\.30769, new 0\.29209, \(new - old\) \/ \|old\| -0\.0507$/);
	await plot.hover({ position: { x: box.width - 14, y: 60 } });
	assert.match(await readout(page), /^step 50: /);
	await plot.hover({ position: { x: 60, y: 60 } });
	assert.match(await readout(page), /^step 1: .*left out: old is not finite$/);
	assert.match(await page.locator('.panel').innerText(), /Left out: 1 not finite on the old side \(1\)/);
	await row.locator('td').nth(1).click();
	assert.equal(await page.locator('.panel').count(), 0);
});

onPage('opens a row by key, and goes through its steps by arrow keys', 'report.html', {}, async ({ page }) => {
	const button = page.locator('tr.row').nth(3).getByRole('button');

	await button.focus();
	await page.keyboard.press('Enter');
	await page.locator('.panel svg.plot').waitFor();
	assert.equal(await button.getAttribute('aria-expanded'), 'true');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Home');
	assert.match(await readout(page), /^step 1: /);
	await page.keyboard.press('ArrowRight');
	assert.match(await readout(page), /^step 2: /);
	assert.equal(await page.getByRole('slider').getAttribute('aria-valuetext'), await readout(page));
	await button.focus();
	await page.keyboard.press('Space');
	assert.equal(await page.locator('.panel').count(), 0);
});

onPage('goes from point to point by arrow keys, and from a point to its row', 'report.html', {}, async ({ page }) => {
	const focused = () => page.evaluate(() => document.activeElement.textContent);

	await page.locator('a.point').first().focus();
	const first = await focused();
	await page.keyboard.press('ArrowRight');
	const second = await focused();
	assert.notEqual(second, first);
	// The point left is no stop of the tabulator any more, the one reached is.
	assert.deepEqual(await page.evaluate(() => [...document.activeElement.closest('g').querySelectorAll('a.point[tabindex="0"]')]
		.map((point) => point === document.activeElement)), [true]);
	const firstStrip = await page.evaluate(() => document.activeElement.closest('svg').getAttribute('aria-label'));
	await page.keyboard.press('ArrowDown');
	assert.notEqual(await page.evaluate(() => document.activeElement.closest('svg').getAttribute('aria-label')), firstStrip);
	await page.locator('a.point').first().focus();
	const id = await page.evaluate(() => document.activeElement.getAttribute('href'));
	await choose(page, 'metric', 'iteration-time');
	await page.evaluate((hash) => { location.hash = hash; }, id);
	await page.locator('.panel svg.plot').waitFor();
	assert.equal(await page.locator(id).isVisible(), true);
	assert.equal(await shownRows(page).count(), 41, 'a row that is filtered out is shown again');
});

onPage('opens a row on a telephone without going past its edge', 'report.html', { viewport: { width: 360, height: 640 } }, async ({ page }) => {
	await page.locator('tr.row').first().getByRole('button').click();
	const box = await page.locator('.panel svg.plot').boundingBox();
	assert.ok(box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
});
