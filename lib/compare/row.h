/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_ROW_H
#define REGILD_COMPARE_ROW_H

#include "base/json.h"
#include "base/memory.h"
#include "compare/formatting.h"
#include "golden/golden.h"
#include "golden/records.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The results of a comparison for everything downstream: rows, the files they come from, and gaps
 * for what no row can say. Plain data; nothing here knows where the goldens came from.
 *
 * A figure that is not defined is NaN (doubles) or has its `…_known` false.
 */

/* Values that a check passes, by a tool's rule, though they are of another kind now: fitsdiff
 * passes 1 element that "became infinite". */
typedef struct rg_passed_change {
	const char *check, *what;
	size_t count;    /* 0: it is about all of them */
	bool by_element; /* they are a tensor's */
	const struct rg_passed_change *next;
} rg_passed_change;

typedef enum {
	/* Numbers by step: n_steps and avg_rel_diff; without a step that counts, too_small. */
	RG_ROW_SERIES,
	/* A text, texts by record, a list of tokens, or a metric whose two sides are not of one
	 * kind: equal or not. The plain CSV has it with n_steps 0 and an empty avg_rel_diff;
	 * threshold tables, markdown and bucket counts hold series rows only. */
	RG_ROW_EXACT,
} rg_row_kind;

/* Why a step did not count in avg_rel_diff. */
typedef enum {
	RG_LEFT_NEAR_ZERO,     /* on both sides, finite, but |old| < near-zero */
	RG_LEFT_OLD_NONFINITE, /* on both sides, the old value NaN or infinite, the new one finite
				  or the same */
	RG_LEFT_NEW_NONFINITE, /* the new value NaN or infinite, and the old one another or none */
	RG_LEFT_OLD_ONLY,      /* the step is on the old side only */
	RG_LEFT_NEW_ONLY,
	/* Nothing is lost (nonfinite.h): the step is on the old side only, and had NaN there. */
	RG_LEFT_OLD_PLACEHOLDER,
	RG_LEFT_NOT_LOOKED_AT, /* on both sides, outside the policy's `steps` */
	RG_LEFT_NO_STEP,       /* on either side, under a key that is not a step: each side's */
	RG_LEFT_REASONS
} rg_left_reason;

/* How many steps of a series row did not count, by reason; each step has one. The values of a
 * record that one side lacks altogether are not among them: the record is (rg_records_alone). */
typedef union {
	struct {
		size_t near_zero, old_nonfinite, new_nonfinite, old_only, new_only, old_placeholder,
			not_looked_at, no_step;
	};
	size_t by[RG_LEFT_REASONS];
} rg_left_out;

/* Steps that differ although none has a relative figure: finite on both sides, |old| < near-zero,
 * not under the policy's floor. */
typedef struct {
	size_t count;
	double old, fresh; /* of the largest |old - new| of them, the first of several */
	double rel;        /* the largest |old - new| / |old| of those not from zero; 0: none is */
	bool alone;        /* nothing else differs */
} rg_too_small;

/* Steps that were 0, or under near-zero, and are not: they have no relative figure that means
 * something, however far they went. Those under the policy's floor are not among them. */
typedef struct {
	size_t count;
	double largest;  /* the new value that is farthest from 0; the first of several */
	double old;      /* its old value */
	bool needs_look; /* no level judges it, and it is no tensor's */
} rg_from_zero;

/* Tensors (metrics with a shape on both sides). ref is the old side, err = new - old, both over the
 * elements that are finite on both sides. */
typedef struct {
	size_t count;         /* of such elements; without any the figures are NaN */
	double l2;            /* ‖err‖ */
	double mse, mean_abs; /* mean(err²), mean(|err|) */
	double mean_signed;   /* mean(err) */
	/* 20·log10(‖new‖ / ‖err‖), the signal to noise ratio that ExecuTorch's tester
	 * writes into its reports: the signal is what is tested, not the reference. In doubles,
	 * where the tester has floats; inf where err is 0. */
	double snr_db;
	/* max(|err| / |ref|): inf where a 0 or what was finite or not changed. What is left of a
	 * signed mean where errors cancel has no place here: buckets are by this. */
	double max_rel;
	double share_differing; /* of all elements, those whose values differ, 0 … 1 */
	double cosine;          /* ref·new / (‖ref‖ ‖new‖); NaN where one is 0 */
	/* Elements where one side is finite and the other not, or that are non-finite in different
	 * ways (NaN and inf, inf and -inf). */
	size_t nonfinite_mismatches;
	size_t worst;      /* element of the largest |err|, the first of several */
	size_t dimensions; /* worst, unravelled */
	int64_t worst_index[RG_METRIC_DIMENSIONS];
	const char *worst_text; /* "[1, 0, 5]": worst_index; NULL where count is 0 */
	const char *types;      /* "float32 -> float16"; NULL: both sides are of one type */
	double old, fresh;      /* the values, where there is one on each side; else NaN */
} rg_tensor_stats;

