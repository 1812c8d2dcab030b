/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_FIELDS_H
#define REGILD_BASE_FIELDS_H

#include "base/json.h"

/*
 * The keys of an object in JSON, as a table: what they are called, what they hold, which member of
 * a struct that is, and a sentence for people. The table writes the object and reads it, and
 * scripts/json_schema.c makes its part of the JSON Schema.
 *
 *	#define OF rg_loss
 *	static const rg_json_field loss_fields[] = {
 *		RG_KEY(file, "The golden's path."),
 *		RG_KEY_AS("what", text, "The same in words."),
 *		{0}};
 *	#undef OF
 */

typedef enum {
	RG_JSON_TEXT,    /* const char * */
	RG_JSON_PATH,    /* const char *, which rg_path_check lets through */
	RG_JSON_SHA256,  /* char[RG_SHA256_HEX] */
	RG_JSON_COUNT,   /* size_t, unsigned or uint64_t that no document has past 2^53 */
	RG_JSON_WHOLE,   /* the same, which may be larger */
	RG_JSON_INTEGER, /* int64_t */
	RG_JSON_NUMBER,  /* double */
	RG_JSON_TRUTH,   /* bool */
	RG_JSON_WORD,    /* an enum, as one of the words */
	RG_JSON_OBJECT,  /* a struct that is a member, or that a member points to */
	RG_JSON_LIST,    /* a pointer to structs, and their count */
	RG_JSON_TEXTS,   /* const char ** and a count */
	RG_JSON_NUMBERS, /* double * and a count */
	RG_JSON_DEFINED, /* the same, with null for what is not defined */
	RG_JSON_VALUE,   /* an rg_json_value */
	/* Only what is said by hand, or by a function, is of these kinds. */
	RG_JSON_STEP,   /* a whole number, or the name of a record */
	RG_JSON_VALUES, /* of these, or null for what is no number */
	RG_JSON_MAP,    /* objects of one kind by name */
	RG_JSON_VIEW,   /* an object of whatever templates use */
	RG_JSON_COUNTS,
	RG_JSON_INTEGERS,
	RG_JSON_STEPS,
} rg_json_kind;

typedef enum {
	RG_JSON_ALWAYS,   /* a text that is NULL is null even so */
	RG_JSON_OR_NULL,  /* a text that is NULL, a number that is NaN */
	RG_JSON_FINITE,   /* a number that is not finite is null */
	RG_JSON_OPTIONAL, /* left out where it is NULL, NaN, 0, false or empty; an object, where its
			     first member is */
	RG_JSON_EITHER,   /* only of what is written by hand: left out, or null */
} rg_json_presence;

/* Writes the value of a key, out of the struct or its member; of an optional one, the key too, or
 * nothing. */
typedef void rg_json_put_fn(rg_json_out *json, const void *from, const void *context);
/* Appends a member, or the whole struct, as a text. */
typedef void rg_json_say_fn(rg_buf *out, const void *member);

typedef struct rg_json_field rg_json_field;
struct rg_json_field {
	const char *key; /* NULL: the table ends */
	rg_json_kind kind;
	rg_json_presence presence;
	size_t offset, size; /* of the member */
	size_t via;          /* … of what the member at `via` - 1 points to; 0: of the struct */
	size_t count_offset, stride; /* of a list */
	size_t inner;                /* of NUMBERS: where an item has its own */
	size_t fixed;                /* of a list of so many items, whatever they are; else 0 */
	const rg_json_field *nested; /* of an object, of a list's items */
	const char *const *words;
	size_t word_count;
	const void *always;  /* the items of a list that is the same for all structs */
	rg_json_put_fn *put; /* in place of the member */
	rg_json_say_fn *say; /* … that makes a text of it */
	const char *(*name)(const void *context,
			    size_t index); /* of what a size_t is the place of */
	bool by_caller; /* the caller writes it, after all that the table writes */
	bool to;        /* the member points to the object; NULL: there is none */
	bool flat;      /* an object that is written on one line */
	bool inside;    /* a list that is an array in the struct */
	bool tall;      /* a list whose items have a line for each member */
	bool whole;     /* numbers that are written without a fraction where they have none */
	bool spread;    /* its keys are the object's own */
	const char *help;
};

