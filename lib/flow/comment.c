/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/comment.h"

#include "base/file.h"
#include "flow/open_source.h"
#include "flow/triage.h"
#include "source/comments.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 64, PAGE_MAX = 1024, SUMMARY_MAX = RG_COMMENT_MAX - KEY_MAX - PAGE_MAX - 64 };

/* ---- what it says ---- */

static rg_error *summarise_compared(rg_comment_summary *out, rg_report *report, const rg_buf *text,
				    const char *path)
{
	const rg_report_options *given = report->options;
	rg_report_options shorter = *given;
	RG_AUTO(rg_report_document) document = {0};

	if (!shorter.max_chars.given || shorter.max_chars.value > SUMMARY_MAX)
		shorter.max_chars = (rg_optional_integer){true, SUMMARY_MAX};
	report->options = &shorter;
	rg_error *err = rg_report_document_parse(&document, text->data, text->length, path);
	if (!err)
		err = rg_report_again(&out->text, report, &document, RG_REPORT_MARKDOWN);
	/* With a filter it says yes: rows that need review may be hidden. */
	if (!err)
		out->look = rg_json_member(rg_json_member(document.root, "about"), "filter") ||
			    cJSON_GetArraySize(rg_json_member(document.story, "review")) > 0;
	report->options = given;
	return err;
}

static rg_error *summarise_triage(rg_comment_summary *out, const rg_report *report,
				  const rg_buf *text, const char *path)
{
	const rg_optional_integer *given = &report->options->max_chars;
	size_t max = given->given && given->value < SUMMARY_MAX ? (size_t)given->value
								: SUMMARY_MAX;
	RG_AUTO(rg_triage) triage = {0};

	RG_TRY(rg_error_wrap(rg_triage_parse(&triage, text->data, text->length), "%s", path));
	RG_TRY(rg_triage_markdown(&out->text, &triage, max));
	out->look = rg_triage_needs_look(&triage);
	return NULL;
}

rg_error *rg_comment_summarise(rg_comment_summary *out, rg_report *report, const char *path)
{
	*out = (rg_comment_summary){0};
	rg_buf_init(&out->text, (size_t)4 * RG_COMMENT_MAX);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_REPORT_DOCUMENT_MAX);
	RG_TRY(rg_file_read(&text, path));
	return rg_triage_is_document(&text) ? summarise_triage(out, report, &text, path)
					    : summarise_compared(out, report, &text, path);
}

void rg_comment_summary_release(rg_comment_summary *summary)
{
	rg_buf_release(&summary->text);
}

/* ---- its text ---- */

static rg_error *check_options(const rg_comment_options *options)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._-";
	size_t length = strlen(options->key);
	const char *page = options->page;

	if (!length || length > KEY_MAX || options->key[strspn(options->key, letters)])
		return rg_error_new(RG_E_USAGE,
				    "--key: '%s' is not 1 to %d of a-z, A-Z, 0-9, '.', '_' and '-'",
				    options->key, KEY_MAX);
	if (page && (strncmp(page, "https://", 8) != 0 || strlen(page) > PAGE_MAX ||
		     strpbrk(page, " \t\r\n()<>\"`\\[]")))
		return rg_error_new(RG_E_USAGE, "--page-url: '%s' is not a plain https:// address",
				    page);
	return NULL;
}

static void append_marker(rg_buf *out, const rg_comment_options *options)
{
	rg_buf_printf(out, "<!-- regild:%s -->", options->key);
}

/* ---- what is done ---- */

typedef struct {
	rg_comment_result *out;
	const rg_comment_options *options;
	const rg_commented *on;
	rg_comments comments;
	bool look;
} comment_state;

