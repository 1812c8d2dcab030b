/* SPDX-License-Identifier: Apache-2.0 */
#include "source/fetch.h"

#include "archive/select.h"
#include "base/cancel.h"
#include "base/counts.h"
#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "source/fetch_options.h"
#include "source/log_artifact.h"
#include "source/member_sorter.h"
#include "source/staging.h"
#include "source/taken.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* The workers share it; `lock` is for everything below it. */
typedef struct {
	const rg_run *run;
	const rg_fetch_options *options;
	const char *parts;
	rg_manifest *manifest;
	const size_t *indices; /* of the artifacts to fetch, in the run and the manifest */
	rg_taken *taken;
	size_t count;
	pthread_mutex_t lock;
	size_t next;     /* the first that nobody works on */
	unsigned moving; /* artifacts whose bytes are on their way */
	pthread_cond_t moved_on;
	rg_progress_state state;
	rg_error *err; /* the first one that stops everything */
} pool;

/* An artifact on its way into plain files PARTS/ARTIFACT-LOG-NUMBER, out of the cache or off the
 * network. No names from outside reach the file system here. */
typedef struct {
	pool *pool;
	rg_taken *out;
	const rg_fetch_options *options;
	const rg_artifact *artifact;
	uint64_t rules; /* that its name fits, as bits */
	rg_job_log *log;
	rg_member_sorter *sorter;
	bool moving; /* it is counted in the pool's */
} take_state;

/* --- the cache --- */

static void make_key(rg_cache_key *out, const rg_fetch_options *options, const rg_run *run,
		     const rg_artifact *artifact, uint64_t rules, rg_arena *arena)
{
	*out = (rg_cache_key){.api = options->source->address,
			      .host = run->host,
			      .repository = run->repository,
			      .artifact_id = artifact->id,
			      .digest = artifact->digest};
	out->patterns = artifact->log ? options->logs->items[artifact->log - 1].text
				      : rg_rules_text(options->rules, rules, arena);
}

/* The cache knows no limits: what is over today's is fetched again, and refused there. */
static bool is_within(const rg_cache_entry *entry, const rg_zip_limits *limits)
{
	uint64_t total = 0;
	for (size_t i = 0; i < entry->count; i++) {
		if (entry->files[i].size > limits->member_size)
			return false;
		total += entry->files[i].size;
	}
	return total <= limits->total_size;
}

/*
 * Fills `out`, which starts all zero, with what the cache has of an artifact under today's
 * settings. *found is false where that is not all, and where there is no cache.
 */
static rg_error *take_from_cache(rg_cache_entry *out, const rg_fetch_options *options,
				 const rg_run *run, const rg_artifact *artifact, uint64_t rules,
				 bool *found)
{
	RG_AUTO(rg_arena) arena = {0};
	rg_cache_key key;

	*found = false;
	if (!options->cache || !options->source->address)
		return NULL;
	make_key(&key, options, run, artifact, rules, &arena);
	RG_TRY(rg_cache_get(options->cache, &key, out, found));
	*found = *found && is_within(out, &options->limits);
	return NULL;
}

static rg_error *put(const rg_taken *taken, const rg_fetch_options *options,
		     const rg_cache_key *key)
{
	RG_AUTO_FREE rg_cache_file *files = rg_calloc(taken->count + 1, sizeof(*files));
	RG_AUTO_FREE rg_map *maps = rg_calloc(taken->count + 1, sizeof(*maps));
	rg_cache_entry entry = {.files = files};
	rg_error *err = NULL;

	for (; !err && entry.count < taken->count; entry.count++) {
		const rg_taken_file *from = &taken->files[entry.count];
		rg_cache_file *file = &files[entry.count];

		err = rg_map_open(&maps[entry.count], from->part);
		*file = (rg_cache_file){from->path, maps[entry.count].data, (size_t)from->size, ""};
		memcpy(file->sha256, from->sha256, sizeof(file->sha256));
	}
	if (!err)
		err = rg_cache_put(options->cache, key, &entry);
	while (entry.count)
		rg_map_release(&maps[--entry.count]);
	return err;
}

/* Puts what was taken into the cache. That it cannot be written is logged, and no error. */
static rg_error *take_into_cache(const take_state *t)
{
	const rg_fetch_options *options = t->options;
	RG_AUTO(rg_arena) arena = {0};
	rg_cache_key key;

	if (!options->cache || !options->source->address)
		return NULL;
	make_key(&key, options, t->pool->run, t->artifact, t->rules, &arena);
	RG_AUTO_PTR(rg_error) err = put(t->out, options, &key);
	if (err && rg_error_get_code(err) == RG_E_CANCELLED)
		return RG_TAKE(err);
	if (err)
		rg_log_say(options->log, RG_LOG_DETAIL, "the cache is not written: %s",
			   rg_error_message(err));
	return NULL;
}

