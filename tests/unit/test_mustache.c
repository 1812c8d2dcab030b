/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/unit.h"

#include "report/mustache.h"

#include <string.h>

static void brackets(rg_buf *out, const char *text, size_t length)
{
	rg_buf_char(out, '[');
	rg_buf_add(out, text, length);
	rg_buf_char(out, ']');
}

static void shout(rg_buf *out, const char *text, size_t length)
{
	rg_buf_printf(out, "<%.*s>", (int)length, text);
}

/* Lines as they are, between bars. */
static rg_error *bars(rg_buf *out, const char *lines, size_t length,
		      const rg_table_style *table_style)
{
	assert_null(table_style);
	rg_buf_printf(out, "|%.*s|", (int)length, lines);
	return NULL;
}

static const rg_mustache_style style = {
	.escape = brackets, .code = shout, .table = bars, .html_code = brackets, .fence = shout};

static const char data[] =
	"{\"name\": \"x\", \"hash\": \"0123456789abcdef0123456789abcdef01234567\", \"one\": 1, "
	"\"half\": 0.5, \"figure\": 0.12345678901234568, \"zero\": "
	"0, \"yes\": true, \"no\": false,"
	" \"nothing\": null, \"two\": \"b\\tc\\n\\nd\", \"empty\": [], \"blank\": \"\", \"list\": "
	"[{\"n\": 1}, {\"n\": 2}],"
	" \"words\": [\"a\", \"b\"], \"in\": {\"name\": \"inner\", \"deep\": {\"er\": 3}},"
	" \"cut\": [{\"n\": 5}, {\"n\": 6}, {\"n\": 7}]}";

static rg_error *render(rg_buf *out, const char *text)
{
	const rg_mustache_limits limits = RG_MUSTACHE_ITEMS(1);
	cJSON *view = cJSON_Parse(data);
	rg_error *err;

	assert_non_null(view);
	rg_mustache_cut(cJSON_GetObjectItem(view, "cut"), RG_MUSTACHE_LIST);
	rg_buf_init(out, 4096);
	err = rg_mustache_render(out, text, view, &style, &limits);
	cJSON_Delete(view);
	return err;
}

