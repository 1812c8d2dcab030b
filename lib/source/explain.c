/* SPDX-License-Identifier: Apache-2.0 */
#include "source/explain.h"

#include "base/memory.h"
#include "base/buf.h"
#include "source/member_sorter.h"
#include "source/staging.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	const rg_run *run;
	const rg_fetch_options *options;
	const char *folder;
	rg_manifest *manifest;
	rg_explain_line *line;
	void *context;
} explain_state;

/* The members of one artifact. */
typedef struct {
	const char **paths;
	size_t count, capacity;
	rg_arena arena;
} listing;

static void listing_release(listing *l)
{
	free(l->paths);
	rg_arena_release(&l->arena);
}

static void add_path(listing *l, const char *path)
{
	*RG_PUSH(l->paths, l->count, l->capacity) = rg_arena_text(&l->arena, path);
}

/* Its bytes stay where they are. */
static rg_error *take_name(void *context, const rg_selected *selected)
{
	add_path(context, selected->path);
	return NULL;
}

static rg_error *forget(void *context)
{
	((listing *)context)->count = 0;
	return NULL;
}

static void ignore(void *context)
{
	(void)context;
}

static void ignore_bytes(void *context, uint64_t bytes)
{
	(void)context;
	(void)bytes;
}

/* Everything; and what is in the zips that a rule opens. */
/* Returns, in the listing's arena, everything and what is in the zips that a rule opens. */
static const char *const *list_patterns(const explain_state *e, uint64_t rules, listing *l,
					size_t *count)
{
	const char *const *asked;
	const char **list;
	size_t asked_count;

	rg_rules_patterns(&asked, &asked_count, e->options->rules, rules, &l->arena);
	list = rg_arena_alloc(&l->arena, (asked_count + 1) * sizeof(*list));
	list[0] = "**";
	*count = 1;
	for (size_t i = 0; i < asked_count; i++)
		if (strchr(asked[i], '!'))
			list[(*count)++] = asked[i];
	return list;
}

static rg_error *list_members(const explain_state *e, const rg_artifact *artifact, uint64_t rules,
			      listing *l)
{
	const rg_fetch_options *options = e->options;
	rg_take_request request = {.limits = options->limits,
				   .artifact_max = options->artifact_max,
				   .whole_under = options->whole_under,
				   .folder = e->folder,
				   .log = options->log,
				   .take = take_name,
				   .restart = forget,
				   .begin = ignore,
				   .moved = ignore_bytes,
				   .context = l};
	RG_AUTO(rg_selection) selection = {0};
	const char *check;

	request.patterns = list_patterns(e, rules, l, &request.pattern_count);
	RG_TRY(options->source->take(options->source, artifact, &request, &selection, &check));
	for (size_t i = 0; i < selection.count; i++)
		add_path(l, selection.refusals[i].name);
	return NULL;
}

static void write_line(const explain_state *e, const char *format, ...) RG_PRINTF(2, 3);

static void write_line(const explain_state *e, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	RG_AUTO_FREE char *text = rg_vtextf(format, args);
	va_end(args);
	e->line(e->context, text);
}

/* Writes where a member that a rule takes goes, or why it cannot. */
static rg_error *write_taken(const explain_state *e, const rg_manifest_artifact *entry,
			     const rg_taken_file *file, const char *path)
{
	rg_manifest_golden golden = {0};
	const char *rule = file->rule ? file->rule->name : "its own path", *shard;
	RG_AUTO_PTR(rg_error)
	err = rg_place_golden(e->manifest, e->options, e->folder, entry, file, &golden, &shard);

	if (!err)
		write_line(e, "  %s: %s -> %s", path, rule, golden.target);
	else if (rg_error_get_code(err) == RG_E_UNSAFE)
		write_line(e, "  %s: %s, but %s", path, rule, rg_error_message(err));
	else
		return RG_TAKE(err);
	return NULL;
}