/* The look of an opaque golden, by its first bytes. */
typedef enum {
	RG_OPAQUE_READABLE, /* it is not opaque: the other side is */
	RG_OPAQUE_ABSENT,   /* there is no file on this side */
	RG_OPAQUE_TEXT,     /* no NUL among the first bytes, as git tells texts */
	RG_OPAQUE_BYTES,
	RG_OPAQUE_PNG,
} rg_opaque_kind;

typedef struct {
	rg_opaque_kind kind;
	const char *says;   /* for people: "21 bytes, 6ca9d5ed"; NULL: not filled */
	const char *format; /* the reader's name; RG_OPAQUE_FORMAT */
	size_t metrics;     /* RG_OPAQUE_READABLE */
	size_t size;
	char sha256[65];        /* "" for what is readable or absent */
	const char *why;        /* a reader gave up; NULL: there was none */
	uint32_t width, height; /* RG_OPAQUE_PNG */
	/* To be shown, where the flow keeps it: all `size` bytes of a picture; NULL: not kept. */
	const unsigned char *picture;
} rg_opaque_side;

/* Two goldens that are compared as a whole, or one that is on one side only. The sides are filled
 * where they differ. */
typedef struct {
	rg_opaque_side old, fresh;
	/* The lines that differ, of two texts, as the flow makes them: "@@ -1 +1 @@", "-old",
	 * "+new", without their ends; `more` lines are left out. */
	const char **lines;
	size_t line_count, more;
	bool too_large; /* for lines to be made */
} rg_opaque;

/* An element of a tensor, or a cell of a table, that is not the same on both sides. */
typedef struct {
	const char *at;     /* "[1, 0, 5]"; of a table the record's key */
	const char *metric; /* of a table the column; else NULL */
	/* There, if the side has it. Texts, and whole numbers that doubles do not hold, are texts.
	 */
	rg_json_value old, fresh;
	/* Lists are ordered by it: |new - old| for elements, relative to |old| for cells; inf if a
	 * 0 changed, or a side is not finite or lacks it. Texts have none: 0. */
	double size;
} rg_difference;

/* The largest of them, as a report shows them. */
typedef struct {
	const rg_difference *items; /* the largest first; of equals the first */
	size_t count, more;         /* more: those that are not among them */
} rg_differences;

/* The changes in a table, record by record. Records that one side lacks are not among the
 * differences. */
typedef struct {
	size_t changed;                /* records on both sides that differ in some column */
	rg_differences numbers, texts; /* texts in the columns' order */
	/* The keys of records on one side only: the first of them, and how many there are. */
	const char *const *lost, *const *gained;
	size_t lost_shown, gained_shown, lost_count, gained_count;
} rg_table_differences;

/* The traits of a golden that conditions of gates are about, as bits. */
enum {
	RG_HAS_RESULT = 1,
	RG_HAS_DELEGATED = 2,
	RG_HAS_STATUS = 4,
	RG_HAS_SNR = 8,
	RG_HAS_TIME = 16,
	RG_HAS_TOLERANCE = 32,
	RG_HAS_NOISE_MODEL = 64, /* of no golden: somebody gave one */
};

/* How far a row went on the scale of its [metric] policy. */
typedef enum {
	RG_LEVEL_NONE,  /* no level is configured for it, or kind = ignore */
	RG_LEVEL_QUIET, /* at or under `noise` */
	RG_LEVEL_PLAIN, /* between `noise` and `flag` */
	RG_LEVEL_FLAG,  /* at or over `flag`: a reviewer must look */
	RG_LEVEL_FAIL,  /* over `fail`: a gate breaks */
} rg_level;

