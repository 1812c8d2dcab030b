/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story_document.h"

#include "report/document_head.h"
#include "report/models_view.h"
#include "report/new_runs.h"
#include "report/template_data.h"

#include <stdint.h>
#include <string.h>

static const char *const next_names[RG_NEXT_KINDS] = {[RG_NEXT_FAILS] = "show-failures",
						      [RG_NEXT_CHECK] = "check",
						      [RG_NEXT_UNDO] = "undo",
						      [RG_NEXT_KEEP] = "keep"};

#define OF rg_next
static const rg_json_field next_fields[] = {RG_KEY_WORD("kind", kind, next_names, "Its purpose."),
					    RG_KEY(command, "The command, as it can be typed."),
					    {0}};
#undef OF

#define OF rg_story_facts
static const rg_json_field fact_fields[] = {
	RG_KEY(formatted, "Goldens of the same values in a different formatting."),
	RG_KEY(unshown, "Goldens of the same values that differ in what no row shows."),
	RG_KEY(placeholders, "Goldens that no longer write NaN for steps without a value."),
	RG_KEY(variants, "Goldens that were compared with an accepted variant."),
	RG_KEY(shown, "Compared goldens with a row that --filter keeps."),
	RG_KEY(columns, "Columns, if all rows are of tables; else 0."),
	{0}};
#undef OF

#define OF rg_story_rename
static const rg_json_field rename_fields[] = {
	RG_KEY_AS("old", old_file, "The path on the old side."),
	RG_KEY_AS("new", file, "The path on the new side."),
	{0}};
#undef OF

typedef struct {
	const rg_row *row;
	const char *name, *first_diff, *changes;
} exact_row;

#define OF exact_row
static const rg_json_field exact_row_fields[] = {
	RG_KEY_VIA(row, rg_row, file, ALWAYS, "The golden's path."),
	RG_KEY(name, "The golden's name."),
	RG_KEY_VIA(row, rg_row, metric, ALWAYS, "The metric."),
	RG_KEY(first_diff, "The first step, record or index that differs, or 'the kind'."),
	RG_KEY_VIA_AS("old", row, rg_row, old_excerpt, OR_NULL, "The old side there."),
	RG_KEY_VIA_AS("new", row, rg_row, new_excerpt, OR_NULL, "The new side there."),
	RG_KEY_OPTIONAL(changes,
			"A table's texts: from what to what, how often, and in which records."),
	{0}};
#undef OF

typedef struct {
	const char *what;
	size_t n, differ_count;
	exact_row *differ;
} exact_rows;

#define OF exact_rows
static const rg_json_field exact_fields[] = {
	RG_KEY(what, "Their kind."),
	RG_KEY(n, "All of them."),
	RG_KEY_LIST("differ", differ, differ_count, exact_row_fields, "Those that differ."),
	{0}};
#undef OF

/* The story as it is written. */
typedef struct {
	const rg_story *story;
	rg_arena *arena;
	exact_rows exact;
} story_state;

static void write_models(rg_json_out *json, const void *from, const void *context);
static void write_new_runs(rg_json_out *json, const void *from, const void *context);

#define OF rg_story
static const rg_json_field own_fields[] = {
	RG_KEY_AS("review", review, "Rows that need review."),
	RG_KEY(review_goldens, "Goldens with such rows."),
	RG_KEY_LIST("findings", findings, finding_count, rg_finding_fields,
		    "Each finding, worst first."),
	RG_KEY_LIST("reasons", reasons, reason_count, rg_reason_fields,
		    "The goldens with findings of each kind."),
	RG_KEY_LIST("moved", moved, moved_count, rg_moved_fields,
		    "How each metric moved: losses first, then by falling size."),
	RG_KEY_OBJECT("facts", facts, fact_fields, ALWAYS, true, "Facts about all goldens."),
	RG_KEY_LIST_IF("renamed", renames, rename_count, rename_fields, OPTIONAL,
		       "Goldens that have another path on the new side."),
	RG_KEY_LIST("next", next, next_count, next_fields, "The commands to type next."),
	RG_KEY(review_command, "The command that lists all findings."),
	RG_KEY(all_command, "The command that shows all rows."),
	RG_KEY_AS("unchanged_rows", unchanged, "Rows without any difference."),
	{0}};
#undef OF

#define OF story_state
const rg_json_field rg_story_fields[] = {
	{.key = "",
	 .spread = true,
	 RG_JSON_AT(story_state, story),
	 .to = true,
	 .nested = own_fields},
	RG_KEY_OBJECT("exact", exact, exact_fields, OPTIONAL, false, "Texts, tokens and the like."),
	RG_PUT("models", LIST, OPTIONAL, rg_model_fields, write_models,
	       "Tensors and programs that differ, model by model, the worst first."),
	RG_PUT("new_runs", LIST, OPTIONAL, rg_new_runs_told_fields, write_new_runs,
	       "Of several new sides, the rows that moved, and those that more runs could "
	       "decide; missing if there is one."),
	RG_SAID_OPTIONAL("models_rest", TRUTH, "There are rows of models that are not among them."),
	RG_SAID_OPTIONAL("models_more", COUNT,
			 "Rows that differ and are not among them: none here."),
	RG_SAID_OPTIONAL("models_equal", COUNT, "Rows of models that do not differ."),
	{0}};
