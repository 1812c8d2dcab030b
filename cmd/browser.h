/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_BROWSER_H
#define REGILD_CMD_BROWSER_H

#include "command.h"

/*
 * --open: shows the page that a command writes. Call browser_prepare before the work, browser_show
 * once the page is written, and browser_release whatever came of it.
 *
 * BROWSER names the browser as other programs read it. It may have arguments, quoted as in a shell,
 * though no shell runs it; "%s" in them stands for the page's address, which otherwise comes last.
 * Several browsers are separated by ':', and the first that can show the page does. Without BROWSER
 * it is xdg-open.
 */
typedef struct {
	char *folder, *file; /* made for the page; NULL where the user named its file */
	const char *path;    /* the page; NULL: nothing is to be shown */
} browser_page;

/* *html is the file that --html names. Where it names none it becomes one beside the cache, which
 * is kept for a day. `page` is to be released whatever comes back. */
RG_CHECKED rg_error *browser_prepare(browser_page *page, bool wanted, const char **html);
/* Waits for the browser, which may need the terminal. A page that could not be shown is something
 * missing, which the exit code says (command_miss). */
void browser_show(const browser_page *page, command_context *context);
void browser_page_release(browser_page *page);

#endif
