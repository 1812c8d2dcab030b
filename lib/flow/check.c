/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/check.h"

#include "base/cancel.h"
#include "base/number.h"
#include "compare/defects.h"
#include "flow/golden_side.h"
#include "flow/settings.h"

#include <inttypes.h>
#include <stdlib.h>

/* A check under way. */
typedef struct {
	const rg_flow *flow;
	const rg_check_options *options;
	rg_policy *policy;
	rg_formats formats;
	rg_golden_side side; /* its folder is "" for files that the user named */
	/* Of the golden under way: as it was named or listed, and from the repository's root. */
	const char *path, *inner_path;
	rg_check_result result;
} check;

/* What is wrong with a metric's steps, by what its block says of them. */
static void describe_steps(rg_buf *out, rg_defect_kind kind, const rg_metric *m)
{
	switch (kind) {
	case RG_DEFECT_OUTSIDE_STEP:
		rg_buf_printf(out, "outside of start_step %" PRId64 " … end_step %" PRId64,
			      m->start_step, m->end_step);
		break;
	case RG_DEFECT_ODD_STEP:
		rg_buf_printf(out, "not a step by start_step %" PRId64 ", step_interval %" PRId64,
			      m->start_step, m->step_interval);
		break;
	case RG_DEFECT_MISSING_STEP:
		rg_buf_printf(out,
			      "missing by start_step %" PRId64 ", end_step %" PRId64
			      ", step_interval %" PRId64,
			      m->start_step, m->end_step, m->step_interval);
		break;
	default:
		rg_buf_printf(out,
			      "start_step %" PRId64 ", end_step %" PRId64 ", step_interval %" PRId64
			      " make no steps",
			      m->start_step, m->end_step, m->step_interval);
		break;
	}
}

static void describe_duplicates(rg_buf *out, const rg_defect *d)
{
	if (d->has_step || d->key)
		rg_buf_str(out, "appears again; the last one counts");
	else
		rg_buf_printf(out, "%zu %s again; the last one counts", d->count,
			      d->count == 1 ? "key appears" : "keys appear");
}

static void describe_no_values(rg_buf *out, const rg_defect *d)
{
	if (d->has_step)
		rg_buf_str(out, "not a number");
	else
		rg_buf_printf(out, "%zu %s", d->count,
			      d->count == 1 ? "key is not a step" : "keys are not steps");
}

/* One thing that is wrong, as it follows "FILE: ". */
static void describe(rg_buf *out, const rg_defect *d)
{
	char value[RG_DOUBLE_REPR_SIZE];

	if (d->metric)
		rg_buf_printf(out, "%s: ", d->metric->name);
	if (d->has_step)
		rg_buf_printf(out, "%" PRId64 ": ", d->step);
	if (d->key)
		rg_buf_printf(out, "%s: ", d->key);
	if (d->kind == RG_DEFECT_NONFINITE) {
		rg_double_repr(d->value, value);
		rg_buf_str(out, value);
	} else if (d->kind == RG_DEFECT_DUPLICATE_KEYS) {
		describe_duplicates(out, d);
	} else if (d->kind == RG_DEFECT_NO_VALUE) {
		describe_no_values(out, d);
	} else if (d->metric) {
		describe_steps(out, d->kind, d->metric);
	}
	if ((d->has_step || d->key) && d->count > 1)
		rg_buf_printf(out, " (and %zu more)", d->count - 1);
}

static rg_error *add_finding(check *c, const char *text)
{
	const rg_check_finding finding = {c->path, c->inner_path, text};

	c->result.findings++;
	return c->options->found(c->options->context, &finding);
}

static rg_error *add_defect(void *context, const rg_defect *defect)
{
	check *c = context;
	rg_error *err;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	describe(&text, defect);
	err = rg_buf_check(&text, c->path);
	if (!err)
		err = add_finding(c, text.data);
	rg_buf_release(&text);
	return err;
}

static rg_error *check_golden(check *c)
{
	rg_input in;
	rg_golden *golden;
	rg_error *err;

	RG_TRY(rg_golden_side_read(&c->side, c->path, "", NULL, &in));
	RG_TRY(rg_golden_read(&golden, &in, &c->formats.options));
	err = rg_golden_check(golden, c->policy, add_defect, c);
	rg_golden_free(golden);
	return err;
}

/* That a golden cannot be read is a finding too, and the others are still checked. */
static rg_error *check_file(check *c, const char *path, const char *inner_path)
{
	rg_error *err, *told;

	RG_TRY(rg_cancel_check());
	c->path = path;
	c->inner_path = inner_path;
	c->result.files++;
	err = check_golden(c);
	if (!err || rg_error_get_code(err) == RG_E_NOMEM)
		return err;
	if (c->flow->worktree && rg_worktree_is_in_conflict(c->flow->worktree, c->inner_path))
		err = rg_error_wrap(err, RG_UNMERGED);
	c->result.unreadable++;
	told = add_finding(c, rg_error_message(err));
	rg_error_free(err);
	return told;
}

static rg_error *check_named(check *c)
{
	rg_error *err = NULL;
	size_t i;

	c->side.folder = "";
	for (i = 0; i < c->options->file_count; i++)
		RG_TRY(rg_golden_side_check_name(c->options->files[i]));
	for (i = 0; i < c->options->file_count && !err; i++) {
		const char *path = c->options->files[i];
		char *inner = NULL;

		if (c->flow->worktree)
			err = rg_flow_inner_path(c->flow, path, &inner);
		if (!err)
			err = check_file(c, path, inner ? inner : path);
		free(inner);
	}
	return err;
}

static rg_error *check_repository(check *c)
{
	const rg_change_query query = {.base = c->options->changed ? c->options->base
								   : RG_EMPTY_TREE,
				       .no_renames = true,
				       .root = rg_config_get(c->flow->config, "regild.root"),
				       .files = rg_config_get(c->flow->config, "regild.files")};
	rg_change_list list = {0};
	rg_error *err;
	size_t i;

	/* Without `changed` a repository without a commit will do. */
	if (!c->flow->worktree || c->options->changed)
		RG_TRY(rg_flow_need_worktree(c->flow));
	c->side.folder = rg_worktree_root(c->flow->worktree);
	RG_TRY(rg_worktree_changes(c->flow->worktree, &query, &list));
	err = rg_flow_check_root(c->flow, &list);
	for (i = 0; !err && i < list.count; i++)
		if (list.items[i].kind != RG_CHANGE_REMOVED)
			err = check_file(c, list.items[i].path, list.items[i].path);
	rg_change_list_release(&list);
	return err;
}

rg_error *rg_check(rg_check_result *out, const rg_flow *flow, const rg_check_options *options)
{
	check c = {.flow = flow, .options = options};
	rg_error *err;
	uint64_t max;

	RG_TRY(rg_config_golden_max(flow->config, &max));
	RG_TRY(rg_policy_load(&c.policy, flow->config));
	err = rg_formats_load(&c.formats, flow->config, NULL);
	rg_golden_side_init(&c.side, NULL, max);
	if (!err)
		err = options->file_count ? check_named(&c) : check_repository(&c);
	*out = c.result;
	rg_golden_side_release(&c.side);
	rg_formats_release(&c.formats);
	rg_policy_free(c.policy);
	return err;
}
