// SPDX-License-Identifier: Apache-2.0
// What holds for every page of regild's.
import assert from 'node:assert/strict';
import { onPage, unfold } from './browser.mjs';
import { axeSource } from './chromium.mjs';

const pages = ['report.html', 'curves.html', 'views.html', 'opdiff.html', 'cases.html', 'audit.html', 'hostile.html',
	'large.html'];
// axe looks at each element: a page of thousands of rows tells no more than one of thirty.
const small = pages.filter((name) => name !== 'large.html');
const narrow = { viewport: { width: 360, height: 640 } };
// A4 at 96 dpi, without its margins.
const paper = { viewport: { width: 718, height: 1047 } };
// The policy's parts that stop what the test puts into a page.
const directives = ['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem', 'style-src-attr',
	'style-src-elem'];

const widthOf = (page) => page.evaluate(() => document.documentElement.scrollWidth);
const backOf = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
// Presses everything that can be pressed, and fills in every field.
async function useEverything(page) {
	for (const button of await page.locator('button, summary').elementHandles()) {
		if (await button.isVisible()) await button.click();
	}
	for (const field of await page.locator('input[type=search]').all()) await field.fill('x');
}

for (const name of pages) {
	onPage('asks for nothing and complains of nothing', name, {}, async ({ page, requests, complaints }) => {
		if (small.includes(name)) await useEverything(page);
		assert.deepEqual(requests, []);
		assert.deepEqual(complaints, []);
	});

	onPage('is as wide as a telephone', name, narrow, async ({ page }) => {
		assert.equal(await widthOf(page), 360);
	});

	onPage('is whole without its script', name, { javaScriptEnabled: false }, async ({ page, complaints }) => {
		assert.notEqual(await page.locator('tbody tr').count(), 0);
		// Figures of the first screen; what the others draw is in tables.
		if (!/^(audit|cases|opdiff)/.test(name)) assert.notEqual(await page.locator('svg').count(), 0);
		assert.deepEqual(complaints, []);
	});

	onPage('lets in no script, style or picture', name, {}, async ({ page }) => {
		await page.evaluate(() => {
			const add = (element, attributes) => document.body.append(
				Object.assign(document.createElement(element), attributes));

			window.stopped = [];
			addEventListener('securitypolicyviolation', (event) => window.stopped.push(event.effectiveDirective));
			add('script', { textContent: 'window.broken = true' });
			add('style', { textContent: 'body { color: red }' });
			add('img', { src: 'https://example.com/x.png' });
			add('iframe', { src: 'https://example.com/' });
			document.body.setAttribute('onclick', 'window.broken = true');
			document.body.setAttribute('style', 'color: red');
			document.body.click();
			fetch('https://example.com/').catch(() => {});
		});
		await page.waitForFunction((count) => window.stopped.length >= count, directives.length, { polling: 50 });
		assert.deepEqual(await page.evaluate(() => window.stopped.sort()), directives);
		assert.equal(await page.evaluate(() => window.broken), undefined);
		assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).color), 'rgb(255, 0, 0)');
	});

	onPage('is dark where the system is, and never on paper', name, { ...paper, colorScheme: 'dark' }, async ({ page }) => {
		const dark = await backOf(page);

		await page.emulateMedia({ media: 'print' });
		assert.equal(await backOf(page), 'rgb(255, 255, 255)');
		assert.notEqual(dark, 'rgb(255, 255, 255)');
	});

	onPage('fits on paper', name, paper, async ({ page }) => {
		await page.emulateMedia({ media: 'print' });
		await unfold(page);
		assert.equal(await widthOf(page), 718);
		assert.equal(await page.evaluate(() => [...document.querySelectorAll('table')]
			.filter((table) => table.getBoundingClientRect().right > 718).length), 0, 'tables that are cut off');
	});
}

for (const javaScriptEnabled of [true, false])
	for (const name of ['report.html', 'large.html'])
		onPage(`prints with heads of whole words and full pages, ${javaScriptEnabled ? 'with' : 'without'} its scripts`, name,
			{ ...paper, javaScriptEnabled }, async ({ page }) => {
				await page.emulateMedia({ media: 'print' });
				const heads = await page.locator('#rows thead th').evaluateAll((all) => all.map((head) => {
					const range = document.createRange();
					range.selectNodeContents(head.querySelector('button') ?? head);
					return [head.innerText.trim(), new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size];
				}));
				assert.equal(heads[1][0], 'avg_rel_diff');
				for (const [text, lines] of heads) assert.ok(text && lines <= text.split(' ').length, `${text}: ${lines} lines`);
				// Chromium lays rows and figures out by page, and a page that is half empty is one more.
				const tall = await page.evaluate(() => document.documentElement.scrollHeight) / paper.viewport.height;
				const pdf = (await page.pdf({ width: '718px', height: '1047px', margin: {} })).toString('latin1');
				const pages = pdf.match(/\/Type\s*\/Page\b/g).length;
				assert.ok(pages <= 1.25 * tall + 1, `${pages} pages of ${tall.toFixed(1)}`);
			});

for (const name of small) {
	for (const colorScheme of ['light', 'dark']) {
		// The page's own policy would not let axe in.
		onPage(`axe finds nothing, ${colorScheme}`, name, { colorScheme, bypassCSP: true }, async ({ page }) => {
			for (const row of await page.locator('tr[data-curve] button').all()) await row.click();
			await unfold(page);
			await page.evaluate(axeSource);
			const { violations } = await page.evaluate(() => window.axe.run());
			assert.deepEqual(violations.map(({ id, help, nodes }) =>
				`${id}: ${help}: ${nodes.slice(0, 5).map((node) => node.html).join(', ')}`), []);
		});
	}
}
