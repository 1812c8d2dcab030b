/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Never silent: one byte of a golden of every format is another, at every place in turn. Then there
 * is a row that differs, a loss, a golden that cannot be read, or the line that only its layout
 * differs; and how many places that line is of is known. With TEST_LONG each byte has several other
 * values, and is taken out. ONE_BYTE_SHOW=NAME prints these places of a golden.
 */
#include "unit.h"

#include "base/buf.h"
#include "base/file.h"
#include "compare/compare_pairs.h"
#include "compare/gate.h"
#include "report/story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rg_column_context context = {"", "", "**", NULL, false, false};

/* A golden: its text, or the file that has it; and at how many places the layout alone differs,
 * where each byte has its first other value. */
typedef struct {
	const char *name, *text, *file;
	size_t layout;
} golden_case;

#define SERIES                                                                                  \
	"{\"lm loss\": {\"start_step\": 1, \"end_step\": 3, \"step_interval\": 1, \"values\": " \
	"{\"1\": 10.5, \"2\": \"nan\", \"3\": 9007199254740993}}}\n"
#define INFERENCE                                                                                \
	"{\"0\": {\"generated_text\": \"a b\", \"generated_tokens\": [16, 7], \"latency\": "     \
	"9.5, \"logprobs\": [-7.5, NaN], \"counts\": {\"a\": 1}, \"none\": null, \"on\": true}," \
	" \"throughput\": [107.5, 3]}"
#define GOOGLE                                                                                \
	"{\"context\": {\"date\": \"x\"}, \"benchmarks\": [{\"name\": \"a\", \"real_time\": " \
	"5.5, \"time_unit\": \"ns\"}]}"
#define LM_EVAL                                                                                \
	"{\"results\": {\"mmlu\": {\"alias\": \"m\", \"acc,none\": 0.5, \"acc_stderr,none\": " \
	"0.25}}, \"n-samples\": {}}"

