/* SPDX-License-Identifier: Apache-2.0 */
#include "report/mustache.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/shorten.h"
#include "base/templates.h"
#include "base/utf8.h"
#include "report/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t count_lines(const char *from, const char *to)
{
	size_t count = 0;
	for (; from < to; from++)
		count += *from == '\n';
	return count;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Reads what is between the braces: returns the kind of the tag, and finds its name. */
static rg_token_kind read_kind(const char **name, size_t *length, bool triple)
{
	static const char marks[] = "#^/&!>";
	static const rg_token_kind kinds[] = {RG_TOKEN_SECTION, RG_TOKEN_INVERTED,
					      RG_TOKEN_END,     RG_TOKEN_RAW,
					      RG_TOKEN_COMMENT, RG_TOKEN_PARTIAL};
	const char *mark = triple || !*length ? NULL : strchr(marks, **name);
	const char *end = *name + *length;

	for (*name += mark != NULL; *name < end && is_blank(**name);)
		++*name;
	while (end > *name && is_blank(end[-1]))
		end--;
	*length = (size_t)(end - *name);
	return mark ? kinds[mark - marks] : triple ? RG_TOKEN_RAW : RG_TOKEN_VALUE;
}

static bool is_called(const char *name, size_t length, const char *wanted)
{
	return strlen(wanted) == length && !memcmp(name, wanted, length);
}

static bool is_name(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-",
			    name[i]))
			return false;
	return length > 0;
}

static void push(rg_token_list *list, const rg_token *item)
{
	*RG_PUSH(list->items, list->count, list->capacity) = *item;
}

static void push_text(rg_token_list *list, const char *text, size_t length, size_t line)
{
	const rg_token item = {.kind = RG_TOKEN_TEXT, .text = text, .length = length, .line = line};
	if (length)
		push(list, &item);
}

/* Splits "NAME|FILTER". False: that is not what follows the name. */
static bool take_filter(rg_token *tag)
{
	static const char plural[] = "plural:";
	static const char *const names[] = {
		[RG_FILTER_SHIFT] = "shift",     [RG_FILTER_CHANGE] = "change",
		[RG_FILTER_PERCENT] = "percent", [RG_FILTER_EXACT] = "exact",
		[RG_FILTER_SHADE] = "shade",     [RG_FILTER_LINES] = "lines",
		[RG_FILTER_AT_MOST] = "at_most", [RG_FILTER_CHANCE] = "chance",
		[RG_FILTER_SIGNED] = "signed",   [RG_FILTER_NAME] = "name"};
	const char *bar = memchr(tag->text, '|', tag->length);

	if (!bar)
		return true;
	if (tag->kind != RG_TOKEN_VALUE && tag->kind != RG_TOKEN_RAW)
		return false;
	const char *filter = bar + 1;
	size_t length = tag->length - (size_t)(filter - tag->text);
	tag->length = (size_t)(bar - tag->text);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i] && is_called(filter, length, names[i])) {
			tag->filter = (rg_token_filter)i;
			return true;
		}
	tag->filter = RG_FILTER_PLURAL;
	if (length < strlen(plural) || memcmp(filter, plural, strlen(plural)) != 0)
		return false;
	tag->forms = filter + strlen(plural);
	tag->forms_length = length - strlen(plural);
	return memchr(tag->forms, ',', tag->forms_length) != NULL;
}

/* Keeps account of which section is closed by which tag; the first `outside` of those that are open
 * are not this text's to close. */
static rg_error *nest(rg_token_list *list, size_t outside)
{
	size_t place = list->count - 1;
	const rg_token *tag = &list->items[place];
	size_t line = tag->line;

	if (tag->kind == RG_TOKEN_SECTION || tag->kind == RG_TOKEN_INVERTED) {
		if (list->depth == RG_TEMPLATE_DEPTH)
			return rg_error_new(RG_E_LIMIT, "line %zu: sections nested deeper than %d",
					    line, RG_TEMPLATE_DEPTH);
		list->open[list->depth++] = place;
	}
	if (tag->kind != RG_TOKEN_END)
		return NULL;
	if (list->depth == outside)
		return rg_error_new(RG_E_USAGE, "line %zu: '{{/%.*s}}' closes nothing", line,
				    (int)tag->length, tag->text);
	rg_token *section = &list->items[list->open[--list->depth]];
	if (section->length != tag->length || memcmp(section->text, tag->text, tag->length) != 0)
		return rg_error_new(RG_E_USAGE, "line %zu: '{{/%.*s}}' closes '{{#%.*s}}'", line,
				    (int)tag->length, tag->text, (int)section->length,
				    section->text);
	section->end = place;
	return NULL;
}

