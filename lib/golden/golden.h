/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_GOLDEN_H
#define REGILD_GOLDEN_GOLDEN_H

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/span.h"
#include "golden/unread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Every format of goldens is read into this: named metrics, each a series of doubles by step or
 * exact values (a text, a list of tokens). Everything downstream works on it and knows no format.
 */

typedef enum {
	RG_METRIC_SERIES,     /* numbers by step */
	RG_METRIC_TEXT,       /* an exact text */
	RG_METRIC_TOKENS,     /* an exact list of integers, index = step */
	RG_METRIC_TEXTS,      /* exact texts by record */
	RG_METRIC_OPAQUE,     /* a file's bytes: the only metric of an opaque golden */
	RG_METRIC_UNREADABLE, /* bytes of a type that no reader takes, among others that are read */
} rg_metric_kind;

struct rg_metric;

/* A table's records: the name of a step is the record's key (golden/records.h). */
typedef struct rg_records rg_records;

/* A cell of a table that is not a number. */
typedef struct {
	int64_t step; /* the record's place */
	const char *text;
} rg_record_text;

/* The text of that step in a list that ascends by step; NULL: it has none. */
const char *rg_record_text_at(const rg_record_text *list, size_t count, int64_t step);

/*
 * Reads the values first … first + count - 1 (by position, not by step) into `out`. For series too
 * large for memory; see rg_metric.block.
 */
typedef rg_error *rg_metric_block_fn(const struct rg_metric *metric, size_t first, size_t count,
				     double *out);

/* As many as ExecuTorch's runtime takes; a tensor with more is refused. */
#define RG_METRIC_DIMENSIONS 16

struct rg_tensor; /* golden/tensor.h */

/* How exact a file says that its values are ("value_precision" of Megatron-LM's blocks). */
typedef enum {
	RG_PRECISION_NOT_SAID, /* the format has no such word */
	RG_PRECISION_MISSING,  /* it has, and the metric lacks it, or has another than "full" */
	RG_PRECISION_FULL,
} rg_precision;

/* A scale from better to worse that a metric is on, as its format knows. Places on the scales of
 * statuses ascend from good to bad. */
typedef enum {
	RG_SCALE_NONE,
	RG_SCALE_RESULT,    /* a test's result: rg_result_place */
	RG_SCALE_DELEGATED, /* of a test that passed: 0 delegated, 1 not */
	RG_SCALE_STATUS,    /* an operator's status: 0 the best */
	RG_SCALE_SNR,       /* decibels: more is better */
} rg_scale;
typedef enum { RG_PLACE_PASS, RG_PLACE_SKIP, RG_PLACE_FAIL, RG_PLACE_CRASH } rg_result_place;