/* A noise model's verdict (lib/audit fills it in; without a model every row stays at NONE). */
typedef enum {
	RG_VERDICT_NONE, /* no model was given */
	RG_VERDICT_WITHIN,
	RG_VERDICT_OUTSIDE,
	RG_VERDICT_INCONCLUSIVE,
	RG_VERDICT_UNMEASURED,
	RG_VERDICTS
} rg_verdict_kind;

typedef struct {
	rg_verdict_kind kind;
	size_t runs;   /* that it rests on */
	double bound;  /* 1 / (runs + 1), what p is at least; these are NaN where there is none */
	double p;      /* a run of the same kind is as far out in at most this share of cases */
	double beyond; /* how far past all runs it is, in units of their range */
	size_t steps;  /* those that it has in common with them; 0 where it is unmeasured */
	double low, high; /* the range of the runs' mean relative deviations */
	double run_p;     /* of the run, where the row shows how it is another; else NaN */
	bool of_golden;   /* it shows how the golden is another than the runs */
	bool stands_out;  /* a reviewer must look: it shows a change, or it is outside by too few
			     runs  to tell of the run */
	const char *text; /* the sentence for people; NULL with RG_VERDICT_NONE */
	/* How far out each run is, the new one last; the same with the golden in its place; and
	 * which runs these are. NULL where nothing was ranked. */
	const double *scores, *golden_scores;
	const size_t *ranked_runs;
	double usual, golden_usual; /* rg_conformal_rank's, of both */
	/* As scores: how far each run's mean and its size are off; and, where the new one is past
	 * all runs, what that is said with. For rg_noise_pool_rows. */
	const double *means, *sizes;
	const char *place, *figure;
	size_t goldens; /* p is of so many goldens' rows of the metric together; 0: of its own */
	/* The relative size of what the new run is off the runs' median, and the largest that any
	 * of these is; NaN where that is not known. */
	double off, seen;
	bool tested; /* the run's answer rests on it, too */
} rg_verdict;

/* Is a run as the measured ones are? */
typedef enum {
	RG_ANSWER_NONE, /* no model was given */
	RG_ANSWER_NOISE,
	RG_ANSWER_CHANGED, /* p is at or under the level */
	RG_ANSWER_OPEN,    /* it cannot be told: too few runs */
	RG_ANSWERS
} rg_answer;
extern const char *const rg_answer_names[RG_ANSWERS]; /* in JSON */

/* The evidence that shows most of a run's change. */
typedef enum {
	RG_SHOWN_BY_ROWS,   /* single ones */
	RG_SHOWN_BY_METRIC, /* all rows of one together */
	RG_SHOWN_BY_COUNT,  /* how many rows are outside */
	RG_SHOWN_BY_ALONE,  /* rows in which it differs, and all other runs agree to the bit */
} rg_shown_by;

typedef struct {
	rg_answer answer;
	rg_shown_by by;
	const char *metric; /* RG_SHOWN_BY_METRIC: which */
	double p;       /* a run of the same kind is as far out in at most this share of cases */
	size_t runs;    /* measured ones that it was compared with; in several strata the most */
	size_t goldens; /* that these measured, unchanged ones whose runs agree as a rule too */
	size_t rows;    /* of them that were looked at */
	size_t too_few; /* rows that too few runs measured, and which are not among these */
	size_t missing; /* so many more runs of these rows would tell */
	/* Rows that the answer does not rest on, and that are outside all of their own runs and
	 * over their flag level: how many, and the one that is furthest out. */
	size_t open_rows;
	const char *open_file, *open_metric;
} rg_run_test;

typedef struct {
	rg_run_test fresh, golden;
} rg_run_verdict;

/* Records that differ by more than their own tolerance. */
typedef struct {
	size_t count;
	/* |old - new| / |old| of the one that is the most times over its tolerance; not finite
	 * where the new value is not, or the old one is 0. */
	double off, tolerance;
	const char *text; /* "record add: 0.02 off, over its tolerance 0.015"; NULL: none is over */
} rg_row_over;

/* Why a metric of a compared file gives no row: it is kept as a gap, which has a row's fields as
 * far as they are known. */