/* A tag that is alone on its line takes the line with it: moves *before back over the blanks in
 * front and returns where to go on. */
static const char *stand_alone(const char *start, const char **before, const char *after)
{
	const char *left = *before, *right = after;
	while (left > start && is_blank(left[-1]))
		left--;
	while (is_blank(*right))
		right++;
	if (*right == '\r' && right[1] == '\n')
		right++;
	if ((left > start && left[-1] != '\n') || (*right && *right != '\n'))
		return after;
	*before = left;
	return *right ? right + 1 : right;
}

static rg_error *parse(rg_token_list *list, const char *start, size_t partials);

/* A built-in text in the place of its tag. */
static rg_error *include(rg_token_list *list, const char *name, size_t length, size_t line,
			 size_t partials)
{
	const struct rg_template *t = rg_templates;
	while (t->name && !is_called(name, length, t->name))
		t++;
	if (!t->name)
		return rg_error_new(RG_E_USAGE, "line %zu: there is no partial '%.*s'", line,
				    length < 60 ? (int)length : 60, name);
	if (partials == RG_TEMPLATE_PARTIALS)
		return rg_error_new(RG_E_LIMIT, "line %zu: partials nested deeper than %d", line,
				    RG_TEMPLATE_PARTIALS);
	return rg_error_wrap(parse(list, t->text, partials + 1), "%s", t->name);
}

/* `partials`: how many texts this one is included by. */
static rg_error *parse(rg_token_list *list, const char *start, size_t partials)
{
	const char *p = start, *counted = start, *open;
	size_t line = 1, outside = list->depth;

	while ((open = strstr(p, "{{")) != NULL) {
		bool triple = open[2] == '{';
		const char *name = open + (triple ? 3 : 2), *before = open;
		const char *close = strstr(name, triple ? "}}}" : "}}");

		line += count_lines(counted, open);
		counted = open;
		if (!close)
			return rg_error_new(RG_E_USAGE, "line %zu: a tag without its '}}'", line);
		size_t length = (size_t)(close - name);
		close += triple ? 3 : 2;
		rg_token_kind kind = read_kind(&name, &length, triple);
		if (kind >= RG_TOKEN_SECTION)
			close = stand_alone(start, &before, close);
		push_text(list, p, before > p ? (size_t)(before - p) : 0, line);
		if (kind == RG_TOKEN_PARTIAL)
			RG_TRY(include(list, name, length, line, partials));
		else if (kind != RG_TOKEN_COMMENT) {
			rg_token tag = {.kind = kind, .text = name, .length = length, .line = line};
			if (!take_filter(&tag) || !is_name(tag.text, tag.length))
				return rg_error_new(RG_E_USAGE, "line %zu: '%.*s' is not a name",
						    line, length < 60 ? (int)length : 60, name);
			push(list, &tag);
			RG_TRY(nest(list, outside));
		}
		p = close;
	}
	if (list->depth > outside) {
		const rg_token *section = &list->items[list->open[list->depth - 1]];
		return rg_error_new(RG_E_USAGE, "line %zu: '{{#%.*s}}' is never closed",
				    section->line, (int)section->length, section->text);
	}
	push_text(list, p, strlen(p), line);
	return NULL;
}

rg_error *rg_tokens_parse(rg_token_list *list, const char *text)
{
	return parse(list, text, 0);
}

void rg_token_list_release(rg_token_list *list)
{
	free(list->items);
}

/* Sections in sections over lists multiply: a bound on what a template may cost. */
enum { STEPS_MAX = 5000000 };