TEST(renders)
{
	static const struct {
		const char *text, *wanted;
	} cases[] = {
		{"", ""},
		{"plain { } text", "plain { } text"},
		{"{{name}} {{{name}}} {{&name}} {{ name }}", "[x] x x [x]"},
		{"{{one}}{{half}}{{yes}}{{no}}", "[1][0.5][true][false]"},
		{"{{missing}}{{nothing}}", "[][]"},
		{"{{in.name}} {{in.deep.er}} {{in.no.er}}{{name.x}}", "[inner] [3] [][]"},
		{"{{#list}}{{n}}{{name}},{{/list}}", "[1][x],[2][x],"},
		{"{{#words}}{{.}}{{/words}}", "[a][b]"},
		{"{{#in}}{{name}}{{#deep}}{{er}}{{name}}{{/deep}}{{/in}}", "[inner][3][inner]"},
		{"{{#zero}}a{{/zero}}{{#empty}}b{{/empty}}{{#blank}}c{{/blank}}{{#no}}d{{/no}}",
		 ""},
		{"{{^zero}}a{{/zero}}{{^empty}}b{{/empty}}{{^blank}}c{{/blank}}{{^missing}}d{{/"
		 "missing}}",
		 "abcd"},
		{"{{^yes}}no{{/yes}}{{#yes}}yes{{/yes}}", "yes"},
		{"a{{! a comment }}b", "ab"},
		/* Alone on their lines, tags take the line with them. */
		{"a\n  {{#yes}}  \nb\n{{/yes}}\nc\n", "a\nb\nc\n"},
		{"a\r\n{{! x }}\r\nb", "a\r\nb"},
		{"{{#yes}}\na\n{{/yes}}", "a\n"},
		{"a {{#yes}}\nb{{/yes}}\n", "a \nb\n"},
		{"{{name}}\n", "[x]\n"},
		{"{{half|shift}} {{zero|shift}} {{name|shift}}", "[-50 %] [0 %] [x]"},
		{"{{half|percent}} {{one|percent}} {{missing|percent}}", "[50 %] [100 %] []"},
		{"{{half|change}} {{name|change}}", "[+50 %] [x]"},
		{"{{figure|at_most}} {{half|at_most}} {{name|at_most}}", "[13 %] [50 %] [x]"},
		{"{{figure|chance}} {{half|chance}} {{one|chance}} {{zero|chance}}",
		 "[1 of 8] [1 of 2] [1 of 1] [0]"},
		{"{{figure|signed}} {{one|signed}} {{zero|signed}} {{name|signed}}",
		 "[+0.123] [+1] [0] [x]"},
		{"{{name|name}} {{hash|name}} {{one|name}}", "[x] [0123456789] [1]"},
		{"{{figure|exact}} {{half|exact}} {{one|exact}}",
		 "[0.12345678901234568] [0.5] [1]"},
		{"{{one|shade}} {{in.deep.er|shade}} {{name|shade}}", "[0] [1] [x]"},
		/* Each line with its end, also the last one. */
		{"{{two|lines}}{{{name|lines}}}{{blank|lines}}", "[b\tc]\n[]\n[d]\nx\n"},
		{"{{#words}}{{#.first}}1{{/.first}}{{.}}{{^.first}}2{{/.first}}{{/words}}",
		 "1[a][b]2"},
		{"{{#.first}}no{{/.first}}{{#in}}{{#.first}}no{{/.first}}{{/in}}", ""},
		/* A value in a fence is one line. */
		{"{{#fence}}{{two}}\n{{name}}\n{{/fence}}", "<b\\x09c\\x0a\\x0ad\nx\n>"},
		{"{{cut.count}} {{cut.shown}} {{cut.more}} {{list.shown}}", "[3] [1] [2] [2]"},
		/* Code takes the whole text, unescaped. */
		{"{{#code}}a {{name}}{{/code}} {{name}}", "<a x> [x]"},
		{"{{#words}}{{#code}}{{.}}{{/code}}{{/words}}", "<a><b>"},
		{"{{#html_code}}a {{name}}{{/html_code}}", "[a x]"},
		/* A table takes it escaped. */
		{"{{#table}}a {{name}}\n{{/table}}", "|a [x]\n|"},
		{"{{one|plural:file,files}} {{half|plural:file,files}} {{zero|plural:file,files}}",
		 "file files files"},
		{"{{one|plural:the # is,# are}} {{in.deep.er|plural:the # is,all # are}}",
		 "the 1 is all 3 are"},
		{"{{missing|plural:a,b}}{{{one|plural:c,}}}", "bc"},
		/* A list knows how long it is, and what is cut off. */
		{"{{list.count}} {{list.more}} {{empty.count}}{{list.no}}", "[2] [0] [0][]"},
		{"{{#cut}}{{n}}{{/cut}} {{cut.count}} {{cut.more}} {{cut.more_n}}",
		 "[5] [3] [2] [13]"},
		{"{{#cut.count}}once {{cut.count|plural:a,b}}{{/cut.count}}{{#empty.count}}x"
		 "{{/empty.count}}{{#list.more}}x{{/list.more}}",
		 "once b"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_buf out;

		assert_success(render(&out, cases[i].text));
		assert_string_equal(out.data, cases[i].wanted);
		rg_buf_release(&out);
	}
}

/* A built-in text is rendered in its place; alone on a line, it takes the line with it. */
TEST(partial)
{
	rg_buf out;

	assert_success(render(&out, "a\n {{> models.txt}} \nb{{>plain.regild}}"));
	assert_string_not_equal(out.data, "a\nb");
	assert_memory_equal(out.data, "a\n", 2);
	assert_null(strstr(out.data, "{{"));
	assert_non_null(strstr(out.data, "[regild]"));
	rg_buf_release(&out);
}

TEST(refuses)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{"x\n\n{{name", "line 3: a tag without its '}}'"},
		{"\n{{a}}\n{{a}}\n{{b", "line 4: a tag without its '}}'"},
		{"{{{name}}", "line 1: a tag without its '}}'"},
		{"{{}}", "line 1: '' is not a name"},
		{"{{a b}}", "line 1: 'a b' is not a name"},
		{"{{a|plural:b}}", "line 1: 'a|plural:b' is not a name"},
		{"{{a|upper:b,c}}", "line 1: 'a|upper:b,c' is not a name"},
		{"{{#a|plural:b,c}}", "line 1: 'a|plural:b,c' is not a name"},
		{"{{$a}}", "line 1: '$a' is not a name"},
		{"{{a$}}", "line 1: 'a$' is not a name"},
		{"\n{{> partial}}", "line 2: there is no partial 'partial'"},
		{"{{> ../page.css}}", "line 1: there is no partial '../page.css'"},
		/* A section does not end in a partial. */
		{"{{#a}}{{> page-head.html}}", "line 1: '{{#a}}' is never closed"},
		{"{{=<% %>=}}", "line 1: '=<% %>=' is not a name"},
		{"\n{{#a}}\n{{#b}}{{/b}}", "line 2: '{{#a}}' is never closed"},
		{"{{#a}}\n{{/b}}", "line 2: '{{/b}}' closes '{{#a}}'"},
		{"{{/a}}", "line 1: '{{/a}}' closes nothing"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_buf out;

		assert_error(render(&out, cases[i].text), RG_E_USAGE, cases[i].message);
		rg_buf_release(&out);
	}
}

