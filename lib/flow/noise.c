/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/noise.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/thread.h"
#include "flow/audit_runs.h"
#include "flow/open_history.h"
#include "source/run_url.h"
#include "source/settings.h"
#include "store/noise_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAST_DEFAULT = 30 };

/* ---- runs of a history ---- */

/* The model of a history borrows from these. */
typedef struct {
	rg_audit_runs runs;
	rg_audit audit;
	rg_policy *policy;
} audited;

static void close_audited(void *source)
{
	audited *of = source;
	rg_audit_release(&of->audit);
	rg_audit_runs_close(&of->runs);
	rg_policy_free(of->policy);
	free(of);
}

/* Keeps the runs that "ID,ID" names, and counts those names that are none's. */
static rg_error *mark_named(bool *wanted, const char *names, const rg_history_run *runs,
			    size_t count)
{
	for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		RG_AUTO_FREE char *one = rg_strndup(at, strcspn(at, ","));
		RG_AUTO(rg_run_name) name = {0};
		bool found = false;
		RG_TRY(rg_error_wrap(rg_run_name_parse_whole(&name, one), "--noise-runs"));
		for (size_t i = 0; i < count; i++)
			if (runs[i].id == name.id)
				wanted[i] = found = true;
		if (!found)
			return rg_error_new(RG_E_NOTFOUND, "--noise-runs: it has no run %s", one);
	}
	return NULL;
}

/* Those that are asked for, of a list that is in the order of time. */
static rg_error *choose(rg_history_run *runs, size_t *count, const rg_noise_options *options)
{
	const rg_texts *named = &options->runs;
	const size_t last = options->last.given ? (size_t)options->last.value : LAST_DEFAULT;
	RG_AUTO_FREE bool *wanted = rg_calloc(*count + 1, sizeof(*wanted));
	size_t kept = 0, taken = 0;
	for (size_t i = 0; i < named->count; i++)
		RG_TRY(mark_named(wanted, named->items[i], runs, *count));
	for (size_t i = *count; i-- > 0;) {
		if (!named->count)
			wanted[i] = taken < last &&
				    (!options->branch || !strcmp(runs[i].branch, options->branch));
		taken += wanted[i];
	}
	for (size_t i = 0; i < *count; i++)
		if (wanted[i])
			runs[kept++] = runs[i];
	*count = kept;
	return kept ? NULL : rg_error_new(RG_E_NOTFOUND, "it has no such run of this repository");
}

/* Takes the history over. */
static rg_error *open_runs(audited *of, const rg_flow *flow, rg_history_store *opened,
			   const rg_noise_options *options, const char *named)
{
	RG_AUTO_PTR(rg_history_store) history = opened;
	RG_AUTO(rg_repository) repository = {0};
	RG_AUTO(rg_run_name) any = {0};
	RG_AUTO(rg_arena) arena = {0};
	char settings[RG_LAYOUT_KEY_SIZE];
	rg_history_run *runs;
	size_t count;

	RG_TRY(rg_settings_repository(&repository, named, RG_SOURCE_ANY, &any, flow->config,
				      flow->worktree));
	RG_TRY(rg_settings_layout_key(settings, flow->config));
	const rg_audit_store of_these = {
		.history = history,
		.settings = settings,
		.repository = rg_arena_textf(&arena, "%s/%s", repository.host, repository.path)};
	RG_TRY(rg_audit_store_list(&of_these, &arena, &runs, &count));
	RG_TRY(choose(runs, &count, options));
	RG_TRY(rg_history_keep_whole(history, &flow->log, runs, &count));
	if (!count)
		return rg_error_new(RG_E_NOTFOUND, "none of the runs is whole");
	RG_TRY(rg_config_golden_max(flow->config, &of->runs.golden_max));
	RG_TRY(rg_stored_runs_open(&of->runs.stored, RG_TAKE(history), runs, count));
	of->runs.source = rg_stored_runs_source(of->runs.stored, of->runs.golden_max);
	return NULL;
}

static rg_error *audit_history(rg_noise_model *out, const rg_flow *flow, rg_history_store *history,
			       const rg_noise_options *options, const char *repository)
{
	audited *of = rg_calloc(1, sizeof(*of));
	*out = (rg_noise_model){.source = of, .close = close_audited};
	RG_TRY(open_runs(of, flow, history, options, repository));
	RG_TRY(rg_policy_load(&of->policy, flow->config));
	rg_audit_options audit = {.tolerance = {.fail_rate = 0.05},
				  .grouping = RG_BY_BRANCH,
				  .error_rate = 0.05,
				  .policy = of->policy,
				  .workers = rg_cores(),
				  .without_steps = true};
	RG_TRY(rg_audit_runs_fit(&of->runs, &audit, flow));
	RG_TRY(rg_audit_make(&of->audit, &of->runs.source, &audit));
	rg_noise_model_of_audit(out, &of->audit);
	out->source = of;
	out->close = close_audited;
	return NULL;
}