/* --- rows --- */

#define RG_JSON_KIND(type, member) \
	_Generic(((type *)NULL)->member, \
	const char *: RG_JSON_TEXT,      \
	char *: RG_JSON_SHA256,           \
	unsigned: RG_JSON_COUNT,         \
	unsigned long: RG_JSON_COUNT,    \
	unsigned long long: RG_JSON_COUNT, \
	long: RG_JSON_INTEGER,           \
	long long: RG_JSON_INTEGER,      \
	double: RG_JSON_NUMBER,          \
	bool: RG_JSON_TRUTH)
#define RG_JSON_AT(type, member) \
	.offset = offsetof(type, member), .size = sizeof(((type *)NULL)->member)
#define RG_JSON_ITEMS(list) RG_JSON_AT(OF, list), .stride = sizeof(*((OF *)NULL)->list)
#define RG_JSON_WORDS(list) .words = (list), .word_count = sizeof(list) / sizeof(*(list))
/* All of them: what every row has, and its own. */
#define RG_JSON_ROW(name_of_key, of_kind, when, sentence, ...)                                   \
	{                                                                                        \
		.key = (name_of_key), .kind = (of_kind), .presence = (when), .help = (sentence), \
		__VA_ARGS__                                                                      \
	}

/* By the member's type; the key is the member's name, or said. */
#define RG_KEY(member, sentence)          RG_KEY_AS(#member, member, sentence)
#define RG_KEY_AS(name, member, sentence) RG_KEY_IF(name, member, RG_JSON_ALWAYS, sentence)
#define RG_KEY_OR_NULL(member, sentence)  RG_KEY_IF(#member, member, RG_JSON_OR_NULL, sentence)
#define RG_KEY_OPTIONAL(member, sentence) RG_KEY_IF(#member, member, RG_JSON_OPTIONAL, sentence)
#define RG_KEY_IF(name, member, when, sentence) \
	RG_KEY_OF(name, RG_JSON_KIND(OF, member), member, when, sentence)
#define RG_KEY_OF(name, of_kind, member, when, sentence) \
	RG_JSON_ROW(name, of_kind, when, sentence, RG_JSON_AT(OF, member))