typedef struct {
	const rg_token_list *tokens;
	const rg_mustache_style *style;
	const rg_mustache_limits *limits;
	cJSON figure; /* what a list says of itself, while it is looked at */
	const cJSON *scopes[RG_TEMPLATE_DEPTH + 1];
	bool is_first[RG_TEMPLATE_DEPTH + 1]; /* of a list */
	size_t depth, steps;
} renderer;

void rg_mustache_cut(cJSON *list, rg_mustache_rank rank)
{
	list->valueint = (int)rank;
}

/* How many items of a list are shown. */
static size_t shown_of(const renderer *r, const cJSON *list)
{
	return list->valueint ? r->limits->items[list->valueint] : SIZE_MAX;
}

static const cJSON *find_part(renderer *r, const cJSON *parent, const char *name, size_t length)
{
	const cJSON *child = cJSON_IsObject(parent) ? parent->child : NULL;
	if (cJSON_IsArray(parent)) {
		/* "count", "shown", "more" and "more_n" of a list. */
		size_t shown = shown_of(r, parent), count = 0;
		double more_n = 0;

		for (const cJSON *item = parent->child; item; item = item->next) {
			const cJSON *n = cJSON_GetObjectItemCaseSensitive(item, "n");
			if (count++ >= shown && n)
				more_n += n->valuedouble;
		}
		r->figure = (cJSON){.type = cJSON_Number};
		if (is_called(name, length, "count"))
			r->figure.valuedouble = (double)count;
		else if (is_called(name, length, "shown"))
			r->figure.valuedouble = (double)(count < shown ? count : shown);
		else if (is_called(name, length, "more"))
			r->figure.valuedouble = count > shown ? (double)(count - shown) : 0;
		else if (is_called(name, length, "more_n"))
			r->figure.valuedouble = more_n;
		else
			return NULL;
		return &r->figure;
	}
	while (child && !(child->string && is_called(name, length, child->string)))
		child = child->next;
	return child;
}

/* The innermost scope that knows the name's first part decides. */
static const cJSON *find(renderer *r, const char *name, size_t length)
{
	const char *dot = memchr(name, '.', length);
	size_t first = dot ? (size_t)(dot - name) : length, i = r->depth;
	const cJSON *value = NULL;

	if (length == 1 && *name == '.')
		return r->scopes[r->depth - 1];
	if (is_called(name, length, ".first")) {
		r->figure = (cJSON){.type = r->is_first[r->depth - 1] ? cJSON_True : cJSON_False};
		return &r->figure;
	}
	while (i-- && !value)
		value = find_part(r, r->scopes[i], name, first);
	while (value && first < length) {
		name += first + 1;
		length -= first + 1;
		dot = memchr(name, '.', length);
		first = dot ? (size_t)(dot - name) : length;
		value = find_part(r, value, name, first);
	}
	return value;
}

static bool is_true(const cJSON *value)
{
	if (!value || cJSON_IsNull(value) || cJSON_IsFalse(value))
		return false;
	if (cJSON_IsArray(value))
		return value->child != NULL;
	if (cJSON_IsString(value))
		return *value->valuestring != '\0';
	return !cJSON_IsNumber(value) || value->valuedouble != 0;
}

/* A text of more characters than the limit keeps both of its ends. */
static void write_text(renderer *r, rg_buf *out, const char *text, rg_escape_fn *escape)
{
	size_t length = strlen(text), limit = r->limits->text, head, tail;
	if (!limit || length <= limit) {
		escape(out, text, length);
		return;
	}
	/* Whole characters: bytes that continue one belong to what is before them. */
	for (head = limit / 2; head && (text[head] & 0xc0) == 0x80;)
		head--;
	for (tail = length - (limit - limit / 2); tail < length && (text[tail] & 0xc0) == 0x80;)
		tail++;
	escape(out, text, head);
	rg_buf_str(out, "…");
	escape(out, text + tail, length - tail);
}

/* As it is. */
static void write_raw(rg_buf *out, const char *text, size_t length)
{
	rg_buf_add(out, text, length);
}

