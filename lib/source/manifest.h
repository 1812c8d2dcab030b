/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_MANIFEST_H
#define REGILD_SOURCE_MANIFEST_H

#include "base/fields.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/optional.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * The staging manifest: what a download found, took and left, and why. It is the hand-over between
 * download and update, in memory as this struct and on disk as DIR/manifest.json
 * (regild-manifest(5)). All strings live in the arena.
 */

/* More attempts than any run has. What the API and users say is held to it too, so that whatever a
 * download writes an update reads. */
#define RG_ATTEMPT_MAX 1000000000u

typedef enum {
	RG_OUTCOME_TAKEN,
	RG_OUTCOME_UNCHANGED,          /* taken, and the working tree already has these bytes */
	RG_OUTCOME_SKIPPED_PASSING,    /* --only-failing leaves it out */
	RG_OUTCOME_SKIPPED_OTHER_JOB,  /* one job alone is asked for, by its URL */
	RG_OUTCOME_SKIPPED_NOT_A_TEST, /* the job's name does not parse; the artifact matches no job
					*/
	RG_OUTCOME_SKIPPED_NO_GOLDENS, /* artifact without a matching member; job without artifact
					*/
	RG_OUTCOME_SKIPPED_UNFINISHED, /* a job without a conclusion, with --in-progress */
	RG_OUTCOME_SUPERSEDED,         /* a newer artifact of the same job counts */
	/* From here on something in the scope is missing (exit code 4). */
	RG_OUTCOME_NOT_REPLACED, /* its job was run again and left none */
	RG_OUTCOME_EXPIRED,
	RG_OUTCOME_AMBIGUOUS, /* twins: no telling which job made it */
	RG_OUTCOME_CONFLICT,  /* two artifacts want the same target with different bytes */
	RG_OUTCOME_FAILED,
	RG_OUTCOMES
} rg_outcome;

/* "taken", "skipped: passing", "failed", … */
extern const char *const rg_outcome_texts[RG_OUTCOMES];
const char *rg_outcome_text(rg_outcome outcome);
bool rg_outcome_is_missing(rg_outcome outcome);

typedef struct {
	uint64_t id;
	const char *name;
	const char *stage, *test,
		*tag;           /* NULL where the name does not parse; tag may be NULL alone */
	const char *conclusion; /* "success", "failure", …; NULL while it runs */
	rg_outcome outcome;
	const char *why; /* NULL or a sentence */
} rg_manifest_job;

typedef struct {
	uint64_t id;
	const char *name;
	uint64_t size;          /* bytes of the zip */
	const char *digest;     /* "sha256:…" or NULL */
	const char *created_at; /* as the API has it */
	uint64_t job_id;        /* 0: none */
	size_t log;             /* as in rg_artifact, while it is downloaded; never read back */
	uint64_t rules;         /* a bit for each that its name fits (rule.h); the same */
	rg_outcome outcome;
	const char *why;   /* NULL or a sentence */
	const char *check; /* "sha256", "crc32", "cache", or NULL where nothing was taken */
} rg_manifest_artifact;

/* rg_manifest_job.why of a job that is no test. */
#define RG_FITS_BUT_FOR_A_SPACE "its name fits but for a space: no field begins or ends with one"

typedef struct {
	const char *stage, *test, *file; /* file may hold '/' where a pattern crosses folders */
	const char *target;              /* from the repository's root */
	uint64_t size;
	char sha256[65];
	uint64_t artifact_id;
	const char *digest; /* the artifact's, or NULL */
	/* The guards that --allow let through when it was put into the tree: "shrink, dirty"; NULL:
	 * none. */
	const char *allowed;
	/* A table that is written in the manner of the golden that it replaces (golden/
	 * table_rewrite.h), and its numbers' significant digits; 0: all. Else it is copied. */
	bool rewrite;
	uint64_t digits;
	struct stat written; /* the staged file, where this process has written it; else all 0 */
} rg_manifest_golden;

