/* SPDX-License-Identifier: Apache-2.0 */
#include "report/json.h"

#include "base/memory.h"
#include "base/fields.h"
#include "base/json.h"
#include "compare/losses.h"
#include "report/cells.h"
#include "story/summary.h"
#include "report/curve.h"
#include "report/format_hooks.h"
#include "report/new_runs.h"
#include "report/story_document.h"

#include <math.h>
#include <stdlib.h>

/* --- the keys --- */

static const char *const file_statuses[] = {"compared", "new", "removed", "unreadable"};
static const char *const gap_kinds[RG_GAPS] = {[RG_GAP_OLD_ONLY] = "old only",
					       [RG_GAP_NEW_ONLY] = "new only",
					       [RG_GAP_DROPPED] = "dropped",
					       [RG_GAP_NO_STEPS] = "no steps"};

#define OF rg_loss
static const rg_json_field loss_fields[] = {RG_KEY(file, "The golden's path."),
					    RG_KEY_OR_NULL(metric, "The metric's name; null "
								   "where it is records."),
					    RG_KEY(whole, "Whether the whole metric is gone."),
					    RG_KEY(steps, "Steps or records that are gone."),
					    RG_KEY_AS("what", text, "The same in words."),
					    {0}};
#undef OF

#define OF rg_losses
static const rg_json_field shrunk_fields[] = {
	RG_KEY(goldens, "Goldens that lost something."),
	RG_KEY(records, "Records of tables that are gone."),
	RG_KEY(metrics, "Metrics that are gone as a whole."),
	RG_KEY(steps, "Steps that other metrics lost."),
	RG_KEY_LIST("items", items, count, loss_fields,
		    "The records that a golden lost, and each metric that lost something."),
	{0}};
#undef OF

typedef struct {
	size_t exit_code;
	const rg_gate_group *items;
	size_t count;
} gate;

typedef struct {
	const char *range;
	size_t n;
} bucket;

#define OF bucket
static const rg_json_field bucket_fields[] = {
	RG_KEY(range, "A range of |avg_rel_diff|."), RG_KEY(n, "Rows of series in it."), {0}};
#undef OF

/* The document, but for what only a function writes. */
typedef struct {
	const rg_comparison *comparison;
	const rg_row *const *rows; /* in their order */
	size_t row_count;
	const rg_column_context *context;
	const rg_json_about *about;
	rg_losses losses;
	gate *gate; /* NULL: there is none */
	gate broken;
	rg_document_head head;
	const rg_story_check *checks;
	size_t check_count;
	const rg_run_verdict *run;
	const rg_among *among;
	const rg_new_runs *new_runs;
	const rg_refresh *refresh;
	const rg_refresh_item *goldens;
	size_t golden_count;
	bucket buckets_of[RG_BUCKETS], *buckets;
	size_t bucket_count;
	const rg_file_outcome *files;
	size_t file_count;
	const rg_row *gaps;
	size_t gap_count;
} document;

static void write_condition(rg_json_out *json, const void *from, const void *context);
static void write_worst(rg_json_out *json, const void *from, const void *context);

#define OF rg_gate_group
static const rg_json_field condition_fields[] = {
	RG_PUT("condition", TEXT, ALWAYS, NULL, write_condition,
	       "What --fail-on calls it, or a limit, a level, another kind or shape, or another "
	       "unit."),
	RG_KEY_OR_NULL(metric, "The metric's name; of tests and operators that got worse, the "
			       "worst one's; null where it is about goldens as a whole."),
	RG_KEY_VIA(worst, rg_breach, limit, OR_NULL, "The limit or level."),
	RG_KEY(n,
	       "What broke the gate: goldens, or metrics of tests and operators that got worse."),
	RG_KEY(of, "What could have broken it."),
	RG_PUT("worst", NUMBER, OR_NULL, NULL, write_worst,
	       "The worst |avg_rel_diff|, score, number of steps or records, share that it is "
	       "slower by, or "
	       "drop of the SNR."),
	RG_KEY_VIA(worst, rg_breach, file, ALWAYS, "The golden that it is in."),
	{0}};
#undef OF

#define OF gate
static const rg_json_field gate_fields[] = {
	RG_KEY_AS("exit", exit_code, "The exit code that the gate's line names."),
	RG_KEY_LIST("conditions", items, count, condition_fields,
		    "What broke the gate, worst first."),
	{0}};
#undef OF