static rg_error *write_it(comment_state *c, const char *marker)
{
	const rg_comments *own = &c->comments;
	const char *body = c->out->body.data;

	switch (c->out->outcome) {
	case RG_COMMENT_CREATED:
		RG_TRY(rg_comments_create(c->on, body));
		c->out->written = true;
		/* Two jobs that found none at the same time have written two: the older one stays.
		 */
		rg_comments_release(&c->comments);
		rg_comments_init(&c->comments);
		RG_TRY(rg_comments_find(&c->comments, c->on, marker));
		for (size_t i = 1; i < c->comments.count; i++)
			RG_TRY(rg_comments_delete(c->on, c->comments.items[i].id));
		return NULL;
	case RG_COMMENT_UPDATED:
		RG_TRY(rg_comments_update(c->on, own->items[0].id, body));
		break;
	case RG_COMMENT_DELETED:
		for (size_t i = 0; i < own->count; i++)
			RG_TRY(rg_comments_delete(c->on, own->items[i].id));
		break;
	default:
		return NULL;
	}
	c->out->written = true;
	return NULL;
}

static rg_error *comment(comment_state *c)
{
	static const char *const methods[] = {
		[RG_COMMENT_CREATED] = "POST",   [RG_COMMENT_UPDATED] = "PATCH",
		[RG_COMMENT_UNCHANGED] = NULL,   [RG_COMMENT_HIDDEN] = NULL,
		[RG_COMMENT_DELETED] = "DELETE", [RG_COMMENT_NONE] = NULL};
	RG_AUTO(rg_buf) marker = rg_buf_of(RG_BUF_TEXT);
	append_marker(&marker, c->options);
	if (c->options->head) {
		RG_AUTO_FREE char *head = NULL;
		RG_TRY(rg_comments_head(&head, c->on));
		if (strcmp(head, c->options->head) != 0)
			return rg_error_new(RG_E_CONFLICT,
					    "request %llu is at %.10s by now, and this is about "
					    "%.10s: nothing is written",
					    c->options->pull, head, c->options->head);
	}
	RG_TRY(rg_comments_find(&c->comments, c->on, marker.data));
	const rg_comments *own = &c->comments;
	bool remove = c->options->remove && !c->look;

	if (own->count && remove)
		c->out->outcome = RG_COMMENT_DELETED;
	else if (own->count && own->items[0].minimized)
		c->out->outcome = RG_COMMENT_HIDDEN;
	else if (own->count)
		c->out->outcome = strcmp(own->items[0].body, c->out->body.data)
					  ? RG_COMMENT_UPDATED
					  : RG_COMMENT_UNCHANGED;
	else
		c->out->outcome = (c->options->on_look || remove) && !c->look ? RG_COMMENT_NONE
									      : RG_COMMENT_CREATED;
	const char *method = methods[c->out->outcome];
	if (!c->options->dry_run)
		return write_it(c, marker.data);
	if (method)
		c->out->request = rg_comments_request(
			c->on, method, c->comments.count ? c->comments.items[0].id : 0);
	return NULL;
}

rg_error *rg_comment_run(rg_comment_result *out, const rg_flow *flow,
			 const rg_comment_summary *summary, const rg_comment_options *options)
{
	const rg_source_options source = {.repository_name = options->repository_name,
					  .source = options->source,
					  .no_cache = true};
	RG_AUTO(rg_open_source) open = {0};

	*out = (rg_comment_result){.outcome = RG_COMMENT_NONE};
	rg_buf_init(&out->body, (size_t)4 * RG_COMMENT_MAX);
	RG_TRY(check_options(options));
	append_marker(&out->body, options);
	rg_buf_char(&out->body, '\n');
	rg_buf_add(&out->body, summary->text.data, summary->text.length);
	if (options->page)
		rg_buf_printf(&out->body, "\n[The page with every row and the curves](%s)\n",
			      options->page);
	RG_TRY(rg_buf_check(&out->body, "the comment"));
	RG_TRY(rg_flow_open_source(&open, flow, &source));
	const rg_commented on = {open.http, &open.repository, options->pull};
	comment_state c = {out, options, &on, {0}, summary->look};
	rg_comments_init(&c.comments);
	rg_error *err = rg_comments_check(&on);
	if (!err)
		err = comment(&c);
	rg_comments_release(&c.comments);
	return err;
}

void rg_comment_result_release(rg_comment_result *result)
{
	rg_buf_release(&result->body);
	free(result->request);
}
