/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_FORMAT_H
#define REGILD_GOLDEN_FORMAT_H

#include "golden/builder.h"

/* Outputs are what is asked for. Where inputs changed, another question was asked. */
typedef enum {
	RG_PART_OUTPUT,
	RG_PART_TENSOR, /* neither input nor output */
	RG_PART_INPUT,
	RG_PART_PROGRAM,
	RG_PARTS
} rg_model_part;

typedef struct {
	rg_model_part part;
	size_t model_length; /* of the path: the model's name */
	bool by_name;        /* the file is the part; its name after the model's says which */
} rg_model_place;

typedef uint64_t rg_head_size_fn(const void *start, size_t length, uint64_t size);

/*
 * The registry of formats (golden/registry.c lists them). A reader bids on a file by its name and
 * first bytes and reads it into a golden; it never knows its caller.
 */
typedef struct {
	const char *name;
	/* 0: not mine; 10: by its name only; 50: by its bytes; 60: by a name that is all there is
	 * (raw tensors, whose bytes may look like anything); 100: by both; 110: by the bytes of a
	 * more special form of what another reader knows. Reads no further than it must and never
	 * fails. */
	int (*bid)(const rg_input *in);
	/* Adds the metrics, in any order. RG_E_NOTFOUND: what would read it is not installed, and
	 * the file is opaque. After an RG_E_PARSE the file is opaque if its bytes alone
	 * spoke for a format (bids of 50), or if the reader has set builder->gave_up. */
	rg_error *(*read)(rg_golden_builder *builder, const rg_input *in,
			  const rg_golden_options *options);
	/* Its values stay in the input and are read there, so that a file may be larger than
	 * memory. */
	bool in_place;
	bool in_child; /* another process reads the file first */
	/* The input is read from its beginning to its end, and forgotten on the way. */
	bool in_order;
	/* Its files look like any others: they are goldens where a name or a pattern says so, not
	 * wherever they are found. */
	bool when_named;
	/* The settings (rg_setting) that it heeds in each file; what it heeds in some its reader
	 * adds to the golden's. */
	unsigned heeds;
	/* They are texts with numbers, too, and are read so where a [text] section names them. */
	bool is_text;
	bool shows_all;   /* that is in a file: what else differs is how it was written */
	bool has_results; /* of tests (golden/test_results.h) */
	bool has_tensors; /* what is compared belongs to models, as do those below */
	/* Finds a metric's place in a model. False: the path does not say it; NULL: no path does.
	 */
	bool (*place_in_model)(rg_model_place *out, const char *path, const char *metric);
	/* How much of a file's beginning the reader of another file beside it looks at, by its
	 * first bytes (64, or all) and its size; NULL: all. The rest may be a hole. */
	rg_head_size_fn *head_size;
} rg_format;

/* A golden that is packed is unpacked into memory up to so many bytes. */
#define RG_UNPACKED_MAX ((size_t)1 << 30)

/* Fills a golden whose arena is ready and everything else zero. */
RG_CHECKED rg_error *rg_format_read(const rg_format *format, rg_golden *golden, const rg_input *in,
				    const rg_golden_options *options);

/* The bid of most formats: is the file named as theirs, and do its bytes begin as theirs? */
static inline int rg_format_bid(bool named, bool known)
{
	return known ? (named ? 100 : 50) : named ? 10 : 0;
}

extern const rg_format *const rg_format_list[]; /* all of them; NULL ends the list */

/* NULL: there is none of that name, which may be NULL. */
const rg_format *rg_format_named(const char *name);
/* Chosen by the file's path alone; NULL: all of such a file is looked at. */
rg_head_size_fn *rg_format_head_size(const char *path);

extern const rg_format rg_format_json; /* Megatron-LM's series and inference results */
extern const rg_format rg_format_npy;  /* NumPy's .npy: one tensor */
extern const rg_format rg_format_safetensors;
extern const rg_format rg_format_table;        /* CSV and TSV: a record a line */
extern const rg_format rg_format_step_list;    /* a step and its value a line */
extern const rg_format rg_format_json_lines;   /* an object a line */
extern const rg_format rg_format_metrics_csv;  /* Lightning's log: lines share steps */
extern const rg_format rg_format_go_bench;     /* what `go test -bench` prints */
extern const rg_format rg_format_torchtune;    /* torchtune's log */
extern const rg_format rg_format_tfevents;     /* TensorBoard's event files */
extern const rg_format rg_format_number_table; /* numbers with white space between them */
extern const rg_format rg_format_yaml;         /* YAML, as the JSON that it stands for */
extern const rg_format rg_format_npz;          /* NumPy's .npz: a zip of tensors */

#endif
