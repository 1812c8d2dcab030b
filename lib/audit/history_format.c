#include "audit/history_format.h"

#include "base/json_out.h"
#include "base/number.h"
#include "base/utf8.h"

#include <cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WHOLE_MAX 9007199254740992.0 /* 2^53 */
enum { TEXT_MAX = 256 };             /* longer texts are no results, and are not kept */

/* ---- little-endian words ---- */

static void put_word(rg_buf *out, const void *word)
{
	unsigned char bytes[8];
	uint64_t value;
	int i;

	memcpy(&value, word, sizeof(value));
	for (i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(value >> (8 * i));
	rg_buf_add(out, bytes, sizeof(bytes));
}

static void get_word(const char *bytes, void *word)
{
	uint64_t value = 0;
	int i;

	for (i = 7; i >= 0; i--)
		value = value << 8 | (unsigned char)bytes[i];
	memcpy(word, &value, sizeof(value));
}

/* ---- a golden's block ---- */

static bool counts_up(const rg_metric *series)
{
	return !series->steps || !series->count ||
	       series->steps[series->count - 1] - series->steps[0] == (int64_t)(series->count - 1);
}

static void put_series_head(rg_json_out *json, const rg_metric *series)
{
	rg_json_open(json, '{');
	rg_json_key_text(json, "name", series->name);
	if (series->kind == RG_METRIC_TEXT) {
		rg_json_key_text(json, "text", series->text);
		rg_json_close(json, '}');
		return;
	}
	rg_json_key_count(json, "count", series->count);
	if (counts_up(series)) {
		rg_json_key(json, "first_step");
		rg_json_integer(json, series->steps && series->count ? series->steps[0] : 0);
	} else {
		rg_json_key_truth(json, "steps", true);
	}
	rg_json_close(json, '}');
}

static rg_error *put_series(rg_buf *out, const rg_metric *series)
{
	enum { BLOCK = 4096 };
	double values[BLOCK];
	size_t first, i;

	for (i = 0; !counts_up(series) && i < series->count; i++)
		put_word(out, &series->steps[i]);
	for (first = 0; first < series->count; first += BLOCK) {
		size_t left = series->count - first, count = left < BLOCK ? left : BLOCK;

		RG_TRY(rg_metric_read(series, first, count, values));
		for (i = 0; i < count; i++)
			put_word(out, &values[i]);
	}
	return NULL;
}

static bool is_utf8(const char *text)
{
	size_t left = strlen(text);

	while (left) {
		size_t length = rg_utf8_length(text, left);

		if (!length)
			return false;
		text += length;
		left -= length;
	}
	return true;
}

/* What the list of series cannot say is not kept: broken UTF-8, steps beyond 2^53. */
static bool is_kept(const rg_metric *metric)
{
	const int64_t limit = (int64_t)WHOLE_MAX;

	if (metric->kind == RG_METRIC_TEXT)
		return metric->count <= TEXT_MAX && metric->count == strlen(metric->text) &&
		       is_utf8(metric->text) && is_utf8(metric->name);
	return metric->kind == RG_METRIC_SERIES && is_utf8(metric->name) &&
	       (!metric->steps || !metric->count ||
		(metric->steps[0] >= -limit && metric->steps[metric->count - 1] <= limit));
}

rg_error *rg_history_put_block(rg_buf *out, const rg_golden *golden)
{
	rg_json_out json;
	size_t i;

	rg_json_out_init(&json, out);
	rg_json_open_flat(&json, '[');
	for (i = 0; i < golden->count; i++)
		if (is_kept(&golden->metrics[i]))
			put_series_head(&json, &golden->metrics[i]);
	rg_json_close(&json, ']'); /* ends the line */
	for (i = 0; i < golden->count; i++)
		if (is_kept(&golden->metrics[i]) && golden->metrics[i].kind == RG_METRIC_SERIES)
			RG_TRY(put_series(out, &golden->metrics[i]));
	return rg_buf_check(out, "a run's history");
}

static rg_error *damaged(const char *what)
{
	return rg_error_new(RG_E_PARSE, "damaged: %s", what);
}

static bool get_whole(const cJSON *object, const char *key, double min, double max, double *out)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!cJSON_IsNumber(item) || !(item->valuedouble >= min && item->valuedouble <= max) ||
	    floor(item->valuedouble) != item->valuedouble)
		return false;
	*out = item->valuedouble;
	return true;
}

/* The block's words that have not been taken yet. */
typedef struct {
	const char *next;
	size_t left; /* words */
} word_reader;

/* NULL where memory runs out; there must be so many left. */
static const void *take_words(rg_arena *arena, word_reader *words, size_t count)
{
	char *out = rg_arena_alloc(arena, (count + 1) * 8);
	size_t i;

	for (i = 0; out && i < count; i++, words->next += 8)
		get_word(words->next, out + 8 * i);
	words->left -= count;
	return out;
}

