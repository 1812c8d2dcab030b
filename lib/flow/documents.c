/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/documents.h"

#include "audit/model.h"
#include "flow/bundle.h"
#include "flow/history_ask.h"
#include "flow/history_json.h"
#include "flow/provenance.h"
#include "flow/runs.h"
#include "report/audit_report.h"
#include "report/json.h"
#include "source/manifest.h"

const rg_json_document_kind rg_documents[] = {
	{"regild-audit", "regild audit --json", "What many runs did; see regild-audit(1).",
	 rg_audit_fields, NULL},
	{"regild-compare", "regild compare --json", "A comparison of goldens; see regild-json(5).",
	 rg_compare_fields, rg_provenance_fields},
	{"regild-history", "regild history --json",
	 "Runs that the history has; see regild-history(1).", rg_history_fields, NULL},
	{"regild-manifest", "manifest.json of a staging folder",
	 "What a download found, took and left; see regild-manifest(5).", rg_manifest_fields, NULL},
	{"regild-model", "regild audit --model", "A noise model; see regild-audit(1).",
	 rg_noise_model_fields, NULL},
	{"regild-outputs", "regild verify-outputs --json",
	 "A runtime's outputs held against a bundled program's; see regild-verify-outputs(1).",
	 rg_outputs_fields, NULL},
	{"regild-reply", "regild history ask --json",
	 "What came out of a question to the history; see regild-history(7).", rg_reply_fields,
	 NULL},
	{"regild-runs", "regild runs --json",
	 "The newest runs of a project, and what there is to take of each; see regild-runs(1).",
	 rg_runs_fields, NULL},
	{0},
};
