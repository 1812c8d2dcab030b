/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/text_names.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "golden/text_token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More numbers on a line are one metric; bytes of a name. */
enum { NUMBERS_MAX = 1000, NAME_MAX_BYTES = 200 };

struct rg_text_named {
	rg_text_context context;
	bool lettered; /* the skeleton has a letter */
	bool by_words; /* its own words name all its numbers, whatever is above */
	bool is_row;   /* the header above names its numbers */
	uint32_t *metrics;
};

void rg_text_names_init(rg_text_names *names, rg_arena *arena)
{
	*names = (rg_text_names){.arena = arena,
				 .context = {.heading = SIZE_MAX},
				 .base = rg_buf_of(RG_BUF_ANY),
				 .name = rg_buf_of(RG_BUF_ANY),
				 .element = rg_buf_of(RG_BUF_ANY)};
}

void rg_text_names_release(rg_text_names *names)
{
	rg_buf_release(&names->base);
	rg_buf_release(&names->name);
	rg_buf_release(&names->element);
	free(names->columns);
	free(names->seen);
	free(names->names);
	free(names->skeletons.items);
	free(names->skeletons.named);
	free(names->by_name.entries);
	free(names->by_skeleton.entries);
	*names = (rg_text_names){0};
}

void rg_text_names_hand_over(rg_text_names *names, rg_text_lines *out, rg_arena *arena)
{
	out->skeletons = names->skeletons.items;
	out->skeleton_count = names->skeletons.count;
	out->names = names->names;
	rg_arena_adopt(arena, RG_TAKE(names->skeletons.items));
	rg_arena_adopt(arena, RG_TAKE(names->names));
}

/* --- names and skeletons, each kept once --- */

typedef rg_text_skeleton text_at_fn(const rg_text_names *names, size_t place);

static rg_text_skeleton name_at(const rg_text_names *names, size_t place)
{
	return (rg_text_skeleton){names->names[place], strlen(names->names[place])};
}

static rg_text_skeleton skeleton_at(const rg_text_names *names, size_t place)
{
	return names->skeletons.items[place];
}