static void write_number(rg_buf *out, double number, rg_token_filter filter)
{
	char text[RG_DOUBLE_REPR_SIZE], percent[RG_PERCENT_SIZE], count[RG_COUNT_TEXT];
	if (filter == RG_FILTER_SHIFT) {
		rg_say_change(out, 0 - number);
	} else if (filter == RG_FILTER_CHANGE) {
		rg_say_change(out, number);
	} else if (filter == RG_FILTER_AT_MOST) {
		rg_percent_at_most(percent, number);
		rg_buf_printf(out, "%s %%", percent);
	} else if (filter == RG_FILTER_CHANCE && number > 0) {
		const double of = fmin(floor(1 / number * (1 + 1e-12)), 1e6);
		rg_buf_printf(out, "1 of %s", rg_count_text((size_t)of, count));
	} else if (filter == RG_FILTER_SIGNED) {
		rg_buf_str(out, number > 0 ? "+" : "");
		rg_say_figure(out, number);
	} else if (filter == RG_FILTER_PERCENT) {
		rg_say_share(out, number);
	} else if (filter == RG_FILTER_SHADE) {
		rg_buf_printf(out, "%.0f", round(fmin(fmax(number, 0), 100) / 100 * 20));
	} else if (number == floor(number) && fabs(number) < 1e15) {
		rg_buf_printf(out, "%.0f", number);
	} else if (filter == RG_FILTER_EXACT) {
		rg_double_repr(number, text);
		rg_buf_str(out, text);
	} else {
		rg_say_figure(out, number);
	}
}

/* Each line with its end. */
static void write_lines(rg_buf *out, const char *text, rg_escape_fn *escape)
{
	for (; *text; text += *text == '\n') {
		size_t length = strcspn(text, "\n");
		escape(out, text, length);
		rg_buf_char(out, '\n');
		text += length;
	}
}

static void write_value(renderer *r, rg_buf *out, const cJSON *value, const rg_token *t)
{
	rg_escape_fn *escape = t->kind == RG_TOKEN_VALUE && r->style->escape ? r->style->escape
									     : write_raw;

	RG_AUTO(rg_buf) number = rg_buf_of(RG_BUF_TEXT);
	const char *text = cJSON_GetStringValue(value);
	if (cJSON_IsNumber(value))
		write_number(&number, value->valuedouble, t->filter);
	if (text && t->filter == RG_FILTER_LINES)
		write_lines(out, text, escape);
	else if (text && t->filter == RG_FILTER_NAME)
		escape(out, text, rg_run_name_length(text));
	else if (text && t->kind == RG_TOKEN_VALUE)
		write_text(r, out, text, escape);
	else if (text)
		rg_buf_str(out, text);
	else if (cJSON_IsBool(value))
		escape(out, cJSON_IsTrue(value) ? "true" : "false", cJSON_IsTrue(value) ? 4 : 5);
	else
		escape(out, number.data, number.length);
	rg_buf_inherit(out, &number);
}

/* The first of both forms for one, the second for all other counts; '#' in it is the count. */
static void write_plural(renderer *r, rg_buf *out, const cJSON *count, const rg_token *t)
{
	static const rg_token plain = {.kind = RG_TOKEN_RAW};
	const char *comma = memchr(t->forms, ',', t->forms_length);
	bool one = cJSON_IsNumber(count) && count->valuedouble == 1;
	const char *p = one ? t->forms : comma + 1;
	const char *end = one ? comma : t->forms + t->forms_length;

	for (; p < end; p++) {
		if (*p == '#')
			write_value(r, out, count, &plain);
		else
			rg_buf_char(out, *p);
	}
}

static rg_error *render(renderer *r, rg_buf *out, size_t from, size_t to);

/* One line, as it is. */
static void write_line(rg_buf *out, const char *text, size_t length)
{
	rg_utf8_add_safe(out, text, length);
}

/* Renders a section of code or a table (NULL) apart, its values written by `escape`, and hands it
 * to what writes it. */
