/* SPDX-License-Identifier: Apache-2.0 */
#include "browser.h"

#include "base/memory.h"
#include "child.h"
#include "flow/open_page.h"
#include "terminal.h"
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- a command line of BROWSER's --- */

enum { WORDS_MAX = 64 };

typedef struct {
	rg_arena arena; /* has the texts */
	char *argv[WORDS_MAX + 1];
	size_t count;
} words;

static void words_release(words *w)
{
	rg_arena_release(&w->arena);
}

/* A word ends at a blank outside of quotes. The address takes the place of "%s", or comes last. */
static rg_error *read_words(words *out, const char *line, const char *address)
{
	bool named = false;
	for (line += strspn(line, " \t"); *line || !named; line += strspn(line, " \t")) {
		RG_AUTO(rg_buf) word = rg_buf_of(1 << 20);
		char quote = '\0';
		if (!*line && !out->count)
			return rg_error_new(RG_E_USAGE, "BROWSER names no program");
		if (!*line) {
			rg_buf_str(&word, address);
			named = true;
		}
		for (; *line && (quote || !strchr(" \t", *line)); line++) {
			if (quote ? *line == quote : *line == '\'' || *line == '"') {
				quote = quote ? '\0' : *line;
			} else if (!strncmp(line, "%s", 2)) {
				rg_buf_str(&word, address);
				named = true;
				line++;
			} else {
				rg_buf_char(&word, *line);
			}
		}
		RG_TRY(rg_buf_check(&word, "BROWSER"));
		if (out->count == WORDS_MAX)
			return rg_error_new(RG_E_LIMIT, "BROWSER: over %d arguments", WORDS_MAX);
		out->argv[out->count++] = rg_arena_copy(&out->arena, word.data, word.length);
	}
	return NULL;
}

/* --- running it --- */

/* A browser's own messages go to stderr, unless the terminal is where it shows pages. */
static rg_error *run_line(const char *line, const char *address)
{
	int output = isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO;
	RG_AUTO(words) browser = {0};
	pid_t child;

	RG_TRY(read_words(&browser, line, address));
	const char *name = browser.argv[0];
	fflush(stdout);
	int failed = child_start(&child, browser.argv, STDIN_FILENO, output);
	if (failed)
		return rg_error_io(failed, "%s", name);
	int status = child_wait(child);
	if (WIFEXITED(status) && WEXITSTATUS(status))
		return rg_error_new(RG_E_IO, "%s: exit code %d", name, WEXITSTATUS(status));
	return WIFEXITED(status) ? NULL : rg_error_new(RG_E_IO, "%s: it was killed", name);
}

/* The first that shows the page; the error is the last one's. */
static rg_error *run_first(const char *address)
{
	const char *browsers = getenv("BROWSER");
	char *rest;
	rg_error *err = NULL;

	if (!browsers || !browsers[strspn(browsers, ":")])
		return rg_error_wrap(run_line("xdg-open", address), "BROWSER is not set");
	RG_AUTO_FREE char *lines = rg_strdup(browsers);
	for (char *line = strtok_r(lines, ":", &rest); line; line = strtok_r(NULL, ":", &rest)) {
		rg_error_free(err);
		err = run_line(line, address);
		if (!err)
			break;
	}
	return err;
}

/* --- the page --- */

rg_error *browser_prepare(browser_page *page, bool wanted, const char **html)
{
	*page = (browser_page){0};
	if (!wanted)
		return NULL;
	if (is_stdout(*html))
		return usage_error("--open shows a file: --html must not be stdout");
	if (!*html) {
		RG_TRY(rg_error_wrap(rg_page_place(&page->folder, &page->file), "--open"));
		*html = page->file;
	}
	page->path = *html;
	return NULL;
}

void browser_show(const browser_page *page, command_context *context)
{
	RG_AUTO(rg_buf) address = rg_buf_of(1 << 20);
	if (!page->path)
		return;
	rg_error *err = rg_page_address(&address, page->path);
	if (!err)
		err = run_first(address.data);
	if (err)
		command_miss(context,
			     rg_error_wrap(err, "--open: the page is %s; no browser showed it",
					   page->path));
	else
		tell(context, RG_LOG_INFO, "the page is %s", page->path);
}

void browser_page_release(browser_page *page)
{
	if (page->folder)
		rmdir(page->folder); /* unless the page is in it */
	free(page->folder);
	free(page->file);
	*page = (browser_page){0};
}
