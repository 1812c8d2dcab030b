/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/audit_policy.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Reads .regild, which was checked to be a file and not a link when it was read for settings; one
 * that is not there is empty. *path is the caller's to free. */
static rg_error *read_regild(const rg_flow *flow, rg_buf *out, char **path)
{
	rg_buf_init(out, RG_BUF_TEXT);
	*path = rg_path_join(rg_worktree_root(flow->worktree), ".regild");
	rg_error *err = rg_file_read(out, *path);
	if (err && rg_error_errno(err) == ENOENT) {
		rg_error_free(err);
		err = NULL;
	}
	return err;
}

rg_error *rg_audit_policy_check(const rg_flow *flow)
{
	char *path = NULL;
	rg_buf text;

	if (!flow->worktree)
		return rg_error_new(RG_E_USAGE, "--write-policy: not inside a repository");
	rg_error *err = read_regild(flow, &text, &path);
	if (!err)
		err = rg_error_wrap(rg_policy_check(text.data, text.length), "%s", path);
	rg_buf_release(&text);
	free(path);
	return err;
}

/* The day of the newest run, or today. */
static void evidence_date(const rg_audit *audit, char out[static 11])
{
	time_t now = time(NULL);
	struct tm utc;

	for (size_t i = audit->run_count; i-- > 0;)
		if (rg_audit_run_has_day(&audit->runs[i])) {
			snprintf(out, 11, "%.10s", audit->runs[i].when);
			return;
		}
	if (!gmtime_r(&now, &utc) || !strftime(out, 11, "%Y-%m-%d", &utc))
		snprintf(out, 11, "undated");
}

rg_error *rg_audit_policy_write(rg_policy_written *out, const rg_flow *flow, const rg_audit *audit)
{
	char *path = NULL, when[11];
	rg_buf before, after;

	*out = (rg_policy_written){0};
	if (audit->group_count != 1)
		return rg_error_new(RG_E_USAGE,
				    "--write-policy: the runs are in %zu groups; audit one of "
				    "them, or all as one with --by all",
				    audit->group_count);
	rg_buf_init(&after, RG_BUF_TEXT);
	evidence_date(audit, when);
	rg_error *err = read_regild(flow, &before, &path);
	if (!err)
		err = rg_policy_write(&after, out, before.data, before.length, audit, 0, when);
	if (!err)
		err = rg_file_replace(path, after.data, after.length, 0666);
	rg_buf_release(&after);
	rg_buf_release(&before);
	free(path);
	return err;
}
