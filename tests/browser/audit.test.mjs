// SPDX-License-Identifier: Apache-2.0
// The audit's page: what is filtered takes its figures along, and a name leads to its place.
import assert from 'node:assert/strict';
import { onPage } from './browser.mjs';

const shown = (page, selector) => page.locator(selector).filter({ visible: true }).count();
const series = 6;

onPage('the answers come first', 'audit.html', {}, async ({ page }) => {
	assert.equal(await page.locator('main h2').first().innerText(), 'Answers');
	assert.match(await page.locator('main section').first().innerText(), /Run 13 is bad[^]*From run 20 on/);
});

onPage('a bad run is a column, and a break a line', 'audit.html', {}, async ({ page }) => {
	const columns = await page.locator('.map tr').evaluateAll((rows) => rows.map((row) =>
		[...row.cells].map((cell, place) => cell.classList.contains('odd') ? place : 0).filter((place) => place)));
	const lines = await page.locator('.map td.from').evaluateAll((cells) => cells.map((cell) => cell.cellIndex));

	// After the metric and its series come the runs 10, 11, 12, …
	assert.deepEqual(columns, [[5], [5], [5], [5]]);
	assert.deepEqual(lines, [12]);
	assert.equal(await page.locator('.map tr:nth-child(1) td.odd').innerText(), '2');
});

onPage('a filter takes figures, strips and rows of the map along', 'audit.html', {}, async ({ page }) => {
	assert.equal(await page.getByRole('search').locator('output').innerText(), `${series} series`);
	assert.equal(await shown(page, 'tr.series'), series);
	await page.getByLabel('metric').selectOption('zeros');
	assert.equal(await shown(page, 'tr.series'), 2);
	assert.equal(await shown(page, '.map tbody tr'), 1);
	assert.equal(await shown(page, 'figure'), 0);
	await page.getByLabel('metric').selectOption('lm loss');
	await page.getByLabel('text').fill('gpt/a/');
	assert.equal(await shown(page, 'tr.series'), 1);
	// The runs of one golden, and the strips, of which one is left.
	assert.equal(await shown(page, 'figure'), 2);
	assert.equal(await shown(page, 'svg.sizes g'), 1);
	await page.getByRole('button', { name: 'Show all' }).click();
	assert.equal(await shown(page, 'tr.series'), series);
});

onPage('findings are a filter, kept in the address', 'audit.html', {}, async ({ page }) => {
	await page.getByLabel('finding').selectOption('deterministic');
	assert.equal(await shown(page, 'tr.series'), 2);
	await page.reload();
	assert.equal(await shown(page, 'tr.series'), 2);
});

onPage('links lead to the run, the metric and the series', 'audit.html', {}, async ({ page }) => {
	for (const place of ['.map thead a', '.map tbody a', 'figcaption a', 'svg.sizes a']) {
		const link = page.locator(place).first();

		await link.focus();
		await page.keyboard.press('Enter');
		assert.ok(await page.locator(':target').isVisible(), place);
	}
});

onPage('all of it is there without the script', 'audit.html', { javaScriptEnabled: false }, async ({ page }) => {
	assert.equal(await shown(page, 'tr.series'), series);
	assert.equal(await shown(page, '.map tbody tr'), 3);
	assert.ok(await shown(page, 'figure') >= 4);
	assert.equal(await page.locator('circle title').first().textContent(), '10: 9.62');
});

onPage('series are sorted by the keyboard', 'audit.html', {}, async ({ page }) => {
	const head = page.locator('#series').getByRole('columnheader', { name: 'metric' });
	const names = () => page.locator('tr.series').evaluateAll((all) => all.map((row) => row.dataset.metric));

	await head.getByRole('button').focus();
	await page.keyboard.press('Enter');
	assert.equal(await head.getAttribute('aria-sort'), 'ascending');
	const ascending = await names();
	await page.keyboard.press('Enter');
	assert.equal(await head.getAttribute('aria-sort'), 'descending');
	assert.notDeepEqual(await names(), ascending);
	assert.deepEqual([...new Set(await names())], [...new Set(ascending)].reverse());
});

onPage('each link leads somewhere', 'audit.html', { javaScriptEnabled: false }, async ({ page }) => {
	assert.deepEqual(await page.locator('a[href^="#"]').evaluateAll((all) =>
		all.map((a) => a.getAttribute('href')).filter((href) => !document.getElementById(href.slice(1)))), []);
});
