/* SPDX-License-Identifier: Apache-2.0 */
#include "browser.h"

#include "base/memory.h"
#include "base/path.h"
#include "net/url.h"
#include "child.h"
#include "store/scratch.h"
#include "terminal.h"

#include <errno.h>
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

static rg_error *add_word(words *out, const rg_buf *word)
{
	RG_TRY(rg_buf_check(word, "BROWSER"));
	if (out->count == WORDS_MAX)
		return rg_error_new(RG_E_LIMIT, "BROWSER: over %d arguments", WORDS_MAX);
	out->argv[out->count] = rg_arena_copy(&out->arena, word->data, word->length);
	out->count++;
	return NULL;
}

/* Adds the word that `line` begins with, the address for "%s" in it; returns what follows it. */
static const char *read_word(rg_buf *word, const char *line, const char *address, bool *named)
{
	char quote = '\0';
	for (; *line && (quote || !strchr(" \t", *line)); line++) {
		if (quote ? *line == quote : *line == '\'' || *line == '"') {
			quote = quote ? '\0' : *line;
		} else if (!strncmp(line, "%s", 2)) {
			rg_buf_str(word, address);
			*named = true;
			line++;
		} else {
			rg_buf_char(word, *line);
		}
	}
	return line;
}

static rg_error *read_words(words *out, rg_buf *word, const char *line, const char *address)
{
	bool named = false;
	for (line += strspn(line, " \t"); *line; line += strspn(line, " \t")) {
		rg_buf_clear(word);
		line = read_word(word, line, address, &named);
		RG_TRY(add_word(out, word));
	}
	if (!out->count)
		return rg_error_new(RG_E_USAGE, "BROWSER names no program");
	if (named)
		return NULL;
	rg_buf_clear(word);
	rg_buf_str(word, address);
	return add_word(out, word);
}

/* --- running it --- */

/* What a browser says beside the page goes to stderr, unless the terminal is where it shows pages.
 */
static rg_error *run(char *const argv[])
{
	int output = isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO;
	pid_t child;

	fflush(stdout);
	int failed = child_start(&child, argv, STDIN_FILENO, output);
	if (failed)
		return rg_error_io(failed, "%s", argv[0]);
	int status = child_wait(child);
	if (WIFEXITED(status) && WEXITSTATUS(status))
		return rg_error_new(RG_E_IO, "%s: exit code %d", argv[0], WEXITSTATUS(status));
	return WIFEXITED(status) ? NULL : rg_error_new(RG_E_IO, "%s: it was killed", argv[0]);
}

static rg_error *run_line(const char *line, const char *address)
{
	words browser = {0};
	rg_buf word;

	rg_arena_init(&browser.arena);
	rg_buf_init(&word, 1 << 20);
	rg_error *err = read_words(&browser, &word, line, address);
	if (!err)
		err = run(browser.argv);
	rg_buf_release(&word);
	rg_arena_release(&browser.arena);
	return err;
}

/* The first that shows the page; the error is the last one's. */
static rg_error *run_first(const char *address)
{
	const char *browsers = getenv("BROWSER");
	char *rest;
	rg_error *err = NULL;

	if (!browsers || !browsers[strspn(browsers, ":")])
		return rg_error_wrap(run_line("xdg-open", address), "BROWSER is not set");
	char *lines = rg_strdup(browsers);
	for (char *line = strtok_r(lines, ":", &rest); line; line = strtok_r(NULL, ":", &rest)) {
		rg_error_free(err);
		err = run_line(line, address);
		if (!err)
			break;
	}
	free(lines);
	return err;
}

/* file://, with what a URL would read otherwise escaped. */
static rg_error *add_address(rg_buf *out, const char *path)
{
	char *absolute = realpath(path, NULL), *part, *rest, *escaped;
	rg_error *err = absolute ? NULL : rg_error_io(errno, "%s", path);

	rg_buf_str(out, "file://");
	for (part = absolute ? strtok_r(absolute, "/", &rest) : NULL; part && !err;
	     part = strtok_r(NULL, "/", &rest)) {
		err = rg_url_escape(&escaped, part);
		if (err)
			break;
		rg_buf_char(out, '/');
		rg_buf_str(out, escaped);
		free(escaped);
	}
	free(absolute);
	return err ? err : rg_buf_check(out, "the page's address");
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
		RG_TRY(rg_error_wrap(rg_scratch_make_default(&page->folder), "--open"));
		page->file = rg_path_join(page->folder, "report.html");
		*html = page->file;
	}
	page->path = *html;
	return NULL;
}

void browser_show(const browser_page *page, command_context *context)
{
	rg_buf address;
	if (!page->path)
		return;
	rg_buf_init(&address, 1 << 20);
	rg_error *err = add_address(&address, page->path);
	if (!err)
		err = run_first(address.data);
	rg_buf_release(&address);
	if (err)
		command_miss(context,
			     rg_error_wrap(err, "--open: the page is %s; no browser showed it",
					   page->path));
	else
		tell(context, RG_LOG_INFO, "the page is %s", page->path);
}

void browser_release(browser_page *page)
{
	if (page->folder)
		rmdir(page->folder); /* unless the page is in it */
	free(page->folder);
	free(page->file);
	*page = (browser_page){0};
}
