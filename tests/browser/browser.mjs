// SPDX-License-Identifier: Apache-2.0
// A Chromium, and pages of regild's in it. Every page has a context of its own.
import { createRequire } from 'node:module';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.env.BROWSER_MODULES, 'package.json'));
const { chromium } = require('playwright-core');
export const axeSource = require('axe-core').source;

let browser;
before(async () => {
	browser = await chromium.launch({
		executablePath: process.env.CHROMIUM,
		// The sandbox needs what root and containers do not have. The pages are our own.
		args: ['--no-sandbox', '--disable-gpu'],
	});
});
after(() => browser.close());

// Where pages.sh has put a page.
export const pagePath = (name) => path.join(process.env.BROWSER_PAGES, name);

// A test of a page: `body` gets it as {page, context, requests, complaints}. Requests are the addresses
// asked for besides the page's own, complaints the console's errors and warnings, and errors that nothing
// caught.
export function onPage(title, name, options, body) {
	test(`${name}: ${title}`, async (t) => {
		const context = await browser.newContext(options);
		const page = await context.newPage();
		const url = pathToFileURL(pagePath(name)).href;
		const requests = [];
		const complaints = [];

		page.on('request', (request) => {
			if (request.url().split('#')[0] !== url) requests.push(request.url());
		});
		page.on('console', (message) => {
			if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
		});
		page.on('pageerror', (error) => complaints.push(String(error)));
		try {
			await page.goto(url);
			await body({ page, context, requests, complaints, note: (text) => t.diagnostic(text) });
		} finally {
			await context.close();
		}
	});
}
