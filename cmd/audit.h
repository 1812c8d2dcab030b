#ifndef REGILD_CMD_AUDIT_H
#define REGILD_CMD_AUDIT_H

#include "audit/audit.h"
#include "command.h"
#include "format_options.h"

/* Where the runs come from: just one of the four. */
typedef struct {
	option_texts runs;    /* --runs */
	const char *workflow; /* --workflow */
	const char *history;  /* --history */
	option_texts from;    /* --from; the operands are further paths */
	/* With --workflow. */
	option_integer last;
	const char *branch, *event, *since;
	/* With --workflow or --runs. */
	option_integer max_wait;
	bool dry_run; /* print the runs and stop */
} audit_source_arguments;

typedef struct {
	audit_source_arguments source;
	const char *group;
	option_number multiplier;
	option_integer start_step;
	option_integer top;
	const char *csv, *json, *markdown, *exported, *model;
	const char *template_file;
	bool write_policy;
} audit_arguments;

extern const option audit_source_options[];

/* An opened source and what it borrows from. */
typedef struct {
	rg_audit_source source;
	uint64_t golden_max; /* bytes of one golden that are taken */
	void *owner;
	void (*free)(void *owner);
	format_options formats; /* what readers go by */
	bool missing;           /* some of what was asked for is not there */
} audit_runs;

RG_CHECKED rg_error *audit_open_runs(audit_runs *out, environment *env,
				     const audit_source_arguments *arguments);
/* --runs and --workflow: what the history does not have yet is fetched. With dry_run the runs are
 * only printed, and `out` stays empty. */
RG_CHECKED rg_error *audit_open_github(audit_runs *out, environment *env,
				       const audit_source_arguments *arguments);
void audit_close_runs(audit_runs *runs);

/* What a person reads on the terminal. `top`: rows of the table by file, 0: all. */
RG_CHECKED rg_error *audit_print(const environment *env, const rg_audit *audit, size_t top);

#endif
