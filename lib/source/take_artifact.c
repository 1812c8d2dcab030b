/* SPDX-License-Identifier: Apache-2.0 */
#include "source/take_artifact.h"

#include "base/memory.h"
#include "archive/select.h"
#include "base/counts.h"
#include "base/file.h"
#include "source/member_sorter.h"
#include "source/take_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An artifact on its way. */
typedef struct {
	rg_taken *out;
	const rg_fetch_options *options;
	const rg_artifact *artifact;
	uint64_t rules; /* that its name fits, as bits */
	rg_job_log *log;
	const char *parts;
	rg_member_sorter sorter;
	size_t bad; /* files that are not what they should be */
	const rg_take_hooks *hooks;
	bool begun;
} taking;

/* A golden on its way into its file. */
typedef struct {
	int fd;
	const char *path;
	rg_sha256 *hash;
} part_file;

static rg_error *write_part(void *context, const void *bytes, size_t length)
{
	const part_file *part = context;
	RG_TRY(rg_sha256_add(part->hash, bytes, length));
	return rg_write_all(part->fd, bytes, length, part->path);
}

/* A new file PARTS/ARTIFACT-LOG-NUMBER, open. */
static rg_error *begin_part(taking *t, const char *path, rg_taken_file **file, part_file *part)
{
	rg_taken *out = t->out;
	rg_grow(&out->files, &out->capacity, out->count + 1, sizeof(*out->files));
	*file = &out->files[out->count];
	/* Logs have the ids of jobs, which may be those of artifacts. */
	char *name = rg_textf("%s/%llu-%zu-%zu", t->parts, (unsigned long long)t->artifact->id,
			      t->artifact->log, out->count);
	(*file)->path = rg_arena_text(&out->arena, path);
	(*file)->part = rg_arena_text(&out->arena, name);
	free(name);
	part->path = (*file)->part;
	return rg_file_make(&part->fd, part->path);
}

static rg_error *end_part(taking *t, const part_file *part, rg_taken_file *file, rg_error *err)
{
	if (!err && fstat(part->fd, &file->written))
		err = rg_error_io(errno, "%s", part->path);
	if (close(part->fd) && !err)
		err = rg_error_io(errno, "%s", part->path);
	if (err)
		unlink(part->path);
	else
		t->out->count++;
	return err;
}

static rg_error *take_selected(void *context, const rg_selected *selected)
{
	taking *t = context;
	rg_taken_file *file;
	part_file part = {.fd = -1};

	RG_TRY(begin_part(t, selected->path, &file, &part));
	file->size = selected->size;
	rg_error *err = rg_sha256_new(&part.hash);
	if (!err)
		err = selected->read(selected->source, write_part, &part);
	if (!err)
		err = rg_sha256_finish(part.hash, file->sha256);
	rg_count_up(RG_COUNT_HASHED);
	rg_sha256_free(part.hash);
	return end_part(t, &part, file, err);
}

/* The cache has held the bytes against their SHA-256. */
static rg_error *take_kept(taking *t, const rg_cache_file *kept)
{
	rg_taken_file *file;
	part_file part = {.fd = -1};

	RG_TRY(begin_part(t, kept->path, &file, &part));
	file->size = kept->size;
	memcpy(file->sha256, kept->sha256, sizeof(file->sha256));
	return end_part(t, &part, file, rg_write_all(part.fd, kept->bytes, kept->size, part.path));
}

/* What is wrong with one file becomes a sentence. Takes `err` over. */
static void note_member(taking *t, rg_error *err)
{
	t->bad++;
	rg_why_add(&t->out->arena, &t->out->why, rg_error_message(err));
	rg_error_free(err);
}

/* The same of an artifact; what stops everything stays. */
static rg_error *note(taking *t, rg_error *err)
{
	if (rg_take_is_fatal(err))
		return err;
	note_member(t, err);
	return NULL;
}

/* A member that cannot be had has its say in which round counts. */
static void find_rounds(taking *t, const rg_selection *refused)
{
	for (size_t i = 0; i < t->out->count; i++)
		rg_member_sorter_add(&t->sorter, t->out->files[i].path);
	for (size_t i = 0; refused && i < refused->count; i++)
		if (refused->refusals[i].wanted)
			rg_member_sorter_add(&t->sorter, refused->refusals[i].name);
}

/* Leaves what counts, under the names that it has in the repository. */
static void sort_members(taking *t)
{
	rg_taken *out = t->out;
	size_t kept = 0, earlier = 0;

	if (t->artifact->log || t->artifact->placed)
		return;
	find_rounds(t, NULL);
	for (size_t i = 0; i < out->count; i++) {
		rg_taken_file file = out->files[i];
		rg_member_kind kind =
			rg_member_sorter_kind(&t->sorter, file.path, &file.rule, &file.fields);
		const rg_field_value *folder = &file.fields.fields[RG_FIELD_FOLDER];

		if (kind == RG_MEMBER_FOREIGN)
			note_member(t, rg_error_new(RG_E_UNSAFE,
						    "member '%s': its folder '%.*s' is not that of "
						    "test '%s'",
						    file.path, (int)folder->length, folder->start,
						    t->sorter.owner->test));
		earlier += kind == RG_MEMBER_EARLIER;
		if (kind != RG_MEMBER_COUNTS && kind != RG_MEMBER_NAMED)
			continue;
		rg_member_name(&file.path, &out->arena, file.rule, kind, &file.fields);
		out->files[kept++] = file;
	}
	out->count = kept;
	if (earlier)
		rg_log_say(t->options->log, RG_LOG_DETAIL,
			   "artifact '%s': %zu file%s of earlier iterations left out",
			   t->artifact->name, earlier, earlier == 1 ? "" : "s");
}

