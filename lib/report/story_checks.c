/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/checks_apply.h"
#include "report/story_parts.h"

/* What the checks are told for: what `worst`, a check with a tolerance, refuses is the refresh's
 * reason or its danger. */
static void say_what_for(rg_buf *out, const char *worst, size_t n, bool exact_fails)
{
	if (worst && n == 1)
		rg_buf_printf(out, ": look first at the one that fails %s", worst);
	else if (worst)
		rg_buf_printf(out, ": look first at the %zu that fail %s", n, worst);
	else if (exact_fails)
		rg_buf_str(out, ": these are why the refresh is needed");
}

/* "approximate passes in 59 of 59" of a check with a tolerance, "deterministic fails in 41 of 59"
 * of one without. */
static void say_check(rg_buf *out, const rg_checks_check *check, const rg_checks_count *count)
{
	bool fails = check->exact && count->fails;

	rg_buf_printf(out, "%s%s %s in %zu of %zu", out->length ? ", " : "", check->name,
		      fails ? "fails" : "passes",
		      fails ? count->fails : count->applied - count->fails, count->applied);
}

void rg_story_say_checks(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	size_t most = 0, unchecked = 0, pass, i;
	const char *worst = NULL;
	bool exact_fails = false;

	for (pass = 0; c->checks && pass < 2; pass++)
		for (i = 0; i < c->checks->count; i++) {
			const rg_checks_check *check = &c->checks->items[i];
			const rg_checks_count count = rg_checks_count_goldens(c, i);

			if (check->exact != (pass == 1))
				continue;
			unchecked = count.unchecked > unchecked ? count.unchecked : unchecked;
			if (!count.applied)
				continue;
			say_check(out, check, &count);
			exact_fails |= check->exact && count.fails;
			if (check->exact || count.fails <= most)
				continue;
			most = count.fails;
			worst = check->name;
		}
	say_what_for(out, worst, most, exact_fails);
	if (unchecked)
		rg_buf_printf(out, "%s%zu golden%s could not be checked", out->length ? "; " : "",
			      unchecked, unchecked == 1 ? "" : "s");
}
