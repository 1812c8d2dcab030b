// SPDX-License-Identifier: Apache-2.0
// The audit's page: what is filtered takes its figures along, and a name leads to its place.
import assert from 'node:assert/strict';
import { onPage, unfold } from './browser.mjs';

const shown = (page, selector) => page.locator(selector).filter({ visible: true }).count();
const series = 6;

onPage('the first screen answers in words', 'audit.html', {}, async ({ page }) => {
	const findings = page.locator('main section').first(), answers = page.locator('.answers');
	const { y, height } = await answers.boundingBox();

	assert.match(await page.locator('header p').innerText(), /needs review \(1 bad run/);
	assert.equal(await page.locator('main h2').first().innerText(), 'Review');
	assert.match(await findings.innerText(), /bad run\s+13[^]*break\s+20\s+lm loss[^]*2 up/);
	assert.match(await answers.innerText(), /Tolerances that hold: none[^]*2 goldens: worst metric by theory[^]*more runs needed[^]*Breaks: /);
	assert.ok(y + height < 720, `answers end at ${y + height}`);
});

onPage('a large audit is short while it is folded', 'audit-large.html', {}, async ({ page, note }) => {
	await unfold(page, false);
	const height = await page.evaluate(() => document.documentElement.scrollHeight);

	note(`3,900 series: ${height} px folded`);
	assert.ok(height < 20000, `${height} px`);
});

onPage('tokens are one family', 'audit-large.html', {}, async ({ page }) => {
	assert.equal(await page.locator('#tolerances td:first-child', { hasText: 'logprobs' }).innerText(), '*/prompt_top_n_logprobs/*/*');
});

onPage('the heads of a table stay in sight', 'audit-large.html', {}, async ({ page }) => {
	const table = page.locator('#tolerances .tall').first(), head = table.locator('th').first();

	await table.evaluate((element) => element.scrollTo(0, 500));
	assert.ok((await head.boundingBox()).y - (await table.boundingBox()).y < 2);
	assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.tall')).overflowY), 'auto');
});

onPage('figures are in sight on a telephone', 'audit-large.html', { viewport: { width: 360, height: 640 } }, async ({ page }) => {
	await unfold(page);
	for (const cells of ['#tolerances tbody td:nth-child(2)', '#series tbody td:nth-child(2)']) {
		const { x, width } = await page.locator(cells).first().boundingBox();
		assert.ok(x + width <= 360, `${cells}: ${x} and ${width}`);
	}
});

// Two pixels less each way: a box has room for signs that a text need not have.
const wrongTexts = (page) => page.evaluate(() => [...document.querySelectorAll('figure')].flatMap((card) => {
	const outer = card.getBoundingClientRect();
	const texts = [...card.querySelectorAll('svg text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
	const isOut = (box) => box.left < outer.left || box.right > outer.right || box.top < outer.top || box.bottom > outer.bottom;
	const areOver = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
		Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
	return [...texts.filter(([, box]) => isOut(box)).map(([text]) => `outside: ${text}`),
		...texts.flatMap(([text, box], i) => texts.slice(i + 1).filter(([, other]) => areOver(box, other))
			.map(([other]) => `over each other: ${text}, ${other}`))];
}));

for (const name of ['audit.html', 'audit-large.html', 'opdiff.html']) {
	for (const width of [1280, 360]) {
		onPage(`no text is over another or outside of its card, ${width} px`, name, { viewport: { width, height: 800 } }, async ({ page }) => {
			await unfold(page);
			assert.notEqual(await page.locator('figure svg text').count(), 0);
			assert.deepEqual((await wrongTexts(page)).slice(0, 8), []);
		});
	}
}

onPage('a bad run is a column, and a break a line', 'audit.html', {}, async ({ page }) => {
	await unfold(page);
	const columns = await page.locator('.map tr').evaluateAll((rows) => rows.map((row) =>
		[...row.cells].map((cell, place) => cell.classList.contains('odd') ? place : 0).filter((place) => place)));
	const lines = await page.locator('.map td.from').evaluateAll((cells) => cells.map((cell) => cell.cellIndex));

	// After the metric and its series come the runs 10, 11, 12, …
	assert.deepEqual(columns, [[5], [5], [5], [5]]);
	assert.deepEqual(lines, [12]);
	assert.equal(await page.locator('.map tr:nth-child(1) td.odd').innerText(), '2');
});

onPage('a filter takes figures, strips and rows of the map along', 'audit.html', {}, async ({ page }) => {
	await unfold(page);
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
	assert.equal(await shown(page, 'table.sizes tbody tr'), 1);
	await page.getByRole('button', { name: 'Show all' }).click();
	assert.equal(await shown(page, 'tr.series'), series);
});

onPage('findings are a filter, kept in the address', 'audit.html', {}, async ({ page }) => {
	await unfold(page);
	await page.getByLabel('finding').selectOption('deterministic');
	assert.equal(await shown(page, 'tr.series'), 2);
	await page.reload();
	await unfold(page);
	assert.equal(await shown(page, 'tr.series'), 2);
});

onPage('links lead to the run, the metric and the series', 'audit.html', {}, async ({ page }) => {
	for (const place of ['.map thead a', '.map tbody a', 'figcaption a', 'table.sizes a']) {
		const link = page.locator(place).first();

		// Only what the link is in: what it leads to opens by itself.
		await unfold(page, false);
		await link.evaluate((a) => {
			for (let at = a.closest('details'); at; at = at.parentElement.closest('details')) at.open = true;
		});
		await link.focus();
		await page.keyboard.press('Enter');
		assert.ok(await page.locator(':target').isVisible(), place);
	}
});

onPage('all of it is there without the script', 'audit.html', { javaScriptEnabled: false }, async ({ page }) => {
	await unfold(page);
	assert.equal(await shown(page, 'tr.series'), series);
	assert.equal(await shown(page, '.map tbody tr'), 3);
	assert.ok(await shown(page, 'figure') >= 4);
	assert.match(await page.locator('table.runs tbody tr').first().innerText(), /^10\t9\.62/);
	assert.equal(await shown(page, '.trace'), 0);
});

onPage('runs are drawn as the table beside them has them', 'audit.html', {}, async ({ page }) => {
	await unfold(page);
	const figure = page.locator('figure').first(), axis = page.locator('.sizes tfoot').first();

	await figure.locator('svg.plot').waitFor();
	assert.equal(await figure.locator('table').count(), 0);
	assert.equal(await figure.locator('circle title').first().textContent(), '10: 9.62');
	// The bad run is beyond the frame, the break a line with its text, the tolerance a band.
	assert.equal(await figure.locator('path.line2.beyond').count(), 1);
	assert.match(await figure.locator('.label').last().textContent(), /1 beyond the frame/);
	assert.equal(await figure.locator('text.mark').textContent(), 'from 20 on');
	assert.equal(await figure.locator('rect.band').count(), 1);
	// A decade is as wide as the next, and zero is left of them.
	const ticks = (await axis.locator('.tick').evaluateAll((all) => all.map((tick) => [tick.textContent, Number(tick.getAttribute('x'))])));
	assert.deepEqual(ticks[0], ['0', 10]);
	const steps = ticks.slice(2).map(([, x], i) => x - ticks[i + 1][1]);
	assert.ok(steps.every((step) => Math.abs(step - steps[0]) < 1e-6), JSON.stringify(ticks));
	assert.equal(await page.locator('#series svg.trend').count(), series);
	assert.equal(await page.locator('#series svg.trend path.odd[d^="M"]').count(), series);
});

onPage('series are sorted by the keyboard', 'audit.html', {}, async ({ page }) => {
	await unfold(page);
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