/* ---- what a name is of ---- */

/* By the first bytes, where SQLite has whose file it is. */
enum { ID_AT = 68, HEAD = 100 };

static rg_error *read_head(unsigned char head[static HEAD], const char *path)
{
	int fd;
	RG_TRY(rg_file_open(&fd, path, 0));
	ssize_t length = read(fd, head, HEAD);
	close(fd);
	return length < 0 ? rg_error_io(errno, "%s", path) : NULL;
}

static bool is_of_history(const unsigned char head[static HEAD])
{
	static const unsigned char id[4] = {0x72, 0x67, 0x68, 0x69};
	return !memcmp(head + ID_AT, id, sizeof(id));
}

bool rg_noise_is_history(const char *from)
{
	unsigned char head[HEAD] = {0};
	if (rg_history_is_remote(from))
		return true;
	RG_AUTO_PTR(rg_error) err = read_head(head, from);
	return !err && is_of_history(head);
}

/* The file is another document, or a noise model of the time before SQLite. */
static rg_error *refuse(const char *path)
{
	static const char schema[] = "regild-model";
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_json_in in = {0};
	cJSON *root = NULL;
	RG_TRY(rg_file_read(&text, path));
	rg_error *err = rg_json_parse_document(&root, text.data, text.length, schema);
	in.root = root;
	if (!err)
		err = rg_json_get_head(&in, schema);
	cJSON_Delete(root);
	return rg_error_wrap(err ? err
				 : rg_error_new(RG_E_PARSE,
						"is a noise model of an older regild, in JSON; "
						"write it again with 'regild audit --model FILE'"),
			     "%s", path);
}

static rg_error *open_file(rg_noise_model *out, const char *path, const rg_flow *flow,
			   const rg_noise_options *options, const char *repository)
{
	unsigned char head[HEAD] = {0};
	rg_history_store *history;

	RG_TRY(read_head(head, path));
	if (memcmp(head, "SQLite format 3", 16) != 0)
		return refuse(path);
	if (is_of_history(head)) {
		RG_TRY(rg_history_open_foreign(&history, path));
		return rg_error_wrap(audit_history(out, flow, history, options, repository), "%s",
				     path);
	}
	if (options->runs.count || options->last.given || options->branch)
		return rg_error_new(RG_E_USAGE,
				    "--noise-runs, --noise-last and --noise-branch choose runs of "
				    "a history, and %s is a noise model",
				    path);
	RG_AUTO_PTR(rg_error) err = rg_noise_file_open(out, path);
	const rg_error_code code = err ? rg_error_get_code(err) : RG_E_IO;
	if (code != RG_E_PARSE && code != RG_E_MISMATCH)
		return RG_TAKE(err);
	return rg_error_new(code, "%s; write it again with 'regild audit --model FILE'",
			    rg_error_message(err));
}

rg_error *rg_flow_open_noise(rg_noise_model *out, const char **name, const rg_flow *flow,
			     const rg_noise_options *options, const char *repository)
{
	static const char setting[] = "regild.noise";
	const bool of_clone = !options->from && rg_config_is_from_clone(flow->config, setting);
	const char *given = options->from ? options->from : rg_config_get(flow->config, setting);
	const char *path = given;
	rg_error *err = NULL;

	*out = (rg_noise_model){0};
	*name = given && *given ? given : NULL;
	if (!*name)
		return NULL;
	if (rg_history_is_remote(given) && !of_clone) {
		rg_history_store *history;
		err = rg_flow_open_history_at(&history, flow, given);
		if (!err)
			err = rg_error_wrap(audit_history(out, flow, history, options, repository),
					    "%s", given);
	} else {
		if (!options->from)
			err = rg_flow_find_setting(&path, flow, setting);
		if (!err)
			err = open_file(out, path, flow, options, repository);
	}
	err = rg_error_wrap(err, "%s", options->from ? "--noise" : setting);
	return options->from ? err : rg_config_blame(flow->config, setting, err);
}

rg_error *rg_flow_write_noise(const rg_audit *audit,
			      rg_error *(*write)(void *context, const void *bytes, size_t length),
			      void *context)
{
	rg_noise_model model;
	rg_noise_model_of_audit(&model, audit);
	rg_error *err = rg_noise_file_write(&model, write, context);
	rg_noise_model_release(&model);
	return err;
}
