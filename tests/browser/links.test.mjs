// SPDX-License-Identifier: Apache-2.0
// What is sent on: links that last, the golden at both commits, copies; and what was looked at.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { onPage } from './browser.mjs';
import { pageAddress, ready } from './chromium.mjs';

const hostile = 'c #?%"|`';
const rowOf = (page, metric, name) => page.locator('tr.row').filter({ hasText: metric }).filter({ hasText: name });
const addressOf = (page) => page.evaluate(() => location.hash);
const open = async (row) => {
	await row.getByRole('button').click();
	await row.page().locator('.panel .actions').waitFor();
};
// What the next press of a button copies.
async function copied(page, button) {
	await page.evaluate(() => {
		navigator.clipboard.writeText = async (text) => { window.copied = text; };
	});
	await button.click();
	await page.waitForFunction(() => window.copied !== undefined);
	return page.evaluate(() => {
		const text = window.copied;
		delete window.copied;
		return text;
	});
}

onPage('a link to a row leads there on the next page too', 'links.html', {}, async ({ page }) => {
	await open(rowOf(page, 'zeros', hostile));
	const address = await addressOf(page);
	assert.match(address, /^#row=[\w-]{8}$/);
	for (const way of [address, address.replace('=', '-')]) {
		await page.goto('about:blank');
		await page.goto(pageAddress('relinked.html') + way);
		await ready(page);
		await page.locator('.panel svg.plot').waitFor();
		assert.match(await page.locator('tr:has(+ tr.panel)').innerText(), /zeros[^]*c #\?%"\|`/);
	}
});

onPage('the address has the filter, the order and the row, and a copied link too', 'links.html', {}, async ({ page }) => {
	await page.getByRole('search').getByLabel('metric').selectOption('lm loss');
	await page.getByRole('columnheader', { name: 'avg_rel_diff' }).getByRole('button').click();
	await open(rowOf(page, 'lm loss', 'gpt/a'));
	const link = await copied(page, page.locator('#rows .filters').getByRole('button', { name: 'Copy link' }));
	await page.goto('about:blank');
	await page.goto(link);
	await ready(page);
	assert.equal(await page.locator('#rows .filters output').innerText(), '2 of 6 rows');
	assert.equal(await page.getByRole('columnheader', { name: 'avg_rel_diff' }).getAttribute('aria-sort'), 'descending');
	assert.equal(await page.locator('.panel').count(), 1);
	await rowOf(page, 'lm loss', 'gpt/a').getByRole('button').click();
	assert.doesNotMatch(await addressOf(page), /row=/);
	// As a card of the first screen has it.
	await page.evaluate(() => { location.hash = '#metric=zeros'; });
	await page.getByText('2 of 6 rows').waitFor();
	assert.deepEqual(await page.locator('tr.row td:first-child').allInnerTexts(), ['zeros', 'zeros']);
});

onPage('a row has the golden as both commits have it', 'links.html', {}, async ({ page }) => {
	await open(rowOf(page, 'zeros', hostile));
	const links = await page.locator('.actions a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
	assert.equal(links.length, 2);
	for (const link of links)
		assert.match(link, /^https:\/\/gitlab\.com\/group\/sub\/project\/-\/blob\/[0-9a-f]{40}\/.*\/gpt\/c%20%23%3F%25%22%7C%60\/golden_values_dev\.json$/);
	assert.notEqual(links[0], links[1]);
});

onPage('markdown and CSV are of what is shown', 'links.html', {}, async ({ page }) => {
	await page.getByRole('searchbox').fill('zeros');
	const bar = page.locator('#rows .filters'), text = await copied(page, bar.getByRole('button', { name: 'Copy as markdown' }));
	const line = text.split('\n').find((part) => part.includes('c #'));
	// A column's bar and a code's tick in a name end neither.
	assert.match(line, /^\| `zeros` \| -0\.037 \| ``gpt\/c #\?%"\\\|` \[dev\]`` \|/);
	assert.equal(text.split('\n').filter((part) => part.startsWith('| `')).length, 2);
	const [download] = await Promise.all([page.waitForEvent('download'), bar.getByRole('button', { name: 'CSV' }).click()]);
	const csv = fs.readFileSync(await download.path(), 'utf8').split('\r\n');
	assert.match(csv[0], /^file,metric,avg_rel_diff,/);
	assert.equal(csv.length, 4);
	assert.ok(csv.some((part) => /gpt\/c #\?%""\|`\/golden_values_dev\.json",zeros,-0\.037037037037037/.test(part)), csv.join('\n'));
});

onPage('j and k go through what needs review, a tick is kept', 'relinked.html', {}, async ({ page }) => {
	const here = () => page.evaluate(() => document.activeElement.closest('tr').id);
	const look = await page.locator('tr.row.look').evaluateAll((rows) => rows.map((row) => row.id));
	await page.keyboard.press('j');
	assert.equal(await here(), look[0]);
	await page.locator('.panel svg.plot').waitFor();
	await page.keyboard.press('x');
	await page.keyboard.press('j');
	await page.keyboard.press('j');
	assert.equal(await here(), look[2]);
	assert.equal(await page.locator('.panel').count(), 1);
	await page.keyboard.press('k');
	assert.equal(await here(), look[1]);
	await page.keyboard.press('k');
	assert.equal(await here(), look[1], 'what was seen is passed over');
	assert.match(await page.locator('#rows .filters').innerText(), new RegExp(`1 of ${look.length} seen`));
	await page.reload();
	await ready(page);
	assert.equal(await page.locator(`tr.seen`).getAttribute('id'), look[0]);
	// In a field they are letters.
	await page.getByRole('searchbox').fill('');
	await page.getByRole('searchbox').press('j');
	assert.equal(await page.getByRole('searchbox').inputValue(), 'j');
});

for (const name of ['report.html', 'large.html'])
	onPage('the search field is few stops of the tabulator away', name, {}, async ({ page }) => {
		let stops = 0;
		for (; stops < 60 && !(await page.evaluate(() => document.activeElement.matches('#rows input'))); stops++)
			await page.keyboard.press('Tab');
		assert.ok(stops < 60);
		// One of each strip.
		assert.ok(await page.locator('svg.strips g').evaluateAll((all) =>
			all.every((strip) => strip.querySelectorAll('a.point[tabindex="0"]').length <= 1)));
	});

onPage('the contents and the filters stay in sight', 'large.html', {}, async ({ page }) => {
	await page.locator('.contents').getByRole('link', { name: 'Rows' }).click();
	await page.locator('.rows').hover();
	await page.mouse.wheel(0, 3000);
	await page.waitForFunction(() => document.querySelector('.rows').scrollTop > 300);
	for (const part of ['.contents', '#rows .filters', '.rows thead th'])
		assert.ok(await page.locator(part).first().evaluate((element) => {
			const { top, bottom } = element.getBoundingClientRect();
			return top >= 0 && bottom < innerHeight / 2;
		}), part);
});

onPage('the figure of a row is in sight on a telephone', 'report.html', { viewport: { width: 360, height: 640 } }, async ({ page }) => {
	const box = await page.locator('tr.row td.n').first().boundingBox();
	assert.ok(box.x + box.width <= 360, JSON.stringify(box));
});