#define OF rg_run_verdict
static const rg_json_field run_fields[] = {
	RG_SPREAD(fresh, rg_run_test_fields),
	RG_KEY_OBJECT("golden", golden, rg_run_test_fields, OPTIONAL, true,
		      "The same of the golden, in the run's place."),
	{0}};
#undef OF

#define OF rg_refresh
static const rg_json_field refresh_fields[] = {
	RG_KEY_AS("updated", counts[RG_REFRESH_UPDATED], "Goldens that were updated."),
	RG_KEY_AS("new", counts[RG_REFRESH_NEW], "New goldens."),
	RG_KEY_AS("unchanged", counts[RG_REFRESH_UNCHANGED],
		  "Goldens that the run left as they were."),
	RG_KEY_AS("held_back", counts[RG_REFRESH_HELD], "Goldens that a guard held back."),
	RG_KEY_AS("left_out", counts[RG_REFRESH_LEFT_OUT], "Goldens that were not chosen."),
	RG_KEY_AS("missing", counts[RG_REFRESH_MISSING], "Artifacts that are missing."),
	RG_KEY_AS("gone", counts[RG_REFRESH_GONE], "Goldens that the run no longer makes."),
	{0}};
#undef OF

static void write_origin(rg_json_out *json, const void *from, const void *context);
static void write_score(rg_json_out *json, const void *from, const void *context);

#define OF rg_file_outcome
static const rg_json_field file_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY(old_file, "Its path on the old side."),
	RG_KEY_WORD("status", status, file_statuses, "What became of it."),
	RG_KEY_OR_NULL(why, "Why it is unreadable."),
	RG_KEY_OR_NULL(format, "The format it was read as."),
	RG_KEY_AS("rows", row_count, "Rows it has."),
	RG_KEY_AS("gaps", gap_count, "Metrics without a row."),
	RG_KEY(identical, "Whether both sides are the same, bit for bit."),
	RG_KEY_OPTIONAL(variant, "The variant of the golden that the new side is compared with, as "
				 "it is the nearest. Missing where it is the golden itself."),
	RG_KEY_OR_NULL(missing_metrics, "Metrics that a check needs and that neither side has."),
	RG_KEY_IF("unchecked", unchecked_why, RG_JSON_OR_NULL,
		  "Why a check could not be applied to it."),
	RG_KEY_OPTIONAL(notes, "Metrics that cannot be read, and what could be read otherwise: "
			       "sentences, one a line. Missing where there are none."),
	RG_PUT("from_run", TRUTH, OPTIONAL, NULL, write_origin,
	       "Only for a refresh: whether the working tree has the run's bytes."),
	{0}};
#undef OF

#define OF rg_row
static const rg_json_field gap_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY(metric, "The metric's name."),
	RG_KEY_WORD("kind", gap, gap_kinds, "Which side has it, or that no step counted."),
	RG_KEY(old_count, "Values on the old side."),
	RG_KEY(new_count, "Values on the new side."),
	RG_KEY_AS("near_zero", left_out.near_zero, "Steps left out because |old| < near-zero."),
	RG_KEY_AS("old_nonfinite", left_out.old_nonfinite,
		  "Steps left out because old is NaN or infinite."),
	RG_KEY_AS("new_nonfinite", left_out.new_nonfinite,
		  "Steps left out because new became NaN or infinite."),
	RG_KEY_AS("old_only", left_out.old_only, "Steps on the old side only."),
	RG_KEY_AS("new_only", left_out.new_only, "Steps on the new side only."),
	RG_KEY_AS("not_looked_at", left_out.not_looked_at, "Steps outside the policy's 'steps'."),
	RG_KEY_AS("no_step", left_out.no_step,
		  "Values of both sides under keys that are not steps."),
	RG_KEY_IF("left_out", left_out_text, RG_JSON_OR_NULL,
		  "The steps that were left out, and why."),
	RG_KEY(identical, "Whether both sides are the same anyway, bit for bit."),
	RG_KEY_IF("checks", checks_text, RG_JSON_OR_NULL, "As in a row."),
	RG_KEY_WORD("level", level, rg_level_names, "By the [metric] policy, as in a row."),
	RG_PUT("score", NUMBER, OR_NULL, NULL, write_score,
	       "The figure that the level was found by."),
	{0}};
#undef OF

static void write_rows(rg_json_out *json, const void *from, const void *context);