typedef struct {
	const char *source;          /* "github" */
	const char *repository;      /* "OWNER/NAME" */
	const char *host;            /* "github.com" */
	const char *head_repository; /* whose commit it ran on, "OWNER/NAME"; NULL: not known */
	bool fork;                   /* that is another than `repository` */
	uint64_t run_id;
	unsigned attempt;
	const char *head_commit, *branch, *event, *workflow, *status, *conclusion, *created_at,
		*url;
	const char *workflow_file; /* its path, while it is downloaded; never read back */
	/* The folders or archives that it was found in, if that is no run. */
	rg_texts paths;
	/* It is one of several runs that were fetched: how it was chosen, one of rg_manifest_takes;
	 * NULL: it is not. Their ids, and what is wrong with each that could not be fetched. */
	const char *take;
	rg_texts among, missed;
	bool only_failing;
	const char *job;       /* the one that was asked for, by its name; NULL: all were */
	const char *root;      /* regild.root when it was downloaded; "": the top */
	rg_manifest_job *jobs; /* by id */
	size_t job_count, job_capacity;
	rg_manifest_artifact *artifacts; /* by id */
	size_t artifact_count, artifact_capacity;
	rg_manifest_golden *goldens; /* by target, in path-component order */
	size_t golden_count, golden_capacity;
	uint64_t bytes_moved, bytes_total; /* over the wire; of the artifacts in scope */
	rg_arena arena;
} rg_manifest;

/* The run in the middle of several, or the first. */
enum { RG_TAKE_MEDIAN_RUN, RG_TAKE_FIRST, RG_TAKES };
extern const char *const rg_manifest_takes[RG_TAKES];

void rg_manifest_init(rg_manifest *manifest);
void rg_manifest_release(rg_manifest *manifest);
/* Adds a copy of a text to a list of the manifest's. */
void rg_manifest_add_text(rg_manifest *manifest, rg_texts *list, const char *text);
/* The job or artifact of that id, in a manifest where they are sorted; NULL where there is none. */
rg_manifest_job *rg_manifest_find_job(rg_manifest *manifest, uint64_t id);
const rg_manifest_artifact *rg_manifest_find_artifact(const rg_manifest *manifest, uint64_t id);
/* The place of its goldens, for people: "dl", "a.zip and 2 more"; NULL where they are of a run.
 * Owned by the manifest. */
void rg_manifest_from(rg_manifest *manifest, const char **out);
/* Does it stand for what could not be read (rg_job.unread)? No artifact of it says so. */
bool rg_manifest_is_unread(const rg_manifest *manifest, const rg_manifest_job *job);
/* How many different stage/test pairs have at least one golden. */
size_t rg_manifest_tests(const rg_manifest *manifest);

/* The file that a golden is staged in, from the manifest's folder: "files/STAGE/TEST/FILE". The
 * caller frees it. */
char *rg_manifest_staged_path(const rg_manifest_golden *golden);

/* The document; it ends with the counts "tests with goldens" and "goldens". */
RG_CHECKED rg_error *rg_manifest_write(const rg_manifest *manifest, rg_buf *out);
/* Reads what rg_manifest_write wrote into an initialised manifest; every field is checked as
 * hostile input: RG_E_PARSE naming the field, RG_E_UNSAFE for a name that rg_path_check refuses.
 * Goldens come out in path-component order of their targets, none of which appears twice. On
 * failure the manifest still has to be released. */
RG_CHECKED rg_error *rg_manifest_parse(rg_manifest *out, const char *text, size_t length);
/* DIR/manifest.json, replaced atomically, and back. */
RG_CHECKED rg_error *rg_manifest_save(const rg_manifest *manifest, const char *dir);
RG_CHECKED rg_error *rg_manifest_load(rg_manifest *out, const char *dir);
/* Is a folder what `regild download` wrote? Its goldens are in files/ then, beside the manifest. */
bool rg_manifest_is_in(const char *folder);

extern const rg_json_field rg_manifest_fields[];

#endif
