/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_PLAN_FILE_H
#define REGILD_UPDATE_PLAN_FILE_H

#include "base/fields.h"
#include "update/plan.h"

/*
 * A plan as a document: what an update would do, with the digests of old and new bytes. First
 * rg_plan_file_of and rg_plan_file_write; a person reads it and may take goldens out; then
 * rg_plan_file_parse, the same plan is made again, and rg_plan_file_follow compares it with the
 * document. The bytes themselves stay where they are staged.
 */

typedef struct {
	const char *path;
	unsigned action;                     /* place in the names of actions */
	const char *old_sha256, *new_sha256; /* NULL: there is none */
	const char **guards;                 /* that hold it back */
	size_t guard_count;
	const char **allowed; /* that would, but for --allow */
	size_t allowed_count;
	const char **reasons;
	size_t reason_count;
} rg_planned;

typedef struct {
	const char *head;   /* the commit, 40 digits */
	const char *staged; /* the staging folder */
	const char *command;
	uint64_t run_id; /* 0: of no run */
	const char **allow, **metrics;
	size_t allow_count, metric_count;
	bool stage;
	rg_planned *items; /* all that would not stay as they are */
	size_t count;
	rg_arena arena;
} rg_plan_file;

/* The document's keys after "schema" and "version". */
extern const rg_json_field rg_plan_file_fields[];

void rg_plan_file_init(rg_plan_file *file);
void rg_plan_file_release(rg_plan_file *file);

/* Writes what the plan says of its goldens into an initialised file, whose other members are the
 * caller's. */
void rg_plan_file_of(rg_plan_file *out, const rg_plan *plan);
RG_CHECKED rg_error *rg_plan_file_write(const rg_plan_file *file, rg_buf *out);
/* Into an initialised file, which has to be released on failure too. RG_E_PARSE, RG_E_UNSAFE. */
RG_CHECKED rg_error *rg_plan_file_parse(rg_plan_file *out, const char *text, size_t length);

/* Leaves out of the plan what the document does not put in. RG_E_CONFLICT, naming the first golden
 * of the document that would not become what it says. */
RG_CHECKED rg_error *rg_plan_file_follow(const rg_plan_file *file, rg_plan *plan);

#endif
