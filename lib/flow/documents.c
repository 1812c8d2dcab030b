/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/documents.h"

#include "flow/accept.h"
#include "flow/executorch/artifact.h"
#include "flow/executorch/bundle.h"
#include "flow/facts.h"
#include "flow/history_ask.h"
#include "flow/history_json.h"
#include "flow/provenance.h"
#include "flow/reject.h"
#include "flow/runs.h"
#include "flow/triage.h"
#include "report/audit_report.h"
#include "report/json.h"
#include "source/manifest.h"
#include "update/plan_file.h"

#include <string.h>

const rg_json_document_kind rg_documents[] = {
	{"regild-accept", "regild accept --json", "Which variant was kept; see regild-json(5).",
	 rg_accept_fields, rg_facts_fields, NULL},
	{"regild-audit", "regild audit --json", "What many runs did; see regild-audit(1).",
	 rg_audit_fields, rg_facts_fields, NULL},
	{"regild-blame", "regild blame --json", "Which run a golden is from; see regild-json(5).",
	 rg_blame_fields, rg_facts_fields, NULL},
	{"regild-cache", "regild cache --json", "What downloads have kept; see regild-json(5).",
	 rg_cache_fields, rg_facts_fields, NULL},
	{"regild-check", "regild check --json",
	 "What is wrong with goldens in themselves; see regild-json(5).", rg_check_fields,
	 rg_facts_fields, NULL},
	{"regild-compare", "regild compare --json", "A comparison of goldens; see regild-json(5).",
	 rg_compare_fields, rg_provenance_fields, rg_facts_fields},
	{"regild-download", "regild download --json", "What is staged; see regild-json(5).",
	 rg_download_fields, rg_facts_fields, NULL},
	{"regild-error", "a command with --json - that fails", "Why; see regild-json(5).",
	 rg_error_fields, rg_facts_fields, NULL},
#ifndef REGILD_WITHOUT_EXECUTORCH
	{"regild-executorch", "regild executorch pack, unpack, verify and extract --json",
	 "What was packed, unpacked or checked; see regild-json(5).", rg_executorch_fields,
	 rg_facts_fields, NULL},
#endif
	{"regild-history", "regild history --json",
	 "Runs that the history has; see regild-history(1).", rg_history_fields, rg_facts_fields,
	 NULL},
	{"regild-init", "regild init --json", "What was written; see regild-json(5).",
	 rg_init_fields, rg_facts_fields, NULL},
	{"regild-manifest", "manifest.json of a staging folder",
	 "What a download found, took and left; see regild-manifest(5).", rg_manifest_fields, NULL,
	 NULL},
#ifndef REGILD_WITHOUT_EXECUTORCH
	{"regild-outputs", "regild executorch verify-outputs --json",
	 "A runtime's outputs compared with a bundled program's; see regild-executorch(1).",
	 rg_outputs_fields, rg_facts_fields, NULL},
#endif
	{"regild-plan", "regild refresh --dry-run --plan",
	 "What an update would do; see regild-plan(5).", rg_plan_file_fields, NULL, NULL},
	{"regild-reject", "regild reject --json", "What was rejected; see regild-json(5).",
	 rg_reject_fields, rg_facts_fields, NULL},
	{"regild-reply", "regild history ask --json",
	 "What came out of a question to the history; see regild-history(7).", rg_reply_fields,
	 rg_facts_fields, NULL},
	{"regild-reset", "regild reset --json", "What becomes of each golden; see regild-json(5).",
	 rg_reset_fields, rg_facts_fields, NULL},
	{"regild-runs", "regild runs --json",
	 "The newest runs of a project, and what there is to take of each; see regild-runs(1).",
	 rg_runs_fields, rg_facts_fields, NULL},
	{"regild-triage", "regild triage --json", "Why a run's tests failed; see regild-triage(1).",
	 rg_triage_fields, rg_facts_fields, NULL},
	{"regild-undo", "regild undo --json", "What can be undone; see regild-json(5).",
	 rg_undo_fields, rg_facts_fields, NULL},
	{"regild-update", "regild update --json and refresh --dry-run --json",
	 "What becomes of each golden; see regild-json(5).", rg_update_fields, rg_facts_fields,
	 NULL},
	{0},
};

rg_error *rg_facts_write(rg_facts *facts, rg_buf *out, const char *schema, const void *from)
{
	const rg_json_document_kind *kind = rg_documents;
	while (strcmp(kind->name, schema) != 0)
		kind++;
	RG_TRY(rg_json_write(out, schema, kind->fields, from, NULL));
	return rg_facts_append(facts, out);
}
