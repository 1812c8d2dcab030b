/* SPDX-License-Identifier: Apache-2.0 */
#include "facts.h"

#include "terminal.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

rg_facts facts_of(const command_context *context)
{
	rg_facts facts;
	rg_facts_init(&facts, context->command_line);
	facts.dirs = context->common->dirs;
	return facts;
}

rg_facts facts_at_root(const command_context *context)
{
	const char *root = context->flow.worktree ? rg_worktree_root(context->flow.worktree) : ".";
	rg_facts facts = facts_of(context);
	struct stat here, there;

	if (!stat(".", &here) && !stat(root, &there) &&
	    (here.st_ino != there.st_ino || here.st_dev != there.st_dev)) {
		const char **dirs = rg_arena_alloc(&facts.arena, sizeof(*dirs));
		*dirs = rg_arena_text(&facts.arena, root);
		facts.dirs = (rg_texts){dirs, 1, 1};
	}
	return facts;
}

/* Returns how many columns the call takes, shown safe. The part that repeats this command's own
 * call is "…" if it is too wide for the window. */
static size_t format_call(rg_buf *out, const rg_facts *facts, const rg_call *call, size_t window)
{
	const size_t own = strlen(facts->command);
	const size_t name = strcspn(facts->command, " ") + 1;

	rg_buf_clear(out);
	rg_call_text(out, call);
	if (out->length + 2 > window && !strncmp(out->data, facts->command, own)) {
		RG_AUTO_FREE char *rest = rg_strdup(out->data + own);
		rg_buf_truncate(out, name + strcspn(facts->command + name, " "));
		rg_buf_printf(out, " …%s", rest);
	}
	return rg_utf8_columns(out->data, out->length);
}

void facts_show_next(const rg_facts *facts, const command_context *context)
{
	static const char comment[] = "   # ";
	const size_t window = context->style.width ? context->style.width : SIZE_MAX;
	size_t widest = 0;
	RG_AUTO(rg_buf) call = rg_buf_of(RG_BUF_TEXT);

	for (size_t i = 0; i < facts->count; i++) {
		size_t width = format_call(&call, facts, &facts->next[i], window);
		if (2 + width + strlen(comment) + strlen(facts->next[i].does) <= window &&
		    width > widest)
			widest = width;
	}
	if (facts->count)
		puts("NEXT");
	for (size_t i = 0; i < facts->count; i++) {
		const char *does = facts->next[i].does;
		size_t width = format_call(&call, facts, &facts->next[i], window);
		bool beside = width <= widest &&
			      2 + widest + strlen(comment) + strlen(does) <= window;
		if (!beside)
			printf("  # %s\n", does);
		terminal_printf(stdout, "  %s", call.data);
		if (beside)
			printf("%*s%s%s", (int)(widest - width), "", comment, does);
		putchar('\n');
	}
}

rg_error *facts_finish_document(rg_facts *facts, const command_context *context, const char *file,
				rg_buf *document, rg_error *err)
{
	facts->exit_code = (size_t)context->exit_code;
	if (!err)
		err = rg_facts_append(facts, document);
	if (!err)
		err = write_json(file, document);
	rg_buf_release(document);
	rg_facts_release(facts);
	return rg_error_wrap(err, "--json");
}

rg_error *facts_finish_large(rg_facts *facts, const command_context *context, const char *file,
			     facts_make *make, const void *from)
{
	json_output out;
	rg_buf_drain drain = {json_output_write, &out, NULL};
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	text.drain = &drain;
	rg_error *err = json_output_open(&out, file);
	if (!err) {
		facts->exit_code = (size_t)context->exit_code;
		err = make(&text, from);
		if (!err)
			err = rg_facts_append(facts, &text);
		rg_buf_pour(&text, 1);
		err = json_output_close(&out, rg_error_first(drain.err, err));
	}
	rg_facts_release(facts);
	return rg_error_wrap(err, "--json");
}

rg_error *facts_finish(rg_facts *facts, const command_context *context, const char *file,
		       const char *schema, const void *from)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	facts->exit_code = (size_t)context->exit_code;
	rg_error *err = file ? rg_facts_write(facts, &text, schema, from) : NULL;
	if (!err && file)
		err = write_json(file, &text);
	rg_facts_release(facts);
	return rg_error_wrap(err, "--json");
}