static rg_error *parse_series(rg_arena *arena, const cJSON *item, word_reader *words,
			      rg_metric *out)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");
	double count, first = 0;
	bool has_first = get_whole(item, "first_step", -WHOLE_MAX, WHOLE_MAX, &first);
	int64_t *steps = NULL;
	size_t i;

	if (!cJSON_IsString(name) || !get_whole(item, "count", 0, WHOLE_MAX, &count))
		return damaged("a series without name or count");
	if ((uint64_t)count > words->left / (has_first ? 1 : 2))
		return damaged("a series longer than the file");
	out->name = rg_arena_copy(arena, name->valuestring, strlen(name->valuestring));
	out->kind = RG_METRIC_SERIES;
	out->count = (size_t)count;
	if (!has_first) {
		out->steps = take_words(arena, words, out->count);
		if (!out->steps)
			return rg_error_nomem();
		for (i = 1; i < out->count; i++)
			if (out->steps[i] <= out->steps[i - 1])
				return damaged("steps that do not ascend");
	} else if (first != 0) {
		steps = rg_arena_alloc(arena, (out->count + 1) * sizeof(*steps));
		for (i = 0; steps && i < out->count; i++)
			steps[i] = (int64_t)first + (int64_t)i;
		if (!steps)
			return rg_error_nomem();
		out->steps = steps;
	}
	out->values = take_words(arena, words, out->count);
	return out->name && out->values ? NULL : rg_error_nomem();
}

static rg_error *parse_text(rg_arena *arena, const cJSON *item, const char *text, rg_metric *out)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "name");

	if (!cJSON_IsString(name))
		return damaged("a text without a name");
	out->kind = RG_METRIC_TEXT;
	out->count = strlen(text);
	out->text = rg_arena_copy(arena, text, out->count);
	out->name = rg_arena_copy(arena, name->valuestring, strlen(name->valuestring));
	return out->text && out->name ? NULL : rg_error_nomem();
}

static rg_error *parse_list(rg_golden *golden, const cJSON *list, word_reader *words)
{
	size_t count = (size_t)cJSON_GetArraySize(list), i = 0;
	rg_metric *metrics = rg_arena_alloc(&golden->arena, (count + 1) * sizeof(*metrics));
	const cJSON *item;

	if (!metrics)
		return rg_error_nomem();
	cJSON_ArrayForEach(item, list)
	{
		const cJSON *text = cJSON_GetObjectItemCaseSensitive(item, "text");

		if (cJSON_IsString(text))
			RG_TRY(parse_text(&golden->arena, item, text->valuestring, &metrics[i]));
		else
			RG_TRY(parse_series(&golden->arena, item, words, &metrics[i]));
		if (i && strcmp(metrics[i - 1].name, metrics[i].name) >= 0)
			return damaged("series that are not in order");
		i++;
	}
	golden->format = "history";
	golden->metrics = metrics;
	golden->count = count;
	return NULL;
}

rg_error *rg_history_parse_block(rg_golden **out, const char *bytes, size_t size)
{
	const char *line_end = memchr(bytes, '\n', size);
	rg_golden *golden;
	rg_error *err;
	cJSON *list;
	word_reader words;

	*out = NULL;
	if (!line_end)
		return damaged("a golden without its list of series");
	words.next = line_end + 1;
	words.left = (size - (size_t)(words.next - bytes)) / 8;
	list = cJSON_ParseWithLength(bytes, (size_t)(line_end - bytes));
	if (!cJSON_IsArray(list)) {
		cJSON_Delete(list);
		return damaged("a golden without its list of series");
	}
	golden = calloc(1, sizeof(*golden));
	if (!golden) {
		cJSON_Delete(list);
		return rg_error_nomem();
	}
	rg_arena_init(&golden->arena);
	err = parse_list(golden, list, &words);
	cJSON_Delete(list);
	if (err)
		rg_golden_free(golden);
	else
		*out = golden;
	return err;
}

/* ---- the head ---- */

rg_error *rg_history_read_at(int fd, void *out, size_t size, uint64_t offset)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = pread(fd, (char *)out + done, size - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return rg_error_io(errno, "reading");
		if (got == 0)
			return damaged("it is cut short");
		done += (size_t)got;
	}
	return NULL;
}

static rg_error *get_text(rg_arena *arena, const cJSON *object, const char *key, const char **out)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!cJSON_IsString(item))
		return damaged("a head without all its fields");
	*out = rg_arena_copy(arena, item->valuestring, strlen(item->valuestring));
	return *out ? NULL : rg_error_nomem();
}

static rg_error *parse_run(rg_arena *arena, const cJSON *object, rg_history_run *out)
{
	const cJSON *complete = cJSON_GetObjectItemCaseSensitive(object, "complete");
	double id, attempt;

	if (!get_whole(object, "id", 1, WHOLE_MAX, &id) ||
	    !get_whole(object, "attempt", 0, 1e9, &attempt) || !cJSON_IsBool(complete))
		return damaged("a head without all its fields");
	out->id = (uint64_t)id;
	out->attempt = (unsigned)attempt;
	out->complete = cJSON_IsTrue(complete);
	RG_TRY(get_text(arena, object, "when", &out->when));
	RG_TRY(get_text(arena, object, "branch", &out->branch));
	RG_TRY(get_text(arena, object, "commit", &out->commit));
	return get_text(arena, object, "event", &out->event);
}

