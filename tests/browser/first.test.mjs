// SPDX-License-Identifier: Apache-2.0
// The first screen: what it answers, cards whose links show their rows, and figures whose texts can be read.
import assert from 'node:assert/strict';
import { onPage } from './browser.mjs';

onPage('answers in a line, then by cards, losses first, and folds the rest', 'report.html', {}, async ({ page }) => {
	const rows = await page.locator('tr.row').count(), look = await page.locator('tr.row.look').count();

	assert.ok((await page.locator('.heads').innerText()).startsWith(`look at ${look} of ${rows} rows`));
	assert.match(await page.locator('.card h3').first().innerText(), /loss/);
	assert.equal(await page.locator('main > section details[open]').count(), 0);
	const last = await page.locator('main > section h2').allInnerTexts();
	assert.ok(last.indexOf('Figures by metric') > last.indexOf('Rows'), last.join());
});

onPage('a card leads to the rows of its metric', 'report.html', {}, async ({ page }) => {
	const card = page.locator('.card').first(), metric = await card.locator('h3').innerText();

	await card.locator('h3 a').click();
	await page.waitForFunction((name) => [...document.querySelectorAll('tr.row')].every((row) => row.hidden || row.cells[0].textContent.includes(name)), metric);
	assert.ok(await page.locator('tr.row:visible').count() > 0);
});

onPage('a card leads to the table without the script', 'report.html', { javaScriptEnabled: false }, async ({ page }) => {
	await page.locator('.card h3 a').first().click();
	assert.ok((await page.locator('#rows').boundingBox()).y < 900);
});

// Every text of every figure: none over another, none outside of it.
for (const name of ['report.html', 'curves.html', 'views.html', 'hostile.html', 'opdiff.html'])
	for (const width of [1280, 360])
		onPage(`no text of a figure is over another, ${width} wide`, name, { viewport: { width, height: 800 } }, async ({ page }) => {
			await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
			const wrong = await page.locator('svg.plot, svg.strips').evaluateAll((figures) => figures.flatMap((figure) => {
				const frame = figure.getBoundingClientRect();
				const boxes = [...figure.querySelectorAll('text')].map((text) => ({ text: text.textContent, ...text.getBoundingClientRect().toJSON() }));
				const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 3 && b.top < a.bottom - 3;
				return boxes.flatMap((a, i) => [
					...a.left < frame.left - 9 || a.right > frame.right + 9 ? [`${a.text} is outside`] : [],
					...boxes.slice(i + 1).filter((b) => over(a, b)).map((b) => `${a.text} is over ${b.text}`)]);
			}));
			assert.deepEqual(wrong, []);
		});

// Names in sentences are links, and each leads to a row that is on the page.
onPage('names in sentences lead to their rows', 'report.html', {}, async ({ page }) => {
	const links = page.locator('details', { has: page.locator('summary', { hasText: 'In sentences' }) }).locator('li a');
	const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));

	assert.ok(targets.length);
	for (const target of targets)
		assert.equal(await page.locator(`[id="${target.slice(1)}"]`).count(), 1, target);
});

// What the head counts is in the table, or in the list of texts that the table names.
for (const name of ['report.html', 'opdiff.html', 'hostile.html']) {
	onPage('the head, the table and the list of texts agree', name, {}, async ({ page }) => {
		const numbers = async (place, wanted) => {
			const text = await page.locator(place).count() ? await page.locator(place).first().textContent() : '';
			return (wanted.exec(text) ?? [0, 0, 0]).slice(1).map(Number);
		};
		const [looks, rows] = await numbers('.heads', /look at (\d+) of (\d+) rows/);
		const [shown] = await numbers('#rows output', /(\d+) rows/);
		const [wanted] = await numbers('#rows .filters .quiet', /of (\d+) seen/);
		const [differ, texts] = await numbers('#rows a[href="#exact"]', /(\d+) of (\d+) differ/);

		assert.equal((shown ?? 0) + (texts ?? 0), rows);
		assert.equal((wanted ?? 0) + (differ ?? 0), looks);
		for (const card of await page.locator('.card h3 a[href="#exact"]').all())
			assert.notEqual(await page.locator('#exact li', { hasText: await card.textContent() }).count(), 0);
	});
}