typedef struct rg_metric {
	const char *name; /* UTF-8 as in the file, NUL-terminated; "" is a name, too */
	rg_metric_kind kind;
	/* Series: the unit that all its values are in, as the format or the cells say
	 * (golden/unit.h). NULL: none known, or several. */
	const char *unit;
	size_t count; /* values, tokens; bytes of a text or a file; texts by record */
	/* Series: steps in strictly ascending order; NULL means 0 … count - 1. RG_TEXT_METRIC: the
	 * places of `moved` lines, and then of `reworded` ones (compare/text_pair.h). */
	const int64_t *steps;
	/* Series: count doubles, non-finite ones included. NULL where `block` has to be asked. */
	const double *values;
	rg_metric_block_fn *block;
	void *block_context;
	/* Its values, and maybe its steps, if they are in a map (rg_spill_new), which can be
	 * forgotten after reading. Else empty. */
	rg_span spilled;
	const int64_t *tokens; /* RG_METRIC_TOKENS */
	/* RG_METRIC_TEXT: `count` bytes, NUL-terminated after them. RG_METRIC_OPAQUE and
	 * RG_METRIC_UNREADABLE: `count` bytes of the input, with nothing after them. */
	const char *text;
	const char *unreadable; /* RG_METRIC_UNREADABLE: why, a sentence */
	/* The records that the steps are places of; NULL: steps are numbers. */
	const rg_records *records;
	/* RG_METRIC_TEXTS, and the cells of a series of records that are not numbers: ascending by
	 * step. RG_TEXT_METRIC: the lines that the text is of, by their places in the file. */
	const rg_record_text *texts;
	size_t text_count;
	/* RG_TEXT_METRIC: how many more the lines that came have than those that went; and how many
	 * more numbers these lines have than the other side's. */
	size_t nonfinite_numbers, lost_numbers;
	size_t moved, reworded; /* RG_TEXT_METRIC */
	/* Series: the whole numbers that their doubles do not hold, ascending by step: "-12…"
	 * without zeros in front. Those of the two sides are equal only digit for digit. */
	const rg_record_text *digits;
	size_t digit_count;
	/* A series whose values are not all in the same unit: the units of those that have one,
	 * ascending by step. */
	const rg_record_text *units;
	size_t unit_count;
	/* A series of records: what each may differ by, relative, and its standard error, as the
	 * file itself says; NaN where it says nothing. As many as values; NULL: it never does. */
	const double *tolerances, *errors;
	/* A tensor's shape, for unravelled indices; dimensions is 0 for everything else (a tensor
	 * without dimensions, a scalar, has the shape [1] here). */
	size_t dimensions;
	const int64_t *shape;
	const struct rg_tensor *tensor; /* its type and raw bytes; NULL for everything else */
	/* Series: the values that the file has in quotes ("nan"), by position, ascending. */
	const size_t *quoted;
	size_t quoted_count;
	rg_precision precision;
	rg_scale scale;
	double place; /* on the scale, if there is one */
	/* The steps as the file itself says (Megatron-LM's blocks); interval 0: it says nothing. */
	int64_t start_step, end_step, step_interval;
	/* Steps of this metric that appeared more than once in the file (the last one counted), and
	 * the first of them. */
	size_t duplicate_keys;
	int64_t duplicate_step;
	/* A sum, the same in any order, over the values of such steps that do not count and differ
	 * from the one that does. */
	uint64_t shadowed;
	/* Invalid values (null, objects, texts that are not numbers), left out of the
	 * series, and the step of the first; all of them may be without one (keys that are not
	 * steps). */
	size_t invalid_values;
	bool has_invalid_step;
	int64_t invalid_step;
	/* How many of the invalid values have a key that is not a step: no number, or one that does
	 * not fit int64_t. The sum over their keys and values is the same in any order. */
	size_t no_step_keys;
	uint64_t no_step_sum;
} rg_metric;

/* The name of an opaque golden's one metric, and of its format. */
#define RG_OPAQUE_METRIC "(file)"
#define RG_OPAQUE_FORMAT "opaque"

typedef enum {
	RG_NOTE_READ,       /* how the file was read, where it could be read otherwise */
	RG_NOTE_VERSION,    /* the same of both sides: one of them says it */
	RG_NOTE_SETTING,    /* a setting that it does not heed, and others do */
	RG_NOTE_UNREADABLE, /* a metric that cannot be read */
	RG_NOTE_WRONG,      /* the file contradicts itself, or what it needs is not there */
} rg_note_kind;

/* A fact that a reader noticed and that no value shows. */
typedef struct {
	rg_note_kind kind;
	const char *text; /* a sentence */
} rg_golden_note;

typedef struct rg_golden {
	const char *format; /* the reader's name: "json", "tensor", … */
	/* An opaque golden: why the reader that its bytes spoke for gave up; NULL: they spoke for
	 * none. */
	const char *why_opaque;
	bool unserved; /* the library that reads it is not there: it is opaque, and a note says so
			*/
	const rg_metric *metrics; /* ascending by name in code-point order, which for UTF-8 is
				     strcmp's; no name twice */
	size_t count;
	const rg_records *records; /* of its metrics; NULL where it is not a table */
	/* The columns that tell its records apart, as a list, if their first column does not and
	 * nobody says which do; "": their places do. Else NULL. */
	const char *record_key;
	/* Its first column has no name and numbers the records, from 0 or 1, as R writes row names
	 * and pandas an index: positions, which are given anew when a row is dropped. */
	bool is_numbered;
	const struct rg_text_lines *lines; /* golden/text.h; NULL where it is no text */
	/* Keys, other than steps, that appeared more than once in an object, and one of them with
	 * those around it ("0/latency"); NULL where the reader cannot tell. */
	size_t duplicate_keys;
	const char *duplicate_key;
	const rg_golden_note *notes;
	size_t note_count;
	rg_unread unread;
	rg_span bytes;                          /* that it was read of: borrowed */
	const struct rg_text_rule *text_rule;   /* that names the file: golden/text.h; NULL: none */
	const struct rg_table_rule *table_rule; /* likewise */
	unsigned heeded;                        /* which settings it was read by (rg_setting) */
	const char *name;                       /* the file's */
	rg_arena arena;                         /* owns all of the above */
} rg_golden;

