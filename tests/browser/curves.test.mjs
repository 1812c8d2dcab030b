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
	assert.match(await readout(page).textContent(), /^step 2: old 9, new 12\.5, .*\+0\.3889/);
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
	assert.notEqual(await page.locator('.card svg.plot').count(), 0);
});

onPage('each metric to look at has a figure, and its link opens the curves of the worst row', 'report.html', {}, async ({ page }) => {
	const look = await page.locator('tr.row.look').evaluateAll((all) => all.map((row) => row.cells[0].innerText));
	const cards = page.locator('.card.to-look');
	const metrics = await cards.locator('h3').allInnerTexts();

	assert.deepEqual(new Set(metrics), new Set(look));
	assert.equal(await page.locator('.pair svg.plot').count(), metrics.length);
	for (const [i, metric] of metrics.entries()) {
		const link = cards.nth(i).locator('.worst a'), row = page.locator(await link.getAttribute('href'));
		assert.equal(await cards.nth(i).locator('.pair svg.plot').count(), 1, metric);
		await link.click();
		await panel(page).locator('svg.plot').waitFor();
		assert.match(await row.getAttribute('class'), /look/);
		assert.equal(await row.locator('td').first().innerText(), metric);
		assert.equal(await row.evaluate((element) => element.nextElementSibling.className), 'panel');
		await row.getByRole('button').click();
	}
});

onPage('a page has no figure but those of its first screen until a row is opened', 'report.html', {}, async ({ page }) => {
	assert.equal(await page.locator('svg.plot').count(), await page.locator('.card svg.plot').count());
});

// Every text of an opened figure: none over another, none outside of it.
for (const [name, metrics] of [['report.html', ['lm loss', 'num-zeros', 'iteration-time']], ['curves.html', ['num-zeros', 'lm loss']],
	['views.html', ['accuracy', 'speedup', 'tensor.npy']], ['hostile.html', ['javascript', 'onmouseover', /^value/]]])
	for (const width of [1280, 360])
		onPage(`no text of an opened figure is over another, ${width} wide`, name, { viewport: { width, height: 800 } }, async ({ page }) => {
			let drawn = 0;
			for (const metric of metrics) {
				const row = page.locator('tr.row').filter({ hasText: metric }).first();
				if (!await row.count()) continue;
				await row.getByRole('button').click();
				await panel(page).locator('.actions').waitFor();
				const wrong = await panel(page).locator('svg.plot').evaluateAll((figures) => figures.flatMap((figure) => {
					const frame = figure.getBoundingClientRect(), texts = [...figure.querySelectorAll('text')];
					const boxes = texts.map((text) => ({ text: text.textContent, ...text.getBoundingClientRect().toJSON() }));
					return boxes.flatMap((a, i) => [
						...a.left < frame.left - 1 || a.right > frame.right + 1 || a.bottom > frame.bottom + 1 ? [`${a.text} is outside`] : [],
						...boxes.slice(i + 1).filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 3 && b.top < a.bottom - 3)
							.map((b) => `${a.text} is over ${b.text}`)]);
				}));
				assert.deepEqual(wrong, [], metric);
				drawn += await panel(page).locator('svg.plot').count();
				await row.getByRole('button').click();
			}
			assert.ok(drawn);
		});

onPage('what is beyond the frame has an arrow and is counted, ticks are round', 'report.html', {}, async ({ page }) => {
	await page.locator('tr.row').filter({ hasText: 'iteration-time' }).filter({ hasText: 'gpt/gpt3_mcore_te_tp1_pp2 [dev_dgx_h100]' }).getByRole('button').click();
	await panel(page).locator('svg.plot').waitFor();
	assert.equal(await panel(page).locator('svg.plot .label').first().textContent(), 'value (2 beyond the frame)');
	assert.equal(await panel(page).locator('path.beyond').count(), 2);
	const ticks = await panel(page).locator('svg.plot .tick').allTextContents();
	for (const tick of ['0.30', '0.31', '0.32', '5', '50']) assert.ok(ticks.includes(tick), ticks.join(' '));
});

onPage('records without an order are pairs of dots', 'views.html', {}, async ({ page }) => {
	await page.locator('tr.row').filter({ hasText: 'speedup' }).first().getByRole('button').click();
	await panel(page).locator('svg.plot').waitFor();
	assert.equal(await panel(page).locator('path.curve').count(), 0);
	assert.match(await panel(page).locator('path.line0.dots').getAttribute('d'), /^(M[\d.]+ [\d.]+h0)+$/);
	assert.match(await panel(page).locator('path.line1.dots').getAttribute('d'), /^(M[\d.]+ [\d.]+h0)+$/);
});
