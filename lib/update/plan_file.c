/* SPDX-License-Identifier: Apache-2.0 */
#include "update/plan_file.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char schema[] = "regild-plan";

typedef enum { UPDATE, ADD, HOLD_BACK, LEAVE_OUT, ACTIONS } action;

static const char *const action_names[ACTIONS] = {
	[UPDATE] = "update", [ADD] = "add", [HOLD_BACK] = "hold back", [LEAVE_OUT] = "leave out"};

#define OF rg_planned
static const rg_json_field item_fields[] = {
	RG_KEY_OF("golden", RG_JSON_PATH, path, RG_JSON_ALWAYS,
		  "Its path from the repository's root."),
	RG_KEY_WORD("action", action, action_names, "What becomes of it."),
	RG_KEY_OR_NULL(old_sha256, "Of the file in the working tree; null: there is none."),
	RG_KEY_OR_NULL(new_sha256, "Of what is written in its place."),
	RG_KEY_TEXTS("guards", guards, guard_count, ALWAYS, "What holds it back."),
	RG_KEY_TEXTS("allowed", allowed, allowed_count, ALWAYS,
		     "What would hold it back, but for --allow."),
	RG_KEY_TEXTS("reasons", reasons, reason_count, ALWAYS, "What guards found, in words."),
	{0}};
#undef OF

#define OF rg_plan_file
const rg_json_field rg_plan_file_fields[] = {
	RG_KEY(command, "The call that made the plan."),
	RG_KEY(head, "The commit that was checked out."),
	RG_KEY_OF("run", RG_JSON_WHOLE, run_id, RG_JSON_ALWAYS, "The run's number; 0: of no run."),
	RG_KEY(staged, "The staging folder: from the repository's root, or an absolute path."),
	RG_KEY_TEXTS("allow", allow, allow_count, ALWAYS, "Guards that are let through."),
	RG_KEY_TEXTS("metrics", metrics, metric_count, ALWAYS,
		     "The metrics that are taken; none: the whole golden."),
	RG_KEY(stage, "Are the goldens added to the index?"),
	RG_KEY_LIST("goldens", items, count, item_fields,
		    "Each that does not stay as it is. What is taken out of this list is left "
		    "out."),
	{0}};
#undef OF

void rg_plan_file_init(rg_plan_file *file)
{
	*file = (rg_plan_file){0};
	rg_arena_init(&file->arena);
}

void rg_plan_file_release(rg_plan_file *file)
{
	free(file->items);
	rg_arena_release(&file->arena);
	rg_plan_file_init(file);
}

/* ---- making it ---- */

static const char *digest_of(rg_plan_file *out, const rg_side *side)
{
	return side->exists ? rg_arena_text(&out->arena, side->sha256) : NULL;
}

static void name_guards(rg_plan_file *out, unsigned guards, const char ***names, size_t *count)
{
	size_t most = 0;
	for (unsigned rest = guards; rest; rest &= rest - 1)
		most++;
	*names = rg_arena_alloc(&out->arena, (most + 1) * sizeof(**names));
	for (*count = 0; guards; guards &= guards - 1)
		(*names)[(*count)++] = rg_guard_name(guards);
}

void rg_plan_file_of(rg_plan_file *out, const rg_plan *plan)
{
	out->items = rg_calloc(plan->count + 1, sizeof(*out->items));
	for (size_t i = 0; i < plan->count; i++) {
		const rg_plan_item *item = &plan->items[i];
		if (item->change == RG_PLAN_UNCHANGED)
			continue;
		rg_planned *planned = &out->items[out->count++];
		planned->path = rg_arena_text(&out->arena, item->golden->target);
		planned->action = item->left_out                ? LEAVE_OUT
				  : item->held                  ? HOLD_BACK
				  : item->change == RG_PLAN_NEW ? ADD
								: UPDATE;
		planned->old_sha256 = digest_of(out, &item->old);
		planned->new_sha256 = digest_of(out, &item->new_side);
		name_guards(out, item->held, &planned->guards, &planned->guard_count);
		name_guards(out, item->allowed, &planned->allowed, &planned->allowed_count);
		const rg_findings *findings = &item->findings;
		planned->reasons = rg_arena_alloc(&out->arena, (findings->count + 1) *
								       sizeof(*planned->reasons));
		for (size_t k = 0; k < findings->count; k++) {
			rg_buf text = rg_buf_of(RG_BUF_ANY); /* kept in the arena */
			rg_finding_add_text(&text, &findings->items[k]);
			planned->reasons[planned->reason_count++] = rg_buf_keep(&text, &out->arena);
		}
	}
}