static rg_error *render_apart(renderer *r, rg_buf *out, size_t place, rg_escape_fn *code,
			      rg_escape_fn *escape)
{
	const rg_mustache_style *outside = r->style;
	rg_mustache_style inside = *outside;

	RG_AUTO(rg_buf) inner = rg_buf_of(out->max);
	inside.escape = escape;
	r->style = &inside;
	rg_error *err = render(r, &inner, place + 1, r->tokens->items[place].end);
	r->style = outside;
	RG_TRY(err);
	RG_TRY(rg_buf_check(&inner, code ? "code" : "table"));
	if (!code)
		return outside->table(out, inner.data, inner.length, outside->table_style);
	code(out, inner.data, inner.length);
	return NULL;
}

/* The section at `place`, with the keys of a value in reach. */
static rg_error *render_scope(renderer *r, rg_buf *out, size_t place, const cJSON *value,
			      bool is_first)
{
	r->is_first[r->depth] = is_first;
	r->scopes[r->depth++] = value;
	rg_error *err = render(r, out, place + 1, r->tokens->items[place].end);
	r->depth--;
	return err;
}

static rg_error *render_section(renderer *r, rg_buf *out, size_t place)
{
	const rg_token *tag = &r->tokens->items[place];
	const struct {
		const char *name;
		rg_escape_fn *code, *escape;
		bool there;
	} apart[] = {{"code", r->style->code, NULL, r->style->code},
		     {"html_code", r->style->html_code, NULL, r->style->html_code},
		     {"fence", r->style->fence, write_line, r->style->fence},
		     {"table", NULL, r->style->escape, r->style->table}};

	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++)
		if (tag->kind == RG_TOKEN_SECTION && apart[i].there &&
		    is_called(tag->text, tag->length, apart[i].name))
			return render_apart(r, out, place, apart[i].code, apart[i].escape);
	const cJSON *value = find(r, tag->text, tag->length);
	if (is_true(value) == (tag->kind == RG_TOKEN_INVERTED))
		return NULL;
	if (cJSON_IsObject(value))
		return render_scope(r, out, place, value, false);
	if (tag->kind == RG_TOKEN_INVERTED || !cJSON_IsArray(value))
		return render(r, out, place + 1, tag->end);
	size_t left = shown_of(r, value);
	for (const cJSON *item = value->child; item && left; item = item->next, left--)
		RG_TRY(render_scope(r, out, place, item, item == value->child));
	return NULL;
}

static rg_error *render(renderer *r, rg_buf *out, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const rg_token *t = &r->tokens->items[i];
		if (++r->steps > STEPS_MAX)
			return rg_error_new(RG_E_LIMIT, "more than %d steps", STEPS_MAX);
		switch (t->kind) {
		case RG_TOKEN_TEXT:
			rg_buf_add(out, t->text, t->length);
			break;
		case RG_TOKEN_VALUE:
		case RG_TOKEN_RAW:
			if (t->filter == RG_FILTER_PLURAL)
				write_plural(r, out, find(r, t->text, t->length), t);
			else
				write_value(r, out, find(r, t->text, t->length), t);
			break;
		case RG_TOKEN_SECTION:
		case RG_TOKEN_INVERTED:
			RG_TRY(render_section(r, out, i));
			i = t->end;
			break;
		case RG_TOKEN_END:
		case RG_TOKEN_COMMENT:
		case RG_TOKEN_PARTIAL:
			break;
		}
		RG_TRY(rg_buf_check(out, "output"));
	}
	return NULL;
}

rg_error *rg_mustache_render(rg_buf *out, const char *template_text, const cJSON *view,
			     const rg_mustache_style *style, const rg_mustache_limits *limits)
{
	RG_AUTO(rg_token_list) tokens = {0};
	renderer r = {.tokens = &tokens, .style = style, .limits = limits};

	RG_TRY(rg_tokens_parse(&tokens, template_text));
	r.scopes[r.depth++] = view;
	return render(&r, out, 0, tokens.count);
}

rg_error *rg_mustache_check(const char *template_text)
{
	RG_AUTO(rg_token_list) tokens = {0};

	return rg_tokens_parse(&tokens, template_text);
}
