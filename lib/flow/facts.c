/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/facts.h"

#include "base/memory.h"
#include "base/shell.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* By the exit codes, which cmd/exit.h has. */
static const char *const outcomes[] = {"done", "gate or check failed", "wrong call", "failed",
				       "done in part"};

#define OF rg_call
static const rg_json_field call_fields[] = {
	RG_KEY_TEXTS("call", words.items, words.count, ALWAYS, "Its words."),
	RG_KEY(does, "What it does."),
	{0}};
#undef OF

#define OF rg_facts
const rg_json_field rg_facts_fields[] = {
	RG_KEY(command, "The call, as reports show it."),
	RG_KEY_WORD("outcome", outcome, outcomes, "What became of it."),
	RG_KEY(exit_code, "The exit code, by which the outcome is named."),
	RG_KEY_LIST("next", next, count, call_fields, "Calls that can follow."),
	{0}};
#undef OF

void rg_call_add(rg_call *call, const char *word)
{
	rg_texts *words = &call->words;
	*RG_PUSH(words->items, words->count, words->capacity) = word;
}

void rg_call_text(rg_buf *out, const rg_call *call)
{
	for (size_t i = 0; i < call->words.count; i++) {
		rg_buf_str(out, i ? " " : "");
		rg_shell_quote(out, call->words.items[i]);
	}
}

void rg_facts_init(rg_facts *facts, const char *command)
{
	*facts = (rg_facts){.command = command};
	rg_arena_init(&facts->arena);
}

void rg_facts_release(rg_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++)
		free(facts->next[i].words.items);
	free(facts->next);
	rg_arena_release(&facts->arena);
}

rg_call *rg_facts_next(rg_facts *facts, const char *does)
{
	rg_call *call = RG_PUSH(facts->next, facts->count, facts->capacity);
	*call = (rg_call){.does = does};
	return call;
}

static rg_call *begin_call(rg_facts *facts, const char *does)
{
	rg_call *call = rg_facts_next(facts, does);
	rg_call_add(call, "regild");
	for (size_t i = 0; i < facts->dirs.count; i++) {
		rg_call_add(call, "-C");
		rg_call_add(call, facts->dirs.items[i]);
	}
	return call;
}

static void append_words(rg_facts *facts, rg_call *call, va_list words)
{
	const char *word;
	while ((word = va_arg(words, const char *)) != NULL)
		rg_call_add(call, rg_arena_text(&facts->arena, word));
}

void rg_facts_can(rg_facts *facts, const char *does, ...)
{
	rg_call *call = begin_call(facts, does);
	va_list words;
	va_start(words, does);
	append_words(facts, call, words);
	va_end(words);
}

/* A word that rg_shell_quote has written, up to a blank. */
static const char *unquote(rg_buf *out, const char *at)
{
	for (bool quoted = false; *at && (quoted || *at != ' '); at++) {
		if (*at == '\'')
			quoted = !quoted;
		else if (*at == '\\' && !quoted && at[1])
			rg_buf_char(out, *++at);
		else
			rg_buf_char(out, *at);
	}
	return at;
}

void rg_facts_again(rg_facts *facts, const char *does, ...)
{
	rg_call *call = begin_call(facts, does);
	const char *at = facts->command + strcspn(facts->command, " ");
	va_list words;
	rg_buf word;

	while (*at) {
		rg_buf_init(&word, RG_BUF_ANY);
		at = unquote(&word, at + 1);
		rg_call_add(call, rg_buf_keep(&word, &facts->arena));
	}
	va_start(words, does);
	append_words(facts, call, words);
	va_end(words);
}

rg_error *rg_facts_append(rg_facts *facts, rg_buf *document)
{
	rg_json_out json;
	RG_TRY(rg_buf_check(document, "the document"));
	facts->outcome = (unsigned)facts->exit_code;
	rg_json_reopen(&json, document);
	rg_json_put_fields(&json, rg_facts_fields, facts, NULL);
	rg_json_close(&json, '}');
	return rg_buf_check(document, "the document");
}
