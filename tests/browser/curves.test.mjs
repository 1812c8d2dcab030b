// SPDX-License-Identifier: Apache-2.0
// Curves of which every value is known, opened by mouse and by keys alone; rows.test.mjs has the rows themselves.
import assert from 'node:assert/strict';
import { onPage } from './browser.mjs';

const first = 'lm loss';
const rowOf = (page, metric, stage) => page.locator('tr.row').filter({ hasText: metric }).filter({ hasText: stage + '/' });
const panel = (page) => page.locator('tr.panel');
const readout = (page) => panel(page).locator('output');

// Opens a row's curves and waits until they are drawn.
async function openCurves(page, metric, stage) {
	await rowOf(page, metric, stage).click();
	await panel(page).locator('svg').waitFor();
}

onPage('a verdict is a filter where there is a noise model', 'curves.html', {}, async ({ page }) => {
	await page.getByLabel('verdict').selectOption('outside');
	assert.deepEqual(await page.locator('tr.row:visible').evaluateAll((all) => all.map((row) => row.cells[0].innerText)), [first]);
});

onPage('a click opens the curves of a row, and closes them', 'curves.html', {}, async ({ page }) => {
	await openCurves(page, first, 'gpt');
	assert.equal(await rowOf(page, first, 'gpt').getByRole('button').getAttribute('aria-expanded'), 'true');
	for (const curve of ['path.line0', 'path.line1', 'path.line2'])
		assert.equal(await panel(page).locator(curve).count(), 1, curve);
	await page.getByRole('columnheader', { name: 'metric' }).getByRole('button').click();
	assert.equal(await page.evaluate(() => document.querySelector('tr.panel').previousElementSibling.cells[3].innerText.slice(0, 3)), 'gpt',
		'sorting takes them along');
	await rowOf(page, first, 'gpt').click();
	assert.equal(await panel(page).count(), 0);
});

onPage('so do keys alone, from the top of the page', 'curves.html', {}, async ({ page }) => {
	const focused = () => page.evaluate(() => document.activeElement.textContent);

	await page.keyboard.press('Tab');
	assert.match(await focused(), /Skip/);
	await page.keyboard.press('Enter');
	for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement.closest('tr.row'))); i++)
		await page.keyboard.press('Tab');
	assert.match(await focused(), /lm loss/);
	await page.keyboard.press('Enter');
	await panel(page).locator('svg').waitFor();
	await page.keyboard.press('Tab');
	await page.keyboard.press('Home');
	assert.match(await readout(page).textContent(), /^step 1: old 10\.2, new 10\.25,/);
	await page.keyboard.press('ArrowRight');
	assert.match(await readout(page).textContent(), /^step 2: old 9, new 12\.5, .*-0\.3889/);
	assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-valuetext')), await readout(page).textContent());
});

onPage('values are read where the pointer is, all their digits', 'curves.html', {}, async ({ page }) => {
	await openCurves(page, first, 'moe');
	const svg = panel(page).locator('svg');

	await svg.hover({ position: { x: (await svg.boundingBox()).width - 14, y: 60 } });
	assert.match(await readout(page).textContent(), /^step 3: old 5, new 4\.95, /);
	await svg.hover({ position: { x: 94, y: 260 } });
	assert.match(await readout(page).textContent(), /^step 1: old 7\.123456789012345, new 7\.2, /);
});

onPage('steps that are left out say why', 'curves.html', {}, async ({ page }) => {
	const said = [];

	await openCurves(page, 'num-zeros', 'gpt');
	await panel(page).getByRole('slider').focus();
	await page.keyboard.press('Home');
	for (let i = 0; i < 6; i++) {
		said.push((await readout(page).textContent()).replace(/^(step \d): .*?(, left out: .*)?$/, '$1$2'));
		await page.keyboard.press('ArrowRight');
	}
	assert.deepEqual(said, ['step 1', 'step 2', 'step 3, left out: old is near zero', 'step 4, left out: new is not finite',
		'step 5', 'step 6, left out: only old has it']);
	assert.equal(await panel(page).locator('path.left').count(), 3);
	assert.match(await panel(page).innerText(), /Left out: 1 near zero \(3\), 1 not finite on the new side \(4\), 1 on the old side only \(6\)/);
});

onPage('the noise band is there where noise was measured', 'curves.html', {}, async ({ page }) => {
	await openCurves(page, first, 'gpt');
	assert.notEqual(await panel(page).locator('path.band').count(), 0);
	await panel(page).getByRole('slider').focus();
	await page.keyboard.press('Home');
	assert.match(await readout(page).textContent(), /the runs 10\.1\d* … 10\.3\d*$/);
	await rowOf(page, first, 'gpt').click();
	await openCurves(page, first, 'moe');
	assert.equal(await panel(page).locator('path.band').count(), 0);
});

onPage('a point of the strips leads to its row and opens it', 'curves.html', {}, async ({ page }) => {
	const point = page.locator('svg.strips a.point.look').first();
	const target = await point.getAttribute('href');

	await point.click();
	await panel(page).locator('svg.plot').waitFor();
	assert.ok(await page.locator(target).getByRole('button').evaluate((button) => button === document.activeElement));
	await page.reload();
	await panel(page).locator('svg').waitFor();
});

onPage('points lead to rows without the script', 'curves.html', { javaScriptEnabled: false }, async ({ page }) => {
	const target = await page.locator('svg.strips a.point').first().getAttribute('href');

	assert.equal(await page.locator(`tr${target}`).count(), 1);
	assert.notEqual(await page.locator('figure svg').count(), 0);
});

onPage('the first curves are of rows that need a look, one of each metric before a second', 'report.html', {}, async ({ page }) => {
	const drawn = await page.locator('figure figcaption code:first-of-type').allInnerTexts();
	const look = await page.locator('tr.row.look').evaluateAll((all) => all.map((row) => row.cells[0].innerText));
	const kinds = new Set(look).size;

	assert.equal(new Set(drawn.slice(0, kinds)).size, kinds);
	assert.deepEqual(new Set(drawn.slice(0, kinds)), new Set(look));
});
