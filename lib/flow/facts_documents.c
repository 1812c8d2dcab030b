/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "flow/facts.h"

#include <string.h>

/* ---- check ---- */

#define OF rg_check_line
static const rg_json_field finding_fields[] = {
	RG_KEY_AS("golden", inner_path, "Its path."),
	RG_KEY_WORD("kind", rank, rg_check_kind_names, "Of which kind it is."),
	RG_KEY_AS("finding", text, "What is wrong, with the metric and steps."),
	{0}};
#undef OF

#define OF rg_check_result
const rg_json_field rg_check_fields[] = {
	RG_KEY_AS("goldens", files, "How many were looked at."),
	RG_KEY_AS("with_findings", found, "How many of them have findings."),
	RG_KEY_AS("passed_over", passed, "Series with NaN that a log leaves on purpose."),
	RG_KEY_AS("without_baseline", no_baseline,
		  "Goldens that were judged by themselves, theirs in git being unreadable."),
	RG_KEY_LIST("findings", lines.items, lines.count, finding_fields, "The worst first."),
	{0}};
#undef OF

/* ---- blame ---- */

#define OF rg_blame_commit
static const rg_json_field commit_fields[] = {RG_KEY(id, "Its id."),
					      RG_KEY(when, "Its date."),
					      RG_KEY(subject, "The first line of its message."),
					      {0}};
#undef OF

#define OF rg_blame
const rg_json_field rg_blame_fields[] = {
	RG_KEY_AS("golden", path, "Its path from the repository's root."),
	RG_KEY_OR_NULL(run, "The run that its newest values are from; null: no commit names one."),
	RG_KEY_OR_NULL(attempt, "The run's attempt."),
	RG_KEY_OR_NULL(commit, "The commit that the run was of."),
	RG_KEY_OR_NULL(scope, "What of the run was taken."),
	RG_KEY_OBJECT("in_git", named, commit_fields, OPTIONAL, true, "The commit that says so."),
	RG_KEY_AS("commits_since", unnamed, "Commits since then that changed it and name no run."),
	RG_KEY_OBJECT("newest", newest, commit_fields, OPTIONAL, true, "The newest of these."),
	RG_KEY(uncommitted, "Does the working tree have other bytes than HEAD?"),
	RG_KEY_AS("shallow", cut, "Does the clone end before the answer?"),
	{0}};
#undef OF

/* ---- undo ---- */

static const char *const kinds[] = {
	[RG_RECORD_UPDATE] = "update", [RG_RECORD_UNDO] = "undo", [RG_RECORD_RESET] = "reset"};

#define OF rg_undo_fact
static const rg_json_field record_fields[] = {
	RG_KEY(id, "Its number."),
	RG_KEY(time, "When, in seconds since 1970."),
	RG_KEY_WORD("kind", kind, kinds, "What it was."),
	RG_KEY_OPTIONAL(of, "Of an undo: what it took back."),
	RG_KEY_OR_NULL(about, "Which run it was of, or which goldens."),
	RG_KEY(files, "How many files it changed."),
	RG_KEY(undone, "Was it taken back?"),
	{0}};
#undef OF

#define OF rg_undo_facts
const rg_json_field rg_undo_fields[] = {
	RG_KEY_OPTIONAL(done, "The number of the undo that was just made."),
	RG_KEY_LIST("updates", items, count, record_fields,
		    "What could be undone before, newest first."),
	{0}};
#undef OF

void rg_undo_facts_of(rg_undo_facts *out, const rg_undo_result *result)
{
	const rg_update_log *log = &result->update_log;
	*out = (rg_undo_facts){.count = log->count, .done = result->done.id};
	out->items = rg_calloc(log->count + 1, sizeof(*out->items));
	for (size_t i = 0; i < log->count; i++) {
		const rg_record *record = &log->records[i];
		out->items[i] = (rg_undo_fact){.id = record->id,
					       .of = record->of,
					       .time = record->time,
					       .kind = record->kind,
					       .about = record->about,
					       .files = record->count,
					       .undone = log->undone[i]};
	}
}

/* ---- reset ---- */

enum { LEFT_ALONE, RESTORED, REMOVED };
static const char *const resets[] = {
	[LEFT_ALONE] = "leave alone", [RESTORED] = "restore", [REMOVED] = "remove"};

#define OF rg_reset_fact
static const rg_json_field reset_fields[] = {
	RG_KEY(golden, "Its path from the repository's root."),
	RG_KEY_WORD("does", does, resets, "What a reset does with it."),
	RG_KEY_OR_NULL(why, "Why it is left alone."),
	{0}};
#undef OF

#define OF rg_reset_facts
const rg_json_field rg_reset_fields[] = {
	RG_KEY_OPTIONAL(done, "The number by which undo takes it back; none: nothing was reset."),
	RG_KEY_LIST("goldens", items, count, reset_fields, "Those that differ from HEAD."),
	{0}};
#undef OF

void rg_reset_facts_of(rg_reset_facts *out, const rg_reset *reset, uint64_t done)
{
	*out = (rg_reset_facts){.count = reset->count, .done = done};
	out->items = rg_calloc(reset->count + 1, sizeof(*out->items));
	for (size_t i = 0; i < reset->count; i++) {
		const rg_reset_item *item = &reset->items[i];
		out->items[i] = (rg_reset_fact){.golden = item->path,
						.why = item->why,
						.does = item->why               ? LEFT_ALONE
							: item->new_side.exists ? RESTORED
										: REMOVED};
	}
}

