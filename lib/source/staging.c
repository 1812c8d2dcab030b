/* SPDX-License-Identifier: Apache-2.0 */
#include "source/staging.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/path.h"
#include "source/staging_tables.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
	rg_manifest *manifest;
	const rg_fetch_options *options;
	const char *folder;
} place_state;

/* Staged goldens are in STAGE/TEST, even if a job's name has no {stage}. */
static const char no_stage[] = "jobs";
/* Goldens out of logs are in a folder of their own: an artifact of the job may have such a file. */
static const char log_folder[] = "log/";

static void set_field(rg_name_fields *fields, rg_field field, const char *text)
{
	if (text)
		fields->fields[field] = rg_field_of(text);
}

static void override(rg_name_fields *fields, const rg_name_fields *by)
{
	for (size_t i = 0; i < RG_FIELD_COUNT; i++)
		if (by->fields[i].start)
			fields->fields[i] = by->fields[i];
}

static void set_number(const place_state *l, rg_name_fields *fields, rg_field field,
		       uint64_t number)
{
	if (number && !fields->fields[field].start)
		fields->fields[field] = rg_field_of(
			rg_arena_textf(&l->manifest->arena, "%llu", (unsigned long long)number));
}

/* Finds all that names and the run say of a file; a log's by its own rule. `job` NULL: it is the
 * run's. */
static void find_fields(const place_state *l, const rg_manifest_artifact *entry,
			const rg_manifest_job *job, const rg_taken_file *file,
			rg_name_fields *fields)
{
	const rg_rule *jobs = rg_rules_jobs(l->options->rules);
	rg_name_fields fixed = {0};

	*fields = (rg_name_fields){0};
	if (entry->log) {
		if (job && !rg_log_rule_fits(&l->options->logs->items[entry->log - 1],
					     jobs ? jobs->job : NULL, job->name, fields))
			set_field(fields, RG_FIELD_TEST, job->test);
		return;
	}
	set_number(l, &fixed, RG_FIELD_RUN, l->manifest->run_id);
	rg_rule_fits(file->rule, entry->name, &fixed, fields);
	set_number(l, fields, RG_FIELD_RUN, l->manifest->run_id);
	set_number(l, fields, RG_FIELD_ATTEMPT, l->manifest->attempt);
	if (job) {
		/* A job's name says it by the artifact's rule, else its test and stage do. */
		rg_name_fields of_job;
		if (file->rule->job && rg_name_match(file->rule->job, job->name, NULL, &of_job))
			override(fields, &of_job);
		set_field(fields, RG_FIELD_TEST, job->test);
		set_field(fields, RG_FIELD_STAGE, job->stage);
		rg_fields_name_test(fields, job->name);
	}
	override(fields, &file->fields);
}

/* Finds the target of a path below the root; RG_E_UNSAFE for one that cannot be. */
static rg_error *find_target(const place_state *l, const char *below, const char **out)
{
	const char *target = rg_arena_path(&l->manifest->arena, l->options->root, below);
	RG_TRY(rg_path_check(target));
	if (rg_path_has_git(target))
		return rg_error_new(RG_E_UNSAFE, "unsafe target '%s': it has a '.git' part",
				    target);
	*out = target;
	return NULL;
}

/* Can it be staged? Else RG_E_UNSAFE. */
static rg_error *check_staged(const place_state *l, const rg_manifest_golden *golden)
{
	RG_AUTO_FREE char *staged = rg_textf("%s/%s/%s", golden->stage, golden->test, golden->file);
	RG_TRY(rg_path_check(staged));
	/* One that the system does not take would end it for all others, too. */
	if (strlen(l->folder) + strlen("/files/") + strlen(staged) >= PATH_MAX)
		return rg_error_new(RG_E_UNSAFE,
				    "unsafe path '%.60s...': it is too long to be staged", staged);
	return NULL;
}

/* Names its place in the staging folder: STAGE/TEST/FILE. What a [source] names is there under its
 * whole target, which no other golden has. */
