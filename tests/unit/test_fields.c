/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/fields.h"
#include "flow/documents.h"
#include "json_schema.h"

#include <math.h>
#include <string.h>

typedef struct {
	const char *name;
	double size;
} part;

typedef enum { NONE, SMALL, LARGE } how;

typedef struct {
	const char *title, *note, *missing;
	size_t n, none;
	unsigned small;
	uint64_t large;
	double known, unknown, far_out;
	bool truth, untold;
	how is;
	part first;
	part *to, *nowhere, *nameless, spread;
	part *parts;
	size_t part_count;
	const char **texts;
	size_t text_count;
	double *numbers;
	size_t number_count;
} whole;

static const char *const words[] = {NULL, "small", "large"};

static void put_twice(rg_json_out *json, const void *from, const void *context)
{
	const whole *w = from;
	rg_json_count(json, w->n * *(const size_t *)context);
}

static void put_nothing(rg_json_out *json, const void *from, const void *context)
{
	(void)json;
	(void)from;
	(void)context;
}

#define OF part
static const rg_json_field part_fields[] = {
	RG_KEY(name, "Its name."), RG_KEY_OR_NULL(size, "Its size; null: not known."), {0}};
#undef OF

#define OF part
static const rg_json_field spread_fields[] = {RG_KEY_AS("width", size, "A width."), {0}};
#undef OF

#define OF whole
static const rg_json_field fields[] = {
	RG_KEY(title, "A title."),
	RG_KEY_OR_NULL(note, "A note."),
	RG_KEY_OPTIONAL(missing, "Left out."),
	RG_KEY_AS("count", n, "A count."),
	RG_KEY_OPTIONAL(none, "Left out."),
	RG_KEY(small, "A small count."),
	RG_KEY_OF("large", RG_JSON_WHOLE, large, RG_JSON_ALWAYS, "A large one."),
	RG_KEY_OR_NULL(known, "A number."),
	RG_KEY_OR_NULL(unknown, "None."),
	RG_KEY_FINITE("far_out", far_out, "Not finite."),
	RG_KEY(truth, "A truth."),
	RG_KEY_OPTIONAL(untold, "Left out."),
	RG_KEY_WORD("is", is, words, "A word."),
	RG_KEY_OBJECT("first", first, part_fields, ALWAYS, true, "An object."),
	RG_KEY_TO("to", to, part_fields, OR_NULL, true, "Another."),
	RG_KEY_TO("nowhere", nowhere, part_fields, OR_NULL, true, "None."),
	RG_KEY_TO("nameless", nameless, part_fields, OPTIONAL, true, "There, if without a name."),
	RG_KEY_TO("left_out", nowhere, part_fields, OPTIONAL, true, "Left out."),
	RG_SPREAD(spread, spread_fields),
	RG_KEY_VIA_AS("its_size", to, part, size, ALWAYS, "A member of another struct."),
	RG_KEY_LIST("parts", parts, part_count, part_fields, "A list."),
	RG_KEY_TEXTS("texts", texts, text_count, ALWAYS, "Texts."),
	RG_KEY_NUMBERS("numbers", DEFINED, numbers, number_count, "Numbers."),
	RG_PUT("twice", COUNT, ALWAYS, NULL, put_twice, "What a function writes."),
	RG_PUT("nothing", COUNT, OPTIONAL, NULL, put_nothing, "Left out by one."),
	RG_SAID_OPTIONAL("manual_edits", STEPS, "What the caller writes."),
	{0}};
#undef OF

static const char text[] =
	"{\n \"title\": \"t\",\n \"note\": null,\n \"count\": 3,\n \"small\": 4,\n"
	" \"large\": \"18446744073709551615\",\n \"known\": 0.5,\n \"unknown\": null,\n"
	" \"far_out\": null,\n \"truth\": true,\n \"is\": \"large\",\n"
	" \"first\": {\"name\": \"p\", \"size\": 1.0},\n \"to\": {\"name\": \"p\", \"size\": "
	"1.0},\n"
	" \"nowhere\": null,\n \"nameless\": {\"name\": null, \"size\": 3.0},\n"
	" \"width\": 5.0,\n \"its_size\": 1.0,\n \"parts\": [\n  {\"name\": \"p\", \"size\": "
	"1.0},\n"
	"  {\"name\": \"q\", \"size\": null}\n ],\n \"texts\": [\"a\", \"b\"],\n"
	" \"numbers\": [2.0, null],\n \"twice\": 6\n}\n";