static const golden_case cases[] = {
	{"series.json", SERIES, NULL, 34},
	{"inference.json", INFERENCE, NULL, 4},
	{"map.json", "{\"train/loss\": {\"1\": 0.25, \"2\": 0.5}}", NULL, 0},
	{"objects.json", "[{\"name\": \"a\", \"v\": 1.5}, {\"name\": \"b\", \"v\": 2}]", NULL, 0},
	{"places.json", "[{\"a\": 1.5, \"b\": null}, {\"a\": 2.5, \"b\": 3}]", NULL, 0},
	{"google.json", GOOGLE, NULL, 5},
	{"lm-eval.json", LM_EVAL, NULL, 6},
	{"hud.json", NULL, "tests/fuzz/corpus/table/hud", 1},
	{"table.csv", "name,time,state\na,1.5,pass\nb,20,\"fa,il\"\n", NULL, 4},
	{"semicolons.csv", "t;energy\n1;-0.5\n2;1.25\n", NULL, 2},
	{"keys.csv", "name\na\nb\n", NULL, 0},
	{"table.txt", "arch\tname\ttime\nk6\ta\t1.5\nk7\tb\t2\n", NULL, 5},
	{"spaced.dat", "# n v w\na 1.5 x\nb 2 y\n", NULL, 2},
	{"steps.txt", "# step loss grad\n1 8.5 0.25\n2 7.5 0.5\n", NULL, 1},
	{"text.dat", "k-combined:\n1.17 9.7E-03\nH2O 1 -17.5\nend\n", NULL, 2},
	{"bytes.dat", "no number at all\n", NULL, 0},
	{"fortran.npy", NULL, "tests/fuzz/corpus/npy/fortran.npy", 0},
	{"ints.npy", NULL, "tests/fuzz/corpus/npy/ints.npy", 1},
	{"two.safetensors", NULL, "tests/fuzz/corpus/safetensors/two", 8},
	{"pair.pte", NULL, "tests/formats/pair.pte", 0},
	{"segments.pte", NULL, "tests/formats/segments.pte", 0},
	{"cases.bpte", NULL, "tests/formats/cases.bpte", 96},
	{"data.ptd", NULL, "tests/formats/data.ptd", 120},
	{"rows.csv", NULL, "tests/fuzz/corpus/backend_report/rows.csv", 13},
	{"pytest.json", NULL, "tests/fuzz/corpus/backend_report/pytest.json", 23},
	{"raw_expected_output.bin", NULL, "tests/fuzz/corpus/npy/table.npy", 0},
	{"log.jsonl", "{\"step\": 1, \"loss\": 8.5}\n{\"step\": 2, \"loss\": 7.25}\n", NULL, 1},
	{"metrics.csv", "step,epoch,loss,val\n1,0,8.5,\n1,0,,7.25\n", NULL, 1},
	/* Step 2 comes again, as after a restart. */
	{"again.csv", "step,epoch,loss\n2,0,8.5\n2,0,7.5\n3,1,x\n3,1,y\n", NULL, 0},
	{"again.jsonl", "{\"step\": 2, \"loss\": 8.5}\n{\"step\": 2, \"loss\": 7}\n", NULL, 1},
	{"again.txt", "2 8.5 0.25\n2 7.5 0.5\n", NULL, 1},
	{"again.json", "{\"loss\": {\"values\": {\"2\": 8.5, \"2\": 7.5}}}", NULL, 0},
	{"again.log", "Step 2 | loss:8.5\nStep 2 | loss:7.5\n", NULL, 1},
	{"tune.txt", "Step 1 | loss:8.5 lr:2e-05\nStep 2 | loss:7.5 lr:2e-05\n", NULL, 1},
	{"scan.dat", "# x y\n0.5 1.25\n0.75 2.5\n", NULL, 1},
	{"golden.yaml", "loss: {1: 2.5, 2: 2.25}\nruns:\n  - name: a\n    t: 5\n", NULL, 1},
	{"events.tfevents", NULL, "tests/formats/events.out.tfevents.1.golden", 0},
	{"arrays.npz", NULL, "tests/formats/arrays.npz", 84},
	{"opdiff.jsonl", NULL, "tests/fuzz/corpus/opdiff/two-runs", 20},
};

typedef struct {
	const golden_case *golden;
	rg_buf old, fresh;
	size_t at; /* the place */
	size_t unreadable, told, layout;
} edits;

static rg_error *load(void *from, size_t worker, size_t index, rg_pair *pair)
{
	const edits *e = from;
	(void)worker;
	(void)index;
	pair->name = (rg_file_name){e->golden->name, NULL};
	pair->old_side =
		(rg_input){.name = e->golden->name, .data = e->old.data, .size = e->old.length};
	pair->new_side =
		(rg_input){.name = e->golden->name, .data = e->fresh.data, .size = e->fresh.length};
	return NULL;
}

static void show(const edits *e)
{
	const char *wanted = getenv("ONE_BYTE_SHOW");
	if (!wanted || strcmp(wanted, e->golden->name) != 0)
		return;
	fprintf(stderr, "%s: %zu: ", wanted, e->at);
	for (size_t i = e->at < 12 ? 0 : e->at - 12; i < e->at + 8 && i < e->old.length; i++) {
		unsigned char c = (unsigned char)e->old.data[i];
		fprintf(stderr, i == e->at ? "[%c]" : "%c", c >= 0x20 && c < 0x7f ? c : '.');
	}
	fprintf(stderr, " to %02x\n", (unsigned char)e->fresh.data[e->at]);
}

/* Does the new side have something that the old side lacks? No condition is about that. */
static bool has_more(const rg_comparison *c)
{
	bool more = false;
	for (size_t i = 0; i < c->row_count; i++)
		more |= c->rows[i].left_out.new_only || c->rows[i].left_out.old_placeholder;
	for (size_t i = 0; i < c->gap_count; i++)
		more |= c->gaps[i].gap == RG_GAP_NEW_ONLY || c->gaps[i].left_out.old_placeholder;
	return more;
}

