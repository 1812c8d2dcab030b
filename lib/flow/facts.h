/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_FACTS_H
#define REGILD_FLOW_FACTS_H

#include "base/fields.h"
#include "base/optional.h"
#include "flow/blame.h"
#include "flow/check.h"
#include "flow/download.h"
#include "flow/layout.h"
#include "flow/undo.h"
#include "flow/update.h"
#include "store/cache.h"
#include "update/reset.h"

/*
 * The results of commands, as JSON for programs: each document has the facts of its command and
 * then, alike in all of them, the command, the outcome, the exit code and the calls that can
 * follow.
 */

/* A call, word by word. The words are borrowed. */
typedef struct {
	rg_texts words;
	const char *does;
} rg_call;

void rg_call_add(rg_call *call, const char *word);
/* The words as one types them. */
void rg_call_text(rg_buf *out, const rg_call *call);

typedef struct {
	const char *command; /* the call, as reports show it */
	size_t exit_code;
	unsigned outcome; /* by rg_facts_write */
	rg_texts dirs;    /* the call's -C, which those that follow need, too; borrowed */
	rg_call *next;
	size_t count, capacity;
	rg_arena arena; /* for words that nobody else has */
} rg_facts;

void rg_facts_init(rg_facts *facts, const char *command);
void rg_facts_release(rg_facts *facts);
/* Adds a call that can follow; `does` is a literal. It is the facts' until the next one. */
rg_call *rg_facts_next(rg_facts *facts, const char *does);
/* The same of a call of regild, with the words after its name, up to a NULL; they are copied. */
void rg_facts_can(rg_facts *facts, const char *does, ...);

/* The command's own call, with more words. */
void rg_facts_again(rg_facts *facts, const char *does, ...);

/* The document of a kind of rg_documents, "regild-check", out of the struct that its table is of.
 */
RG_CHECKED rg_error *rg_facts_write(rg_facts *facts, rg_buf *out, const char *schema,
				    const void *from);

/* Appends them to a document that is whole. */
RG_CHECKED rg_error *rg_facts_append(rg_facts *facts, rg_buf *document);

/* These keys follow the document's own in each of them. */
extern const rg_json_field rg_facts_fields[];

/* ---- the documents ---- */

extern const rg_json_field rg_check_fields[]; /* of rg_check_result */
extern const rg_json_field rg_blame_fields[]; /* of rg_blame */

typedef struct {
	uint64_t id, of;
	int64_t time;
	unsigned kind;
	const char *about;
	size_t files;
	bool undone;
} rg_undo_fact;
typedef struct {
	rg_undo_fact *items; /* the maker's */
	size_t count;
	uint64_t done; /* what undo has just made; 0: it was asked for the list */
} rg_undo_facts;
extern const rg_json_field rg_undo_fields[];
/* items are the caller's to free. */
void rg_undo_facts_of(rg_undo_facts *out, const rg_undo_result *result);

typedef struct {
	const char *golden, *why;
	unsigned does;
} rg_reset_fact;
typedef struct {
	rg_reset_fact *items; /* the maker's */
	size_t count;
	uint64_t done; /* the reset's number; 0: nothing was reset */
} rg_reset_facts;
extern const rg_json_field rg_reset_fields[];
/* items are the caller's to free. */
void rg_reset_facts_of(rg_reset_facts *out, const rg_reset *reset, uint64_t done);

typedef struct {
	const char *name;
	uint64_t artifact_id;
	size_t files;
	uint64_t bytes;
	int64_t last_used;
} rg_cache_fact;
typedef struct {
	const char *folder;
	uint64_t bytes;
	rg_cache_fact *items;
	size_t count;
	bool cleared;
} rg_cache_facts;
extern const rg_json_field rg_cache_fields[];

typedef struct {
	const char *file, *layout, *root;
	size_t goldens;
} rg_init_facts;
extern const rg_json_field rg_init_fields[];

typedef struct {
	const char *folder;
	uint64_t run_id;
	size_t tests, goldens;
	bool missing;
} rg_download_facts;
extern const rg_json_field rg_download_fields[];

typedef struct {
	bool dry_run;
	uint64_t run_id;
	const rg_refresh_item *items;
	size_t count;
	size_t updated, added, unchanged, held, left_out, missing;
} rg_update_facts;
extern const rg_json_field rg_update_fields[];
void rg_update_facts_of(rg_update_facts *out, const rg_update *update);

typedef struct {
	const char *code, *message;
	const char *fix; /* what follows the first semicolon; NULL: nothing does */
} rg_error_facts;
extern const rg_json_field rg_error_fields[];
/* Borrows the error. */
void rg_error_facts_of(rg_error_facts *out, const rg_error *err);

#endif
