/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An audit of up to eight runs, a golden each with NULs between. Whatever they hold: the reports
 * are written, the noise model that comes of it can be read again and judges, and tolerances that
 * are written twice stay.
 */
#include "page.h"

#include "audit/audit.h"
#include "flow/policy_text.h"
#include "flow/report.h"
#include "report/audit_report.h"
#include "report/markdown.h"
#include "audit/verdict.h"
#include "golden/csv_reader.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RUNS_MAX = 8 };

typedef struct {
	rg_bytes goldens[RUNS_MAX];
	rg_audit_run runs[RUNS_MAX];
	size_t count;
} runs_of_bytes;

static void cut(runs_of_bytes *out, const uint8_t *data, size_t size)
{
	static const char *const ids[RUNS_MAX] = {"1", "2", "3", "4", "5", "6", "7", "8"};
	const uint8_t *end = data + size, *stop;

	for (; data < end && out->count < RUNS_MAX; data = stop + 1) {
		stop = memchr(data, 0, (size_t)(end - data));
		stop = stop ? stop : end;
		out->goldens[out->count] = (rg_bytes){data, (size_t)(stop - data)};
		out->runs[out->count] =
			(rg_audit_run){ids[out->count], "2026-04-02T00:00:00Z", "main", "c0ffee"};
		out->count++;
	}
}

static rg_error *read_run(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	const runs_of_bytes *runs = context;
	const rg_input in = {.name = "golden_values.json",
			     .data = runs->goldens[run].data,
			     .size = runs->goldens[run].size};

	(void)file;
	(void)bytes;
	return rg_golden_read(out, &in, NULL);
}

static void judge(const rg_noise_model *model, const runs_of_bytes *runs)
{
	const rg_noise_judge_context with = {.model = model, .level = 1};
	rg_golden *golden = NULL;
	rg_verdict verdict;
	rg_arena arena;
	size_t i;

	rg_error_free(read_run((void *)(uintptr_t)runs, runs->count - 1, 0, NULL, &golden));
	rg_arena_init(&arena);
	for (i = 0; golden && i < golden->count; i++) {
		require(!rg_noise_judge(&verdict, &arena, &with, "golden_values.json",
					&golden->metrics[i], &golden->metrics[i], RG_NEAR_ZERO),
			"no memory");
		require(verdict.kind != RG_VERDICT_NONE && verdict.text, "no verdict");
	}
	rg_arena_release(&arena);
	rg_golden_free(golden);
}

static void check_model(const rg_audit *audit, const runs_of_bytes *runs)
{
	rg_noise_model model;

	rg_noise_model_of_audit(&model, audit);
	judge(&model, runs);
	rg_noise_model_release(&model);
}

static void check_policy(const rg_audit *audit)
{
	static const char config[] = "[regild]\n\troot = x\n";
	rg_policy_written written;
	rg_error *err;

	RG_AUTO(rg_buf) once = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) twice = rg_buf_of(RG_BUF_TEXT);
	err = rg_policy_write(&once, &written, config, strlen(config), audit, 0, "2026-04-02");
	if (!err) {
		err = rg_policy_write(&twice, &written, once.data, once.length, audit, 0,
				      "2026-04-02");
		require(!err && !strcmp(once.data, twice.data), "tolerances that move");
	}
	rg_error_free(err);
}

static void check_csv(const rg_buf *text)
{
	rg_csv_reader reader;
	size_t columns = 0;
	bool more;

	rg_csv_reader_init(&reader, text->data, text->length);
	for (;;) {
		require(!rg_csv_next(&reader, &more), "CSV that cannot be read");
		if (!more)
			break;
		columns = columns ? columns : reader.count;
		require(reader.count == columns, "lines of another length");
	}
	rg_csv_reader_release(&reader);
}

static rg_error *keep_bytes(void *context, const void *bytes, size_t length)
{
	rg_buf_add(context, bytes, length);
	return NULL;
}

/* What is rendered of the document is what is rendered of the audit. */
static void check_again(const rg_buf *json, rg_report_kind kind, const rg_buf *wanted)
{
	const rg_report_options options = {0};
	const rg_report report = {.options = &options};
	rg_report_document document;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_AUDIT_PAGE_MAX);
	require(!rg_report_document_parse(&document, json->data, json->length, "audit.json"),
		"JSON that cannot be read");
	require(!rg_report_again(&text, &report, &document, kind), "a document without a report");
	require(!strcmp(text.data, wanted->data), "another report of the document");
	rg_report_document_release(&document);
}

static void check_story(const rg_audit *audit)
{
	const rg_column_context context = {.root = "", .target = "{stage}/{test}/{file}"};
	cJSON *story;

	RG_AUTO(rg_buf) json = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_AUDIT_PAGE_MAX);
	require(!rg_audit_story(&story, audit, &context), "a story that cannot be told");
	require(!rg_audit_json(&json, audit, &context), "JSON that cannot be written");
	require(!rg_audit_markdown(&text, story, NULL, RG_MARKDOWN_MAX - 1,
				   RG_AUDIT_MARKDOWN_ITEMS),
		"markdown that cannot be written");
	check_again(&json, RG_REPORT_MARKDOWN, &text);
	rg_buf_clear(&text);
	require(!rg_audit_html(&text, story, NULL), "a page that cannot be written");
	require_page(text.data);
	check_again(&json, RG_REPORT_HTML, &text);
	cJSON_Delete(story);
}

static void check_reports(const rg_audit *audit, const rg_audit_source *source)
{
	check_story(audit);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	require(!rg_audit_csv(&text, audit), "CSV that cannot be written");
	check_csv(&text);
	rg_buf_clear(&text);
	require(!rg_audit_export(source, keep_bytes, &text), "series that cannot be written");
	check_csv(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const files[] = {"golden_values.json"};
	const rg_audit_options options = {
		.tolerance = {1.5, 0, 0}, .error_rate = 0.05, .workers = 1};
	runs_of_bytes runs = {0};
	rg_audit_source source = {
		.files = files, .file_count = 1, .read = read_run, .context = &runs};
	rg_audit audit;

	cut(&runs, data, size);
	if (!runs.count)
		return 0;
	source.runs = runs.runs;
	source.run_count = runs.count;
	require(!rg_audit_make(&audit, &source, &options), "no memory");
	check_reports(&audit, &source);
	check_model(&audit, &runs);
	check_policy(&audit);
	rg_audit_release(&audit);
	return 0;
}
