/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/text_diff.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "worktree/internal.h"

#include <string.h>

typedef struct {
	rg_text_diff *out;
	rg_arena *arena;
	rg_buf text; /* of one line */
	rg_error *err;
} diff_state;

/* Returns libgit2's answer to go on. */
static int append_line(diff_state *m, char mark, const char *text, size_t length)
{
	rg_text_diff *out = m->out;
	size_t at = 0, part;

	if (length && text[length - 1] == '\n')
		length--;
	if (out->count == RG_TEXT_DIFF_LINES) {
		out->more++;
		return 0;
	}
	/* The line is cut between characters. */
	size_t shown = length < RG_TEXT_DIFF_WIDTH ? length : RG_TEXT_DIFF_WIDTH;
	while (shown < length && shown > RG_TEXT_DIFF_WIDTH - 4 &&
	       ((unsigned char)text[shown] & 0xc0) == 0x80)
		shown--;
	rg_buf_clear(&m->text);
	if (mark)
		rg_buf_char(&m->text, mark);
	for (; at < shown; at += part) {
		const char *tab = memchr(text + at, '\t', shown - at);
		part = tab ? (size_t)(tab - text) - at + 1 : shown - at;
		rg_utf8_add_safe(&m->text, text + at, part - (tab != NULL));
		rg_buf_str(&m->text, tab ? "\\t" : "");
	}
	rg_buf_str(&m->text, shown < length ? "…" : "");
	m->err = rg_buf_check(&m->text, "a line");
	if (m->err)
		return GIT_EUSER;
	out->lines[out->count++] = rg_arena_text(m->arena, m->text.data);
	return 0;
}

static int take_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *payload)
{
	(void)delta;
	return append_line(payload, '\0', hunk->header, hunk->header_len);
}

static int take_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
		     const git_diff_line *line, void *payload)
{
	static const char no_end[] = "\\ No newline at end of file";
	(void)delta;
	(void)hunk;
	switch (line->origin) {
	case GIT_DIFF_LINE_CONTEXT:
	case GIT_DIFF_LINE_ADDITION:
	case GIT_DIFF_LINE_DELETION:
		return append_line(payload, line->origin, line->content, line->content_len);
	default:
		return append_line(payload, '\0', no_end, sizeof(no_end) - 1);
	}
}

rg_error *rg_text_diff_make(rg_text_diff *out, rg_arena *arena, const char *old, size_t old_size,
			    const char *fresh, size_t fresh_size)
{
	git_diff_options options;
	diff_state m = {.out = out, .arena = arena};

	*out = (rg_text_diff){
		.lines = rg_arena_alloc(arena, RG_TEXT_DIFF_LINES * sizeof(*out->lines))};
	RG_TRY(rg_git_acquire());
	rg_buf_init(&m.text, RG_BUF_TEXT);
	int answer = git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.flags |= GIT_DIFF_FORCE_TEXT;
	if (!answer)
		answer = git_diff_buffers(old, old_size, NULL, fresh, fresh_size, NULL, &options,
					  NULL, NULL, take_hunk, take_line, &m);
	if (!m.err && answer)
		m.err = rg_git_error(answer, "the lines that differ");
	rg_buf_release(&m.text);
	rg_git_release();
	return m.err;
}