#define OF document
const rg_json_field rg_compare_fields[] = {
	/* First, so that whoever reads no further has read it. */
	RG_KEY_OBJECT("shrunk", losses, shrunk_fields, ALWAYS, false, "What the new side lost."),
	RG_KEY_TO("gate", gate, gate_fields, OR_NULL, false,
		  "What broke a gate; null where no gate was asked for."),
	RG_KEY_OBJECT("about", head, rg_about_fields, ALWAYS, true, "What was compared."),
	RG_KEY_OBJECT("counts", head, rg_count_fields, ALWAYS, true, "How much there is."),
	RG_KEY_LIST("checks", checks, check_count, rg_story_check_fields,
		    "The project's own checks that look at a golden: with a tolerance first."),
	RG_KEY_TO("run", run, run_fields, OPTIONAL, false, "The run as a whole, by a noise model."),
	RG_KEY_TO("among", among, rg_among_fields, OPTIONAL, false,
		  "Of a refresh from several runs, how the one was chosen; else missing."),
	RG_KEY_TO("new_runs", new_runs, rg_new_runs_fields, OPTIONAL, false,
		  "What several new sides say together; missing where there is one."),
	RG_KEY_TO("refresh", refresh, refresh_fields, OPTIONAL, true,
		  "Only for a refresh: what it did."),
	RG_KEY_LIST_IF("goldens", goldens, golden_count, rg_coverage_golden_fields, OPTIONAL,
		       "Only for a refresh: each golden of the run."),
	RG_KEY_LIST("buckets", buckets, bucket_count, bucket_fields,
		    "How the rows of series are distributed."),
	RG_KEY_LIST("files", files, file_count, file_fields, "Each file."),
	RG_PUT("rows", LIST, ALWAYS, rg_row_fields, write_rows,
	       "Each pair of metrics that was compared."),
	RG_KEY_LIST("gaps", gaps, gap_count, gap_fields, "Each metric without a row."),
	RG_SAID_OF("story", OBJECT, ALWAYS, rg_story_fields,
		   "What there is to say: what the summary and the page are rendered from."),
	RG_SAID_OF("page", OBJECT, ALWAYS, rg_page_fields, "The page's table of rows."),
	RG_SAID_OF("curves", LIST, ALWAYS, rg_curve_fields,
		   "The curves that the page has, those that it draws first in front."),
	RG_SAID("curves_left_out", COUNT,
		"Rows with a curve for which there was no room, those that need review least."),
	RG_SAID_OF("formats", OBJECT, OPTIONAL, rg_format_report_fields,
		   "What particular formats say beside rows; missing where no file is of such a "
		   "format."),
	{0}};
#undef OF

/* --- what is worked out --- */

static void work_out(document *d)
{
	const rg_summary *summary = d->about->story->summary;
	const rg_refresh *refresh = summary->refresh;
	static const rg_refresh_item none;

	rg_document_head_fill(&d->head, summary);
	d->files = d->comparison->files;
	d->file_count = d->comparison->file_count;
	d->gaps = d->comparison->gaps;
	d->gap_count = d->comparison->gap_count;
	d->run = d->comparison->run.fresh.answer ? &d->comparison->run : NULL;
	d->among = summary->run.among.take ? &summary->run.among : NULL;
	d->new_runs = summary->new_runs && summary->new_runs->runs ? summary->new_runs : NULL;
	d->refresh = refresh;
	if (refresh) {
		d->goldens = refresh->items ? refresh->items : &none;
		d->golden_count = refresh->count;
	}
	d->checks = d->about->story->checks;
	d->check_count = d->about->story->check_count;
	rg_losses_find(&d->losses, d->comparison);
	size_t counts[RG_BUCKETS];
	rg_bucket_counts(d->about->told ? d->about->told : d->comparison, counts);
	for (size_t i = 0; i < RG_BUCKETS; i++)
		d->buckets_of[i] = (bucket){rg_bucket_names[i], counts[i]};
	d->buckets = d->buckets_of;
	d->bucket_count = RG_BUCKETS;
	if (d->about->gate) {
		d->gate = &d->broken;
		d->broken = (gate){(size_t)d->about->exit_code, d->about->gate->items,
				   d->about->gate->count};
	}
}

static void document_release(document *d)
{
	rg_losses_release(&d->losses);
}

/* --- what functions write --- */