/* What is told is changed, or lost, to a gate that asks. */
static void hold_gate(const edits *e, const rg_comparison *c)
{
	rg_breach_list breaches = {0};
	rg_gate gate;

	rg_gate_init(&gate);
	assert_success(rg_gate_add_conditions(&gate, "changed,lost,nonfinite"));
	rg_gate_evaluate(&gate, c, &breaches);
	if (!breaches.count && !has_more(c))
		fail_msg("%s: no gate sees byte %zu", e->golden->name, e->at);
	rg_breach_list_release(&breaches);
	rg_gate_release(&gate);
}

/* What a comparison of both sides says. */
static void hold(edits *e, bool counted)
{
	static const rg_tensor_type raw = {.pattern = "raw*", .dtype = "int16"};
	static const rg_table_rule spaced = {.pattern = "spaced*"};
	static const rg_golden_options options = {.run_index = -1,
						  .tensor_types = &raw,
						  .tensor_type_count = 1,
						  .table_rules = &spaced,
						  .table_rule_count = 1};
	const rg_pair_source source = {
		.count = 1, .workers = 1, .load = load, .context = e, .options = &options};
	rg_comparison c;
	rg_story story;

	rg_comparison_init(&c);
	assert_success(rg_compare_pairs(&c, &source));
	const rg_summary summary = {.comparison = &c, .context = &context};
	const rg_file_outcome *file = &c.files[0];
	assert_success(rg_story_make(&story, &summary));
	if (c.unreadable) {
		e->unreadable += counted;
	} else if (file->layout) {
		if (!file->identical || !story.lines[RG_LINE_LAYOUT])
			fail_msg("%s: no line is about byte %zu", e->golden->name, e->at);
		if (counted)
			show(e);
		e->layout += counted;
	} else {
		if (!story.differing && !story.shape_count)
			fail_msg("%s: nothing is said of byte %zu", e->golden->name, e->at);
		hold_gate(e, &c);
		e->told += counted;
	}
	rg_story_release(&story);
	rg_comparison_release(&c);
}

/* Another digit for a digit, another letter for a letter. */
static char other(char c)
{
	if (c >= '0' && c <= '9')
		return c == '9' ? '8' : (char)(c + 1);
	return (char)(c ^ 1);
}

static void edit_all(edits *e, bool all)
{
	static const char more[] = {'\x02', '\x20', '\x40', '\x80'};
	for (e->at = 0; e->at < e->old.length; e->at++) {
		char *byte = &e->fresh.data[e->at], was = *byte;
		*byte = other(was);
		hold(e, true);
		for (size_t i = 0; all && i < sizeof(more); i++) {
			*byte = (char)(was ^ more[i]);
			hold(e, false);
		}
		*byte = was;
		if (!all)
			continue;
		memmove(byte, byte + 1, e->old.length - e->at - 1);
		e->fresh.length--;
		hold(e, false);
		e->fresh.length++;
		memcpy(e->fresh.data, e->old.data, e->old.length);
	}
}

static void test_every_byte_is_told(void **state)
{
	const bool all = getenv("TEST_LONG") != NULL;
	bool as_expected = true;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		edits e = {.golden = &cases[i]};
		rg_buf_init(&e.old, 1 << 20);
		rg_buf_init(&e.fresh, 1 << 20);
		if (cases[i].file)
			assert_success(rg_file_read(&e.old, cases[i].file));
		else
			rg_buf_str(&e.old, cases[i].text);
		rg_buf_add(&e.fresh, e.old.data, e.old.length);
		edit_all(&e, all);
		if (e.layout != cases[i].layout) {
			fprintf(stderr,
				"%s: the layout alone at %zu places, not %zu (of %zu; %zu "
				"unreadable)\n",
				e.golden->name, e.layout, cases[i].layout, e.old.length,
				e.unreadable);
			as_expected = false;
		}
		rg_buf_release(&e.old);
		rg_buf_release(&e.fresh);
	}
	assert_true(as_expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_byte_is_told)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
