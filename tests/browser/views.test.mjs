// SPDX-License-Identifier: Apache-2.0
// What the page has of goldens with views of their own: tables, tensors, texts, pictures, results of tests.
import assert from 'node:assert/strict';
import { onPage } from './browser.mjs';

const shown = (page, selector) => page.locator(selector).filter({ visible: true }).count();
const edge = (page, layer) => page.evaluate((place) =>
	getComputedStyle(document.querySelectorAll('.layers > div')[place]).clipPath, layer);

onPage('pictures lie over each other in one scale, with a slider for keys', 'views.html', {}, async ({ page }) => {
	const slider = page.getByRole('slider');

	await slider.focus();
	assert.equal(await page.locator('.pictures img').count(), 2);
	assert.equal(await edge(page, 0), 'inset(0px 50% 0px 0px)');
	assert.equal(await edge(page, 1), 'inset(0px 0px 0px 50%)');
	await page.keyboard.press('ArrowRight');
	assert.equal(await edge(page, 0), 'inset(0px 49% 0px 0px)');
	await page.keyboard.press('Home');
	assert.equal(await edge(page, 1), 'inset(0px 0px 0px 0%)');
	const [wide, narrow] = await page.locator('.layers img').evaluateAll((all) => all.map((image) => image.width));
	assert.equal(wide, 200);
	assert.equal(narrow, 100);
});

onPage('pictures are side by side without the script', 'views.html', { javaScriptEnabled: false }, async ({ page }) => {
	const [before, now] = await Promise.all((await page.locator('img').all()).map((image) => image.boundingBox()));

	assert.equal(await page.locator('img').count(), 2);
	assert.ok(now.x >= before.x + before.width);
	assert.equal(await page.locator('[type=range]').count(), 0);
});

onPage('cells of a table are filtered by column and sorted by change', 'views.html', {}, async ({ page }) => {
	const records = () => page.locator('tr.cell:visible').evaluateAll((rows) => rows.map((row) => row.cells[0].innerText));

	assert.deepEqual(await records(), ['alexnet', 'dcgan', 'alexnet']);
	await page.getByRole('search', { name: 'Filter cells' }).getByLabel('column').selectOption('speedup');
	assert.deepEqual(await records(), ['dcgan', 'alexnet']);
	await page.locator('table:has(tr.cell)').getByRole('button', { name: /^change/ }).click();
	assert.deepEqual(await records(), ['alexnet', 'dcgan']);
});

onPage('a tensor has its largest elements', 'views.html', {}, async ({ page }) => {
	await page.getByText('Largest differences of tensor.npy').click();
	assert.deepEqual(await page.locator('details', { hasText: 'Largest differences' }).last()
		.locator('tbody td:first-child').allInnerTexts(), ['[1]', '[0]']);
});

// What is a page's own comes right after the findings and the cards, and the rest is folded.
for (const [name, own, folded] of [
	['opdiff.html', 'tr.operator', 'Differences to the baseline'],
	['cases.html', 'tr.case', 'Pass rates by flow'],
]) {
	onPage('begins with what is its own', name, {}, async ({ page }) => {
		const { y, height } = await page.locator(own).first().boundingBox();

		assert.ok(y + height < 1000, `${own} ends at ${y + height}`);
		assert.ok(y > (await page.locator('ul.review').boundingBox()).y);
		assert.equal(await page.locator('details:not([open])', { hasText: folded }).count() > 0, true);
	});
}

onPage('what went from OK to an error comes first', 'opdiff.html', {}, async ({ page }) => {
	assert.match(await page.locator('tr.operator').first().innerText(), /mul\s+tflite\s+OK\s+ERROR/);
});

onPage('newly failing cases are open, and come first', 'cases.html', {}, async ({ page }) => {
	assert.equal(await page.locator('tr.case').filter({ visible: true }).first().innerText().then((text) => text.split('\t')[1]), 'add/0');
	assert.equal(await page.locator('details[open] summary').first().innerText(), 'Newly failing (1)');
});

onPage('shares have a colour without any style attribute', 'opdiff.html', {}, async ({ page }) => {
	const backs = await page.locator('.matrix td.share-0, .matrix td.share-20').evaluateAll((cells) =>
		new Set(cells.map((cell) => getComputedStyle(cell).backgroundColor)).size);

	assert.equal(backs, 2);
	assert.equal(await page.locator('[style]').count(), 0);
});

onPage('a filter is of its own file of results', 'opdiff.html', {}, async ({ page }) => {
	const all = await shown(page, 'tr.operator');

	await page.getByRole('search').first().getByLabel('text').fill('mul');
	const left = await shown(page, 'tr.operator');
	assert.ok(left < all && left > all / 2, `${left} of ${all}`);
});

onPage('cases are found by what changed, and show their error', 'cases.html', {}, async ({ page }) => {
	await page.getByLabel('change').selectOption('Newly failing');
	assert.equal(await shown(page, 'tr.case'), 1);
	await page.getByText('first line').first().click();
	assert.match(await page.locator('details[open] pre').innerText(), /first line\nsecond line/);
});
