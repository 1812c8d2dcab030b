/* SPDX-License-Identifier: Apache-2.0 */
#include "story/parts.h"

#include "base/memory.h"
#include "base/shell.h"
#include "compare/checks_apply.h"

#include <stdlib.h>
#include <string.h>

/* How much of a command line comes before " --", which ends the options. */
static size_t before_dashes(const char *command)
{
	bool quoted = false;
	size_t i;

	for (i = 0; command[i]; i++) {
		if (!quoted && !strncmp(command + i, " --", 3) &&
		    (!command[i + 3] || command[i + 3] == ' '))
			break;
		if (!quoted && command[i] == '\\' && command[i + 1])
			i++;
		else if (command[i] == '\'')
			quoted = !quoted;
	}
	return i;
}

/* Appends the command that shows the comparison again, with what a --filter keeps if `filter` is
 * given, and with `options` at its end. */
static void append_command(rg_buf *out, const rg_summary *summary, const char *filter,
			   const char *options)
{
	static const char compare[] = "regild compare";
	/* A refresh is made once; what it changed can be compared again. */
	const bool again =
		summary->command &&
		(!summary->refresh || !strncmp(summary->command, compare, strlen(compare)));
	const char *command = again ? summary->command : compare;
	const size_t before = before_dashes(command);

	rg_buf_add(out, command, before);
	if (filter) {
		rg_buf_str(out, " --filter ");
		rg_shell_quote(out, filter);
	}
	rg_buf_printf(out, "%s%s", options, command + before);
}

static void add(rg_story *story, rg_next_kind kind, rg_buf *command)
{
	story->next[story->next_count++] = (rg_next){kind, rg_story_keep(story, command)};
}

/* The check with a tolerance that fails in the most goldens. */
static const char *failing_check(const rg_comparison *c)
{
	const char *found = NULL;
	size_t most = 0;
	for (size_t i = 0; c->checks && i < c->checks->count; i++) {
		const rg_checks_count count = rg_checks_count_goldens(c, i);
		if (c->checks->items[i].exact || count.fails <= most)
			continue;
		found = c->checks->items[i].name;
		most = count.fails;
	}
	return found;
}

static void append_failing(rg_story *story, rg_buf *text)
{
	const char *check = failing_check(story->summary->comparison);
	if (!check)
		return;
	RG_AUTO(rg_buf) filter = rg_buf_of(RG_BUF_TEXT);
	rg_buf_printf(&filter, "checks=%s:fails", check);
	append_command(text, story->summary, filter.data, "");
	add(story, RG_NEXT_FAILS, text);
}

/* Does the merge gate take none of what the refresh wrote? */
static bool is_refused(const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	for (size_t i = 0; i < c->file_count; i++)
		if (c->files[i].has_nonfinite && story->summary->context->refuses)
			return true;
	return false;
}

/* Names what the refresh wrote, if the root is the top: '.' would add all else, too. Many files are
 * named by the folders at the top that they are in. */
static void append_written(rg_buf *out, const rg_refresh *refresh)
{
	enum { FILES_NAMED = 10 };
	const size_t written = refresh->counts[RG_REFRESH_UPDATED] +
			       refresh->counts[RG_REFRESH_NEW];
	RG_AUTO_FREE char *last = NULL;

	for (size_t i = 0; i < refresh->count; i++) {
		const rg_refresh_item *item = &refresh->items[i];
		if (item->outcome != RG_REFRESH_UPDATED && item->outcome != RG_REFRESH_NEW)
			continue;
		char *part = rg_strndup(item->name, written > FILES_NAMED ? strcspn(item->name, "/")
									  : strlen(item->name));
		if (!last || strcmp(last, part) != 0) {
			rg_buf_str(out, last ? " " : "");
			rg_buf_str(out, *part == '-' ? "./" : "");
			rg_shell_quote(out, part);
		}
		free(last);
		last = part;
	}
}

void rg_story_add_next(rg_story *story)
{
	const rg_refresh *refresh = story->summary->refresh;

	story->next = rg_arena_alloc(&story->arena, RG_NEXT_KINDS * sizeof(*story->next));
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	/* Goldens that were not put in cannot be compared again. */
	if (story->summary->dry_run)
		rg_buf_str(&text, "-v lists them");
	else
		append_command(&text, story->summary, "review", "");
	story->review_command = rg_story_keep(story, &text);
	if (story->summary->dry_run)
		rg_buf_str(&text, "-v lists them");
	else
		append_command(&text, story->summary, NULL, " --top 0");
	story->all_command = rg_story_keep(story, &text);
	append_failing(story, &text);
	if (refresh && !story->summary->dry_run &&
	    refresh->counts[RG_REFRESH_UPDATED] + refresh->counts[RG_REFRESH_NEW]) {
		const bool refused = is_refused(story);
		if (refused) {
			rg_buf_str(&text, "regild check --changed");
			add(story, RG_NEXT_CHECK, &text);
		}
		rg_buf_str(&text, "regild undo");
		add(story, RG_NEXT_UNDO, &text);
		if (!refused) {
			const rg_summary *summary = story->summary;
			rg_buf_str(&text, "git add ");
			if (summary->root && *summary->root && strcmp(summary->root, ".") != 0)
				rg_shell_quote(&text, summary->root);
			else
				append_written(&text, summary->refresh);
			rg_buf_str(&text, " && git commit");
			if (summary->message) {
				rg_buf_str(&text, " -F ");
				rg_shell_quote(&text, summary->message);
			}
			add(story, RG_NEXT_KEEP, &text);
		}
	}
}