static uint64_t hash_text(rg_text_skeleton text)
{
	uint64_t hash = text.length, bytes;
	size_t at = 0;
	for (; at < text.length; at += sizeof(bytes)) {
		const size_t left = text.length - at;
		bytes = 0;
		memcpy(&bytes, text.text + at, left < sizeof(bytes) ? left : sizeof(bytes));
		hash = (hash ^ bytes) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return hash;
}

/* Its place in the table, or the empty place where it belongs. */
static uint32_t *slot_of(const rg_text_names *names, const rg_text_index *index,
			 text_at_fn *text_at, rg_text_skeleton text)
{
	const uint64_t hash = hash_text(text);
	uint32_t *entries = index->entries;
	size_t at = (size_t)((hash ^ hash >> 32) & (index->room - 1));

	for (; entries[at]; at = (at + 1) & (index->room - 1)) {
		const rg_text_skeleton other = text_at(names, entries[at] - 1);
		if (other.length == text.length && !memcmp(other.text, text.text, text.length))
			break;
	}
	return &entries[at];
}

/* Keeps the table at most half full; `count` are in it. */
static void make_room(const rg_text_names *names, rg_text_index *index, text_at_fn *text_at,
		      size_t count)
{
	if (index->room > 2 * count)
		return;
	free(index->entries);
	index->room = index->room ? 4 * index->room : 64;
	index->entries = rg_calloc(index->room, sizeof(uint32_t));
	for (size_t i = 0; i < count; i++)
		*slot_of(names, index, text_at, text_at(names, i)) = (uint32_t)i + 1;
}

uint32_t rg_text_names_keep(rg_text_names *names, const char *name, size_t length)
{
	const rg_text_skeleton text = {name, length};
	make_room(names, &names->by_name, name_at, names->count);
	uint32_t *slot = slot_of(names, &names->by_name, name_at, text);
	if (!*slot) {
		*RG_PUSH(names->names, names->count, names->capacity) =
			rg_arena_copy(names->arena, name, length);
		*slot = (uint32_t)names->count;
	}
	return *slot - 1;
}

uint32_t rg_text_names_skeleton(rg_text_names *names, const char *text, size_t length)
{
	rg_text_skeleton skeleton = {text, length};
	rg_text_skeletons *all = &names->skeletons;
	make_room(names, &names->by_skeleton, skeleton_at, all->count);
	uint32_t *slot = slot_of(names, &names->by_skeleton, skeleton_at, skeleton);
	if (!*slot) {
		skeleton.text = rg_arena_copy(names->arena, skeleton.text, skeleton.length);
		rg_grow(&all->items, &all->capacity, all->count + 1, sizeof(*all->items));
		rg_grow(&all->named, &all->named_capacity, all->count + 1, sizeof(*all->named));
		all->named[all->count] = (struct rg_text_named){
			.lettered = rg_text_has_letter(skeleton.text, skeleton.length)};
		all->items[all->count++] = skeleton;
		*slot = (uint32_t)all->count;
	}
	return *slot - 1;
}

/* --- names --- */

rg_error *rg_text_pattern_name(rg_buf *out, const char *pattern)
{
	rg_buf_clear(out);
	for (const char *p = pattern; *p;) {
		size_t length = strcspn(p, "*{");
		const char *piece = p, *end = strchr(p, '}');

		p += length ? length : *p == '{' && end ? (size_t)(end - p) + 1 : 1;
		rg_text_trim(&piece, &length);
		if (length && out->length)
			rg_buf_char(out, ' ');
		rg_buf_add(out, piece, length);
	}
	if (!out->length)
		return rg_error_new(RG_E_USAGE, "'%s' has no text that could be a metric's name",
				    pattern);
	return rg_buf_check(out, "a metric's name");
}

/* A text of a line under way. */
typedef struct {
	const char *text;
	size_t length;
} piece;

static void trim(piece *p)
{
	rg_text_trim(&p->text, &p->length);
}

static bool is_word(piece p)
{
	trim(&p);
	return rg_text_has_letter(p.text, p.length);
}

static const char *find_last(piece in, const char *wanted)
{
	const size_t length = strlen(wanted);
	for (size_t at = in.length; at >= length; at--)
		if (!memcmp(in.text + at - length, wanted, length))
			return in.text + at - length;
	return NULL;
}

/* Leaves in `out` the texts between quotes; the last one may lack its end. */
static void join_quoted(rg_buf *out, piece in, bool *open)
{
	*open = false;
	rg_buf_clear(out);
	for (size_t i = 0; i < in.length; i++) {
		if (in.text[i] == '"')
			*open = !*open;
		else if (*open)
			rg_buf_char(out, in.text[i]);
		if (in.text[i] == '"' && *open && out->length)
			rg_buf_char(out, ' ');
	}
}

/*
 * An element's attributes name its numbers (Real Name="Time" names Time). An attribute names a
 * number that is its whole value, and an element without attributes names its own numbers.
 * names->element keeps the attributes for the number between the element's tags.
 */
static piece element_words(rg_text_names *names, piece p)
{
	const char *tag = find_last(p, "<"), *assigned = find_last(p, "=\"");
	const piece whole = p;
	bool open;

	if (tag)
		p = (piece){tag, (size_t)(p.text + p.length - tag)};
	else if (!assigned && memchr(p.text, '>', p.length) && !is_word(p))
		return (piece){names->element.data, names->element.length};
	if (assigned && assigned + 2 == whole.text + whole.length) {
		size_t length = 0;
		while (assigned - length > whole.text && assigned[-(ptrdiff_t)length - 1] != ' ')
			length++;
		p = (piece){assigned - length, length};
		join_quoted(&names->element, whole, &open);
		return p;
	}
	if (!assigned)
		return p;
	join_quoted(&names->element, p, &open);
	rg_buf_clear(&names->name);
	rg_buf_add(&names->name, names->element.data, names->element.length);
	if (open)
		rg_buf_clear(&names->element);
	return is_word((piece){names->name.data, names->name.length})
		       ? (piece){names->name.data, names->name.length}
		       : p;
}

static bool is_element(rg_text_skeleton line)
{
	return line.length && line.text[0] == '<';
}

/* Keeps the base name: `p` trimmed, and only its last words if it is long. */
static uint32_t keep_base(rg_text_names *names, piece p)
{
	size_t from = 0;
	trim(&p);
	if (p.length > NAME_MAX_BYTES) {
		size_t word = from = p.length - NAME_MAX_BYTES;
		while (word < p.length && p.text[word - 1] != ' ')
			word++;
		/* One long word begins between characters. */
		if (word < p.length)
			from = word;
		while (from < p.length && ((unsigned char)p.text[from] & 0xc0) == 0x80)
			from++;
	}
	rg_buf_clear(&names->base);
	rg_utf8_add_valid(&names->base, p.text + from, p.length - from);
	return rg_text_names_keep(names, names->base.data, names->base.length);
}

/* --- columns --- */

static bool is_marker(char c)
{
	return c && strchr("#@%!", c);
}

static piece without_marker(rg_text_skeleton line)
{
	piece p = {line.text, line.length};
	while (p.length && (is_marker(*p.text) || *p.text == ' '))
		p.text++, p.length--;
	return p;
}

/* Takes the next word off the header; one in brackets belongs to the word before, as its unit. */
static bool next_word(piece *header, piece *word)
{
	const char *end = header->text + header->length, *at = header->text;
	bool more = true;

	while (at < end && (*at == ' ' || strchr(",;|", *at)))
		at++;
	*word = (piece){at, 0};
	while (more) {
		while (at < end && *at != ' ' && !strchr(",;|", *at))
			at++;
		word->length = (size_t)(at - word->text);
		more = at + 1 < end && *at == ' ' && strchr("([", at[1]);
		if (more) {
			const char *closing =
				memchr(at, at[1] == '(' ? ')' : ']', (size_t)(end - at));
			more = closing && (closing + 1 == end || closing[1] == ' ');
			at += more;
		}
	}
	*header = (piece){at, (size_t)(end - at)};
	return word->length;
}

static size_t count_words(rg_text_skeleton line)
{
	piece header = without_marker(line), word;
	size_t count = 0;
	while (next_word(&header, &word))
		count++;
	return count;
}

static size_t count_fields(piece p)
{
	size_t count = 1;
	for (size_t i = 0; i < p.length; i++)
		count += p.text[i] == ' ';
	return count;
}

/* A line on its way to its names. */
typedef struct {
	rg_text_skeleton line;
	size_t numbers;
	const rg_text_skeleton *header; /* NULL: none has as many words as the line has numbers */
	bool by_field;                  /* it has as many as the line has fields */
} name_state;

/* The word of number `i`, which is at `mark`, from a list, header or heading above the line. */
static piece word_above(rg_text_names *names, const name_state *n, size_t i, const char *mark)
{
	const size_t field = count_fields((piece){n->line.text, (size_t)(mark - n->line.text)}) - 1;

	if (names->context.list)
		if (field < names->column_count && names->columns[field])
			return (piece){names->columns[field], strlen(names->columns[field])};
	if (n->header) {
		piece header = without_marker(*n->header), word = {NULL, 0};
		for (size_t k = 0; k <= (n->by_field ? field : i); k++)
			next_word(&header, &word);
		if (is_word(word))
			return word;
	}
	if (names->context.heading == SIZE_MAX)
		return (piece){"values", strlen("values")};
	const rg_text_skeleton heading = names->skeletons.items[names->context.heading];
	const piece all = {heading.text, heading.length};
	return is_element(heading) ? element_words(names, all) : all;
}

/* The column that a line of a list names: "# 14: NAME" the 14th, "@ s0 legend "NAME"" the second,
 * "@ xaxis label "NAME"" the first; 0: none. *from is the place of the name. */
static unsigned parse_column(const char *line, size_t length, int *from)
{
	char head[64], digits[5] = "";

	*from = 0;
	snprintf(head, sizeof(head), "%.*s", (int)(length < sizeof(head) ? length : sizeof(head)),
		 line);
	if (sscanf(head, " %*1[#%%!@] %4[0-9] :%n", digits, from) == 1 && *from)
		return (unsigned)strtoul(digits, NULL, 10);
	if (sscanf(head, " @ s%4[0-9] legend \"%n", digits, from) == 1 && *from)
		return (unsigned)strtoul(digits, NULL, 10) + 2;
	return sscanf(head, " @ xaxis label \"%n", from) == 0 && *from ? 1 : 0;
}

bool rg_text_names_column(rg_text_names *names, const char *line, size_t length)
{
	int from;
	size_t marker = 0;

	while (marker < length && rg_text_is_blank(line[marker]))
		marker++;
	if (marker == length || !is_marker(line[marker]))
		return false;
	const unsigned place = parse_column(line, length, &from);
	const piece name = {line + from, length - (size_t)from};
	if (!place || !is_word(name))
		return line[marker] == '@'; /* every line of Grace's that begins so is a command */
	/* The first column, or one that is there already, begins another list. */
	if (!names->context.list || place == 1 ||
	    (place <= names->column_count && names->columns[place - 1])) {
		names->column_count = 0;
		names->context.list = ++names->lists;
	}
	rg_grow(&names->columns, &names->column_capacity, place, sizeof(*names->columns));
	while (names->column_count < place)
		names->columns[names->column_count++] = NULL;
	const uint32_t kept = keep_base(names, name);
	names->columns[place - 1] = names->names[kept];
	return true;
}

/* --- lines --- */

void rg_text_names_blank(rg_text_names *names)
{
	names->context.block += names->block_lines > 1;
	names->block_lines = 0;
}

/* The name of a number whose base is `base`: the second one of the line so called is "base[2]", in
 * the third block of a table "base[2]#3". */
static uint32_t keep_number(rg_text_names *names, uint32_t base, uint32_t block)
{
	rg_text_seen *seen = &names->seen[base];
	if (seen->line != names->line)
		*seen = (rg_text_seen){.line = names->line};
	const uint32_t times = ++seen->times;
	if (times == 1 && !block)
		return base;
	rg_buf_clear(&names->name);
	rg_buf_str(&names->name, names->names[base]);
	if (times > 1)
		rg_buf_printf(&names->name, "[%u]", (unsigned)times);
	if (block)
		rg_buf_printf(&names->name, "#%u", (unsigned)block + 1);
	return rg_text_names_keep(names, names->name.data, names->name.length);
}

static uint32_t base_of(rg_text_names *names, const name_state *n, size_t i, piece p,
			const char *mark, uint32_t before, bool *by_words)
{
	/* A unit that follows a number at once is not a word. Nor is a cell of a row, if a list
	 * names its columns. */
	for (; i && p.length && *p.text != ' ' && !rg_text_separates(p.text, p.length, 0); p.text++)
		p.length--;
	const bool ends_tag = is_element(n->line) && memchr(p.text, '>', p.length);
	const bool is_row = names->context.list && !*n->line.text;
	if (is_element(n->line))
		p = element_words(names, p);
	if (is_word(p) && !is_row)
		return keep_base(names, p);
	if (before != UINT32_MAX && !ends_tag && !is_row)
		return before;
	*by_words = false;
	return keep_base(names, word_above(names, n, i, mark));
}

/* Returns whether the line's own words name all its numbers. */
static bool name_numbers(rg_text_names *names, const name_state *n, uint32_t block,
			 uint32_t *metrics)
{
	const char *at = n->line.text, *end = at + n->line.length;
	uint32_t base = UINT32_MAX, own = UINT32_MAX;
	bool by_words = true;

	rg_buf_clear(&names->element);
	names->line++;
	for (size_t i = 0; i < n->numbers; i++) {
		if (i && n->numbers > NUMBERS_MAX) {
			metrics[i] = metrics[0];
			continue;
		}
		const char *mark = memchr(at, '\0', (size_t)(end - at));
		bool words = true;
		base = base_of(names, n, i, (piece){at, (size_t)(mark - at)}, mark, own, &words);
		own = words ? base : UINT32_MAX;
		by_words &= words;
		at = mark + 1;
		rg_grow(&names->seen, &names->seen_capacity, names->count, sizeof(*names->seen));
		metrics[i] = keep_number(names, base, block);
	}
	return by_words;
}

/* Is each word in brackets, as units below the names of columns are? */
static bool has_units_alone(rg_text_skeleton line)
{
	bool starts = true;
	for (size_t i = 0; i < line.length; i++) {
		if (starts && !strchr("([", line.text[i]))
			return false;
		starts = line.text[i] == ' ';
		if ((starts || i + 1 == line.length) &&
		    !strchr(")]", line.text[starts ? i - 1 : i]))
			return false;
	}
	return true;
}

static bool same_context(const rg_text_context *a, const rg_text_context *b)
{
	return a->heading == b->heading && a->is_header == b->is_header && a->list == b->list &&
	       a->block == b->block;
}

static void name_line(rg_text_names *names, uint32_t place, size_t numbers, uint32_t *metrics)
{
	struct rg_text_named *named = &names->skeletons.named[place];
	name_state n = {.line = names->skeletons.items[place], .numbers = numbers};
	const uint32_t block = named->lettered ? 0 : names->context.block;

	if (names->context.heading != SIZE_MAX && names->context.is_header) {
		const rg_text_skeleton *header = &names->skeletons.items[names->context.heading];
		const size_t words = count_words(*header);
		n.by_field = words == count_fields((piece){n.line.text, n.line.length});
		if (numbers > 1 && (words == numbers || n.by_field))
			n.header = header;
	}
	named->by_words = name_numbers(names, &n, block, metrics);
	named->is_row = n.header && !named->by_words;
	if (!named->metrics)
		named->metrics = rg_arena_alloc(names->arena, numbers * sizeof(*named->metrics));
	memcpy(named->metrics, metrics, numbers * sizeof(*metrics));
	named->context = names->context;
}

uint32_t rg_text_names_find(rg_text_names *names, const char *skeleton, size_t length,
			    size_t numbers, uint32_t *metrics)
{
	const uint32_t place = rg_text_names_skeleton(names, skeleton, length);
	struct rg_text_named *named = &names->skeletons.named[place];

	if (!numbers) {
		/* The lines below are named by a line with a letter and no number. */
		if (named->lettered && !has_units_alone(names->skeletons.items[place])) {
			names->context = (rg_text_context){.heading = place, .is_header = true};
			names->block_lines = 0;
		}
		return place;
	}
	if (named->metrics && (named->by_words || same_context(&named->context, &names->context)))
		memcpy(metrics, named->metrics, numbers * sizeof(*metrics));
	else
		name_line(names, place, numbers, metrics);
	names->block_lines += !named->lettered;
	if (named->lettered && !named->is_row)
		names->context.is_header = false;
	return place;
}