/* --- one artifact --- */

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
static rg_error *begin_part(take_state *t, const char *path, rg_taken_file **file, part_file *part)
{
	rg_taken *out = t->out;
	rg_grow(&out->files, &out->capacity, out->count + 1, sizeof(*out->files));
	*file = &out->files[out->count];
	/* Logs have the ids of jobs, which may be those of artifacts. */
	(*file)->path = rg_arena_text(&out->arena, path);
	(*file)->part = rg_arena_textf(&out->arena, "%s/%llu-%zu-%zu", t->pool->parts,
				       (unsigned long long)t->artifact->id, t->artifact->log,
				       out->count);
	part->path = (*file)->part;
	return rg_file_make(&part->fd, part->path);
}

static rg_error *end_part(take_state *t, const part_file *part, rg_taken_file *file, rg_error *err)
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
	take_state *t = context;
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

/* Adds what is wrong with a file, or with the artifact. Takes `err` over. */
static void append_error(rg_taken *out, rg_error *err)
{
	*RG_PUSH(out->errors, out->error_count, out->error_capacity) = err;
}

/* A member that cannot be had has its say in which round counts. */
static void find_rounds(take_state *t, const rg_selection *refused)
{
	for (size_t i = 0; i < t->out->count; i++)
		rg_member_sorter_add(t->sorter, t->out->files[i].path);
	for (size_t i = 0; refused && i < refused->count; i++)
		if (refused->refusals[i].wanted)
			rg_member_sorter_add(t->sorter, refused->refusals[i].name);
}

/* Leaves what counts, under the names that it has in the repository. */
static void sort_members(take_state *t)
{
	rg_taken *out = t->out;
	size_t kept = 0, earlier = 0;

	if (t->artifact->log || t->artifact->placed)
		return;
	find_rounds(t, NULL);
	for (size_t i = 0; i < out->count; i++) {
		rg_taken_file file = out->files[i];
		rg_member_kind kind =
			rg_member_sorter_kind(t->sorter, file.path, &file.rule, &file.fields);
		const rg_field_value *folder = &file.fields.fields[RG_FIELD_FOLDER];

		if (kind == RG_MEMBER_FOREIGN)
			append_error(out, rg_error_new(RG_E_UNSAFE,
						       "member '%s': its folder '%.*s' is not that "
						       "of test '%s'",
						       file.path, (int)folder->length,
						       folder->start, t->sorter->owner->test));
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
			   t->artifact->name, earlier, rg_plural(earlier));
}

/* Keeps the errors of refused members that are missing now. */
static void keep_refusals(take_state *t, rg_selection *selection)
{
	find_rounds(t, selection);
	for (size_t i = 0; i < selection->count; i++) {
		rg_refusal *refusal = &selection->refusals[i];
		rg_name_fields fields;
		const rg_rule *rule;

		rg_log_say(t->options->log, RG_LOG_DETAIL, "artifact '%s': member '%s': %s",
			   t->artifact->name, refusal->name, rg_error_message(refusal->err));
		if (refusal->wanted && rg_member_sorter_kind(t->sorter, refusal->name, &rule,
							     &fields) != RG_MEMBER_EARLIER)
			append_error(t->out, rg_error_wrap(RG_TAKE(refusal->err), "member '%s'",
							   refusal->name));
	}
}

static rg_error *restart(void *context)
{
	take_state *t = context;
	while (t->out->count) {
		const char *part = t->out->files[--t->out->count].part;
		if (unlink(part))
			return rg_error_io(errno, "%s", part);
	}
	return NULL;
}

static void show(pool *p)
{
	if (p->options->progress && p->options->progress->update)
		p->options->progress->update(p->options->progress->context, &p->state);
}

/*
 * There are more workers than transfers: those that wait here have asked for their artifact's
 * address while others moved bytes. The address lasts about a minute; one that waited for longer is
 * asked for again.
 */
static void begin_to_move(void *context)
{
	take_state *t = context;
	pool *p = t->pool;

	/* A log is looked for under two ids. */
	if (t->moving)
		return;
	pthread_mutex_lock(&p->lock);
	while (p->moving >= p->options->workers && !p->err)
		pthread_cond_wait(&p->moved_on, &p->lock);
	p->moving++;
	t->moving = true;
	pthread_mutex_unlock(&p->lock);
}

static void moved(void *context, uint64_t bytes)
{
	const take_state *t = context;
	pool *p = t->pool;

	pthread_mutex_lock(&p->lock);
	p->state.bytes_moved += bytes;
	/* How large a log is shows only as it comes. */
	p->state.bytes_total += t->artifact->size ? 0 : bytes;
	show(p);
	pthread_mutex_unlock(&p->lock);
}

