/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_WORDS_H
#define REGILD_REPORT_WORDS_H

#include "base/buf.h"
#include "story/story.h"

/* Figures, findings and rows in words: short, and each said in one way only. Names are as they are:
 * the writer escapes them. Nothing is appended if there is nothing to say. */

/* Three significant digits: "0.217", "1.2e-05", "12,300". */
void rg_say_figure(rg_buf *out, double value);
/* A change of (new - old) / |old|: "+21.7 %", "-0.15 %", "0 %", "< 0.00001 %". */
void rg_say_change(rg_buf *out, double change);
/* "0 to +3.12 %"; one figure where both read alike. */
void rg_say_range(rg_buf *out, double low, double high);
/* Without a sign: "7 %". */
void rg_say_share(rg_buf *out, double share);
/* Rounded up to two digits, so that all is within it: "0.69 %". */
void rg_say_within(rg_buf *out, double share);
/* "0 -> 7", with enough digits to show the difference. */
void rg_say_both(rg_buf *out, double old, double fresh);
/* "1 step", "3 steps". */
void rg_say_count(rg_buf *out, size_t count, const char *one);

/* The parts of a finding's line: "lm loss", "+21.7 %", "10 others in its group: -2.91 %" and
 * "t5/t5_11b [dev] and 2 more". */
void rg_finding_say_metric(rg_buf *out, const rg_story_finding *f);
void rg_finding_say_figure(rg_buf *out, const rg_story_finding *f);
/* `brief`: without names of records and steps. */
void rg_finding_say_note(rg_buf *out, const rg_story_finding *f, bool brief);
/* Does the note name the golden? */
bool rg_finding_names_golden(const rg_story_finding *f);

/* "-3.41 to -2.89 %", "66 slower, 60 faster (median step), no trend", "2 of 40 differ". */
void rg_moved_say_change(rg_buf *out, const rg_moved *m);
/* The median, if there is a range. */
void rg_moved_say_median(rg_buf *out, const rg_moved *m);
/* Is it a line of the table of what moved? Else it is quiet: equal, or within its flag level. */
bool rg_moved_is_shown(const rg_moved *m);
/* Has REVIEW all of it? What only turned NaN in some goldens is equal in the others. */
bool rg_moved_is_in_review(const rg_moved *m);

/* How one row moved: "+21.7 %", "now NaN at step 18, +0.3 %", "0 -> 4", "max_abs 0.25 at [1, 3]".
 */
void rg_row_say(rg_buf *out, const rg_row *row, const rg_metric_policy *policy);
/* Why it needs review: "over its flag level: +5 % (flag level 1 %)". */
void rg_row_say_why(rg_buf *out, const rg_story *story, const rg_row *row);
/* "max_abs 0.25 at [1, 3], SNR 41.2 dB, 3.1 % of its elements differ" of a tensor, "int64 [] ->
 * float32 [2]" of one of another type or shape. */
void rg_row_say_tensor(rg_buf *out, const rg_row *row);

/* "the middle one of 3 runs"; nothing if there was but one. */
void rg_among_say(rg_buf *out, const rg_among *among);

#endif
