/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "terminal.h"

#include "base/memory.h"
#include "base/number.h"
#include "store/cache.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* "2026-11-21 03:00"; the time zone is the user's. */
static void print_time(int64_t seconds)
{
	time_t time = (time_t)seconds;
	char text[32];
	struct tm tm;

	if (!seconds || !localtime_r(&time, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm))
		snprintf(text, sizeof(text), "%-16s", "-");
	fputs(text, stdout);
}

typedef struct {
	const char *json;
} cache_arguments;

static const option options[] = {JSON_OPTION(cache_arguments, json), {0}};

/* What a list adds up to. */
typedef struct {
	bool quiet;
	size_t count, capacity;
	uint64_t bytes;
	rg_cache_fact *facts;
	rg_arena arena;
} totals;

static void print_item(void *context, const rg_cache_item *item)
{
	totals *all = context;
	char size[RG_SIZE_TEXT];

	rg_grow(&all->facts, &all->capacity, all->count + 1, sizeof(*all->facts));
	all->facts[all->count++] = (rg_cache_fact){rg_arena_text(&all->arena, item->name),
						   item->artifact_id, item->files, item->bytes,
						   item->last_used};
	all->bytes += item->bytes;
	if (all->quiet)
		return;
	rg_size_text(item->bytes, size);
	print_time(item->last_used);
	terminal_printf(stdout, "  %10s  %s", size, item->name);
	if (item->artifact_id)
		printf("  artifact %llu, %zu file%s", (unsigned long long)item->artifact_id,
		       item->files, item->files == 1 ? "" : "s");
	putchar('\n');
}

static void print_totals(const rg_cache *cache, const totals *all)
{
	char size[RG_SIZE_TEXT];
	rg_size_text(all->bytes, size);
	terminal_printf(stdout, "%zu entr%s, %s in %s\n", all->count, all->count == 1 ? "y" : "ies",
			size, rg_cache_folder(cache));
}

static rg_error *list(rg_cache *cache, const command_context *env, const char *json)
{
	totals all = {.quiet = env->common->quiet || is_stdout(json)};
	rg_facts facts;

	rg_arena_init(&all.arena);
	rg_error *err = rg_cache_list(cache, print_item, &all);
	if (!err && !is_stdout(json))
		print_totals(cache, &all);
	facts_begin(&facts, env);
	rg_facts_can(&facts, "removes all of them", "cache", "clear", NULL);
	const rg_cache_facts said = {rg_cache_folder(cache), all.bytes, all.facts, all.count,
				     false};
	rg_error *lost = facts_finish(&facts, env, err ? NULL : json, "regild-cache", &said);
	free(all.facts);
	rg_arena_release(&all.arena);
	return rg_error_first(err, lost);
}

static rg_error *clear(rg_cache *cache, command_context *env, const char *json)
{
	char size[RG_SIZE_TEXT];
	size_t entries;
	uint64_t bytes;

	RG_TRY(rg_cache_clear(cache, &entries, &bytes));
	env->changed = entries > 0;
	rg_size_text(bytes, size);
	if (!is_stdout(json))
		printf("removed %zu entr%s, %s\n", entries, entries == 1 ? "y" : "ies", size);
	const rg_cache_facts said = {
		.folder = rg_cache_folder(cache), .bytes = bytes, .cleared = true};
	rg_facts facts;
	facts_begin(&facts, env);
	return facts_finish(&facts, env, json, "regild-cache", &said);
}

static rg_error *run_cache(command_context *env, void *arguments)
{
	const char *verb = env->operand_count ? env->operands[0] : "list";
	uint64_t bytes;
	rg_cache *cache;

	const char *json = ((cache_arguments *)arguments)->json;
	if (strcmp(verb, "list") != 0 && strcmp(verb, "clear") != 0)
		return usage_error("'%s' is neither list nor clear", verb);
	RG_TRY(rg_config_size(env->flow.config, "regild.maxCache", 0, &bytes));
	RG_TRY(rg_cache_open(&cache, NULL, bytes, &env->flow.log));
	rg_error *err = !strcmp(verb, "list") ? list(cache, env, json) : clear(cache, env, json);
	rg_cache_free(cache);
	return err;
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