static rg_error *take_from_source(take_state *t)
{
	const rg_fetch_options *options = t->options;
	rg_take_request request = {
		.limits = options->limits,
		.artifact_max = options->artifact_max,
		.whole_under = options->whole_under,
		.whole = options->whole,
		.folder = t->pool->parts,
		.log = options->log,
		.take = take_selected,
		.restart = restart,
		.begin = begin_to_move,
		.moved = moved,
		.context = t,
	};
	RG_AUTO(rg_selection) selection = {0};

	rg_rules_patterns(&request.patterns, &request.pattern_count, options->rules, t->rules,
			  &t->out->arena);
	RG_TRY(t->artifact->log ? rg_log_artifact_take(t->log, t->artifact, &request)
				: options->source->take(options->source, t->artifact, &request,
							&selection, &t->out->check));
	keep_refusals(t, &selection);
	return NULL;
}

/* *found where the cache had it, and all of it is stored. */
static rg_error *take_cached(take_state *t, bool *found)
{
	RG_AUTO(rg_cache_entry) entry = {0};

	RG_TRY(take_from_cache(&entry, t->options, t->pool->run, t->artifact, t->rules, found));
	if (!*found)
		return NULL;
	t->out->check = "cache";
	for (size_t i = 0; i < entry.count; i++) {
		const rg_cache_file *kept = &entry.files[i];
		rg_taken_file *file;
		part_file part = {.fd = -1};

		RG_TRY(begin_part(t, kept->path, &file, &part));
		file->size = kept->size;
		/* The cache has held the bytes against it. */
		memcpy(file->sha256, kept->sha256, sizeof(file->sha256));
		RG_TRY(end_part(t, &part, file,
				rg_write_all(part.fd, kept->bytes, kept->size, part.path)));
	}
	return NULL;
}

/* The files come out under the names that they have below the test's folder. Errors are those that
 * stop everything. */
static rg_error *take_artifact(take_state *t)
{
	rg_taken *out = t->out;
	bool cached;
	rg_error *err = take_cached(t, &cached);

	if (!err && !cached)
		err = take_from_source(t);
	if (err && rg_take_is_fatal(err))
		return err;
	/* Under the members' own names: whose they are may be settled in another way next time. */
	if (!err && !cached && !out->error_count)
		RG_TRY(take_into_cache(t));
	/* The goldens that came out before it stopped are complete and checked, and stay. */
	sort_members(t);
	out->outcome = out->count ? RG_OUTCOME_TAKEN : RG_OUTCOME_SKIPPED_NO_GOLDENS;
	if (err)
		append_error(out, err);
	if (out->error_count)
		out->outcome = err && rg_error_get_code(err) == RG_E_GONE ? RG_OUTCOME_EXPIRED
									  : RG_OUTCOME_FAILED;
	if (out->count)
		return NULL;
	out->check = NULL;
	if (!out->error_count)
		out->why = t->artifact->log ? "no line of the log matches"
					    : "nothing in it matches regild.files";
	return NULL;
}

/* --- the workers --- */

static const rg_artifact *artifact_at(const pool *p, size_t place)
{
	return &p->run->artifacts[p->indices[place]];
}

/* The next artifact's place, and how many are taken with it: all that are the log of one job.
 * False: nothing is left, or everything stops. */
static bool take_next(pool *p, size_t *out, size_t *count)
{
	pthread_mutex_lock(&p->lock);
	bool more = !p->err && p->next < p->count;
	if (more) {
		const rg_artifact *first = artifact_at(p, p->next);
		*out = p->next++;
		while (first->log && p->next < p->count &&
		       artifact_at(p, p->next) == first + (p->next - *out) &&
		       artifact_at(p, p->next)->job_id == first->job_id)
			p->next++;
		*count = p->next - *out;
	}
	pthread_mutex_unlock(&p->lock);
	return more;
}

static void take_one(pool *p, size_t place, rg_job_log *log)
{
	const rg_manifest_artifact *entry = &p->manifest->artifacts[p->indices[place]];
	const rg_manifest_job *named = rg_manifest_find_job(p->manifest, entry->job_id);
	const rg_job *job = rg_run_find_job(p->run, entry->job_id);
	const rg_member_owner owner = {named ? named->test : NULL, job ? job->via : NULL};
	RG_AUTO(rg_member_sorter) sorter = {0};
	take_state t = {.pool = p,
			.out = &p->taken[place],
			.options = p->options,
			.artifact = artifact_at(p, place),
			.rules = entry->rules,
			.log = log,
			.sorter = &sorter};

	rg_member_sorter_init(&sorter, p->options->rules, entry->rules, &owner);
	rg_error *err = rg_cancel_check();
	pthread_mutex_lock(&p->lock);
	p->state.current = t.artifact->name;
	show(p);
	pthread_mutex_unlock(&p->lock);
	if (!err)
		err = take_artifact(&t);
	if (err && rg_error_get_code(err) != RG_E_CANCELLED)
		err = rg_error_wrap(err, "artifact '%s'", t.artifact->name);

	pthread_mutex_lock(&p->lock);
	p->moving -= t.moving;
	p->err = rg_error_first(p->err, err);
	p->state.done++;
	show(p);
	if (p->err)
		pthread_cond_broadcast(&p->moved_on);
	else
		pthread_cond_signal(&p->moved_on);
	pthread_mutex_unlock(&p->lock);
}