/* The file beside `name` called `sibling`; NULL-data where there is none. Owned by the context. */
typedef struct {
	const void *data;
	size_t size;
} rg_bytes;
typedef rg_error *rg_sibling_fn(void *context, const char *sibling, rg_bytes *out);

/* The source of a golden. The bytes must outlive the golden: large tensors stay in them. */
typedef struct {
	const char *name; /* a path or file name, for bidding and messages */
	const void *data;
	size_t size;
	bool may_be_empty;      /* no bytes are a golden without values */
	rg_sibling_fn *sibling; /* NULL: nothing is beside it */
	void *sibling_context;
	/* Called for bytes that were read and will not be needed soon, by several threads at once:
	 * a mapped file's pages can be given back, so that a tensor of gigabytes is read in little
	 * memory. They may be read again. NULL: nobody wants to know. */
	rg_forget_fn *forget;
	int file; /* that the bytes are a map of, as a whole; 0: they are none */
} rg_input;

/* The bytes of the whole. */
static inline rg_span rg_input_span(const rg_input *in)
{
	return (rg_span){in->data, in->size, in->forget};
}

/* A type for tensors that carry none ([tensor "PATTERN"] in .regild, --dtype). */
typedef struct {
	const char *pattern; /* glob on the path's last parts; NULL matches all */
	const char *dtype;   /* "float32" … */
	size_t dimensions;   /* 0: one dimension, whatever fits */
	int64_t shape[RG_METRIC_DIMENSIONS];
} rg_tensor_type;

/* How a table is to be read ([table "PATTERN"] in .regild). Texts that name columns may name
 * several, with commas between them. NULL: nothing is said. */
typedef enum {
	RG_HEADER_NOT_SAID, /* the first line is one, unless it has nothing but numbers */
	RG_HEADER_YES,
	RG_HEADER_NO,
} rg_table_header;

/* The keys of a [table], and the other sections about how goldens are read. */
typedef enum {
	RG_SET_KEY = 1 << 0,
	RG_SET_COLUMNS = 1 << 1,
	RG_SET_HEADER = 1 << 2,
	RG_SET_NAMES = 1 << 3,
	RG_SET_DELIMITER = 1 << 4,
	RG_SET_COMMENT = 1 << 5,
	RG_SET_SKIP = 1 << 6,
	RG_SET_METRIC = 1 << 7,
	RG_SET_VALUE = 1 << 8,
	RG_SET_ROWS = 1 << 9,
	RG_SET_TOLERANCE = 1 << 10,
	RG_SET_TABLE = (1 << 11) - 1, /* all of them */
	RG_SET_TEXT = 1 << 11,
	RG_SET_TENSOR = 1 << 12,
} rg_setting;

typedef struct rg_table_rule {
	const char *pattern;     /* as a tensor type's */
	const char *const *keys; /* the first whose columns are all there names the records */
	size_t key_count;
	bool by_place;       /* nothing names the records */
	bool rows;           /* are metrics, called as their first columns say, by column */
	const char *columns; /* these alone are read */
	rg_table_header header;
	const char *names;     /* of the columns of a file that has no header; NULL: c1, c2 … */
	char delimiter;        /* what is between its cells; 0: the name and the first line say */
	const char *comment;   /* lines that begin with it are left out */
	size_t skip;           /* so many lines come before the table */
	const char *value;     /* the column of the values; what a step list's metric is called */
	const char *metric;    /* a column that names the metric of its record's value */
	const char *tolerance; /* a column that says what its record may differ by, relative */
} rg_table_rule;