static rg_error *parse_place(rg_arena *arena, const cJSON *item, rg_history_place *out)
{
	double offset, size;
	const char *sha256;

	if (!get_whole(item, "offset", 0, WHOLE_MAX, &offset) ||
	    !get_whole(item, "size", 0, WHOLE_MAX, &size))
		return damaged("a golden without its place");
	out->offset = (uint64_t)offset;
	out->size = (uint64_t)size;
	RG_TRY(get_text(arena, item, "sha256", &sha256));
	if (strlen(sha256) != RG_SHA256_HEX - 1)
		return damaged("a golden without its checksum");
	memcpy(out->sha256, sha256, RG_SHA256_HEX);
	RG_TRY(get_text(arena, item, "path", &out->path));
	return rg_path_check(out->path);
}

static rg_error *parse_head(rg_arena *arena, const cJSON *root, rg_history_head *out)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "goldens"), *item;
	size_t i = 0;

	RG_TRY(parse_run(arena, cJSON_GetObjectItemCaseSensitive(root, "run"), &out->run));
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > RG_HISTORY_GOLDENS_MAX)
		return damaged("a head without all its fields");
	out->count = (size_t)cJSON_GetArraySize(list);
	out->places = rg_arena_alloc(arena, (out->count + 1) * sizeof(*out->places));
	if (!out->places)
		return rg_error_nomem();
	cJSON_ArrayForEach(item, list)
	{
		RG_TRY(parse_place(arena, item, &out->places[i]));
		if (i && strcmp(out->places[i - 1].path, out->places[i].path) >= 0)
			return damaged("goldens that are not in order");
		i++;
	}
	return NULL;
}

/* "regild history N ", N being over 1. */
static bool is_newer(const char *line)
{
	static const char begin[] = "regild history ";
	const char *digits = line + sizeof(begin) - 1;
	size_t length;
	uint64_t version;

	if (strncmp(line, begin, sizeof(begin) - 1) != 0)
		return false;
	length = strspn(digits, "0123456789");
	return digits[length] == ' ' && *digits != '0' &&
	       rg_uint64_parse(digits, length, &version) && version > 1;
}

/* "regild history 1 SHA256 LENGTH\n" */
static rg_error *read_first_line(int fd, char sha256[static RG_SHA256_HEX], uint64_t *length,
				 uint64_t *head)
{
	enum { MAGIC = sizeof(RG_HISTORY_MAGIC) - 1, HEX = RG_SHA256_HEX - 1, LINE = 128 };
	char line[LINE + 1] = "";
	const char *digits = line + MAGIC + HEX + 1, *end;
	ssize_t got = pread(fd, line, LINE, 0);

	if (got < 0)
		return rg_error_io(errno, "reading");
	end = memchr(line, '\n', (size_t)got);
	if (got < MAGIC || memcmp(line, RG_HISTORY_MAGIC, MAGIC) != 0)
		return is_newer(line) ? rg_error_new(RG_E_CONFLICT,
						     "was written by a newer regild; take that one")
				      : rg_error_new(RG_E_PARSE, "is not a history file");
	if (!end || end < digits || digits[-1] != ' ' ||
	    !rg_uint64_parse(digits, (size_t)(end - digits), length) ||
	    *length > RG_HISTORY_HEAD_MAX)
		return damaged("its first line");
	memcpy(sha256, line + MAGIC, HEX);
	sha256[HEX] = '\0';
	*head = (uint64_t)(end + 1 - line);
	return NULL;
}

/* Do the goldens' places lie in the file? */
static rg_error *check_size(int fd, const rg_history_head *head)
{
	struct stat st;
	size_t i;

	if (fstat(fd, &st))
		return rg_error_io(errno, "reading");
	for (i = 0; i < head->count; i++) {
		const rg_history_place *place = &head->places[i];

		/* Each is at most 2^53. */
		if (head->blocks + place->offset + place->size > (uint64_t)st.st_size)
			return damaged("it is cut short");
	}
	return NULL;
}

rg_error *rg_history_read_head(int fd, rg_arena *arena, rg_history_head *out)
{
	char wanted[RG_SHA256_HEX], found[RG_SHA256_HEX];
	uint64_t length, head;
	cJSON *root = NULL;
	rg_error *err;
	char *text;

	*out = (rg_history_head){0};
	RG_TRY(read_first_line(fd, wanted, &length, &head));
	text = malloc((size_t)length + 1);
	if (!text)
		return rg_error_nomem();
	err = rg_history_read_at(fd, text, (size_t)length, head);
	if (!err)
		err = rg_sha256_hex(text, (size_t)length, found);
	if (!err && strcmp(wanted, found) != 0)
		err = rg_error_new(RG_E_MISMATCH, "damaged: its head's checksum does not fit");
	if (!err) {
		root = cJSON_ParseWithLength(text, (size_t)length);
		err = root ? parse_head(arena, root, out) : damaged("its head is not JSON");
	}
	out->blocks = head + length;
	if (!err)
		err = check_size(fd, out);
	cJSON_Delete(root);
	free(text);
	return err;
}