TEST(limits)
{
	rg_buf out;
	size_t i;

	RG_AUTO(rg_buf) text = rg_buf_of(4096);
	for (i = 0; i < 33; i++)
		rg_buf_str(&text, "{{#yes}}");
	for (i = 0; i < 33; i++)
		rg_buf_str(&text, "{{/yes}}");
	assert_error(render(&out, text.data), RG_E_LIMIT, "line 1: sections nested deeper than 32");
	rg_buf_release(&out);
	/* One level less is rendered. */
	rg_buf_clear(&text);
	for (i = 0; i < 32; i++)
		rg_buf_str(&text, "{{#yes}}");
	rg_buf_str(&text, "x");
	for (i = 0; i < 32; i++)
		rg_buf_str(&text, "{{/yes}}");
	assert_success(render(&out, text.data));
	assert_string_equal(out.data, "x");
	rg_buf_release(&out);
	/* Lists in lists multiply, with or without output. */
	rg_buf_clear(&text);
	for (i = 0; i < 30; i++)
		rg_buf_str(&text, "{{#list}}");
	for (i = 0; i < 30; i++)
		rg_buf_str(&text, "{{/list}}");
	assert_error(render(&out, text.data), RG_E_LIMIT, "more than 5000000 steps");
	rg_buf_release(&out);
	/* More than the output takes. */
	rg_buf_clear(&text);
	for (i = 0; i < 450; i++)
		rg_buf_str(&text, "{{name}}.");
	rg_buf_init(&out, 100);
	{
		const rg_mustache_limits limits = RG_MUSTACHE_ITEMS(1);
		cJSON *view = cJSON_Parse(data);

		assert_error(rg_mustache_render(&out, text.data, view, &style, &limits), RG_E_LIMIT,
			     "output: more than 100 bytes");
		cJSON_Delete(view);
	}
	rg_buf_release(&out);
}

/* A text that is too long keeps both ends, in whole characters; raw values are as they are. */
TEST(shortens_texts)
{
	const rg_mustache_limits limits = {.text = 5};
	cJSON *view =
		cJSON_Parse("{\"short\": \"12345\", \"long\": \"123456\", \"wide\": \"ääää\"}");
	rg_buf out;

	assert_non_null(view);
	rg_buf_init(&out, 4096);
	assert_success(rg_mustache_render(&out, "{{short}} {{long}} {{{long}}} {{wide}}", view,
					  &(rg_mustache_style){0}, &limits));
	assert_string_equal(out.data, "12345 12…456 123456 ä…ä");
	rg_buf_release(&out);
	cJSON_Delete(view);
}