static void name_staged(const place_state *l, const rg_manifest_artifact *entry,
			const rg_taken_file *file, const char *below, const char *section,
			rg_name_fields *fields, rg_manifest_golden *golden)
{
	rg_field_value *stage = &fields->fields[RG_FIELD_STAGE];
	rg_field_value *test = &fields->fields[RG_FIELD_TEST];
	const char *name = rg_path_name(below);
	bool own = !entry->log && !(file->rule && file->rule->is_jobs);

	if (!stage->start)
		*stage = rg_field_of(section);
	/* Without a name of its own a golden's is the test's. */
	if (!test->start)
		*test = (rg_field_value){name,
					 strcspn(name, ".") ? strcspn(name, ".") : strlen(name)};
	golden->stage = rg_field_copy(&l->manifest->arena, stage);
	golden->test = rg_field_copy(&l->manifest->arena, test);
	golden->file = rg_arena_textf(&l->manifest->arena, "%s%s", entry->log ? log_folder : "",
				      own ? below : file->path);
}

rg_error *rg_place_golden(rg_manifest *manifest, const rg_fetch_options *options,
			  const char *folder, const rg_manifest_artifact *artifact,
			  const rg_taken_file *file, rg_manifest_golden *golden, const char **shard)
{
	const place_state l = {.manifest = manifest, .options = options, .folder = folder};
	const rg_log_rule *log = artifact->log ? &options->logs->items[artifact->log - 1] : NULL;
	RG_AUTO_FREE char *below = NULL;
	rg_name_fields fields;

	*shard = NULL;
	golden->size = file->size;
	golden->written = file->written;
	memcpy(golden->sha256, file->sha256, sizeof(golden->sha256));
	if (!log && !file->rule) {
		/* It is called as its target is below the root. */
		fields = (rg_name_fields){0};
		const char *section =
			rg_section_of_target(options->rules, options->logs, file->path, &fields);
		name_staged(&l, artifact, file, file->path, section ? section : "files", &fields,
			    golden);
		RG_TRY(check_staged(&l, golden));
		return find_target(&l, file->path, &golden->target);
	}
	const rg_name_pattern *target = log ? log->target : file->rule->target;
	if (!target)
		target = rg_rules_jobs(options->rules)->target; /* a log's; else it has one */
	find_fields(&l, artifact, rg_manifest_find_job(manifest, artifact->job_id), file, &fields);
	if (!fields.fields[RG_FIELD_STAGE].start && (log || file->rule->is_jobs))
		fields.fields[RG_FIELD_STAGE] = rg_field_of(no_stage);
	fields.fields[RG_FIELD_FILE] = rg_field_of(file->path);
	*shard = rg_field_copy(&manifest->arena, &fields.fields[RG_FIELD_SHARD]);
	RG_TRY(rg_name_expand(&below, target, &fields));
	name_staged(&l, artifact, file, below, log ? log->name : file->rule->name, &fields, golden);
	RG_TRY(check_staged(&l, golden));
	return find_target(&l, below, &golden->target);
}

/* A golden that wants its place. */
typedef struct {
	const rg_taken_file *file;
	size_t artifact; /* in the manifest */
	const rg_manifest_artifact *entry;
	rg_manifest_golden golden;
	const char *part;       /* where its bytes are */
	const char *shard;      /* of a table: which one it is; NULL: that is not said */
	size_t lead;            /* of a shard: the claim that all shards have become, plus 1 */
	bool conflict, dropped; /* dropped: the same bytes come from another artifact already */
} claim;

typedef struct {
	rg_manifest *manifest;
	const rg_fetch_options *options;
	const char *folder;
	claim *claims;
	size_t count, capacity;
} layout;

static void layout_release(layout *l)
{
	free(l->claims);
}

static rg_error *append_claim(layout *l, size_t artifact, const rg_taken_file *file)
{
	rg_manifest_artifact *entry = &l->manifest->artifacts[artifact];
	claim made = {.file = file, .artifact = artifact, .entry = entry, .part = file->part};

	if (entry->job_id && !rg_manifest_find_job(l->manifest, entry->job_id))
		return rg_error_new(RG_E_NOTFOUND, "artifact '%s': its job is not there",
				    entry->name);
	RG_AUTO_PTR(rg_error)
	err = rg_place_golden(l->manifest, l->options, l->folder, entry, file, &made.golden,
			      &made.shard);
	if (err && rg_error_get_code(err) != RG_E_UNSAFE)
		return RG_TAKE(err);
	if (err) {
		entry->outcome = RG_OUTCOME_FAILED;
		rg_why_add(&l->manifest->arena, &entry->why, rg_error_message(err));
		return NULL;
	}
	made.golden.artifact_id = entry->id;
	made.golden.digest = entry->digest;
	*RG_PUSH(l->claims, l->count, l->capacity) = made;
	return NULL;
}

