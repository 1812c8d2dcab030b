// SPDX-License-Identifier: Apache-2.0
// Names and texts that come out of files are text on the page, whatever they look like.
import assert from 'node:assert/strict';
import { onPage } from './browser.mjs';

for (const name of ['hostile.html', 'audit.html'])
onPage('nothing of a name is run or becomes an element', name, {}, async ({ page }) => {
	assert.equal(await page.evaluate(() => window.broken), undefined);
	assert.deepEqual(await page.evaluate(() => ({
		handlers: [...document.querySelectorAll('*')]
			.flatMap((element) => element.getAttributeNames()).filter((name) => /^on|[^a-z0-9-]/i.test(name)),
		links: [...document.querySelectorAll('a')].map((a) => a.getAttribute('href')).filter((href) => !href.startsWith('#')),
		pictures: document.querySelectorAll('img').length,
		areas: document.querySelectorAll('textarea').length,
		// Of a name with a closing tag in the title, the rest would be on the page.
		comments: document.createNodeIterator(document, NodeFilter.SHOW_COMMENT).nextNode()?.data ?? '',
	})), { handlers: [], links: [], pictures: 0, areas: 0, comments: '' });
});

onPage('names are there to be read', 'hostile.html', {}, async ({ page }) => {
	const text = await page.locator('body').innerText();

	for (const name of ['<script>window.broken = 1</script>', '<img src=x onerror=window.broken=2>',
		'" onmouseover="window.broken=3', 'javascript:window.broken=4', '</td></script></style></textarea></title><!--'])
		assert.ok(text.includes(name), name);
	// What turns the direction of what follows is written out.
	assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069]/);
});
