// SPDX-License-Identifier: Apache-2.0
// The page of `regild compare --html`.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { axeSource, launch, open } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('the page asks for nothing and complains of nothing', async () => {
	const { page, requests, complaints, close } = await open(browser, 'report.html');

	assert.equal(await page.locator('h1').textContent(), 'Golden values');
	assert.deepEqual(requests, []);
	assert.deepEqual(complaints, []);
	await close();
});

test('360 px do not scroll to the side', async () => {
	const { page, close } = await open(browser, 'report.html', { viewport: { width: 360, height: 640 } });

	assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
	await close();
});

for (const colorScheme of ['light', 'dark']) {
	test(`axe finds nothing in the page, ${colorScheme}`, async () => {
		// The page's own policy would not let axe in.
		const { page, close } = await open(browser, 'report.html', { colorScheme, bypassCSP: true });

		await page.evaluate(axeSource);
		const { violations } = await page.evaluate('axe.run()');
		assert.deepEqual(violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html).join(', ')}`), []);
		await close();
	});
}