typedef enum {
	RG_GAP_NONE,     /* it is a row */
	RG_GAP_OLD_ONLY, /* the metric is on the old side only; `lost` counts all of it */
	RG_GAP_NEW_ONLY,
	/* The metric is on the old side only, and had nothing but placeholders. */
	RG_GAP_DROPPED,
	/* On both sides, but no step counts, and none that is near zero differs: left_out says
	 * why. Or on one side, and every value of it is of a record that the other side lacks. */
	RG_GAP_NO_STEPS,
	RG_GAPS
} rg_gap_kind;

typedef enum { RG_MEASURE_NONE, RG_MEASURE_DURATION, RG_MEASURE_RATE } rg_measure;

typedef struct rg_row {
	rg_gap_kind gap;
	/* The file column shows this: the path on the new side, or "OLDNAME vs NEWNAME". */
	const char *file;
	const char *old_file; /* the path on the old side: differs from `file` for a rename */
	const char *metric;
	rg_row_kind kind;
	size_t file_index; /* into rg_comparison.files */

	/* Series: over the steps on both sides with finite values and |old| >= near-zero,
	 * ascending.
	 * Sums are Neumaier's. */
	size_t n_steps;
	/* mean((old - new) / old); +inf where these overflow in both directions; NaN in an exact
	 * row */
	double avg_rel_diff;
	double mean_abs_rel; /* mean(|old - new| / |old|) */
	double max_abs_rel;
	rg_measure measure;
	/* How many of the steps that count have a larger or a smaller new value, and the farthest
	 * (old - new) / |old| of each. */
	size_t larger, smaller;
	double most_larger, most_smaller;
	/* The values at max_abs_rel_step, if that is infinite: no double is as large. */
	double past_old, past_new;
	bool both_signs; /* their old values have: the mean of this is the shift then */
	double shift;
	/* For durations and rates of three steps or more: avg_rel_diff as a median, and whether the
	 * step of max_abs_rel makes up more than half of the mean. */
	bool median_known, one_step;
	double median_rel_diff;
	double standard_errors; /* the largest difference in them; NaN where the files give none */
	rg_row_over over;
	int64_t max_abs_rel_step; /* the first step that reaches it */
	/* The one figure for how far it moved, 0 or more, whatever the policy's kind: of steps
	 * |avg_rel_diff|, or mean_abs_rel where they cancel to 0; of records and elements (or by
	 * the policy's `score`) the largest; too_small.rel where that is larger. NaN: none. */
	double moved;
	/* It is the largest; of a series that one is (old - new) / |old|. */
	bool by_largest;
	double largest_rel;
	double beside_rel; /* the same of tolerances and standard errors; 0: all are the same */
	size_t unscored;   /* values that differ and are in none of these, nor from_zero */
	bool by_record;    /* its steps are a table's records */
	/* The names of the two steps there; NULL if steps are numbers. */
	const char *max_abs_rel_record, *first_diff_record;
	double share_above_zero; /* of n_steps, those with (old - new) / old > 0; 0 … 1 */
	rg_left_out left_out;
	/* The same for people, with the steps where they are known (not a tensor's elements):
	 * "2 near zero (4..5), 1 on the old side only (9)"; NULL where nothing was left out. */
	const char *left_out_text;
	rg_too_small too_small;
	rg_from_zero from_zero; /* of these */
	double near_zero;       /* the bound that it was compared under */
	/* Series: how many of the steps that the policy looks at the new side lost. */
	size_t lost;
	/* Series: left_out.new_nonfinite and such steps that the policy does not look at. Exact
	 * rows: values that are not finite where no old one has their place. */
	size_t nonfinite;
	/* All of left_out.old_only: "49 of 50 steps (2..50)"; NULL if there are none. */
	const char *lost_text;
	/* Series: values of left_out.new_only whose old one stood for none (`missing`). */
	size_t filled;
	/* Which steps are on the old side only, on the new side only, and newly not finite: "1",
	 * "2..50, 60"; NULL where there are none or where they are a tensor's. */
	const char *lost_steps, *gained_steps, *nonfinite_steps;
	bool now_nan, now_inf; /* of left_out.new_nonfinite: some are NaN, some infinite */
	/* Series by step, not tensors: of the steps on both sides, those that were not finite and
	 * are now; which, and whether all of them were NaN. */
	size_t repaired;
	const char *repaired_steps;
	bool repaired_nan;

	/* Series: over all steps looked at that are finite on both sides, near zero or not. */
	double max_abs; /* |old - new|; infinite where no double is as large */
	/* Distance in values that their type can represent: a tensor's type where both sides have
	 * it, else doubles. +0 and -0 are 0 apart. */
	uint64_t max_ulps;
	double old_mean, new_mean; /* of the n_steps counted */

	/* Both kinds. Series: the same steps with the same bits, all of them but for placeholders
	 * that were dropped. Exact: equal. */
	bool identical;
	/* Series: no figure differs, but the digits of a whole number that no double has, a
	 * record's tolerance or a standard error: a sentence of the first; no level judges it, and
	 * it needs a look. NULL: none does, or the policy is about other figures. */
	const char *beside;
	/* Series: a value that both sides have is not the same, whether it is looked at or not. */
	bool values_differ;
	/* Series: the first step on both sides whose bits differ. Tokens: the first differing
	 * index; texts: the first differing byte, which is the shorter one's length where one
	 * begins the other. */
	bool first_diff_known;
	int64_t first_diff;

	/* The places on a scale of better and worse, as the format says; NaN on a side without the
	 * metric. Both sides have one scale, or RG_SCALE_NONE. */
	rg_scale scale;
	double old_place, new_place;

	/* Texts by record: "pass → fail_to_run: 3 (a, b, c)", the most frequent first; NULL
	 * where there are none. */
	const char *changes;
	/* The same where it would be a long line: how often, but not where. */
	const char *changes_brief;

	/* How long each side is (values, tokens, bytes, texts). Exact rows: where they differ, a
	 * short text of each at the first difference, for people (a token's number, up to 24 bytes
	 * of a text cut at character bounds, or the kind of the metric where the two are not of one
	 * kind); both texts whole where neither is longer; NULL where equal. */
	size_t old_count, new_count;
	const char *old_excerpt, *new_excerpt;
	/* The first value that is in another unit, "5 ns -> 6 ms"; of texts, the first that has the
	 * same figure in another one. NULL: none. */
	const char *other_unit;

	const rg_tensor_stats *tensor; /* NULL: no tensor */
	/* Tensors that differ: the largest differences, where the flow keeps them, else NULL. */
	const rg_differences *elements;
	rg_opaque *opaque; /* the row of a file as a whole; NULL: of a metric */

	/* Policy: the level, and the figure that it was compared with (its unit is the policy's
	 * kind's; for relative without an aggregate it is |avg_rel_diff|). */
	rg_level level;
	double score;
	double fail_at; /* the policy's fail level; NaN where it has none */
	double flag_at; /* its flag level if that is relative, else NaN */
	bool ignored;   /* kind = ignore */
	/* Exact rows: a series became something else, a tensor has another shape, or a golden that
	 * was readable is opaque. */
	bool reshaped;

	rg_verdict verdict;

	/* The project's own checks, a bit for each of comparison.checks: which look at this metric,
	 * and which of these the new values fail. */
	uint32_t checked, check_fails;
	bool check_needs_look;   /* one of those that fail has a tolerance */
	const char *checks_text; /* "deterministic: fails, approximate: passes"; NULL: none looks */
	/* Why those that fail do, of those with a tolerance where one of these does: "approximate:
	 * 2 of 3 steps not within 5 %"; NULL: none does.
	 */
	const char *check_reason;
	const rg_passed_change *passed; /* NULL: there is none */
} rg_row;

