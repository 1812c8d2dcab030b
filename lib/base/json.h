/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_JSON_H
#define REGILD_BASE_JSON_H

#include "base/buf.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/memory.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * All JSON that regild reads and writes, but for the streaming reader of series (golden/series.h).
 * Each document of our own is an object that begins with "schema": "regild-NAME" and "version": 1.
 * A number that is not finite is the text "nan", "inf" or "-inf".
 */

/* RG_AUTO_PTR(cJSON) root = NULL; */
static inline void cJSON_free_at(cJSON **p)
{
	cJSON_Delete(*p);
}

/* --- parsing --- */

/* Objects and lists may be nested so deep. */
#define RG_JSON_DEPTH_MAX 256

/* Python writes a bare NaN, which is not JSON. It comes out as this string, which no file can hold
 * (one with the same string in it beside a bare NaN is refused). */
#define RG_JSON_NAN "\x01NaN"

/* A whole number of so many characters, which a double may not hold, has its text as its item's
 * valuestring. */
#define RG_JSON_DIGITS 16

/*
 * Parses a whole text: what cJSON takes, and Python's bare NaN, Infinity and -Infinity. The text
 * must be UTF-8, and no string holds a NUL, so that every C string that comes out is whole. *out is
 * the caller's, freed with cJSON_Delete. RG_E_PARSE says where: "not JSON: line 3, at '}, }'".
 */
RG_CHECKED rg_error *rg_json_parse(cJSON **out, const char *text, size_t size);
/* The same for a text whose strings may hold bytes that are not UTF-8: paths. */
RG_CHECKED rg_error *rg_json_parse_bytes(cJSON **out, const char *text, size_t size);

/* --- reading --- */

/* A getter needs this beside the object that it looks into. */
typedef struct {
	const cJSON *root; /* of the document: messages name places from there */
	rg_arena *arena;   /* texts are copied into it */
} rg_json_in;

/* 2^53: up to there a double holds each whole number. Beyond it they are written as texts. */
#define RG_JSON_EXACT_MAX ((uint64_t)1 << 53)

/*
 * Each getter reads the member `key` of `object`. RG_E_PARSE, "'goldens[3].path' is not a text",
 * where it is missing or something else than what is asked for.
 */
RG_CHECKED rg_error *rg_json_get_text(const rg_json_in *in, const cJSON *object, const char *key,
				      const char **out);
/* NULL where it is missing or null. */
RG_CHECKED rg_error *rg_json_get_optional(const rg_json_in *in, const cJSON *object,
					  const char *key, const char **out);
/* A text that rg_path_check lets through; else RG_E_UNSAFE. */
RG_CHECKED rg_error *rg_json_get_path(const rg_json_in *in, const cJSON *object, const char *key,
				      const char **out);
/* A whole number from 0 to `max`, as a number or, exact past 2^53, as a text. */
RG_CHECKED rg_error *rg_json_get_count(const rg_json_in *in, const cJSON *object, const char *key,
				       uint64_t max, uint64_t *out);
RG_CHECKED rg_error *rg_json_get_truth(const rg_json_in *in, const cJSON *object, const char *key,
				       bool *out);
/* The place in `words` of a text that is one of these `count`, of which some may be NULL. */
RG_CHECKED rg_error *rg_json_get_word(const rg_json_in *in, const cJSON *object, const char *key,
				      const char *const *words, size_t count, size_t *out);
RG_CHECKED rg_error *rg_json_get_object(const rg_json_in *in, const cJSON *object, const char *key,
					const cJSON **out);
/* A list of objects, and how many it has. */
RG_CHECKED rg_error *rg_json_get_objects(const rg_json_in *in, const cJSON *object, const char *key,
					 const cJSON **out, size_t *count);
RG_CHECKED rg_error *rg_json_get_number(const rg_json_in *in, const cJSON *object, const char *key,
					double *out);
/* A list of numbers, in the arena. */
RG_CHECKED rg_error *rg_json_get_numbers(const rg_json_in *in, const cJSON *object, const char *key,
					 const double **out, size_t *count);
/* A list of texts, in the arena; NULL and 0 where it is missing or null. */
RG_CHECKED rg_error *rg_json_get_texts(const rg_json_in *in, const cJSON *object, const char *key,
				       const char ***out, size_t *count);
/* As rg_json_parse; of what does not even begin as a document of ours it says which command writes
 * one of that name. */