typedef struct {
	const rg_tensor_type *tensor_types;
	size_t tensor_type_count;
	const rg_table_rule *table_rules;
	size_t table_rule_count;
	const struct rg_text_rule *text_rules; /* golden/text.h */
	size_t text_rule_count;
	bool yaml_1_2;    /* YAML is of that version, not of 1.1 */
	int run_index;    /* of a file of several runs: which, from 0; -1 all, merged */
	const char *part; /* of a file of several backends' results: this one alone ("baseline"
			     too), its name left out of the metrics', so that two compare; NULL:
			     all */
	/* Records that the golden is likely to have, too: their names are not copied then, so that
	 * these have to live longer. NULL: none. */
	const rg_records *like;
	/* Which of these settings do other goldens heed that the section's pattern names? Asked,
	 * by several threads at once, where a golden does not. NULL: none do. */
	unsigned (*heeded_elsewhere)(void *context, const char *pattern, unsigned settings);
	void *heeded_context;
} rg_golden_options;

/*
 * Reads a golden with the format that bids highest for it. *out is the caller's, freed with
 * rg_golden_free; it borrows `in`. `options` may be NULL. RG_E_PARSE where the bytes are not what
 * their name promises (an empty file, no JSON, nested deeper than RG_JSON_DEPTH_MAX): the message
 * says where, without the file's name in front (callers wrap it). RG_E_USAGE where a section of
 * .regild names the file and says what it is not read by; a note, if other goldens are.
 *
 * A file whose name promises nothing and that no reader takes is read as numbers in text
 * (golden/text.h). Without any it is opaque: it has one metric, RG_OPAQUE_METRIC, and can be equal
 * or different.
 */
RG_CHECKED rg_error *rg_golden_read(rg_golden **out, const rg_input *in,
				    const rg_golden_options *options);
/* Reads its bytes again as numbers in text, as those of the golden that it is compared with were:
 * only so do the two have the same metrics. It stays as it is where they are no such text. */
void rg_golden_as_text(rg_golden *golden);
/* Reads a table's bytes again, with its records told apart as `key` says (record_key): as those of
 * the golden that it is compared with are. RG_E_PARSE where they cannot be; it stays as it is. */
RG_CHECKED rg_error *rg_golden_read_by(rg_golden *golden, const char *key);
/* Adds a note to a golden that was read; `text` is copied. */
void rg_golden_add_note(rg_golden *golden, rg_note_kind kind, const char *text);
void rg_golden_free(rg_golden *golden);
RG_FREE_AT(rg_golden)
bool rg_golden_is_opaque(const rg_golden *golden);

/* Are all its values times, in whichever units? */
bool rg_metric_is_duration(const rg_metric *metric);

/* The metric of that name or NULL. */
const rg_metric *rg_golden_find(const rg_golden *golden, const char *name);

/* For qsort: metrics by name. */
int rg_metric_compare(const void *a, const void *b);

/* Its values will not be needed soon. */
static inline void rg_metric_forget(const rg_metric *metric)
{
	if (metric->spilled.forget)
		metric->spilled.forget(metric->spilled.data, metric->spilled.size);
}

/* The step of a series' value. */
static inline int64_t rg_metric_step(const rg_metric *metric, size_t at)
{
	return metric->steps ? metric->steps[at] : (int64_t)at;
}

/* The unit of the series' value at that step; NULL: none known. */
static inline const char *rg_metric_unit(const rg_metric *metric, int64_t step)
{
	return metric->unit_count ? rg_record_text_at(metric->units, metric->unit_count, step)
				  : metric->unit;
}

/* Copies the values first … first + count - 1 of a series. */
RG_CHECKED rg_error *rg_metric_read(const rg_metric *metric, size_t first, size_t count,
				    double *out);

/* Does the format that `name` and the first bytes speak for leave its values in the input? Then it
 * pays to map the file, however large. */
bool rg_golden_reads_in_place(const rg_input *in);
/* Does it at least read the input once, in order, and forget what it has read? */
bool rg_golden_reads_in_order(const rg_input *in);
/* Does it parse all of the input, and ask for no file beside it (rg_input.sibling)? */
bool rg_golden_reads_all(const rg_input *in);

/* So many of the first bytes are enough for rg_golden_recognised. */
#define RG_PROBE_BYTES 4096

/* Do `name` and the bytes look like a golden of any format (a bid over 0)? Tables and step lists
 * look like anything: they do only where something else, `named`, says that it is a golden. */
bool rg_golden_recognised(const rg_input *in, bool named);
/* Do those of the file FOLDER/PATH, by its first bytes? RG_E_IO where it cannot be read. */
RG_CHECKED rg_error *rg_golden_recognised_file(bool *out, const char *folder, const char *path,
					       bool named);

#endif
