/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_BLOCKS_H
#define REGILD_REPORT_BLOCKS_H

#include "report/table.h"
#include "story/story.h"

/*
 * The layout of every summary: the verdict, then the blocks REVIEW, MOVED, CHECKS, NOISE and NEXT,
 * of which those that have nothing to say are left out. The terminal, the commit message, markdown
 * and the page have the same blocks, of the same data.
 */
typedef struct {
	const rg_story_finding *findings;
	size_t finding_count;
	const rg_story_reason *reasons;
	size_t reason_count;
	const rg_moved *moved;
	size_t moved_count;
	const rg_story_check *checks;
	size_t check_count;
	rg_story_facts facts;
	const rg_story_rename *renames;
	size_t rename_count;
	const rg_next *next;
	size_t next_count;
	const char *review_command, *all_command;
	const char *old_side, *new_side;     /* NULL: not said */
	const char *old_commit, *new_commit; /* NULL: the names cannot move */
	const char *filter;                  /* what --filter says; NULL: none is in force */
	bool refreshed;                      /* a refresh was made, or (dry_run) would be */
	bool dry_run;
	size_t compared, shown;    /* goldens; of them, those with a row */
	size_t rows, columns;      /* columns: metrics of records, if all rows are of those */
	const rg_run_verdict *run; /* NULL: no noise model */
	size_t verdicts[RG_VERDICTS];
	size_t new_runs; /* 0: there is one new side */
	size_t new_run_counts[RG_NEW_RUNS_VERDICTS];
} rg_blocks;

/* Borrows the story. */
void rg_blocks_of(rg_blocks *out, const rg_story *story);

/* Each appends lines without an end of the last one, or nothing. */
void rg_blocks_say_verdict(rg_buf *out, const rg_blocks *blocks);
void rg_blocks_say_checks(rg_buf *out, const rg_blocks *blocks);
void rg_blocks_say_noise(rg_buf *out, const rg_blocks *blocks);
/* Facts about all goldens: equal values, placeholders, formatting, names. */
void rg_blocks_say_facts(rg_buf *out, const rg_blocks *blocks);
/* "within their flag levels: mem-max-allocated-bytes (2.8 %)" */
void rg_blocks_say_quiet(rg_buf *out, const rg_blocks *blocks);
const char *rg_next_purpose(rg_next_kind kind);
/* Has MOVED something that is not in REVIEW? */
bool rg_blocks_have_moved(const rg_blocks *blocks);

typedef struct {
	rg_table_style table;
	size_t findings; /* at most; 0: all */
	bool without_next;
} rg_blocks_style;

/* All of it, lines no wider than the style's width. Names are made safe to show. */
void rg_blocks_text(rg_buf *out, const rg_blocks *blocks, const rg_blocks_style *style);

#endif