/* Shards of one table are what one [source] takes. */
static const char *table_of(const claim *c)
{
	return c->file->rule && c->file->rule->merge ? c->file->rule->name : "";
}

static rg_table_part part_of(const claim *c)
{
	return (rg_table_part){c->file, c->entry, c->shard};
}

/* By target, and shards of one in their order. */
static int compare_claims(const void *a, const void *b)
{
	const claim *x = a, *y = b;
	int order = rg_path_compare(x->golden.target, y->golden.target);
	const rg_table_part left = part_of(x), right = part_of(y);

	if (!order)
		order = strcmp(table_of(x), table_of(y));
	if (!order && *table_of(x))
		order = rg_table_parts_compare(&left, &right);
	return order ? order : (x->artifact > y->artifact) - (x->artifact < y->artifact);
}

/* Formats why `one` does not go in beside `other`. */
static char *format_conflict(const layout *l, const claim *one, const claim *other)
{
	const rg_manifest_artifact *rival = &l->manifest->artifacts[other->artifact];
	const char *target = one->golden.target;

	if (strcmp(target, other->golden.target) != 0)
		return rg_textf("%s cannot be beside %s of artifact %llu '%s'", target,
				other->golden.target, (unsigned long long)rival->id, rival->name);
	if (one->artifact == other->artifact)
		return rg_textf("two files in it that differ would be %s", target);
	return rg_textf("%s also comes from artifact %llu '%s' with other bytes", target,
			(unsigned long long)rival->id, rival->name);
}

static void conflict(layout *l, claim *a, claim *b)
{
	claim *pair[2] = {a, b};
	for (size_t i = 0; i < 2; i++) {
		claim *one = pair[i], *other = pair[1 - i];
		rg_manifest_artifact *entry = &l->manifest->artifacts[one->artifact];

		if (one->conflict)
			continue;
		one->conflict = true;
		entry->outcome = RG_OUTCOME_CONFLICT;
		if (i && a->artifact == b->artifact)
			continue; /* it has said so */
		RG_AUTO_FREE char *text = format_conflict(l, one, other);
		rg_why_add(&l->manifest->arena, &entry->why, text);
	}
}

/* Tells each artifact that has a part of a table why there is none. */

/* Why there is no table is said of each artifact that has a part of it. */
static void fail_table(layout *l, claim *parts, size_t count, const char *why, size_t bad)
{
	for (size_t i = 0; i < count; i++) {
		rg_manifest_artifact *entry = &l->manifest->artifacts[parts[i].artifact];
		parts[i].conflict = true;
		if (bad == i)
			entry->outcome = RG_OUTCOME_FAILED;
		else if (entry->outcome != RG_OUTCOME_FAILED)
			entry->outcome = RG_OUTCOME_CONFLICT;
		if (!i || parts[i].artifact != parts[i - 1].artifact)
			rg_why_add(&l->manifest->arena, &entry->why, why);
	}
}

static rg_error *make_table(layout *l, size_t first, size_t count)
{
	claim *claims = &l->claims[first];
	RG_AUTO_FREE rg_table_part *parts = rg_calloc(count, sizeof(*parts));
	const char *made, *why;
	size_t bad;
	for (size_t i = 0; i < count; i++)
		parts[i] = part_of(&claims[i]);
	RG_TRY(rg_table_parts_write(parts, count, l->options, &l->manifest->arena, &claims->golden,
				    &made, &why, &bad));
	if (why) {
		fail_table(l, claims, count, why, bad);
		return NULL;
	}
	claims->part = made;
	for (size_t i = 1; i < count; i++)
		claims[i].lead = first + 1;
	return NULL;
}

