/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_COMMENT_H
#define REGILD_FLOW_COMMENT_H

#include "flow/context.h"
#include "flow/report.h"

/* One comment of a pull or merge request that is kept up to date: created, updated, left or
 * deleted. */

/* Longer ones are refused by GitHub. */
#define RG_COMMENT_MAX 65536

typedef struct {
	const char *repository_name, *source; /* as rg_source_options has them */
	unsigned long long pull;
	const char *key;  /* of which kind it is, [a-zA-Z0-9._-]{1,64} */
	const char *head; /* the commit that the request has to be at; NULL: any */
	const char *page; /* an https:// address that is linked; NULL: none */
	bool on_look;     /* a new one only where something needs a look */
	bool remove;      /* the one that is there, where nothing does */
	bool dry_run;
} rg_comment_options;

typedef enum {
	RG_COMMENT_CREATED,
	RG_COMMENT_UPDATED,
	RG_COMMENT_UNCHANGED,
	RG_COMMENT_HIDDEN, /* somebody has, so it is left */
	RG_COMMENT_DELETED,
	RG_COMMENT_NONE, /* nothing needs a look */
} rg_comment_outcome;

typedef struct {
	rg_comment_outcome outcome;
	rg_buf body;   /* with the marker; also after an error that came later */
	bool written;  /* the server has changed something */
	char *request; /* of a dry run: what would be sent, NULL: nothing */
} rg_comment_result;

/* The text of the comment. */
typedef struct {
	rg_buf text;
	bool look; /* there is something that a person should look at */
} rg_comment_summary;

/* That of a document that compare or triage has written; `report` is prepared. Released whatever
 * comes back. */
RG_CHECKED rg_error *rg_comment_summarise(rg_comment_summary *out, rg_report *report,
					  const char *path);
void rg_comment_summary_release(rg_comment_summary *summary);

/* `out` is released whatever comes back. RG_E_USAGE for a key or an address that does not fit;
 * RG_E_CONFLICT where the request is at another commit than `head`. */
RG_CHECKED rg_error *rg_comment_run(rg_comment_result *out, const rg_flow *flow,
				    const rg_comment_summary *summary,
				    const rg_comment_options *options);
void rg_comment_result_release(rg_comment_result *result);

#endif
