/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FUZZ_PAGE_H
#define REGILD_FUZZ_PAGE_H

#include "require.h"

#include "base/templates.h"

#include <string.h>

/* Behind the element that begins at `p`, whose content is `content`, or any text without a tag
 * where that is NULL. */
static inline const char *behind_text(const char *p, const char *content, const char *end)
{
	p = strchr(p, '>');
	require(p != NULL, "a tag is closed");
	p++;
	if (content) {
		require(!strncmp(p, content, strlen(content)), "a page runs its own script alone");
		p += strlen(content);
	} else {
		p += strcspn(p, "<");
	}
	require(!strncmp(p, end, strlen(end)), "a script ends where it should");
	return p + strlen(end);
}

/* Every '<' begins a tag that ends before the next one, the page runs its own scripts alone, the
 * second one where it has rows, each once, and a link leads to a page. */
static inline void require_page(const char *page)
{
	const char *const scripts[] = {rg_template_text("page.js"), rg_template_text("rows.js")};
	const char *const style = rg_template_text("page.css");
	size_t count = 0;
	const char *p = page;

	require(!strstr(page, "href=\"javascript:"), "a page leads nowhere but to pages");
	while ((p = strchr(p, '<')) != NULL) {
		if (!strncmp(p, "<script>", 8)) {
			require(count < 2, "a page has no third script");
			p = behind_text(p, scripts[count++], "</script>");
		} else if (!strncmp(p, "<script type=\"application/json\"", 31)) {
			p = behind_text(p, NULL, "</script>");
		} else if (!strncmp(p, "<style>", 7)) {
			p = behind_text(p, style, "</style>");
		} else {
			require(strncmp(p, "<script", 7) != 0, "a page runs its own script alone");
			p += 1 + strcspn(p + 1, "<>");
			require(*p == '>', "a tag is closed");
		}
	}
	require(count, "a page has its script");
}

#endif