/* Makes the tables that are not copied: of all shards of one, or of one file. */
static rg_error *make_tables(layout *l)
{
	size_t end;
	for (size_t i = 0; i < l->count; i = end) {
		const claim *first = &l->claims[i];
		end = i + 1;
		if (!first->file->rule || !rg_rule_rewrites(first->file->rule))
			continue;
		while (*table_of(first) && end < l->count &&
		       !strcmp(first->golden.target, l->claims[end].golden.target) &&
		       !strcmp(table_of(first), table_of(&l->claims[end])))
			end++;
		RG_TRY(make_table(l, i, end - i));
	}
	return NULL;
}

/* Claims are sorted by target, so that rivals are neighbours, and a path right before what
 * would lie below it. */
static void settle_claims(layout *l)
{
	claim *first = NULL;
	for (size_t i = 0; i < l->count; i++) {
		claim *now = &l->claims[i];
		if (now->lead || now->conflict) /* of a table, which is settled */
			continue;
		if (first && !strcmp(first->golden.target, now->golden.target)) {
			if (strcmp(first->golden.sha256, now->golden.sha256) != 0)
				conflict(l, first, now);
			else if (first->conflict)
				conflict(l, now, first);
			else
				now->dropped = true;
			continue;
		}
		if (first && rg_path_is_below(first->golden.target, now->golden.target))
			conflict(l, first, now);
		else
			first = now;
	}
}

/* Tells artifacts of which something is missing what came anyway. */
static void append_what_came(layout *l, const size_t *indices, size_t count)
{
	RG_AUTO_FREE size_t *came = rg_calloc(l->manifest->artifact_count + 1, sizeof(*came));
	for (size_t i = 0; i < l->count; i++)
		came[l->claims[i].artifact] += !l->claims[i].conflict;
	for (size_t i = 0; i < count; i++) {
		rg_manifest_artifact *entry = &l->manifest->artifacts[indices[i]];
		size_t n = came[indices[i]];
		char text[64];

		if (!n || !rg_outcome_is_missing(entry->outcome))
			continue;
		snprintf(text, sizeof(text), "%zu other golden%s of it %s taken", n, rg_plural(n),
			 n == 1 ? "is" : "are");
		rg_why_add(&l->manifest->arena, &entry->why, text);
	}
}

/* Does the working tree have these very bytes? What cannot be read is not the same. */
static bool is_unchanged(const layout *l, const claim *c)
{
	struct stat st;

	if (!l->options->worktree)
		return false;
	RG_AUTO_FREE char *path = rg_path_join(l->options->worktree, c->golden.target);
	if (lstat(path, &st) || !S_ISREG(st.st_mode) ||
	    (!c->golden.rewrite && (uint64_t)st.st_size != c->golden.size))
		return false;
	RG_AUTO(rg_buf) here = rg_buf_of(rg_buf_most((uint64_t)st.st_size) + 1);
	RG_AUTO(rg_buf) fresh = rg_buf_of(rg_buf_most(c->golden.size) + 1);
	RG_AUTO_PTR(rg_error)
	err = rg_error_first(rg_file_read(&here, path), rg_file_read(&fresh, c->part));
	if (!err && c->golden.rewrite) {
		const rg_table_manner manner = rg_golden_manner(&c->golden, l->options->formats);
		err = rg_golden_rewrite(&manner, here.max + fresh.max, &here, &fresh);
	}
	return !err && here.length == fresh.length && !memcmp(here.data, fresh.data, fresh.length);
}

static rg_error *move_files(layout *l, bool *changed)
{
	rg_manifest *manifest = l->manifest;
	for (size_t i = 0; i < l->count; i++) {
		const claim *c = &l->claims[i];
		if (c->conflict)
			continue;
		bool same = is_unchanged(l, c->lead ? &l->claims[c->lead - 1] : c);
		changed[c->artifact] |= !same;
		if (c->dropped || c->lead)
			continue;
		RG_AUTO_FREE char *path = rg_textf("%s/files/%s/%s/%s", l->folder, c->golden.stage,
						   c->golden.test, c->golden.file);
		RG_TRY(rg_make_parent_dirs(path, 0777));
		if (rename(c->part, path))
			return rg_error_io(errno, "%s", path);
		*RG_PUSH(manifest->goldens, manifest->golden_count, manifest->golden_capacity) =
			c->golden;
	}
	return NULL;
}