/* Says of a file or row whether it is from the run, if there was a refresh. */
static void write_origin_of(rg_json_out *json, const rg_refresh *refresh, const char *file)
{
	if (refresh)
		rg_json_key_truth(json, "from_run", rg_refresh_is_from_run(refresh, file));
}

static void write_condition(rg_json_out *json, const void *from, const void *context)
{
	(void)context;
	rg_json_text(json, rg_gate_group_name(from));
}

static void write_worst(rg_json_out *json, const void *from, const void *context)
{
	const rg_gate_group *group = from;
	(void)context;
	if ((group->metric || group->kind == RG_BREACH_LOST) && !isnan(group->worst->value))
		rg_json_number(json, group->worst->value);
	else
		rg_json_null(json);
}

static void write_origin(rg_json_out *json, const void *from, const void *context)
{
	const rg_file_outcome *file = from;
	const document *d = context;
	write_origin_of(json, d->refresh, file->file);
}

static void write_score(rg_json_out *json, const void *from, const void *context)
{
	const rg_row *gap = from;
	(void)context;
	if (gap->level != RG_LEVEL_NONE)
		rg_json_number(json, gap->score);
	else
		rg_json_null(json);
}

/* Memory is bounded by the longest line: one object a line. */
static void write_rows(rg_json_out *json, const void *from, const void *context)
{
	const document *d = from;
	(void)context;
	rg_json_open(json, '[');
	for (size_t i = 0; i < d->row_count && !(json->out && json->out->is_full); i++) {
		rg_json_open_flat(json, '{');
		const rg_row *row = d->rows[i];
		for (const rg_column *column = rg_columns; column->name; column++) {
			rg_cell cell = column->cell(row, d->context);
			rg_json_key(json, column->name);
			rg_json_cell(json, &cell);
		}
		if (row->too_small.count) {
			rg_json_key_open(json, "too_small", '{');
			rg_json_put_fields(json, rg_too_small_fields, &row->too_small, NULL);
			rg_json_close(json, '}');
		}
		write_origin_of(json, d->refresh, row->file);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

rg_error *rg_comparison_json(rg_buf *out, const rg_comparison *comparison,
			     const rg_row *const *rows, const rg_column_context *context,
			     const rg_json_about *about)
{
	RG_AUTO(document) d = {.comparison = comparison, .context = context, .about = about};
	rg_json_out json;

	d.rows = rows;
	d.row_count = comparison->row_count;
	work_out(&d);
	rg_json_document(&json, out, "regild-compare");
	rg_json_put_fields(&json, rg_compare_fields, &d, &d);
	cJSON *story = rg_story_tree(about->story);
	rg_json_key(&json, "story");
	rg_json_tree(&json, story);
	cJSON_Delete(story);
	rg_page_table_write(&json, about->page, comparison, rows, d.row_count);
	rg_curves_write(&json, about->curves);
	if (about->formats) {
		rg_json_key(&json, "formats");
		rg_json_tree(&json, about->formats);
	}
	if (about->provenance) {
		rg_json_key(&json, "provenance");
		rg_json_tree(&json, about->provenance);
	}
	rg_json_close(&json, '}');
	return rg_buf_check(out, "JSON");
}

/* --- as far as people are told --- */

cJSON *rg_comparison_told(const rg_comparison *comparison, const rg_json_about *about)
{
	cJSON *root = cJSON_CreateObject();
	RG_AUTO(document) d = {.comparison = comparison, .about = about};
	rg_json_out json;

	work_out(&d);
	/* Files that the summary names: those that were not compared, and those whose change is not
	 * the run's. */
	RG_AUTO_FREE rg_file_outcome *named = rg_malloc((d.file_count + 1) * sizeof(*named));
	size_t count = 0;
	for (size_t i = 0; i < d.file_count; i++)
		if (d.files[i].status != RG_FILE_COMPARED ||
		    rg_refresh_is_own(d.refresh, d.files[i].file))
			named[count++] = d.files[i];
	d.files = named;
	d.file_count = count;
	d.gap_count = 0;
	rg_json_tree_init(&json, root);
	rg_json_put_fields(&json, rg_compare_fields, &d, &d);
	cJSON_AddItemToObject(root, "story", rg_story_tree(about->story));
	/* Rendering adds to them. */
	if (about->formats)
		cJSON_AddItemToObject(root, "formats", cJSON_Duplicate(about->formats, true));
	if (about->provenance)
		cJSON_AddItemToObject(root, "provenance", cJSON_Duplicate(about->provenance, true));
	return root;
}
