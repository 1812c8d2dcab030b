/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_JSON_TABLE_H
#define REGILD_GOLDEN_JSON_TABLE_H

#include "base/json.h"
#include "golden/long_table.h"
#include "golden/record_key.h"
#include "golden/text_token.h"

/*
 * Lists of objects in JSON are tables: a field, "name" where nothing else is said, is the record's
 * key, and each number or text in an object is a cell, under the names on the way to it
 * ("stats/mean"). Where no object has a name, and half of them count steps ("step": 10), the cells
 * are series by step: an object without a step has that of the one before it, or 0. If the only
 * list of a document has other objects, or several of one name, the fields that tell them apart are
 * the key (golden/record_key.h); else the records are "place 1", "place 2" …. Lists are read one by
 * one, then the table is finished:
 *
 *	RG_AUTO(rg_json_table) table = rg_json_table_of(builder, in, options);
 *	… rg_benchmark_json_read or rg_json_table_list …
 *	rg_json_table_finish(&table);
 */

/* The columns of a key, NUL-terminated one by one. */
enum { RG_JSON_TABLE_KEY_PARTS = 16 };
typedef struct {
	char text[1024];
	const char *parts[RG_JSON_TABLE_KEY_PARTS + 1]; /* NULL-terminated */
	size_t count;
} rg_json_table_key;

typedef struct rg_json_table rg_json_table;
struct rg_json_table {
	rg_golden_builder *builder;
	const char *file;          /* what .regild may call it */
	const rg_table_rule *rule; /* may be NULL */
	const rg_records *like;    /* rg_golden_options.like */
	rg_long_table cells;
	const char **names; /* of the records, one for each object */
	size_t count, capacity;
	rg_long_table step_cells; /* of objects whose cells are series by step */
	/* The list under way. */
	rg_json_table_key key; /* one part where `by_step`: the field that counts */
	bool by_step;
	bool nameless; /* objects have names that do not tell them apart */
	bool by_name;  /* a list has its records by its objects' names, as nothing else is said */
	bool by_place; /* its objects have no names */
	size_t placed; /* objects of such lists */
	size_t placed_lists;  /* so many of them */
	size_t inside_placed; /* where in its cells' names the path inside of the last one begins */
	const char *found;    /* a key that nobody named: rg_golden.record_key */
	const char *prefix;   /* borrowed */
	size_t index;
	rg_buf key_text;
	size_t name_room; /* bytes that names may still take: hostile nesting repeats them */
	rg_buf path;      /* of the cell under way */
	size_t inside;    /* where in it the path inside of the object begins */
	/* The unit of a cell by its name; NULL: cells have none. `time_unit` is for it. */
	const char *(*unit_of)(const rg_json_table *table, const char *metric);
	const char *time_unit;
	const char *suffix; /* of the cells' names, after a blank: an aggregate; NULL: none */
};

rg_json_table rg_json_table_of(rg_golden_builder *builder, const rg_input *in,
			       const rg_golden_options *options);
void rg_json_table_release(rg_json_table *table);

/* A list of objects; its cells' names begin with `prefix` and '/', where there is one. RG_E_PARSE
 * where nothing names its objects: the message says how to say it in .regild. */
RG_CHECKED rg_error *rg_json_table_list(rg_json_table *table, const char *prefix,
					const cJSON *list);
/* The same of objects that come one by one: `list` has the first ones, and lives until the end. */
RG_CHECKED rg_error *rg_json_table_begin(rg_json_table *table, const char *prefix,
					 const cJSON *list);
RG_CHECKED rg_error *rg_json_table_object(rg_json_table *table, const cJSON *object);
void rg_json_table_end(rg_json_table *table);
RG_CHECKED rg_error *rg_json_table_finish(rg_json_table *table);

/* Is it a text that is a finite number, maybe with a unit, and nothing else: "0.25", "1.2ms"? */
bool rg_json_text_number(const cJSON *item, rg_text_number *out);

/* Is it a whole number that a double holds exactly? NULL is not. */
bool rg_json_is_step(const cJSON *item, int64_t *out);

/* Is it a list of objects, of one at least? */
bool rg_json_is_object_list(const cJSON *item);

/* --- for readers of single forms --- */

/* Begins a record under the key that is in `key`, and empties that. */
RG_CHECKED rg_error *rg_json_table_record(rg_json_table *table, rg_buf *key);
/* A cell of the record that was begun last; `error` is its standard error or NaN. */
RG_CHECKED rg_error *rg_json_table_number(rg_json_table *table, const char *metric, double value,
					  double error);
/* All cells of an object, but for members called as one of `left_out`, a NULL-terminated list. */
RG_CHECKED rg_error *rg_json_table_cells(rg_json_table *table, const cJSON *object,
					 const char *const *left_out);
/* Is it one of a NULL-terminated list? */
bool rg_json_is_listed(const char *name, const char *const *list);
/* The member by a path with '/' in it, or NULL. */
const cJSON *rg_json_path_member(const cJSON *object, const char *path);

/* benchmark_json.c: PyTorch HUD, Google Benchmark, pytest-benchmark, lm-evaluation-harness. */

/* Adds an object, under a key that is made in `key`. */
typedef rg_error *rg_benchmark_add_fn(rg_json_table *table, const cJSON *object, rg_buf *key);
/* How the members of *list, a part of the document, are added. NULL: it is none of these, or is to
 * be read by a rule as any other list. */
rg_benchmark_add_fn *rg_benchmark_json_reader(const rg_json_table *table, const cJSON *document,
					      const cJSON **list);
/* *taken is false where it is none of these. */
RG_CHECKED rg_error *rg_benchmark_json_read(rg_json_table *table, const cJSON *document,
					    bool *taken);

#endif