#undef OF

static void write_models(rg_json_out *json, const void *from, const void *context)
{
	const story_state *t = from;
	(void)context;
	rg_models_view(json->open[json->depth - 1], &t->story->models,
		       &(rg_models_shown){.top = SIZE_MAX});
}

static void write_new_runs(rg_json_out *json, const void *from, const void *context)
{
	const story_state *t = from;
	(void)context;
	rg_new_runs_view(json->open[json->depth - 1], t->story->summary->new_runs);
}

/* --- exact rows --- */

/* Those of models are shown with them. */
static bool is_exact(const rg_comparison *c, const rg_row *row)
{
	return row->kind == RG_ROW_EXACT && !rg_models_have(c, row);
}

static void list_exact(story_state *t)
{
	const rg_comparison *c = t->story->summary->comparison;
	exact_rows *e = &t->exact;
	size_t opaque = 0;

	for (size_t i = 0; i < c->row_count; i++) {
		opaque += c->rows[i].opaque != NULL;
		e->n += is_exact(c, &c->rows[i]);
		e->differ_count += is_exact(c, &c->rows[i]) && !c->rows[i].identical;
	}
	if (!e->differ_count)
		return;
	e->what = opaque == e->n ? "Opaque goldens"
		  : opaque       ? "Texts, tokens and opaque goldens"
				 : "Texts and tokens";
	e->differ = rg_arena_alloc(t->arena, e->differ_count * sizeof(*e->differ));
	for (size_t i = 0, k = 0; i < c->row_count; i++)
		if (is_exact(c, &c->rows[i]) && !c->rows[i].identical) {
			exact_row one = {.row = &c->rows[i],
					 .name = rg_story_name(t->story, c->rows[i].file),
					 .first_diff = "the kind",
					 .changes = c->rows[i].changes ? c->rows[i].changes_brief
								       : NULL};
			if (c->rows[i].first_diff_record)
				one.first_diff = c->rows[i].first_diff_record;
			else if (c->rows[i].first_diff_known) /* as text: a template's 0 is false */
				one.first_diff = rg_arena_textf(t->arena, "%lld",
								(long long)c->rows[i].first_diff);
			e->differ[k++] = one;
		}
}

cJSON *rg_story_tree(const rg_story *story)
{
	cJSON *tree = cJSON_CreateObject();
	RG_AUTO(rg_arena) arena = {0};
	story_state t = {.story = story, .arena = &arena};
	list_exact(&t);
	rg_build_fields(tree, rg_story_fields, &t);
	return tree;
}

/* --- reading --- */

/* A list of objects, each by its table: *out is in the arena. */
static rg_error *read_list(void *out, size_t *count, const rg_json_in *in, const cJSON *object,
			   const char *key, const rg_json_field *fields, size_t size)
{
	const cJSON *list, *item;
	char *at;

	*count = 0;
	if (!rg_json_member(object, key))
		return NULL;
	RG_TRY(rg_json_get_objects(in, object, key, &list, count));
	*(void **)out = at = rg_arena_alloc(in->arena, (*count + 1) * size);
	memset(at, 0, (*count + 1) * size);
	cJSON_ArrayForEach(item, list)
	{
		RG_TRY(rg_json_get_fields(in, item, fields, at));
		at += size;
	}
	return NULL;
}

#define READ_LIST(in, object, key, fields, items, count) \
	read_list(&(items), &(count), in, object, key, fields, sizeof(*(items)))

/* Has each finding all that its words need? */
static rg_error *check_findings(const rg_story_finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const rg_story_finding *f = &findings[i];
		const bool by_text = f->kind == RG_FOUND_CHECK || f->kind == RG_FOUND_TESTS ||
				     f->kind == RG_FOUND_PASSED;
		const bool by_name = f->kind == RG_FOUND_RECORDS_REMOVED ||
				     f->kind == RG_FOUND_RECORDS_ADDED;
		if (!f->goldens || !f->metrics || (by_text && !f->text) ||
		    (f->kind == RG_FOUND_PASSED && !f->at) || (by_name && !f->name))
			return rg_error_new(RG_E_PARSE, "a finding of kind '%s' is incomplete",
					    rg_found_names[f->kind]);
	}
	return NULL;
}

