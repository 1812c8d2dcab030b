// SPDX-License-Identifier: Apache-2.0
// Tests of pages. A file has one browser, and each test a context of its own in it.
import { after, before, test } from 'node:test';
import { launch, pageAddress, ready } from './chromium.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

// A test of a page: `body` gets it as {page, context, requests, complaints}. Requests are the addresses
// asked for besides the page's own, complaints the console's errors and warnings, and errors that nothing
// caught. `note` prints a line.
export function onPage(title, name, options, body) {
	test(`${name}: ${title}`, async (t) => {
		const context = await browser.newContext(options);
		const page = await context.newPage();
		page.setDefaultTimeout(15000);
		page.setDefaultNavigationTimeout(60000);
		const requests = [];
		const complaints = [];
		// Once each, and short: a page may say the same thing a thousand times.
		const complain = (text) => complaints.includes(text.slice(0, 160)) || complaints.push(text.slice(0, 160));

		page.on('request', (request) => {
			if (request.url().split('#')[0] !== pageAddress(name)) requests.push(request.url());
		});
		page.on('console', (message) => {
			if (['error', 'warning'].includes(message.type())) complain(message.text());
		});
		page.on('pageerror', (error) => complain(String(error)));
		try {
			await page.goto(pageAddress(name));
			if (options.javaScriptEnabled !== false) await ready(page);
			await body({ page, context, requests, complaints, note: (text) => t.diagnostic(`note: ${text}`) });
		} finally {
			await context.close();
		}
	});
}

// Opens or closes all that is folded.
export const unfold = (page, open = true) => page.evaluate((to) => {
	for (const details of document.querySelectorAll('details')) details.open = to;
}, open);