/* ---- cache ---- */

#define OF rg_cache_fact
static const rg_json_field entry_fields[] = {
	RG_KEY(name, "HOST/OWNER/NAME, or the address of an answer of the API."),
	RG_KEY_AS("artifact", artifact_id, "The artifact's number; 0: an answer of the API."),
	RG_KEY(files, "How many goldens it has."),
	RG_KEY(bytes, "How large they are."),
	RG_KEY(last_used, "When, in seconds since 1970."),
	{0}};
#undef OF

#define OF rg_cache_facts
const rg_json_field rg_cache_fields[] = {
	RG_KEY(folder, "Where the cache is."),
	RG_KEY(bytes, "How large the entries are."),
	RG_KEY(cleared, "Were they removed?"),
	RG_KEY_LIST("entries", items, count, entry_fields,
		    "Most recently used first; none where they were removed."),
	{0}};
#undef OF

/* ---- init, download, update, errors ---- */

#define OF rg_init_facts
const rg_json_field rg_init_fields[] = {
	RG_KEY(file, "What was written."),
	RG_KEY(layout, "The layout, a preset."),
	RG_KEY_OR_NULL(root, "The folder of the goldens; null: none was found."),
	RG_KEY(goldens, "How many there are."),
	{0}};
#undef OF

#define OF rg_download_facts
const rg_json_field rg_download_fields[] = {
	RG_KEY(folder, "The staging folder; manifest.json in it has each job and artifact."),
	RG_KEY_OF("run", RG_JSON_WHOLE, run_id, RG_JSON_ALWAYS, "The run's number; 0: of no run."),
	RG_KEY(tests, "How many tests have goldens."),
	RG_KEY(goldens, "How many goldens are staged."),
	RG_KEY(missing, "Is something missing of what was asked for?"),
	{0}};
#undef OF

#define OF rg_refresh_item
static const rg_json_field golden_fields[] = {
	RG_KEY_AS("golden", name,
		  "Its path from the repository's root; of what is missing, the job."),
	RG_KEY_WORD("outcome", outcome, rg_refresh_names, "What becomes, or became, of it."),
	RG_KEY_OR_NULL(why, "Why it is held back or missing, or which variant keeps it unchanged."),
	{0}};
#undef OF

#define OF rg_update_facts
const rg_json_field rg_update_fields[] = {
	RG_KEY(dry_run, "Is it what would be done?"),
	RG_KEY_OF("run", RG_JSON_WHOLE, run_id, RG_JSON_ALWAYS, "The run's number; 0: of no run."),
	RG_KEY(updated, "How many goldens were replaced."),
	RG_KEY_AS("new", added, "How many are new."),
	RG_KEY(unchanged, "How many are as they were."),
	RG_KEY_AS("held_back", held, "How many a guard holds back."),
	RG_KEY(left_out, "How many were not wanted."),
	RG_KEY(missing, "How many jobs and artifacts did not give theirs."),
	RG_KEY_LIST("goldens", items, count, golden_fields, "Each of them."),
	{0}};
#undef OF

void rg_update_facts_of(rg_update_facts *out, const rg_update *update)
{
	const rg_refresh *refresh = &update->refresh;
	*out = (rg_update_facts){.dry_run = update->options->dry_run,
				 .run_id = update->manifest->run_id,
				 .items = refresh->items,
				 .count = refresh->count,
				 .updated = refresh->counts[RG_REFRESH_UPDATED],
				 .added = refresh->counts[RG_REFRESH_NEW],
				 .unchanged = refresh->counts[RG_REFRESH_UNCHANGED],
				 .held = refresh->counts[RG_REFRESH_HELD],
				 .left_out = refresh->counts[RG_REFRESH_LEFT_OUT],
				 .missing = refresh->counts[RG_REFRESH_MISSING]};
}

#define OF rg_error_facts
const rg_json_field rg_error_fields[] = {
	RG_KEY(code, "Of which kind it is: 'usage', 'not found', 'conflict' …"),
	RG_KEY(message, "What is wrong, in words."),
	RG_KEY_OR_NULL(fix, "What the message has after its first semicolon, as a rule what to do; "
			    "null: nothing."),
	{0}};
#undef OF

void rg_error_facts_of(rg_error_facts *out, const rg_error *err)
{
	static const char *const codes[] = {
		[RG_E_USAGE] = "usage",
		[RG_E_IO] = "io",
		[RG_E_PARSE] = "parse",
		[RG_E_LIMIT] = "limit",
		[RG_E_UNSAFE] = "unsafe",
		[RG_E_NOTFOUND] = "not found",
		[RG_E_AUTH] = "auth",
		[RG_E_GONE] = "gone",
		[RG_E_NET] = "net",
		[RG_E_MISMATCH] = "mismatch",
		[RG_E_CONFLICT] = "conflict",
		[RG_E_GIT] = "git",
		[RG_E_CANCELLED] = "cancelled",
	};
	const char *message = rg_error_message(err), *fix = strstr(message, "; ");
	unsigned code = rg_error_get_code(err);

	out->code = code < sizeof(codes) / sizeof(*codes) && codes[code] ? codes[code] : "other";
	out->message = message;
	out->fix = fix ? fix + 2 : NULL;
}
