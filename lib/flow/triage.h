/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_TRIAGE_H
#define REGILD_FLOW_TRIAGE_H

#include "base/fields.h"
#include "base/optional.h"
#include "flow/context.h"
#include "flow/noise.h"
#include "flow/open_source.h"

/*
 * Why did the tests of a run fail? A line for each golden that a failed job left and that differs,
 * and for each failed job that left none. The run is compared as a whole, so that its test by the
 * noise model knows how many goldens did not fail.
 */

/* The worst first. Measurements decide each but "undecided". */
typedef enum {
	RG_TRIAGE_BREAK, /* the run is outside of what the measured runs do */
	RG_TRIAGE_DRIFT, /* the run is as they are, and the golden is not */
	RG_TRIAGE_OPEN,
	RG_TRIAGE_INFRASTRUCTURE, /* values are missing */
	RG_TRIAGE_OTHER,          /* the values are the golden's: something else failed */
	RG_TRIAGE_FLAKE,          /* run and golden are as the measured runs are */
	RG_TRIAGE_WORDS
} rg_triage_word;
extern const char *const rg_triage_words[RG_TRIAGE_WORDS];

typedef struct {
	unsigned word;
	const char *name;   /* what people call the golden, or the job's name */
	const char *golden; /* its path; NULL: the job left none */
	const char *job;    /* NULL: nothing ties the golden to one job */
	const char *metric; /* that shows it most; NULL: it is of no metric */
	const char *why;
	size_t more_runs; /* so many more measured runs would decide; 0: runs do not matter */
} rg_triage_line;

typedef struct {
	uint64_t run_id;
	const char *url;  /* the run's page, or NULL */
	const char *base; /* the commit whose goldens they are compared with; NULL: none were */
	const char *base_is;
	bool measured;                  /* there is a noise model */
	size_t failed_jobs, other_jobs; /* failed ones that are tests, and that are none */
	rg_triage_line *lines;          /* by word, then by name */
	size_t count, capacity;
	size_t counts[RG_TRIAGE_WORDS];
	/* For the call that would measure more. */
	const char *source, *workflow, *branch; /* workflow: its file's name */
	size_t runs_wanted;
	rg_arena arena;
} rg_triage;

typedef struct {
	rg_source_options source;
	rg_optional_integer attempt;
	const char *base; /* NULL: the run's own commit, or else where that parted from `branch` */
	const char *branch; /* NULL: the default one */
	rg_noise_options noise;
} rg_triage_options;

/* Released whatever comes back. */
RG_CHECKED rg_error *rg_triage_run(rg_triage *out, const rg_flow *flow,
				   const rg_triage_options *options);
void rg_triage_release(rg_triage *triage);
/* Is there anything but flakes? */
bool rg_triage_needs_look(const rg_triage *triage);

/* "run 7: 3 tests failed: 1 break, 2 flakes" */
void rg_triage_say(rg_buf *out, const rg_triage *triage);
/* A line each: the commit that it is compared with, and the failed jobs that are not tests. */
void rg_triage_say_base(rg_buf *out, const rg_triage *triage);
/* Cells between tabs, for rg_table_from_lines. */
void rg_triage_table(rg_buf *out, const rg_triage *triage);
/* The same for a window without room for the table: two lines for each golden, safe to print. */
void rg_triage_list(rg_buf *out, const rg_triage *triage);
/* GitHub's markdown; only as many rows as fit into so many bytes. */
#define RG_TRIAGE_MARKDOWN_MAX 60000
RG_CHECKED rg_error *rg_triage_markdown(rg_buf *out, const rg_triage *triage, size_t max);

extern const rg_json_field rg_triage_fields[];
/* Does a text begin as the document that these make? */
bool rg_triage_is_document(const rg_buf *text);
/* Reads a document, which is not trusted. Released whatever comes back. */
RG_CHECKED rg_error *rg_triage_parse(rg_triage *out, const char *text, size_t length);

#endif
