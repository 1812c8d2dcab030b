/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "terminal.h"

#include "base/number.h"
#include "flow/cache_list.h"

#include <string.h>
#include <time.h>

typedef struct {
	const char *json;
} cache_arguments;

static const option options[] = {JSON_OPTION(cache_arguments, json), {0}};

static void print_item(const rg_cache_fact *item)
{
	char size[RG_SIZE_TEXT];

	rg_size_text(item->bytes, size);
	/* "2026-11-21 03:00"; the time zone is the user's. */
	time_t time = (time_t)item->last_used;
	char text[32];
	struct tm tm;

	if (!item->last_used || !localtime_r(&time, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm))
		snprintf(text, sizeof(text), "%-16s", "-");
	fputs(text, stdout);
	terminal_printf(stdout, "  %10s  %s", size, item->name);
	if (item->artifact_id)
		printf("  artifact %llu, %zu file%s", (unsigned long long)item->artifact_id,
		       item->files, rg_plural(item->files));
	putchar('\n');
}

static rg_error *run_cache(command_context *env, void *arguments)
{
	const char *json = ((cache_arguments *)arguments)->json;
	const char *verb = env->operand_count ? env->operands[0] : "list";
	const bool clear = !strcmp(verb, "clear"), shown = !is_stdout(json);
	char size[RG_SIZE_TEXT];
	size_t entries;
	rg_cache_facts said;

	if (!clear && strcmp(verb, "list") != 0)
		return usage_error("'%s' is neither list nor clear", verb);
	rg_error *err = clear ? rg_flow_clear_cache(&said, &entries, &env->flow)
			      : rg_flow_list_cache(&said, &env->flow);
	for (size_t i = 0; i < said.count && shown && !env->common->quiet; i++)
		print_item(&said.items[i]);
	RG_TRY(err);
	rg_size_text(said.bytes, size);
	rg_facts facts = facts_of(env);
	if (clear) {
		env->changed = entries > 0;
		if (shown)
			printf("removed %zu entr%s, %s\n", entries, entries == 1 ? "y" : "ies",
			       size);
	} else {
		if (shown)
			terminal_printf(stdout, "%zu entr%s, %s in %s\n", said.count,
					said.count == 1 ? "y" : "ies", size, said.folder);
		rg_facts_can(&facts, "removes all of them", "cache", "clear", NULL);
	}
	return facts_finish(&facts, env, json, "regild-cache", &said);
}

const command command_cache = {
	.name = "cache",
	.summary = "list or clear the download cache",
	.operands = "[list|clear]",
	.operands_max = 1,
	.description =
		"Lists what 'regild download' keeps so that it need not be fetched again: "
		"goldens by artifact, and GitHub's lists. The most recently used come first. "
		"'clear' removes it all.",
	.examples = "regild cache\n"
		    "regild cache clear",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(cache_arguments),
	.flags = COMMAND_IS_PLUMBING | COMMAND_MAY_USE_WORKTREE,
	.run = run_cache,
};