static rg_error *write_member(const explain_state *e, const rg_manifest_artifact *entry,
			      const rg_member_sorter *sorter, listing *l, size_t index)
{
	rg_taken_file file = {.path = l->paths[index]};
	const char *path = file.path;

	if (!sorter->set)
		return write_taken(e, entry, &file, path);
	rg_member_kind kind = rg_member_sorter_kind(sorter, path, &file.rule, &file.fields);
	switch (kind) {
	case RG_MEMBER_EARLIER:
		write_line(e, "  %s: left by %s: a later iteration counts", path, file.rule->name);
		return NULL;
	case RG_MEMBER_FOREIGN:
		write_line(e, "  %s: left by %s: its folder is not that of test '%s'", path,
			   file.rule->name, sorter->owner->test);
		return NULL;
	case RG_MEMBER_NAMED:
	case RG_MEMBER_COUNTS:
		rg_member_name(&file.path, &l->arena, file.rule, kind, &file.fields);
		return write_taken(e, entry, &file, path);
	case RG_MEMBER_NONE:
		break;
	}
	write_line(e, "  %s: left: it fits no members", path);
	return NULL;
}

static rg_error *write_members(const explain_state *e, size_t index)
{
	const rg_manifest_artifact *entry = &e->manifest->artifacts[index];
	const rg_manifest_job *job = rg_manifest_find_job(e->manifest, entry->job_id);
	const rg_member_owner owner = {job ? job->test : NULL, NULL};
	RG_AUTO(listing) l = {0};
	RG_AUTO(rg_member_sorter) sorter = {0};

	rg_member_sorter_init(&sorter, e->options->rules, entry->rules, &owner);
	RG_AUTO_PTR(rg_error) err = list_members(e, &e->run->artifacts[index], entry->rules, &l);
	for (size_t i = 0; !err && i < l.count; i++)
		rg_member_sorter_add(&sorter, l.paths[i]);
	for (size_t i = 0; !err && i < l.count; i++)
		err = write_member(e, entry, &sorter, &l, i);
	if (!err || rg_take_is_fatal(err))
		return RG_TAKE(err);
	write_line(e, "  %s", rg_error_message(err));
	return NULL;
}

static void write_job(const explain_state *e, const rg_manifest_job *job)
{
	if (!job->test) {
		write_line(e, "job '%s': left: %s", job->name, job->why ? job->why : "no rule");
		return;
	}
	write_line(e, "job '%s': test '%s'%s%s%s%s: %s%s%s", job->name, job->test,
		   job->stage ? ", stage '" : "", job->stage ? job->stage : "",
		   job->stage ? "'" : "", job->tag ? ", with a tag" : "",
		   rg_outcome_text(job->outcome), job->why ? ": " : "", job->why ? job->why : "");
}

static rg_error *write_artifact(const explain_state *e, size_t index)
{
	const rg_manifest_artifact *entry = &e->manifest->artifacts[index];
	const rg_manifest_job *job = rg_manifest_find_job(e->manifest, entry->job_id);
	const char *why = entry->why;
	RG_AUTO(rg_buf) names = rg_buf_of(RG_BUF_ANY);

	/* "jobs, losses": the rules that its name fits. */
	for (size_t i = 0; i < e->options->rules->count; i++)
		if (entry->rules >> i & 1)
			rg_buf_printf(&names, "%s%s", names.length ? ", " : "",
				      e->options->rules->items[i].name);
	if (entry->outcome == RG_OUTCOME_TAKEN)
		write_line(e, "artifact '%s': %s%s%s%s", entry->name,
			   names.length ? names.data
			   : entry->log ? "a log"
					: "its own paths",
			   job ? ", of job '" : ", of no one job", job ? job->name : "",
			   job ? "'" : "");
	else
		write_line(e, "artifact '%s': left%s%s: %s%s%s", entry->name,
			   names.length ? " by " : "", names.data, rg_outcome_text(entry->outcome),
			   why ? ": " : "", why ? why : "");
	return entry->outcome != RG_OUTCOME_TAKEN || entry->log ? NULL : write_members(e, index);
}

rg_error *rg_explain(const rg_run *run, const rg_fetch_options *options, const char *folder,
		     rg_manifest *manifest, rg_explain_line *line, void *context)
{
	const explain_state e = {run, options, folder, manifest, line, context};
	for (size_t i = 0; i < manifest->job_count; i++)
		write_job(&e, &manifest->jobs[i]);
	for (size_t i = 0; i < manifest->artifact_count; i++)
		RG_TRY(write_artifact(&e, i));
	return NULL;
}