static whole sample(void)
{
	static part parts[] = {{"p", 1}, {"q", NAN}}, nameless = {NULL, 3};
	static const char *texts[] = {"a", "b"};
	static double numbers[] = {2, NAN};

	return (whole){.title = "t",
		       .n = 3,
		       .small = 4,
		       .large = UINT64_MAX,
		       .known = 0.5,
		       .unknown = NAN,
		       .far_out = INFINITY,
		       .truth = true,
		       .is = LARGE,
		       .first = parts[0],
		       .to = &parts[0],
		       .nameless = &nameless,
		       .spread = {.size = 5},
		       .parts = parts,
		       .part_count = 2,
		       .texts = texts,
		       .text_count = 2,
		       .numbers = numbers,
		       .number_count = 2};
}

TEST(writes_a_text)
{
	const whole w = sample();
	const size_t factor = 2;
	rg_json_out json;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_json_out_init(&json, &out);
	rg_json_open(&json, '{');
	rg_json_put_fields(&json, fields, &w, &factor);
	rg_json_close(&json, '}');
	assert_string_equal(out.data, text);
}

/* The tree is what the text is parsed into. */
TEST(writes_a_tree)
{
	const whole w = sample();
	const size_t factor = 2;
	cJSON *tree = cJSON_CreateObject(), *parsed;
	rg_json_out json;

	rg_json_tree_init(&json, tree);
	rg_json_put_fields(&json, fields, &w, &factor);
	assert_false(json.failed);
	assert_success(rg_json_parse(&parsed, text, strlen(text)));
	assert_true(cJSON_Compare(tree, parsed, true));
	cJSON_Delete(parsed);
	cJSON_Delete(tree);
}

/* Deeper than the writer goes: that is a failure, and nothing is lost. */
TEST(writes_no_deeper_tree)
{
	cJSON *tree = cJSON_CreateArray();
	rg_json_out json;

	rg_json_tree_init(&json, tree);
	for (int i = 0; i < 2 * RG_JSON_TREE_DEPTH; i++)
		rg_json_open(&json, '[');
	rg_json_truth(&json, true);
	for (int i = 0; i < 2 * RG_JSON_TREE_DEPTH; i++)
		rg_json_close(&json, ']');
	assert_true(json.failed);
	cJSON_Delete(tree);
}

TEST(reads_what_it_writes)
{
	rg_arena arena;
	whole w = {.unknown = 7};
	cJSON *root;

	rg_arena_init(&arena);
	assert_success(rg_json_parse(&root, text, strlen(text)));
	const rg_json_in in = {root, &arena};
	assert_success(rg_json_get_fields(&in, root, fields, &w));
	assert_string_equal(w.title, "t");
	assert_null(w.note);
	assert_int_equal(w.n, 3);
	assert_int_equal(w.small, 4);
	assert_true(w.large == UINT64_MAX);
	assert_true(w.known == 0.5);
	assert_true(isnan(w.unknown) && isnan(w.far_out));
	assert_true(w.truth && !w.untold);
	assert_int_equal(w.is, LARGE);
	assert_true(w.spread.size == 5);
	assert_error(rg_json_get_fields(&in, rg_json_member(root, "parts"), fields, &w), RG_E_PARSE,
		     "'parts.title' is missing");
	cJSON_Delete(root);
	rg_arena_release(&arena);
}

TEST(makes_a_schema)
{
	const rg_json_document_kind document = {"regild-parts", "parts", "Parts.",
						part_fields,    NULL,    NULL};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	json_schema_write(&out, &document);
	assert_non_null(
		strstr(out.data, "\"required\": [\"schema\", \"version\", \"name\", \"size\"]"));
	assert_non_null(strstr(out.data, "\"const\": \"regild-parts\""));
	assert_non_null(
		strstr(out.data, "\"description\": \"Its name.\",\n   \"type\": \"string\""));
	assert_non_null(strstr(out.data, "\"anyOf\": [{\"$ref\": \"#/$defs/number\"}, "
					 "{\"type\": \"null\"}]"));
}

typedef struct {
	part all[2], some[3];
	const char *names[2], **listed;
	size_t some_count, listed_count;
	rg_json_value number, text, none;
	bool is_new;
	const part *to, *nowhere;
} kinds;

static void say_brackets(rg_buf *out, const void *member)
{
	const char *name = *(const char *const *)member;
	if (name)
		rg_buf_printf(out, "<%s>", name);
}

static void say_all(rg_buf *out, const void *from)
{
	const kinds *k = from;
	rg_buf_str(out, k->all[0].name);
}

static void put_half(rg_json_out *json, const void *member, const void *context)
{
	(void)context;
	rg_json_number(json, *(const double *)member / 2);
}

static const char *const ages[] = {"old", "new"};

static const rg_json_field name_fields[] = {
	RG_ITSELF("name", TEXT, const char *, ALWAYS, "A text that is an item."),
	RG_SAY("said", ALWAYS, say_brackets, "What a function says of it."),
	{0}};

