// SPDX-License-Identifier: Apache-2.0
// The first screen: what it answers, cards whose links show their rows, and figures whose texts can be read.
import assert from 'node:assert/strict';
import { onPage } from './browser.mjs';

onPage('answers in a line, then by cards, losses first, and folds the rest', 'report.html', {}, async ({ page }) => {
	assert.match(await page.locator('.verdict').innerText(), /^8 goldens compared, .*: needs review \(.*\)$/);
	assert.ok((await page.locator('ul.review li').count()) <= 8);
	assert.match(await page.locator('ul.review li').first().innerText(), /loss/);
	// On the first screen, whatever comes below.
	assert.ok((await page.locator('.card').first().boundingBox()).y < 720);
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

// Names of goldens are links, and each leads to a row that is on the page.
onPage('findings lead to their rows', 'views.html', {}, async ({ page }) => {
	const links = page.locator('ul.review li a');
	const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));

	assert.ok(targets.length);
	for (const target of targets)
		assert.equal(await page.locator(`[id="${target.slice(1)}"]`).count(), 1, target);
});

// What the cards count is marked in the table, and the texts are in the list that the table names.
for (const name of ['report.html', 'opdiff.html', 'hostile.html']) {
	onPage('the cards, the table and the list of texts agree', name, {}, async ({ page }) => {
		const counts = (place, wanted) => page.locator(place).allInnerTexts()
			.then((all) => all.map((text) => Number(wanted.exec(text)?.[1] ?? 0)).reduce((sum, one) => sum + one, 0));
		const looks = await counts('.card', /(\d+) to review/), [marked] = [await page.locator('tr.row.look').count()];
		const named = await counts('#rows a[href="#exact"]', /^(\d+) of/), listed = await page.locator('#exact li').count();

		assert.equal(await counts('#rows .filters .quiet', /of (\d+) seen/), marked);
		assert.equal(listed, named);
		assert.ok(looks >= marked && looks <= marked + named, `${looks} of ${marked} and ${named}`);
		for (const card of await page.locator('.card h3 a[href="#exact"]').all())
			assert.notEqual(await page.locator('#exact li', { hasText: await card.textContent() }).count(), 0);
	});
}
