/* SPDX-License-Identifier: Apache-2.0 */
#include "facts.h"
#include "update.h"

#include "base/memory.h"
#include "base/path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_option(rg_call *call, const char *name, const char *value)
{
	rg_call_add(call, name);
	rg_call_add(call, value);
}

const char *update_glob_of(rg_arena *arena, const char *path)
{
	rg_buf glob;
	rg_buf_init(&glob, RG_BUF_TEXT);
	for (; *path; path++)
		rg_buf_printf(&glob, "%s%c", strchr("*?[\\", *path) ? "\\" : "", *path);
	const char *text = rg_arena_text(arena, glob.data);
	rg_buf_release(&glob);
	return text;
}

/* As seen from here, where it is below. */
static void add_place(rg_call *call, const char *folder)
{
	char here[PATH_MAX];
	if (getcwd(here, sizeof(here)) && rg_path_is_below(here, folder))
		folder += strlen(here) + 1;
	if (*folder == '-')
		rg_call_add(call, "--");
	rg_call_add(call, folder);
}

/* By the run, where its goldens are staged in the run's own folder. */
static void add_folder(rg_call *call, rg_arena *arena, const command_context *context,
		       const rg_update *update)
{
	char *folder = NULL,
	     *number = rg_textf("%llu", (unsigned long long)update->manifest->run_id);
	const char *run = rg_arena_text(arena, number);
	rg_error *err = update->manifest->run_id ? rg_flow_find_staged(&folder, &context->flow, run)
						 : NULL;

	if (!err && folder && !strcmp(folder, update->folder))
		add_option(call, "--run", run);
	else
		add_place(call, update->folder);
	rg_error_free(err);
	free(folder);
	free(number);
}

void update_make_call(rg_call *call, rg_arena *arena, const command_context *context,
		      const rg_update *update, const rg_plan_item *item)
{
	const rg_update_options *options = update->options;

	rg_call_add(call, "regild");
	for (size_t i = 0; i < context->common->dirs.count; i++)
		add_option(call, "-C", context->common->dirs.items[i]);
	rg_call_add(call, "update");
	for (unsigned held = item ? item->held | item->allowed : 0; held; held &= held - 1)
		add_option(call, "--allow", rg_guard_name(held));
	for (size_t i = 0; !item && i < options->allow.count; i++)
		add_option(call, "--allow", options->allow.items[i]);
	for (size_t i = 0; i < options->metrics.count; i++)
		add_option(call, "--metric", options->metrics.items[i]);
	if (options->stage)
		rg_call_add(call, "--stage");
	for (size_t i = 0; !item && i < options->only.count; i++)
		add_option(call, "--only", options->only.items[i]);
	for (size_t i = 0; !item && i < options->except.count; i++)
		add_option(call, "--except", options->except.items[i]);
	for (size_t i = 0; !item && i < options->only_better.count; i++)
		add_option(call, "--only-better", options->only_better.items[i]);
	if (!item && options->tighten)
		rg_call_add(call, "--tighten");
	if (item)
		add_option(call, "--only", update_glob_of(arena, item->golden->target));
	add_folder(call, arena, context, update);
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

/* What is held back and can be let through, each by itself. */
static void add_held(rg_facts *facts, const command_context *context, const rg_update *update)
{
	for (size_t i = 0; i < update->plan.count; i++) {
		const rg_plan_item *item = &update->plan.items[i];
		bool other = item->held & ~(unsigned)RG_GUARD_ALLOWABLE;
		if (item->held && !other && !item->left_out && item->change != RG_PLAN_UNCHANGED)
			update_make_call(rg_facts_next(facts, "takes a golden that is held back"),
					 &facts->arena, context, update, item);
	}
}

rg_error *update_write_facts(const command_context *context, const rg_update *update,
			     const char *file)
{
	rg_update_facts said;
	rg_facts facts;

	rg_update_facts_of(&said, update);
	facts_begin(&facts, context);
	if (said.dry_run && said.updated + said.added)
		update_make_call(rg_facts_next(&facts, "puts in what would be updated and new"),
				 &facts.arena, context, update, NULL);
	if (update->changed)
		rg_facts_can(&facts, "takes it back", "undo", NULL);
	add_held(&facts, context, update);
	return facts_finish(&facts, context, file, "regild-update", &said);
}