/* avg_rel_diff, or what is in its place, as words have it: positive where new values are the
 * smaller numbers, whatever signs the old ones have. Of records that moved both ways it is the
 * farthest of those that go the way of the sum. */
static inline double rg_row_shift(const rg_row *row)
{
	if (row->by_largest && row->larger && row->smaller && row->shift != 0)
		return row->shift > 0 ? row->most_smaller : row->most_larger;
	if (row->by_largest)
		return row->largest_rel;
	if (row->both_signs)
		return row->shift;
	return row->old_mean < 0 ? -row->avg_rel_diff : row->avg_rel_diff;
}

/* The same of what is typical of a row: of a duration the median step, as one that warms up is no
 * slower. */
static inline double rg_row_typical(const rg_row *row)
{
	return row->median_known ? row->median_rel_diff : rg_row_shift(row);
}

/* Does the mean of a time say something else than its median: the other way round, or one step? */
static inline bool rg_row_mean_differs(const rg_row *row)
{
	const double mean = row->avg_rel_diff, median = row->median_rel_diff;
	return row->median_known &&
	       ((mean > 0) != (median > 0) || (mean < 0) != (median < 0) || row->one_step);
}

typedef enum {
	RG_FILE_COMPARED,
	RG_FILE_NEW,     /* no baseline */
	RG_FILE_REMOVED, /* missing on the new side */
	RG_FILE_UNREADABLE,
} rg_file_status;