/* The larger of two outcomes of a job's artifacts is the job's. */
static int weight(rg_outcome outcome)
{
	if (rg_outcome_is_missing(outcome))
		return 3;
	return outcome == RG_OUTCOME_TAKEN ? 2 : outcome == RG_OUTCOME_UNCHANGED;
}

/* A job becomes what its artifact has become; of several, and logs, what weighs most. */
static void settle_jobs(rg_manifest *manifest, const size_t *indices, size_t count)
{
	RG_AUTO_FREE bool *settled = rg_calloc(manifest->job_count + 1, sizeof(*settled));
	for (size_t i = 0; i < count; i++) {
		const rg_manifest_artifact *artifact = &manifest->artifacts[indices[i]];
		rg_manifest_job *job = rg_manifest_find_job(manifest, artifact->job_id);
		bool first = job && job->outcome == RG_OUTCOME_TAKEN &&
			     !settled[job - manifest->jobs];

		if (!job || (!first && weight(artifact->outcome) <= weight(job->outcome)))
			continue;
		settled[job - manifest->jobs] = true;
		job->outcome = artifact->outcome;
		job->why = artifact->why;
	}
}

rg_error *rg_lay_out(rg_manifest *manifest, const rg_fetch_options *options, const char *folder,
		     const rg_taken *taken, const size_t *indices, size_t count)
{
	RG_AUTO(layout) l = {.manifest = manifest, .options = options, .folder = folder};
	RG_AUTO_FREE bool *changed = rg_calloc(manifest->artifact_count + 1, sizeof(*changed));
	for (size_t i = 0; i < count; i++) {
		rg_manifest_artifact *entry = &manifest->artifacts[indices[i]];
		entry->outcome = taken[i].outcome;
		if (taken[i].why)
			rg_why_add(&manifest->arena, &entry->why, taken[i].why);
		for (size_t k = 0; k < taken[i].error_count; k++)
			rg_why_add(&manifest->arena, &entry->why,
				   rg_error_message(taken[i].errors[k]));
		if (taken[i].check)
			entry->check = taken[i].check; /* a constant */
		for (size_t k = 0; k < taken[i].count; k++)
			RG_TRY(append_claim(&l, indices[i], &taken[i].files[k]));
	}
	if (l.count)
		qsort(l.claims, l.count, sizeof(*l.claims), compare_claims);
	RG_TRY(make_tables(&l));
	settle_claims(&l);
	append_what_came(&l, indices, count);
	RG_TRY(move_files(&l, changed));
	for (size_t i = 0; i < count; i++)
		if (manifest->artifacts[indices[i]].outcome == RG_OUTCOME_TAKEN &&
		    !changed[indices[i]])
			manifest->artifacts[indices[i]].outcome = RG_OUTCOME_UNCHANGED;
	settle_jobs(manifest, indices, count);
	return NULL;
}

struct rg_staging {
	char *dir, *folder;
	size_t made; /* length of the first folder of `dir` that begin made; 0: all were there */
	int lock;    /* the folder, open and locked; -1: not */
	bool committed;
};

/* The shortest part of `path` that does not exist; 0 where all of it does. */
static size_t first_missing(char *path)
{
	char *p = path;
	for (;;) {
		struct stat st;
		p += strspn(p, "/");
		p += strcspn(p, "/");
		char kept = *p;
		*p = '\0';
		bool missing = *path && stat(path, &st) && errno == ENOENT;
		*p = kept;
		if (missing)
			return (size_t)(p - path);
		if (!kept)
			return 0;
	}
}

/* May it be written over? A download that was killed between its last two steps has left files and
 * no manifest yet, and its own folder beside them. */
static rg_error *check_contents(const char *dir)
{
	bool manifest = false, files = false, killed = false, other = false;
	struct dirent *entry;
	DIR *entries = opendir(dir);

	if (!entries)
		return rg_error_io(errno, "%s", dir);
	while ((errno = 0, entry = readdir(entries)) != NULL) {
		const char *name = entry->d_name;
		if (!strcmp(name, "manifest.json"))
			manifest = true;
		else if (!strcmp(name, ".download"))
			killed = true;
		else if (!strcmp(name, "files"))
			files = true;
		else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			other = true;
	}
	int failed = errno;
	closedir(entries);
	if (failed)
		return rg_error_io(failed, "%s", dir);
	if (manifest || (!other && (!files || killed)))
		return NULL;
	return rg_error_new(RG_E_USAGE, "%s: is neither empty nor a staging folder; name another",
			    dir);
}