#define OF kinds
static const rg_json_field kind_fields[] = {
	RG_KEY_ARRAY("all", all, part_fields, "An array."),
	RG_KEY_ARRAY_OF("some", some, some_count, spread_fields, "A part of one."),
	RG_KEY_ARRAY("names", names, name_fields, "Texts."),
	RG_KEY_CONSTANT("ages", ages, name_fields, "The same for all."),
	RG_KEY_TALL_LIST("listed", listed, listed_count, name_fields, "A list with long items."),
	RG_KEY_NUMBERS_OF("sizes", to, some_count, part, size, false, "Numbers of structs."),
	RG_KEY_NUMBERS_OF("steps", to, some_count, part, size, true, "Whole ones."),
	RG_KEY_VALUE("number", number, "A number."),
	RG_KEY_VALUE("text", text, "A text."),
	RG_KEY_VALUE("none", none, "Neither."),
	RG_KEY_WORD("age", is_new, ages, "A word for a truth."),
	RG_KEY_SAY("first", all[0].name, ALWAYS, say_brackets, "What a function says."),
	RG_KEY_SAY("null", all[1].name, OR_NULL, say_brackets, "Nothing."),
	RG_KEY_SAY("empty", all[1].name, ALWAYS, say_brackets, "Nothing, and there."),
	RG_KEY_SAY("left_out", all[1].name, OPTIONAL, say_brackets, "Nothing, and left out."),
	RG_SAY("whole", OR_NULL, say_all, "What one says of the whole."),
	RG_KEY_PUT("half", NUMBER, ALWAYS, all[0].size, put_half, "What one writes."),
	RG_SPREAD_TO(to, spread_fields, OPTIONAL),
	RG_SPREAD_TO(nowhere, part_fields, OPTIONAL),
	{0}};
#undef OF

TEST(writes_other_kinds)
{
	static const part points[] = {{"x", 2}, {"y", 0.5}};
	static const char *listed[] = {"a"};
	const kinds k = {.all = {{"p", 1}, {NULL, NAN}},
			 .some = {{"q", 3}, {"r", 4}, {"s", 5}},
			 .names = {"n", "m"},
			 .listed = listed,
			 .some_count = 2,
			 .listed_count = 1,
			 .number = {true, 2.5, NULL},
			 .text = {true, 0, "t"},
			 .is_new = true,
			 .to = points};
	rg_json_out json;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_json_out_init(&json, &out);
	rg_json_open(&json, '{');
	rg_json_put_fields(&json, kind_fields, &k, NULL);
	rg_json_close(&json, '}');
	assert_string_equal(
		out.data,
		"{\n \"all\": [\n  {\"name\": \"p\", \"size\": 1.0},\n"
		"  {\"name\": null, \"size\": null}\n ],\n"
		" \"some\": [\n  {\"width\": 3.0},\n  {\"width\": 4.0}\n ],\n"
		" \"names\": [\n  {\"name\": \"n\", \"said\": \"<n>\"},\n"
		"  {\"name\": \"m\", \"said\": \"<m>\"}\n ],\n"
		" \"ages\": [\n  {\"name\": \"old\", \"said\": \"<old>\"},\n"
		"  {\"name\": \"new\", \"said\": \"<new>\"}\n ],\n"
		" \"listed\": [\n  {\n   \"name\": \"a\",\n   \"said\": \"<a>\"\n  }\n ],\n"
		" \"sizes\": [2.0, 0.5],\n \"steps\": [2, 0.5],\n"
		" \"number\": 2.5,\n \"text\": \"t\",\n \"none\": null,\n \"age\": \"new\",\n"
		" \"first\": \"<p>\",\n \"null\": null,\n \"empty\": \"\",\n \"whole\": \"p\",\n"
		" \"half\": 0.5,\n \"width\": 2.0\n}\n");
}

/* What may be left out is not asked for, and neither are the keys of what may not be there. */
TEST(asks_for_what_is_there)
{
	const rg_json_document_kind document = {"regild-kinds", "kinds", "Kinds.",
						kind_fields,    NULL,    NULL};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	json_schema_write(&out, &document);
	assert_non_null(strstr(out.data, "\"whole\", \"half\"],"));
	assert_null(strstr(out.data, "\"empty\", \"left_out\""));
	assert_non_null(strstr(out.data, "\"width\": {"));
}

static void has_sentences(const rg_json_field *table)
{
	for (; table && table->key; table++) {
		if (!table->spread && (!table->help || !*table->help))
			fail_msg("'%s' has no sentence", table->key);
		has_sentences(table->nested);
	}
}

/* Every key of every document says what it is. */
TEST(every_key_has_a_sentence)
{
	for (const rg_json_document_kind *document = rg_documents; document->name; document++) {
		has_sentences(document->fields);
		has_sentences(document->more);
	}
}