typedef struct {
	rg_file_status status;
	const char *file;     /* as in its rows */
	const char *old_file; /* differs from `file` for a rename; never NULL */
	const char *why;      /* RG_FILE_UNREADABLE: the error, without the file's name in front */
	const char *format;   /* the reader's name ("json"); NULL where nothing was read */
	size_t first_row, row_count; /* its rows: comparison.rows[first_row …] */
	size_t first_gap, gap_count;
	const char *variant; /* its rows are of this variant of the old side; NULL: of the golden */
	/* RG_FILE_NEW and RG_FILE_REMOVED: an opaque golden; NULL: it is none, or was not read. */
	rg_opaque *opaque;
	rg_records_alone lost, gained; /* a table's */
	/* The changes in a table, if the flow keeps them; NULL: there are none, or it is no table.
	 */
	const rg_table_differences *table;
	unsigned has;          /* RG_HAS_… of both sides */
	rg_file_layout layout; /* how the bytes differ where `identical` is true */
	const char *unread;    /* numbers that no metric has differ: the first's name; else NULL */
	/* The policy has a `fail` level for these, or of a removed golden for one of its metrics.
	 */
	bool may_fail;
	const rg_passed_change *passed; /* by rows that have no difference; NULL: there is none */
	bool identical; /* compared, every metric on both sides and bit for bit the same */
	/* Checks that fail because a metric that they need is on neither side, and these metrics;
	 * and checks that nobody could hold, and why. By bits as in rows; NULL where there are
	 * none. */
	uint32_t check_fails, unchecked;
	const char *missing_metrics, *unchecked_why;
	/* Sentences, one a line; NULL where there are none. Compared: metrics that cannot be read,
	 * and what could be read otherwise. RG_FILE_NEW: what a check finds (defects.h). */
	const char *notes;
	size_t nonfinite; /* RG_FILE_NEW: metrics with values that are not finite, but usual ones */
	bool unserved;    /* a side's reader is not installed, so that it is opaque */
	bool has_nonfinite; /* the new side has such a value, usual or not; no tensor's counts */
} rg_file_outcome;

struct rg_checks; /* compare/checks.h */

/* Is its size in buckets and threshold tables? A tensor of zeros that changed has no relative
 * difference and is an exact row, but it has all other figures. */
static inline bool rg_row_has_size(const rg_row *row)
{
	return row->kind == RG_ROW_SERIES || row->tensor;
}

typedef struct rg_comparison {
	const struct rg_checks *checks; /* the project's own, borrowed; NULL: none were asked for */
	/* In file order, metrics in code-point order within a file. */
	rg_row *rows;
	size_t row_count, row_capacity;
	size_t series_rows; /* of row_count, rg_row_has_size: what markdown and buckets are about */
	/* In the order in which they were added: the caller's path-component order. */
	rg_file_outcome *files;
	size_t file_count, file_capacity;
	size_t compared, new_files, removed, unreadable; /* add up to file_count */
	rg_row *gaps;                                    /* in the same order */
	size_t gap_count, gap_capacity;
	rg_run_verdict run; /* by a noise model */
	/* Owns every text above. Several, because parts made by several threads are joined. */
	rg_arena *arenas;
	size_t arena_count, arena_capacity;
} rg_comparison;

/* All rows, with those at which no step counts after the others. */
static inline size_t rg_comparison_rows(const rg_comparison *c)
{
	return c->row_count + c->gap_count;
}

static inline rg_row *rg_comparison_row(rg_comparison *c, size_t i)
{
	return i < c->row_count ? &c->rows[i] : &c->gaps[i - c->row_count];
}

#endif
