/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "flow/triage.h"
#include "report/markdown.h"

#include <ctype.h>
#include <string.h>

static const char schema[] = "regild-triage";

const char *const rg_triage_words[RG_TRIAGE_WORDS] = {
	[RG_TRIAGE_BREAK] = "break",       [RG_TRIAGE_DRIFT] = "drift",
	[RG_TRIAGE_OPEN] = "undecided",    [RG_TRIAGE_INFRASTRUCTURE] = "infrastructure",
	[RG_TRIAGE_OTHER] = "other cause", [RG_TRIAGE_FLAKE] = "flake",
};

/* ---- JSON ---- */

#define OF rg_triage_line
static const rg_json_field line_fields[] = {
	RG_KEY_WORD("conclusion", word, rg_triage_words, "What the measurements say."),
	RG_KEY(name, "What people call the golden; without one, the job's name."),
	RG_KEY_OR_NULL(golden, "Its path from the repository's root; null: the job left none."),
	RG_KEY_OR_NULL(job, "The job that failed; null: nothing ties the golden to one job."),
	RG_KEY_OR_NULL(metric, "The metric that shows it most; null: none does."),
	RG_KEY(why, "The evidence in words."),
	RG_KEY_OPTIONAL(more_runs, "So many more measured runs would decide."),
	{0}};
#undef OF

#define OF rg_triage
const rg_json_field rg_triage_fields[] = {
	RG_KEY_OF("run", RG_JSON_WHOLE, run_id, RG_JSON_ALWAYS, "The run's number."),
	RG_KEY_OR_NULL(url, "The run's page."),
	RG_KEY_OR_NULL(base,
		       "The commit whose goldens it is compared with; null: it was not compared."),
	RG_KEY_OR_NULL(base_is, "What that commit is."),
	RG_KEY(measured,
	       "Were values compared with a noise model? Without one they decide nothing."),
	RG_KEY(failed_jobs, "How many jobs failed that are tests."),
	RG_KEY_AS("failed_others", other_jobs, "How many failed that are not tests."),
	RG_KEY_AS("break", counts[RG_TRIAGE_BREAK], "How many lines are so."),
	RG_KEY_AS("drift", counts[RG_TRIAGE_DRIFT], "The same."),
	RG_KEY_AS("undecided", counts[RG_TRIAGE_OPEN], "The same."),
	RG_KEY_AS("infrastructure", counts[RG_TRIAGE_INFRASTRUCTURE], "The same."),
	RG_KEY_AS("other_cause", counts[RG_TRIAGE_OTHER], "The same."),
	RG_KEY_AS("flake", counts[RG_TRIAGE_FLAKE], "The same."),
	RG_KEY_LIST("goldens", lines, count, line_fields,
		    "Each golden that the run's tests failed on, the worst first."),
	{0}};
#undef OF

bool rg_triage_is_document(const rg_buf *text)
{
	static const char *const parts[] = {"{", "\"schema\"", ":", "\"regild-triage\""};
	const char *at = text->data;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		while (isspace((unsigned char)*at))
			at++;
		if (strncmp(at, parts[i], strlen(parts[i])) != 0)
			return false;
		at += strlen(parts[i]);
	}
	return true;
}

rg_error *rg_triage_parse(rg_triage *out, const char *text, size_t length)
{
	RG_AUTO_PTR(cJSON) root = NULL;
	*out = (rg_triage){0};
	rg_arena_init(&out->arena);
	RG_TRY(rg_json_parse_document(&root, text, length, schema));
	const rg_json_in in = {root, &out->arena};
	const cJSON *lines, *item;
	size_t count;

	RG_TRY(rg_json_get_head(&in, schema));
	RG_TRY(rg_json_get_fields(&in, root, rg_triage_fields, out));
	RG_TRY(rg_json_get_objects(&in, root, "goldens", &lines, &count));
	memset(out->counts, 0, sizeof(out->counts));
	cJSON_ArrayForEach(item, lines)
	{
		rg_triage_line *line =
			RG_ARENA_PUSH(&out->arena, out->lines, out->count, out->capacity);
		*line = (rg_triage_line){0};
		RG_TRY(rg_json_get_fields(&in, item, line_fields, line));
		out->counts[line->word]++;
	}
	return NULL;
}

/* ---- for people ---- */

bool rg_triage_needs_look(const rg_triage *triage)
{
	return triage->counts[RG_TRIAGE_FLAKE] < triage->count;
}