rg_error *rg_plan_file_write(const rg_plan_file *file, rg_buf *out)
{
	return rg_json_write(out, schema, rg_plan_file_fields, file, NULL);
}

/* ---- reading it ---- */

static rg_error *get_items(rg_plan_file *out, const rg_json_in *in)
{
	const cJSON *goldens, *golden;
	size_t count;

	RG_TRY(rg_json_get_objects(in, in->root, "goldens", &goldens, &count));
	out->items = rg_calloc(count + 1, sizeof(*out->items));
	cJSON_ArrayForEach(golden, goldens)
	{
		rg_planned *item = &out->items[out->count++];
		RG_TRY(rg_json_get_fields(in, golden, item_fields, item));
		RG_TRY(rg_json_get_texts(in, golden, "guards", &item->guards, &item->guard_count));
		RG_TRY(rg_json_get_texts(in, golden, "allowed", &item->allowed,
					 &item->allowed_count));
		RG_TRY(rg_json_get_texts(in, golden, "reasons", &item->reasons,
					 &item->reason_count));
	}
	return NULL;
}

rg_error *rg_plan_file_parse(rg_plan_file *out, const char *text, size_t length)
{
	RG_AUTO_PTR(cJSON) root = NULL;
	RG_TRY(rg_json_parse_document(&root, text, length, schema));
	const rg_json_in in = {root, &out->arena};
	RG_TRY(rg_json_check_keys(&in, root));
	RG_TRY(rg_json_get_head(&in, schema));
	RG_TRY(rg_json_get_fields(&in, root, rg_plan_file_fields, out));
	RG_TRY(rg_json_get_texts(&in, root, "allow", &out->allow, &out->allow_count));
	RG_TRY(rg_json_get_texts(&in, root, "metrics", &out->metrics, &out->metric_count));
	return get_items(out, &in);
}

/* ---- following it ---- */

static bool is_put_in(const rg_planned *planned)
{
	return planned->action == UPDATE || planned->action == ADD;
}

static bool is_digest(const char *wanted, const rg_side *side)
{
	return side->exists ? wanted && !strcmp(wanted, side->sha256) : !wanted;
}

/* RG_E_CONFLICT where the golden would not become what the document says. */
static rg_error *check_golden(const rg_planned *planned, const rg_plan *plan)
{
	const rg_plan_item *item = rg_plan_find(plan, planned->path);
	bool chosen = plan->options->only.count || plan->options->except.count;
	const char *why = NULL;

	if (!is_put_in(planned) || (item && item->left_out && chosen))
		return NULL;
	if (!item)
		why = "is not among the staged goldens";
	else if (!is_digest(planned->old_sha256, &item->old))
		why = "is not in the working tree as it was when the plan was made";
	else if (!is_digest(planned->new_sha256, &item->new_side))
		why = "is not staged as it was when the plan was made";
	else if (item->held)
		why = "is held back by a guard that the plan does not let through";
	else if (item->left_out)
		why = "is left out";
	return why ? rg_error_new(RG_E_CONFLICT, "%s %s", planned->path, why) : NULL;
}

rg_error *rg_plan_file_follow(const rg_plan_file *file, rg_plan *plan)
{
	RG_AUTO_FREE const char **paths = rg_calloc(file->count + 1, sizeof(*paths));
	size_t count = 0;

	for (size_t i = 0; i < file->count; i++) {
		RG_TRY(check_golden(&file->items[i], plan));
		if (is_put_in(&file->items[i]))
			paths[count++] = file->items[i].path;
	}
	if (count)
		qsort(paths, count, sizeof(*paths), rg_compare_texts);
	for (size_t i = 0; i < plan->count; i++) {
		rg_plan_item *item = &plan->items[i];
		item->left_out |= !count || !bsearch(&item->golden->target, paths, count,
						     sizeof(*paths), rg_compare_texts);
	}
	return NULL;
}
