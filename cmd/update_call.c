/* SPDX-License-Identifier: Apache-2.0 */
#include "facts.h"
#include "update.h"

#include "base/memory.h"
#include "base/path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OF update_arguments
/* clang-format off */
const option update_options[] = {
	OPTION("dry-run", NULL, update.dry_run, "show what would be done and stop", .letter = 'n'),
	OPTION("interactive", NULL, interactive, "ask about each golden, losses first", .letter = 'i'),
	OPTION("only", "PATTERN", update.only,
	       "only goldens whose test, file or changed metric matches", .part = OPTION_GOLDENS),
	OPTION("except", "PATTERN", update.except, "skip goldens that match", .part = OPTION_GOLDENS),
	OPTION("metric", "NAME", update.metrics,
	       "take only this metric from the new files into the old ones"),
	OPTION("only-better", "METRIC", update.only_better,
	       "only goldens in which this metric is better than before", .part = OPTION_GOLDENS),
	OPTION("tighten", NULL, update.tighten,
	       "only goldens in which a metric is better and none is worse", .part = OPTION_GOLDENS),
	OPTION("allow", "GUARD", update.allow,
	       "let through what a guard (nonfinite, shrink, empty, dirty, fork, opaque, "
	       "rejected) or a gate (no-match, no-figure) holds back",
	       .part = OPTION_GUARDS,
	       .choices = "nonfinite|shrink|empty|dirty|fork|opaque|rejected|no-match|no-figure"),
	OPTION("stage", NULL, update.stage, "add the updated goldens to the index"),
	OPTION("message", "FILE", message,
	       "write a commit message that names the run, for 'git commit -F'; '-' is stdout", .unsaid = true),
	OPTION("plan", "FILE", plan,
	       "with --dry-run: write a plan for 'regild apply'", .unsaid = true),
	{0},
};
/* clang-format on */

static void append_option(rg_call *call, const char *name, const char *value)
{
	rg_call_add(call, name);
	rg_call_add(call, value);
}

const char *update_glob_of(rg_arena *arena, const char *path)
{
	rg_buf glob = rg_buf_of(RG_BUF_ANY);
	for (; *path; path++)
		rg_buf_printf(&glob, "%s%c", strchr("*?[\\", *path) ? "\\" : "", *path);
	return rg_buf_keep(&glob, arena);
}

/* A run's own folder is named by the run, and one below the current folder as seen from there. */
static void append_folder(rg_call *call, rg_arena *arena, const command_context *context,
			  const rg_update *update)
{
	const unsigned long long id = update->manifest->run_id;
	const char *run = rg_arena_textf(arena, "%llu", id), *place = update->folder;
	RG_AUTO_FREE char *folder = NULL;
	RG_AUTO_PTR(rg_error) err = NULL;
	char here[PATH_MAX];

	if (id)
		err = rg_flow_find_staged(&folder, &context->flow, run);
	if (!err && folder && !strcmp(folder, place)) {
		append_option(call, "--run", run);
		return;
	}
	if (getcwd(here, sizeof(here)) && rg_path_is_below(here, place))
		place += strlen(here) + 1;
	if (*place == '-')
		rg_call_add(call, "--");
	rg_call_add(call, place);
}

void update_make_call(rg_call *call, rg_arena *arena, const command_context *context,
		      const rg_update *update, const rg_plan_item *item)
{
	update_arguments what = {.update = *update->options};
	const option_set *set = OPTION_SET(OPTIONS(update_options), &what);

	what.update.dry_run = false;
	rg_call_add(call, "regild");
	for (size_t i = 0; i < context->common->dirs.count; i++)
		append_option(call, "-C", context->common->dirs.items[i]);
	rg_call_add(call, "update");
	for (unsigned held = item ? item->held | item->allowed : 0; held; held &= held - 1)
		append_option(call, "--allow", rg_guard_name(held));
	if (!item)
		options_write_call(&call->words, arena, set, OPTION_GUARDS);
	options_write_call(&call->words, arena, set, OPTION_HOW);
	if (item)
		append_option(call, "--only", update_glob_of(arena, item->golden->target));
	else
		options_write_call(&call->words, arena, set, OPTION_GOLDENS);
	append_folder(call, arena, context, update);
}

rg_run_facts update_run_facts(const rg_update *update, char id[static UPDATE_RUN_ID])
{
	rg_manifest *manifest = update->manifest;
	const char *from = NULL;

	rg_manifest_from(manifest, &from);
	snprintf(id, UPDATE_RUN_ID, "%llu", (unsigned long long)manifest->run_id);
	return (rg_run_facts){.id = manifest->run_id ? id : NULL,
			      .from = from,
			      .url = manifest->url,
			      .commit = manifest->head_commit,
			      .branch = manifest->branch,
			      .fork = manifest->fork ? manifest->head_repository : NULL,
			      .commit_note = update->commit_note,
			      .attempt = manifest->attempt,
			      .only_failing = manifest->only_failing,
			      .job = manifest->job,
			      .among = {manifest->take, manifest->among, manifest->missed}};
}

rg_error *update_write_facts(const command_context *context, const rg_update *update,
			     const char *file)
{
	rg_facts facts = facts_of(context);
	rg_update_facts said;

	rg_update_facts_of(&said, update);
	if (said.dry_run && said.updated + said.added)
		update_make_call(rg_facts_next(&facts, "puts in what would be updated and new"),
				 &facts.arena, context, update, NULL);
	if (update->changed)
		rg_facts_can(&facts, "takes it back", "undo", NULL);
	/* Each golden that is held back and can be let through has a call of its own. */
	for (size_t i = 0; i < update->plan.count; i++) {
		const rg_plan_item *item = &update->plan.items[i];
		if (item->held && !(item->held & ~(unsigned)RG_GUARD_ALLOWABLE) &&
		    !item->left_out && item->change != RG_PLAN_UNCHANGED)
			update_make_call(rg_facts_next(&facts, "takes a golden that is held back"),
					 &facts.arena, context, update, item);
	}
	return facts_finish(&facts, context, file, "regild-update", &said);
}