static void *work(void *context)
{
	pool *p = context;
	size_t first, count;

	while (take_next(p, &first, &count)) {
		RG_AUTO(rg_job_log)
		log = {p->options, p->run, artifact_at(p, first), count, NULL, NULL};
		for (size_t i = 0; i < count; i++)
			take_one(p, first + i, &log);
	}
	return NULL;
}

/* Runs the workers to their end; with fewer threads than wished it continues with those there are.
 */
static rg_error *run_workers(pool *p)
{
	pthread_t threads[2 * RG_FETCH_WORKERS_MAX];
	unsigned wanted = p->options->workers, started = 0;

	/* Whole artifacts take long: an address would not last until its turn. One worker means one
	 * request after the other. */
	if (!p->options->whole && wanted > 1)
		wanted *= 2;
	if (wanted > p->count)
		wanted = (unsigned)p->count;
	wanted = (unsigned)rg_descriptors_allow(wanted, 3);
	while (started < wanted && !pthread_create(&threads[started], NULL, work, p))
		started++;
	if (!started)
		work(p);
	while (started)
		pthread_join(threads[--started], NULL);
	return p->err;
}

static rg_error *fetch_all(pool *p, const char *folder)
{
	pthread_mutex_init(&p->lock, NULL);
	if (pthread_cond_init(&p->moved_on, NULL))
		rg_out_of_memory();
	for (size_t i = 0; i < p->count; i++)
		rg_taken_init(&p->taken[i]);
	rg_error *err = run_workers(p);
	if (!err)
		err = rg_cancel_check();
	p->manifest->bytes_moved = p->state.bytes_moved;
	p->manifest->bytes_total = p->state.bytes_total;
	if (!err)
		err = rg_lay_out(p->manifest, p->options, folder, p->taken, p->indices, p->count);
	for (size_t i = 0; i < p->count; i++)
		rg_taken_release(&p->taken[i]);
	pthread_cond_destroy(&p->moved_on);
	pthread_mutex_destroy(&p->lock);
	return err;
}

/* The cache may have an artifact that has expired since; that is as good as ever, and is taken. */
static rg_error *revive(rg_manifest *manifest, const rg_run *run, const rg_fetch_options *options)
{
	for (size_t i = 0; i < manifest->artifact_count; i++) {
		rg_manifest_artifact *artifact = &manifest->artifacts[i];
		RG_AUTO(rg_cache_entry) entry = {0};
		bool found = false;

		if (artifact->outcome == RG_OUTCOME_EXPIRED)
			RG_TRY(take_from_cache(&entry, options, run, &run->artifacts[i],
					       artifact->rules, &found));
		if (!found)
			continue;
		artifact->outcome = RG_OUTCOME_TAKEN;
		artifact->why = NULL;
		rg_manifest_job *job = rg_manifest_find_job(manifest, artifact->job_id);
		if (job && job->outcome == RG_OUTCOME_EXPIRED) {
			job->outcome = RG_OUTCOME_TAKEN;
			job->why = NULL;
		}
	}
	return NULL;
}

rg_error *rg_fetch(const rg_run *run, const rg_fetch_options *options, const char *folder,
		   rg_manifest *manifest)
{
	RG_AUTO_FREE size_t *indices = rg_calloc(manifest->artifact_count + 1, sizeof(*indices));
	RG_AUTO_FREE char *parts = rg_path_join(folder, "parts");
	pool p = {.run = run,
		  .options = options,
		  .manifest = manifest,
		  .parts = parts,
		  .indices = indices};

	RG_TRY(revive(manifest, run, options));
	for (size_t i = 0; i < manifest->artifact_count; i++)
		if (manifest->artifacts[i].outcome == RG_OUTCOME_TAKEN) {
			indices[p.count++] = i;
			p.state.bytes_total += manifest->artifacts[i].size;
		}
	p.state.total = p.count;
	RG_AUTO_FREE rg_taken *taken = rg_calloc(p.count + 1, sizeof(*taken));
	p.taken = taken;
	rg_error *err = rg_make_dirs(parts, 0777);
	if (!err)
		err = fetch_all(&p, folder);
	return rg_error_first(err, rg_remove_tree(parts));
}