RG_CHECKED rg_error *rg_json_parse_document(cJSON **out, const char *text, size_t size,
					    const char *name);
/* Is it a document of ours of that name, as this regild writes it? */
RG_CHECKED rg_error *rg_json_get_head(const rg_json_in *in, const char *name);

/* The member, NULL where it is missing or null. */
const cJSON *rg_json_member(const cJSON *object, const char *key);
/* A number, or one of the three texts, or Python's bare NaN. */
bool rg_json_is_number(const cJSON *item, double *out);
/* A whole number from 0 to `max`, as a number. */
bool rg_json_is_count(const cJSON *item, uint64_t max, uint64_t *out);
/* RG_E_PARSE "'PLACE' WHAT", for what only the caller can judge. */
RG_CHECKED rg_error *rg_json_wrong(const rg_json_in *in, const cJSON *object, const char *key,
				   const char *what);

/* RG_E_PARSE, "'goldens[3].action' appears twice", where an object at or below `item` has a key
 * twice: readers differ in which of the two counts. */
RG_CHECKED rg_error *rg_json_check_keys(const rg_json_in *in, const cJSON *item);

/* --- writing --- */

/* A number or a text. */
typedef struct {
	bool there; /* else it is null */
	double number;
	const char *text; /* in place of the number; NULL: the number counts */
} rg_json_value;

/*
 * Written straight into a buffer, for documents too large for a tree. Numbers as rg_double_repr
 * writes them. Texts are UTF-8; bytes that are not come out as U+FFFD, and what rg_utf8_is_control
 * escaped, so that no name moves a cursor. Objects and arrays are laid out one member a line,
 * `flat` ones on one line.
 */
#define RG_JSON_TREE_DEPTH 16
typedef struct {
	rg_buf *out;                     /* NULL: into a tree */
	cJSON *open[RG_JSON_TREE_DEPTH]; /* of the tree, what is open */
	const char *name;                /* … and the key whose value comes */
	bool failed;                     /* … and whether memory ran out */
	unsigned depth;
	unsigned flat; /* from this depth on there are no line ends; 0: none */
	bool first;    /* the open object or array is still empty */
	bool keyed;    /* a key was written, its value comes */
} rg_json_out;

void rg_json_out_init(rg_json_out *json, rg_buf *out);
/* All that is written goes into the tree, an object or list: the data of a template. Texts are kept
 * as they are. `failed` says at the end whether memory ran out. */
void rg_json_tree_init(rg_json_out *json, cJSON *root);
/* Opens a document of ours: its object, and "schema" and "version". */
void rg_json_document(rg_json_out *json, rg_buf *out, const char *name);
/* Opens the object of a document that is whole again, for keys after all others. */
void rg_json_reopen(rg_json_out *json, rg_buf *document);
/* '{' or '[' */
void rg_json_open(rg_json_out *json, char bracket);
void rg_json_open_flat(rg_json_out *json, char bracket);
/* '}' or ']' */
void rg_json_close(rg_json_out *json, char bracket);
void rg_json_key(rg_json_out *json, const char *key);
/* NULL: null. */
void rg_json_text(rg_json_out *json, const char *text);
void rg_json_text_bytes(rg_json_out *json, const char *text, size_t length);
/* Bytes that are not UTF-8 stay: only rg_json_parse_bytes reads it back. */
void rg_json_path(rg_json_out *json, const char *path);
void rg_json_number(rg_json_out *json, double value);
void rg_json_count(rg_json_out *json, uint64_t value);
void rg_json_integer(rg_json_out *json, int64_t value);
void rg_json_truth(rg_json_out *json, bool value);
void rg_json_null(rg_json_out *json);

/* A value that is in memory, laid out as above; what a list holds is flat. */
void rg_json_tree(rg_json_out *json, const cJSON *value);

/* A key and its value at once. */
void rg_json_key_open(rg_json_out *json, const char *key, char bracket);
void rg_json_key_open_flat(rg_json_out *json, const char *key, char bracket);
void rg_json_key_text(rg_json_out *json, const char *key, const char *text);
void rg_json_key_number(rg_json_out *json, const char *key, double value);
void rg_json_key_count(rg_json_out *json, const char *key, uint64_t value);
void rg_json_key_truth(rg_json_out *json, const char *key, bool value);
/* A flat list. */
void rg_json_key_texts(rg_json_out *json, const char *key, const char *const *texts, size_t count);

#endif