static rg_error *read_checks(rg_blocks *out, const rg_json_in *in)
{
	rg_story_check *checks = NULL;
	RG_TRY(READ_LIST(in, in->root, "checks", rg_story_check_fields, checks, out->check_count));
	out->checks = checks;
	const cJSON *item = rg_json_member(in->root, "checks");
	for (item = item ? item->child : NULL; item; item = item->next, checks++)
		RG_TRY(READ_LIST(in, item, "failures", rg_story_failure_fields, checks->failures,
				 checks->failure_count));
	return NULL;
}

static rg_error *read_new_runs(rg_blocks *out, const rg_json_in *in)
{
	const cJSON *part;
	if (!rg_json_member(in->root, "new_runs"))
		return NULL;
	RG_TRY(rg_json_get_object(in, in->root, "new_runs", &part));
	out->new_runs = (size_t)cJSON_GetArraySize(rg_json_member(part, "runs"));
	for (size_t i = 0; i < RG_NEW_RUNS_VERDICTS; i++) {
		uint64_t count;
		RG_TRY(rg_json_get_count(in, part, rg_new_runs_verdict_names[i], SIZE_MAX, &count));
		out->new_run_counts[i] = (size_t)count;
	}
	return NULL;
}

static rg_error *read_run(rg_blocks *out, const rg_json_in *in)
{
	const cJSON *part;
	if (!rg_json_member(in->root, "run"))
		return NULL;
	rg_run_verdict *run = rg_arena_alloc(in->arena, sizeof(*run));
	*run = (rg_run_verdict){0};
	RG_TRY(rg_json_get_object(in, in->root, "run", &part));
	RG_TRY(rg_json_get_fields(in, part, rg_run_test_fields, &run->fresh));
	if (rg_json_member(part, "golden")) {
		RG_TRY(rg_json_get_object(in, part, "golden", &part));
		RG_TRY(rg_json_get_fields(in, part, rg_run_test_fields, &run->golden));
	}
	out->run = run;
	return NULL;
}

static rg_error *read_head(rg_blocks *out, const rg_json_in *in)
{
	rg_document_head head = {0};
	const cJSON *part;

	RG_TRY(rg_json_get_object(in, in->root, "about", &part));
	RG_TRY(rg_json_get_fields(in, part, rg_about_fields, &head));
	RG_TRY(rg_json_get_object(in, in->root, "counts", &part));
	RG_TRY(rg_json_get_fields(in, part, rg_count_fields, &head));
	out->old_side = head.old_side;
	out->new_side = head.new_side;
	out->old_commit = head.old_commit;
	out->new_commit = head.new_commit;
	out->filter = head.filter;
	out->dry_run = head.dry_run;
	out->refreshed = head.run || head.from;
	out->compared = head.compared;
	out->rows = head.rows;
	memcpy(out->verdicts, head.verdicts, sizeof(out->verdicts));
	return NULL;
}

rg_error *rg_blocks_read(rg_blocks *out, const rg_json_in *in)
{
	rg_story_finding *findings = NULL;
	rg_story_reason *reasons = NULL;
	const cJSON *story, *facts;
	rg_story_rename *renames = NULL;
	rg_next *next = NULL;
	rg_story own = {0};

	*out = (rg_blocks){0};
	RG_TRY(read_head(out, in));
	RG_TRY(rg_json_get_object(in, in->root, "story", &story));
	RG_TRY(rg_json_get_fields(in, story, own_fields, &own));
	out->review_command = own.review_command;
	out->all_command = own.all_command;
	RG_TRY(rg_json_get_object(in, story, "facts", &facts));
	RG_TRY(rg_json_get_fields(in, facts, fact_fields, &out->facts));
	out->shown = out->facts.shown;
	out->columns = out->facts.columns;
	RG_TRY(READ_LIST(in, story, "findings", rg_finding_fields, findings, out->finding_count));
	RG_TRY(check_findings(findings, out->finding_count));
	RG_TRY(READ_LIST(in, story, "reasons", rg_reason_fields, reasons, out->reason_count));
	RG_TRY(READ_LIST(in, story, "next", next_fields, next, out->next_count));
	RG_TRY(READ_LIST(in, story, "renamed", rename_fields, renames, out->rename_count));
	out->renames = renames;
	out->findings = findings;
	out->reasons = reasons;
	out->next = next;
	rg_moved *moved = NULL;
	RG_TRY(READ_LIST(in, story, "moved", rg_moved_fields, moved, out->moved_count));
	out->moved = moved;
	const cJSON *item = rg_json_member(story, "moved");
	for (item = item ? item->child : NULL; item; item = item->next, moved++)
		RG_TRY(READ_LIST(in, item, "stages", rg_moved_stage_fields, moved->stages,
				 moved->stage_count));
	RG_TRY(read_checks(out, in));
	RG_TRY(read_new_runs(out, in));
	return read_run(out, in);
}