rg_error *rg_staging_begin(rg_staging **out, const char *dir)
{
	RG_AUTO_PTR(rg_staging) staging = rg_calloc(1, sizeof(*staging));
	int failed;

	*out = NULL;
	staging->lock = -1;
	staging->dir = rg_strdup(dir);
	staging->folder = rg_path_join(dir, ".download");
	staging->made = first_missing(staging->dir);
	RG_TRY(rg_make_dirs(dir, 0777));
	staging->lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (staging->lock < 0)
		return rg_error_io(errno, "%s", dir);
	if (flock(staging->lock, LOCK_EX | LOCK_NB)) {
		failed = errno;
		close(staging->lock);
		staging->lock = -1;
		return failed == EWOULDBLOCK
			       ? rg_error_new(RG_E_CONFLICT,
					      "%s: another download is writing to it", dir)
			       : rg_error_io(failed, "%s", dir);
	}
	RG_TRY(check_contents(dir));
	RG_TRY(rg_remove_tree(staging->folder));
	RG_TRY(rg_make_dirs(staging->folder, 0777));
	*out = RG_TAKE(staging);
	return NULL;
}

const char *rg_staging_folder(const rg_staging *staging)
{
	return staging->folder;
}

/* The old files again, after `err`. */
static rg_error *put_back(const rg_staging *staging, rg_error *err)
{
	int dir = staging->lock;
	if (!renameat(dir, ".download/old", dir, "files") || errno == ENOENT)
		return err;
	return rg_error_wrap(err, "%s/files: the old files are in %s/old", staging->dir,
			     staging->folder);
}

/* Old files out of the way, new ones in, the manifest over the old one. What a kill leaves in
 * between is found out by the manifest's SHA-256s. */
static rg_error *swap(rg_staging *staging)
{
	int dir = staging->lock;
	if (renameat(dir, "files", dir, ".download/old") && errno != ENOENT)
		return rg_error_io(errno, "%s/files", staging->dir);
	if (renameat(dir, ".download/files", dir, "files"))
		return put_back(staging, rg_error_io(errno, "%s/files", staging->dir));
	if (renameat(dir, ".download/manifest.json", dir, "manifest.json")) {
		rg_error *err = rg_error_io(errno, "%s/manifest.json", staging->dir);
		return renameat(dir, "files", dir, ".download/files") ? err
								      : put_back(staging, err);
	}
	staging->committed = true;
	return fsync(dir) && errno != EINVAL ? rg_error_io(errno, "%s", staging->dir) : NULL;
}

rg_error *rg_staging_commit(rg_staging *staging, const rg_manifest *manifest)
{
	/* A run may have no goldens at all. */
	if (mkdirat(staging->lock, ".download/files", 0777) && errno != EEXIST)
		return rg_error_io(errno, "%s/files", staging->folder);
	/* Beside the new files first: a full disk shows before anything has moved. */
	RG_TRY(rg_manifest_save(manifest, staging->folder));
	return swap(staging);
}

/* From the inside out; what others have put there in the meantime keeps its folder. */
static void remove_made(rg_staging *staging)
{
	char *end = staging->dir + strlen(staging->dir);
	while (end > staging->dir && end[-1] == '/')
		*--end = '\0';
	while ((size_t)(end - staging->dir) >= staging->made && !rmdir(staging->dir)) {
		end = strrchr(staging->dir, '/');
		if (!end)
			break;
		*end = '\0';
	}
}

void rg_staging_free(rg_staging *staging)
{
	if (!staging)
		return;
	/* Without the lock it is somebody else's. */
	if (staging->lock >= 0) {
		rg_error_free(rg_remove_tree(staging->folder));
		if (staging->made && !staging->committed)
			remove_made(staging);
		close(staging->lock);
	}
	free(staging->folder);
	free(staging->dir);
	free(staging);
}