void rg_triage_say(rg_buf *out, const rg_triage *triage)
{
	size_t tests = triage->failed_jobs, said = 0;
	rg_buf_printf(out, "run %llu: ", (unsigned long long)triage->run_id);
	if (tests)
		rg_buf_printf(out, "%zu test%s failed", tests, rg_plural(tests));
	else
		rg_buf_str(out, "no test failed");
	rg_buf_str(out, triage->count ? ": " : "");
	/* "1 break, 2 flakes" */
	for (size_t i = 0; i < RG_TRIAGE_WORDS; i++) {
		const size_t count = triage->counts[i];
		bool noun = i == RG_TRIAGE_BREAK || i == RG_TRIAGE_DRIFT || i == RG_TRIAGE_FLAKE;
		if (count)
			rg_buf_printf(out, "%s%zu %s%s", said++ ? ", " : "", count,
				      rg_triage_words[i], noun && count > 1 ? "s" : "");
	}
}

void rg_triage_say_base(rg_buf *out, const rg_triage *triage)
{
	size_t others = triage->other_jobs;
	if (triage->base)
		rg_buf_printf(out, "compared with %.10s (%s)%s\n", triage->base, triage->base_is,
			      triage->measured ? "" : ", without a noise model");
	if (others)
		rg_buf_printf(out, "%zu other job%s failed, which %s\n", others, rg_plural(others),
			      others == 1 ? "is not a test" : "are not tests");
}

/* A name may contain the characters that separate cells. */
static void append_cell(rg_buf *out, const char *text, char end)
{
	for (; text && *text; text++)
		rg_buf_char(out, *text == '\t' || *text == '\n' ? ' ' : *text);
	rg_buf_char(out, end);
}

void rg_triage_table(rg_buf *out, const rg_triage *triage)
{
	rg_buf_str(out, "conclusion\tgolden\tmetric\t>more runs\tevidence\n");
	for (size_t i = 0; i < triage->count; i++) {
		const rg_triage_line *line = &triage->lines[i];
		append_cell(out, rg_triage_words[line->word], '\t');
		append_cell(out, line->name, '\t');
		append_cell(out, line->metric, '\t');
		if (line->more_runs)
			rg_buf_printf(out, "%zu", line->more_runs);
		rg_buf_char(out, '\t');
		append_cell(out, line->why, '\n');
	}
}

static void append_more_runs(rg_buf *out, const rg_triage_line *line)
{
	if (line->more_runs)
		rg_buf_printf(out, " (%zu more run%s needed)", line->more_runs,
			      rg_plural(line->more_runs));
}

void rg_triage_list(rg_buf *out, const rg_triage *triage)
{
	for (size_t i = 0; i < triage->count; i++) {
		const rg_triage_line *line = &triage->lines[i];
		rg_buf_printf(out, "%s  ", rg_triage_words[line->word]);
		rg_utf8_add_safe(out, line->name, strlen(line->name));
		if (line->metric) {
			rg_buf_str(out, ": ");
			rg_utf8_add_safe(out, line->metric, strlen(line->metric));
		}
		rg_buf_str(out, "\n    ");
		rg_utf8_add_safe(out, line->why, strlen(line->why));
		append_more_runs(out, line);
		rg_buf_char(out, '\n');
	}
}

/* Appends as many rows as there is room for. */
static void append_rows(rg_buf *out, const rg_triage *triage, size_t max)
{
	enum { LAST = 64 }; /* bytes of the line that counts the others */
	RG_AUTO(rg_buf) row = rg_buf_of(RG_BUF_TEXT);
	size_t shown = 0;

	for (; shown < triage->count; shown++) {
		const rg_triage_line *line = &triage->lines[shown];
		rg_buf_clear(&row);
		rg_buf_printf(&row, "| %s | ", rg_triage_words[line->word]);
		rg_markdown_text(&row, line->name, strlen(line->name));
		rg_buf_str(&row, " | ");
		if (line->metric)
			rg_markdown_code(&row, line->metric, strlen(line->metric));
		rg_buf_str(&row, " | ");
		rg_markdown_text(&row, line->why, strlen(line->why));
		append_more_runs(&row, line);
		rg_buf_str(&row, " |\n");
		if (row.is_full || out->length + row.length + LAST > max)
			break;
		rg_buf_add(out, row.data, row.length);
	}
	if (shown < triage->count)
		rg_buf_printf(out, "\n… and %zu more.\n", triage->count - shown);
}

rg_error *rg_triage_markdown(rg_buf *out, const rg_triage *triage, size_t max)
{
	RG_AUTO(rg_buf) title = rg_buf_of(RG_BUF_TEXT);
	rg_triage_say(&title, triage);
	rg_buf_str(out, "### Golden failures\n\n");
	rg_markdown_text(out, title.data, title.length);
	rg_buf_str(out, "\n");
	rg_buf_clear(&title);
	rg_triage_say_base(&title, triage);
	for (char *line = title.data, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		rg_buf_str(out, "\n");
		rg_markdown_text(out, line, (size_t)(end - line));
		rg_buf_str(out, "\n");
	}
	if (triage->count) {
		rg_buf_str(out, "\n| conclusion | golden | metric | evidence |\n"
				"| --- | --- | --- | --- |\n");
		append_rows(out, triage, max);
	}
	return rg_buf_check(out, "the summary");
}