static void note_refusals(taking *t, const rg_selection *selection)
{
	find_rounds(t, selection);
	for (size_t i = 0; i < selection->count; i++) {
		const rg_refusal *refusal = &selection->refusals[i];
		rg_name_fields fields;
		const rg_rule *rule;

		rg_log_say(t->options->log, RG_LOG_DETAIL, "artifact '%s': member '%s': %s",
			   t->artifact->name, refusal->name, refusal->reason);
		if (refusal->wanted && rg_member_sorter_kind(&t->sorter, refusal->name, &rule,
							     &fields) != RG_MEMBER_EARLIER)
			note_member(t, rg_error_new(refusal->code, "member '%s': %s", refusal->name,
						    refusal->reason));
	}
}

static rg_error *restart(void *context)
{
	taking *t = context;
	while (t->out->count) {
		const char *part = t->out->files[--t->out->count].part;
		if (unlink(part))
			return rg_error_io(errno, "%s", part);
	}
	return NULL;
}

static void begin(void *context)
{
	taking *t = context;
	/* A log is looked for under two ids. */
	if (!t->begun)
		t->hooks->begin(t->hooks->context);
	t->begun = true;
}

static void moved(void *context, uint64_t bytes)
{
	const taking *t = context;
	t->hooks->moved(t->hooks->context, bytes);
}

static rg_error *take_from_source(taking *t)
{
	const rg_fetch_options *options = t->options;
	rg_take_request request = {
		.limits = options->limits,
		.artifact_max = options->artifact_max,
		.whole_under = options->whole_under,
		.whole = options->whole,
		.folder = t->parts,
		.log = options->log,
		.take = take_selected,
		.restart = restart,
		.begin = begin,
		.moved = moved,
		.context = t,
	};
	rg_selection selection;

	rg_rules_patterns(&request.patterns, &request.pattern_count, options->rules, t->rules,
			  &t->out->arena);
	rg_selection_init(&selection);
	rg_error *err = t->artifact->log
				? rg_log_artifact_take(t->log, t->artifact, &request)
				: options->source->take(options->source, t->artifact, &request,
							&selection, &t->out->check);
	if (!err)
		note_refusals(t, &selection);
	rg_selection_release(&selection);
	return err;
}

/* *found where the cache had it, and all of it is stored. */
static rg_error *take_cached(taking *t, const rg_run *run, bool *found)
{
	rg_cache_entry entry;
	rg_error *err = NULL;

	RG_TRY(rg_take_from_cache(&entry, t->options, run, t->artifact, t->rules, found));
	if (!*found)
		return NULL;
	for (size_t i = 0; !err && i < entry.count; i++)
		err = take_kept(t, &entry.files[i]);
	t->out->check = "cache";
	rg_cache_entry_release(&entry);
	return err;
}

static rg_error *settle(taking *t, const rg_run *run, bool cached)
{
	rg_taken *out = t->out;
	/* Under the members' own names: whose they are may be settled in another way next time. */
	if (!t->bad && !cached)
		RG_TRY(rg_take_into_cache(out, t->options, run, t->artifact, t->rules));
	sort_members(t);
	if (t->bad) {
		out->outcome = RG_OUTCOME_FAILED;
		return NULL;
	}
	out->outcome = out->count ? RG_OUTCOME_TAKEN : RG_OUTCOME_SKIPPED_NO_GOLDENS;
	if (out->count)
		return NULL;
	rg_why_add(&out->arena, &out->why,
		   t->artifact->log ? "no line of the log matches"
				    : "nothing in it matches regild.files");
	return NULL;
}

static rg_error *take_it(taking *t, const rg_run *run)
{
	rg_taken *out = t->out;
	bool cached;

	rg_error *err = take_cached(t, run, &cached);
	if (!err && !cached)
		err = take_from_source(t);
	if (!err)
		err = settle(t, run, cached);
	if (!out->count)
		out->check = NULL;
	if (!err)
		return NULL;
	if (rg_take_is_fatal(err))
		return err;
	/* What came out before it stopped is complete and checked, and stays. */
	sort_members(t);
	out->outcome = rg_error_get_code(err) == RG_E_GONE ? RG_OUTCOME_EXPIRED : RG_OUTCOME_FAILED;
	return note(t, err);
}

rg_error *rg_take_artifact(rg_taken *out, const rg_fetch_options *options, const rg_run *run,
			   const rg_artifact *artifact, uint64_t rules,
			   const rg_member_owner *owner, rg_job_log *log, const char *parts,
			   const rg_take_hooks *hooks)
{
	taking t = {.out = out,
		    .options = options,
		    .artifact = artifact,
		    .rules = rules,
		    .log = log,
		    .parts = parts,
		    .hooks = hooks};
	rg_error *err;

	rg_member_sorter_init(&t.sorter, options->rules, rules, owner);
	err = take_it(&t, run);
	rg_member_sorter_release(&t.sorter);
	return err;
}