#define RG_KEY_FINITE(name, member, sentence) RG_KEY_IF(name, member, RG_JSON_FINITE, sentence)
/* A member of another struct that `pointer` points to. */
#define RG_KEY_VIA(pointer, type, member, when, sentence) \
	RG_KEY_VIA_AS(#member, pointer, type, member, when, sentence)
#define RG_KEY_VIA_AS(name, pointer, type, member, when, sentence)              \
	RG_JSON_ROW(name, RG_JSON_KIND(type, member), RG_JSON_##when, sentence, \
		    RG_JSON_AT(type, member), .via = offsetof(OF, pointer) + 1)
/* An enum, or a truth, by a list of words whose length is known; a word that is NULL is null. */
#define RG_KEY_WORD(name, member, list, sentence)                                         \
	RG_JSON_ROW(name, RG_JSON_WORD, RG_JSON_ALWAYS, sentence, RG_JSON_AT(OF, member), \
		    RG_JSON_WORDS(list))
/* A place in a list of the context's, as the text that a function finds there; NULL is null. */
#define RG_KEY_NAMED(key, member, when, function, sentence) \
	RG_JSON_ROW(key, RG_JSON_TEXT, when, sentence, RG_JSON_AT(OF, member), .name = (function))
#define RG_KEY_VALUE(name, member, sentence) \
	RG_KEY_OF(name, RG_JSON_VALUE, member, RG_JSON_OR_NULL, sentence)
/* A list's item, which is no struct but of that type, itself. */
#define RG_ITSELF(name, of_kind, type, when, sentence) \
	RG_JSON_ROW(name, RG_JSON_##of_kind, RG_JSON_##when, sentence, .size = sizeof(type))

#define RG_KEY_LIST(name, items, number, table, sentence) \
	RG_KEY_LIST_IF(name, items, number, table, ALWAYS, sentence)
#define RG_KEY_LIST_IF(name, items, number, table, when, sentence)                      \
	RG_JSON_ROW(name, RG_JSON_LIST, RG_JSON_##when, sentence, RG_JSON_ITEMS(items), \
		    .count_offset = offsetof(OF, number), .nested = (table))
/* … whose items have a line for each member. */
#define RG_KEY_TALL_LIST(name, items, number, table, sentence)                          \
	RG_JSON_ROW(name, RG_JSON_LIST, RG_JSON_ALWAYS, sentence, RG_JSON_ITEMS(items), \
		    .count_offset = offsetof(OF, number), .nested = (table), .tall = true)
/* An array that is a member: all of it, or as many as there are. */
#define RG_KEY_ARRAY(name, array, table, sentence)                                      \
	RG_JSON_ROW(name, RG_JSON_LIST, RG_JSON_ALWAYS, sentence, RG_JSON_ITEMS(array), \
		    .inside = true, .nested = (table),                                  \
		    .fixed = sizeof(((OF *)NULL)->array) / sizeof(*((OF *)NULL)->array))
#define RG_KEY_ARRAY_OF(name, array, number, table, sentence)                           \
	RG_JSON_ROW(name, RG_JSON_LIST, RG_JSON_ALWAYS, sentence, RG_JSON_ITEMS(array), \
		    .inside = true, .nested = (table), .count_offset = offsetof(OF, number))
/* An array that is no member. */
#define RG_KEY_CONSTANT(name, array, table, sentence)                                      \
	RG_JSON_ROW(name, RG_JSON_LIST, RG_JSON_ALWAYS, sentence, .always = (array),       \
		    .fixed = sizeof(array) / sizeof(*(array)), .stride = sizeof(*(array)), \
		    .nested = (table))
#define RG_KEY_NUMBERS(name, of_kind, items, number, sentence)                               \
	RG_JSON_ROW(name, RG_JSON_##of_kind, RG_JSON_ALWAYS, sentence, RG_JSON_ITEMS(items), \
		    .count_offset = offsetof(OF, number))
/* The numbers that structs of a list have in one of their members. */
#define RG_KEY_NUMBERS_OF(name, items, number, type, member, is_whole, sentence)           \
	RG_JSON_ROW(name, RG_JSON_NUMBERS, RG_JSON_ALWAYS, sentence, RG_JSON_ITEMS(items), \
		    .count_offset = offsetof(OF, number), .inner = offsetof(type, member), \
		    .whole = (is_whole))
#define RG_KEY_TEXTS(name, items, number, when, sentence)                                 \
	RG_JSON_ROW(name, RG_JSON_TEXTS, RG_JSON_##when, sentence, RG_JSON_AT(OF, items), \
		    .count_offset = offsetof(OF, number))

#define RG_KEY_OBJECT(name, member, table, when, on_one_line, sentence)                     \
	RG_JSON_ROW(name, RG_JSON_OBJECT, RG_JSON_##when, sentence, RG_JSON_AT(OF, member), \
		    .nested = (table), .flat = (on_one_line))
/* … that a member points to. */
#define RG_KEY_TO(name, member, table, when, on_one_line, sentence)                         \
	RG_JSON_ROW(name, RG_JSON_OBJECT, RG_JSON_##when, sentence, RG_JSON_AT(OF, member), \
		    .nested = (table), .to = true, .flat = (on_one_line))
/* An object of members of the same struct. */
#define RG_KEY_PART(name, table, when, on_one_line, sentence)                          \
	RG_JSON_ROW(name, RG_JSON_OBJECT, RG_JSON_##when, sentence, .nested = (table), \
		    .flat = (on_one_line))
/* The keys of a member that is a struct, among those of the object itself. */
#define RG_SPREAD(member, table)                                                      \
	RG_JSON_ROW("", RG_JSON_OBJECT, RG_JSON_ALWAYS, NULL, RG_JSON_AT(OF, member), \
		    .spread = true, .nested = (table))
/* The keys of another table of the same struct. */
#define RG_SPREAD_SAME(table) \
	RG_JSON_ROW("", RG_JSON_OBJECT, RG_JSON_ALWAYS, NULL, .spread = true, .nested = (table))
/* The keys of what a member points to; NULL: none of them, where `when` is OPTIONAL. */
#define RG_SPREAD_TO(member, table, when)                                             \
	RG_JSON_ROW("", RG_JSON_OBJECT, RG_JSON_##when, NULL, RG_JSON_AT(OF, member), \
		    .spread = true, .to = true, .nested = (table))

/* `function` writes the value, from a member or the whole struct. */
#define RG_KEY_PUT(name, of_kind, when, member, function, sentence)                            \
	RG_JSON_ROW(name, RG_JSON_##of_kind, RG_JSON_##when, sentence, RG_JSON_AT(OF, member), \
		    .put = (function))
#define RG_PUT(name, of_kind, when, table, function, sentence)                            \
	RG_JSON_ROW(name, RG_JSON_##of_kind, RG_JSON_##when, sentence, .nested = (table), \
		    .put = (function))
/* `function` formats a member or the whole struct; "" is null, or left out. */
#define RG_KEY_SAY(name, member, when, function, sentence)                                \
	RG_JSON_ROW(name, RG_JSON_TEXT, RG_JSON_##when, sentence, RG_JSON_AT(OF, member), \
		    .say = (function))
#define RG_SAY(name, when, function, sentence) \
	RG_JSON_ROW(name, RG_JSON_TEXT, RG_JSON_##when, sentence, .say = (function))
/* The caller writes it by hand: `of_kind` and `when` are without RG_JSON_. */
#define RG_SAID(name, of_kind, sentence) RG_SAID_OF(name, of_kind, ALWAYS, NULL, sentence)
#define RG_SAID_OPTIONAL(name, of_kind, sentence) \
	RG_SAID_OF(name, of_kind, OPTIONAL, NULL, sentence)
#define RG_SAID_OF(name, of_kind, when, table, sentence)                                  \
	RG_JSON_ROW(name, RG_JSON_##of_kind, RG_JSON_##when, sentence, .nested = (table), \
		    .by_caller = true)
#define RG_SAID_WORD(name, when, list, sentence)                                       \
	RG_JSON_ROW(name, RG_JSON_WORD, RG_JSON_##when, sentence, RG_JSON_WORDS(list), \
		    .by_caller = true)

/* Rows of documents that are only read: the type is given, and a text may be missing. */
#define RG_JSON_FIELD(type, member) RG_JSON_FIELD_AS(#member, type, member)
#define RG_JSON_FIELD_AS(name, type, member)                                 \
	RG_JSON_ROW(name, RG_JSON_KIND(type, member), RG_JSON_OR_NULL, NULL, \
		    RG_JSON_AT(type, member))
#define RG_JSON_FIELD_TEXT(type, member) RG_JSON_FIELD_TEXT_AS(#member, type, member)
#define RG_JSON_FIELD_TEXT_AS(name, type, member) \
	RG_JSON_ROW(name, RG_JSON_TEXT, RG_JSON_ALWAYS, NULL, RG_JSON_AT(type, member))

/* --- what is done with a table --- */

/* All members, into the open object. `context` is for the functions. */
void rg_json_put_fields(rg_json_out *json, const rg_json_field *fields, const void *from,
			const void *context);
/* … as a list's item, on one line. */
void rg_json_put_item(rg_json_out *json, const rg_json_field *fields, const void *from,
		      const void *context);
/* A whole document of ours of that name. RG_E_LIMIT where `out` does not take it. */
RG_CHECKED rg_error *rg_json_write(rg_buf *out, const char *name, const rg_json_field *fields,
				   const void *from, const void *context);
/* A key, and a list of structs that lie so many bytes apart. */
void rg_json_key_list(rg_json_out *json, const char *key, const rg_json_field *fields,
		      const void *items, size_t count, size_t stride, const void *context);
/* Texts go into the arena. Objects, lists and what is said by hand are the caller's to read. */
RG_CHECKED rg_error *rg_json_get_fields(const rg_json_in *in, const cJSON *object,
					const rg_json_field *fields, void *out);

/* A document of ours. */
typedef struct {
	const char *name;            /* "regild-compare" */
	const char *title;           /* what writes it */
	const char *about;           /* a sentence */
	const rg_json_field *fields; /* after "schema" and "version" */
	const rg_json_field *more;   /* NULL: these are all */
	const rg_json_field *last;   /* after these; may be NULL, too */
} rg_json_document_kind;

#endif
