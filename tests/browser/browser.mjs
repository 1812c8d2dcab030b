// SPDX-License-Identifier: Apache-2.0
// A Chromium, and pages of regild's in it. Each page has a context of its own; what it asks for from
// anywhere and what it complains of is kept beside it.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.env.BROWSER_MODULES, 'package.json'));
const { chromium } = require('playwright-core');
export const axeSource = require('axe-core').source;

export const pages = process.env.BROWSER_PAGES;

export function launch() {
	return chromium.launch({
		executablePath: process.env.CHROMIUM,
		// The sandbox needs what containers and root do not have. The pages are our own.
		args: ['--no-sandbox', '--disable-gpu'],
	});
}

// Opens a page that pages.sh made. Returns {page, requests, complaints, close}: the addresses asked for
// besides the page's own, and the console's errors and warnings, and errors that nothing caught.
export async function open(browser, name, options = {}) {
	const context = await browser.newContext(options);
	const page = await context.newPage();
	const url = pathToFileURL(path.join(pages, name)).href;
	const requests = [];
	const complaints = [];

	page.on('request', (request) => {
		if (request.url().split('#')[0] !== url) requests.push(request.url());
	});
	page.on('console', (message) => {
		if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
	});
	page.on('pageerror', (error) => complaints.push(String(error)));
	await page.goto(url);
	return { page, requests, complaints, close: () => context.close() };
}
