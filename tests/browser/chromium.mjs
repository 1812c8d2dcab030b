// SPDX-License-Identifier: Apache-2.0
// Debian's Chromium, driven by playwright-core, and where pages.sh has put its pages.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.env.BROWSER_MODULES, 'package.json'));
const { chromium } = require('playwright-core');
export const axeSource = require('axe-core').source;

export const launch = () => chromium.launch({
	executablePath: process.env.CHROMIUM,
	// The sandbox needs what root and containers do not have. The pages are our own.
	args: ['--no-sandbox', '--disable-gpu'],
});

export const pagePath = (name) => path.join(process.env.BROWSER_PAGES, name);
export const pageAddress = (name) => pathToFileURL(pagePath(name)).href;

// The rows are set up once their data are read.
export const ready = (page) => page.waitForFunction(() =>
	!document.querySelector('script.row-data') || document.documentElement.dataset.ready);
