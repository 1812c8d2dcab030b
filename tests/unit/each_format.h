/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_EACH_FORMAT_H
#define REGILD_TESTS_EACH_FORMAT_H

#include "unit.h"

#include "base/buf.h"
#include "base/file.h"
#include "golden/format.h"
#include "support/tfevents.h"
#include "support/zipmaker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/*
 * A small golden of each format, for tests that change them byte by byte and number by number
 * (test_unseen.c). A format of the registry that none of them is read by fails that test.
 */

/* How a golden writes its numbers, and so how one is taken out or put in. */
typedef enum {
	WRITTEN_JSON,
	WRITTEN_YAML,
	WRITTEN_LINES, /* cells or words in lines */
	WRITTEN_BINARY,
} golden_writing;

/* Writes a golden that has these values. False where its type has no such value. */
typedef bool golden_make_fn(rg_buf *out, const double *values, size_t count);

typedef struct {
	const char *name;   /* that readers bid on */
	const char *format; /* of the reader that takes it */
	const char *text, *file;
	golden_make_fn *make; /* WRITTEN_BINARY: NULL where no number is changed */
	size_t layout;        /* bytes whose first other value changes the layout alone */
	size_t unscored; /* numbers that have no figure, so that no gate takes a small change */
	/* Changes that say the same: a step that its line may leave out, 0 where it is what a
	 * missing number means, a line that comes again. A mean has what its values share. */
	size_t implied;
	golden_writing written;
	char between; /* WRITTEN_LINES: the cells */
	bool packed;  /* with gzip */
	bool fixed;   /* as many values as there are: none is taken out or put in */
} golden_case;

/* --- texts --- */

#define SERIES                                                                                  \
	"{\"lm loss\": {\"start_step\": 1, \"end_step\": 3, \"step_interval\": 1, \"values\": " \
	"{\"1\": 10.5, \"2\": \"nan\", \"3\": 9007199254740993}}}\n"
#define OLD_LISTS                                                                            \
	"{\"loss\": {\"start_step\": 2, \"step_interval\": 5, \"values\": [8.5, 7.25, 0]}, " \
	"\"iteration_timing_avg\": 0.125}"
#define INFERENCE                                                                                \
	"{\"0\": {\"generated_text\": \"a b\", \"generated_tokens\": [16, 7], \"latency\": "     \
	"9.5, \"logprobs\": [-7.5, NaN], \"counts\": {\"a\": 1}, \"none\": null, \"on\": true}," \
	" \"throughput\": [107.5, 3]}"
#define HUD                                                                              \
	"[{\"benchmark\": {\"name\": \"b\", \"extra_info\": {\"tp\": 8}}, \"model\": "   \
	"{\"name\": \"m\"}, \"metric\": {\"name\": \"x\", \"benchmark_values\": [1, 2]," \
	" \"target_value\": 3}}]"
#define GOOGLE                                                                          \
	"{\"context\": {\"date\": \"x\", \"num_cpus\": 8, \"load_avg\": [0.5, 1.5]}, "  \
	"\"benchmarks\": [{\"name\": \"a\", \"run_name\": \"a\", \"run_type\": "        \
	"\"iteration\", \"repetitions\": 2, \"repetition_index\": 0, \"threads\": 1, "  \
	"\"iterations\": 100, \"real_time\": 5.5, \"time_unit\": \"ns\"}, {\"name\": "  \
	"\"a\", \"run_name\": \"a\", \"run_type\": \"iteration\", \"repetitions\": 2, " \
	"\"repetition_index\": 1, \"threads\": 1, \"iterations\": 100, \"real_time\": " \
	"5.25, \"time_unit\": \"ns\"}, {\"name\": \"a_cv\", \"run_name\": \"a\", "      \
	"\"run_type\": \"aggregate\", \"repetitions\": 2, \"threads\": 1, "             \
	"\"aggregate_name\": \"cv\", \"iterations\": 2, \"real_time\": 0.03125, "       \
	"\"time_unit\": \"ns\"}]}"
#define PYTEST_BENCHMARK                                                                    \
	"{\"machine_info\": {\"cpu\": {\"count\": 8}}, \"commit_info\": {\"id\": \"x\"}, "  \
	"\"benchmarks\": [{\"group\": null, \"name\": \"a\", \"fullname\": \"t::a\", "      \
	"\"params\": {\"n\": 4}, \"extra_info\": {\"accuracy\": 0.5}, \"options\": "        \
	"{\"min_rounds\": 5}, \"stats\": {\"min\": 1.5, \"mean\": 2.5, \"stddev\": 0.25, "  \
	"\"rounds\": 3, \"outliers\": \"1;2\", \"data\": [2.5, 1.5, 3.5]}}], \"version\": " \
	"\"5.1.0\"}"
#define LM_EVAL                                                                              \
	"{\"results\": {\"mmlu\": {\"alias\": \"m\", \"acc,none\": 0.5, \"acc_stderr,none\"" \
	": 0.25}}, \"n-samples\": {\"mmlu\": {\"original\": 100, \"effective\": 50}}, "      \
	"\"versions\": {\"mmlu\": 2}, \"config\": {\"batch_size\": 8}, \"date\": 1.5}"
#define TRAINER_STATE                                                                  \
	"{\"best_metric\": 0.5, \"global_step\": 2, \"log_history\": [{\"step\": 1, "  \
	"\"loss\": 2.5}, {\"step\": 2, \"loss\": 1.25, \"lr\": 2e-05}, {\"step\": 2, " \
	"\"runtime\": 3.5}], \"max_steps\": 2}"
#define BACKEND_CSV                                                                         \
	"Test ID,Test Case,Subtest,Flow,Params,Result,Result Detail,Delegated,Quantize "    \
	"Time (s),Delegated Nodes,Delegated Ops,PTE Size (Kb),Output 0 Error Max,Output 0 " \
	"SNR,Error\n"                                                                       \
	"a,A,0,f,\"p, q\",Fail,Output Mismatch,True,0.5,3,add: 2,1.5,0.25,nan,\"x\n"        \
	"z\"\n"                                                                             \
	"b,B,,f,,Pass,,False,0.25,4,,2.5,1e-3,40.5,\n"
#define BACKEND_JSON                                                                   \
	"{\"exitcode\": 1, \"duration\": 2.5, \"tests\": [{\"nodeid\": \"n\", "        \
	"\"outcome\": \"failed\", \"metadata\": {\"subtests\": [{\"Test ID\": \"a\", " \
	"\"Subtest\": 1, \"Flow\": \"f\", \"Result\": \"Pass\", \"Delegated Ops\": "   \
	"{\"add\": 2}, \"Output 0 SNR\": \"40.5\", \"PTE Size (Kb)\": \"1.5\"}]}}, "   \
	"{\"nodeid\": \"m\", \"outcome\": \"skipped\"}]}"
#define OPDIFF                                                                            \
	"{\"type\": \"meta\", \"meta\": {\"format_name\": \"opdiff_run\", "               \
	"\"format_version\": 1, \"created_at\": \"x\", \"env\": {\"cores\": 8}}}\n"       \
	"{\"type\": \"item\", \"id\": \"a\", \"test_type\": \"single\", \"baseline\": "   \
	"{\"backend\": \"t\", \"status\": \"OK\", \"ms\": 1.5, \"times_all\": [1.5]}, "   \
	"\"backends\": [{\"backend\": \"o\", \"res\": [{\"status\": \"OK\", \"ms\": 2.5}" \
	"], \"times_all\": [[2.5, 3.5]], \"diff_all\": [{\"ok\": true, \"mse\": 0.25, "   \
	"\"max_abs\": 0.5, \"mean_abs\": 0.125}, {\"ok\": false, \"code\": "              \
	"\"NAN_IN_OUTPUT\"}]}]}\n"

/* --- binaries --- */

static inline void put_element(rg_buf *out, void *element, size_t size, bool big)
{
	unsigned char bytes[16];
	memcpy(bytes, little(element, size, 1), size);
	for (size_t i = 0; i < size; i++)
		rg_buf_char(out, (char)bytes[big ? size - 1 - i : i]);
}

/* Of `type`: "f8", "f4", "f2", "i4", "u1"; NumPy's, with '>' for the other byte order. */
static inline bool put_values(rg_buf *out, const char *type, const double *values, size_t count)
{
	const bool big = *type == '>';
	type += big;
	for (size_t i = 0; i < count; i++) {
		double f8 = values[i];
		float f4 = (float)f8;
		if (!strcmp(type, "f8")) {
			put_element(out, &f8, sizeof(f8), big);
		} else if (!strcmp(type, "f4")) {
			put_element(out, &f4, sizeof(f4), big);
		} else if (!strcmp(type, "bf16")) { /* the upper half of a float */
			uint32_t bits;
			memcpy(&bits, &f4, sizeof(bits));
			uint16_t half = (uint16_t)(bits >> 16);
			put_element(out, &half, sizeof(half), big);
		} else {
			int64_t i8 = isfinite(f8) && fabs(f8) < 1e9 ? (int64_t)f8 : 0;
			int32_t i4 = (int32_t)i8;
			if ((double)i8 != f8)
				return false;
			if (!strcmp(type, "i8"))
				put_element(out, &i8, sizeof(i8), big);
			else
				put_element(out, &i4, sizeof(i4), big);
		}
	}
	return true;
}

static inline bool make_npy(rg_buf *out, const char *type, const double *values, size_t count)
{
	char header[128];
	const int length =
		snprintf(header, sizeof(header),
			 "{'descr': '%s%s', 'fortran_order': False, 'shape': (%zu,), }\n",
			 *type == '>' ? "" : "<", type, count);
	rg_buf_str(out, "\x93NUMPY\x01");
	rg_buf_char(out, '\0');
	rg_buf_char(out, (char)length);
	rg_buf_char(out, '\0');
	rg_buf_add(out, header, (size_t)length);
	return put_values(out, type, values, count);
}

#define MAKE_NPY(NAME, TYPE)                                                         \
	static bool make_npy_##NAME(rg_buf *out, const double *values, size_t count) \
	{                                                                            \
		return make_npy(out, TYPE, values, count);                           \
	}
MAKE_NPY(f8, "f8")
MAKE_NPY(f4, "f4")
MAKE_NPY(big, ">f8")
MAKE_NPY(i4, "i4")
MAKE_NPY(i8, "i8")

static bool make_npz(rg_buf *out, const double *values, size_t count)
{
	rg_buf array;
	zipmaker maker;

	rg_buf_init(&array, RG_BUF_TEXT);
	zipmaker_init(&maker);
	const bool made = make_npy_f8(&array, values, count);
	zipmaker_add(&maker, "w.npy", array.data, array.length);
	zipmaker_add(&maker, "layer/b.npy", array.data, array.length)->method = 8;
	zipmaker_write(&maker, out);
	zipmaker_release(&maker);
	rg_buf_release(&array);
	return made;
}

static inline bool make_safetensors(rg_buf *out, const char *type, const char *code, size_t size,
				    const double *values, size_t count)
{
	char header[128];
	uint64_t length = (uint64_t)snprintf(
		header, sizeof(header),
		"{\"w\":{\"dtype\":\"%s\",\"shape\":[%zu],\"data_offsets\":[0,%zu]}}", type, count,
		count * size);
	const size_t written = (size_t)length;
	rg_buf_add(out, little(&length, sizeof(length), 1), sizeof(length));
	rg_buf_add(out, header, written);
	return put_values(out, code, values, count);
}

static bool make_safetensors_f4(rg_buf *out, const double *values, size_t count)
{
	return make_safetensors(out, "F32", "f4", 4, values, count);
}

static bool make_safetensors_bf16(rg_buf *out, const double *values, size_t count)
{
	return make_safetensors(out, "BF16", "bf16", 2, values, count);
}

static bool make_raw(rg_buf *out, const double *values, size_t count)
{
	return put_values(out, "f4", values, count);
}

static bool make_events(rg_buf *out, const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		event_scalar(out, (int64_t)i, "loss", (float)values[i]);
	return true;
}

/* Writes values of a type over those of a file. */
static inline bool make_over(rg_buf *out, const char *file, size_t at, const char *type,
			     const double *values, size_t count)
{
	rg_buf numbers;
	rg_buf_init(&numbers, RG_BUF_TEXT);
	assert_success(rg_file_read(out, file));
	const bool made = put_values(&numbers, type, values, count);
	assert_true(at + numbers.length <= out->length);
	memcpy(out->data + at, numbers.data, numbers.length);
	rg_buf_release(&numbers);
	return made;
}

/* The expected output of a case: float32 [2, 2]; that of another: a double. */
static bool make_bpte_tensor(rg_buf *out, const double *values, size_t count)
{
	return make_over(out, "tests/formats/cases.bpte", 0x180, "f4", values, count);
}

static bool make_bpte_double(rg_buf *out, const double *values, size_t count)
{
	return make_over(out, "tests/formats/cases.bpte", 0xc8, "f8", values, count ? 1 : 0);
}

static bool make_ptd(rg_buf *out, const double *values, size_t count)
{
	return make_over(out, "tests/formats/data.ptd", 0x1b0, "f4", values, count);
}

static bool make_hdf5(rg_buf *out, const double *values, size_t count)
{
	return make_over(out, "fixtures/hdf5/old/formatting.h5", 2048, "f8", values, count);
}

static inline void put_words(rg_buf *out, const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (int shift = 24; shift >= 0; shift -= 8)
			rg_buf_char(out, (char)(words[i] >> shift));
}

/* One variable w(n) of doubles in the classic format; the tags are of its specification. */
static bool make_netcdf(rg_buf *out, const double *values, size_t count)
{
	enum {
		DIMENSIONS = 10,
		VARIABLES = 11,
		DOUBLE = 6,
		NAME_N = 0x6e000000,
		NAME_W = 0x77000000
	};
	const uint32_t n = (uint32_t)count, begin = 80;
	const uint32_t words[] = {0x43444601, 0, DIMENSIONS, 1,      1,     NAME_N, n,
				  0,          0, VARIABLES,  1,      1,     NAME_W, 1,
				  0,          0, 0,          DOUBLE, 8 * n, begin};
	put_words(out, words, sizeof(words) / sizeof(*words));
	return put_values(out, ">f8", values, count);
}

static inline void put_card(rg_buf *out, const char *name, int value)
{
	rg_buf_printf(out, "%-8s= %20d%-50s", name, value, "");
}

static bool make_fits(rg_buf *out, const double *values, size_t count)
{
	enum { BLOCK = 2880 };
	rg_buf_printf(out, "%-8s= %20s%-50s", "SIMPLE", "T", "");
	put_card(out, "BITPIX", -64);
	put_card(out, "NAXIS", 1);
	put_card(out, "NAXIS1", (int)count);
	rg_buf_printf(out, "%-80s", "END");
	while (out->length % BLOCK)
		rg_buf_char(out, ' ');
	const bool made = put_values(out, ">f8", values, count);
	while (out->length % BLOCK)
		rg_buf_char(out, '\0');
	return made;
}

/* --- the goldens --- */

static const golden_case golden_cases[] = {
	{"series.json", "json", .text = SERIES, .layout = 34, .unscored = 6},
	{"lists.json", "json", .text = OLD_LISTS, .unscored = 2, .implied = 6},
	{"inference.json", "json", .text = INFERENCE, .layout = 4, .unscored = 2},
	{"map.json", "json", .text = "{\"train/loss\": {\"1\": 0.25, \"2\": 0.5}}", .unscored = 2},
	{"objects.json", "json",
	 .text = "[{\"name\": \"a\", \"v\": 1.5}, {\"name\": \"b\", \"v\": 2}]"},
	/* The name of a null says nothing. */
	{"places.json", "json", .text = "[{\"a\": 1.5, \"b\": null}, {\"a\": 2.5, \"b\": 3}]",
	 .layout = 1},
	{"nested.json", "json",
	 .text = "{\"a\": {\"b\": [1.5, {\"c\": 2.5}], \"d\": \"0.25\"}, \"e\": 7}"},
	{"numbers.json", "json", .text = "[1.5, 2.5, 0]"},
	{"google.json", "json", .text = GOOGLE, .layout = 56, .unscored = 4},
	{"pytest-benchmark.json", "json", .text = PYTEST_BENCHMARK, .layout = 62, .unscored = 6},
	{"lm-eval.json", "json", .text = LM_EVAL, .layout = 77, .unscored = 5},
	{"hud.json", "json", .text = HUD, .layout = 13, .unscored = 1, .implied = 12},
	{"trainer_state.json", "json", .text = TRAINER_STATE, .unscored = 3, .implied = 8},
	{"table.csv", "table", .text = "name,time,state\na,1.5,pass\nb,20,\"fa,il\"\n", .layout = 4,
	 .written = WRITTEN_LINES, .between = ','},
	{"wide.csv", "table", .text = "name,x y,z\na,0.5,0\nb,-2,1e-3\nc,3,4\n",
	 .written = WRITTEN_LINES, .between = ',', .layout = 6},
	{"cells.csv", "table", .text = "name,v,share\na,7 ns,95.0%\nb,1.5D+03,50%\n",
	 .written = WRITTEN_LINES, .between = ',', .layout = 5},
	{"semicolons.csv", "table", .text = "t;energy\n1;-0.5\n2;1.25\n", .layout = 2,
	 .written = WRITTEN_LINES, .between = ';', .unscored = 2},
	{"commas.csv", "table", .text = "name;energy\na;1,5\nb;2,25\n", .written = WRITTEN_LINES,
	 .between = ';', .layout = 4, .unscored = 4, .implied = 8},
	{"headless.csv", "table", .text = "1,2.5,x\n2,3.5,y\n", .written = WRITTEN_LINES,
	 .between = ',', .unscored = 2},
	{"long.csv", "table",
	 .text = "model,metric,value,tol\na,loss,2.5,0.5\na,time,3,0.5\nb,loss,1.5,0.5\n",
	 .written = WRITTEN_LINES, .between = ',', .layout = 1},
	{"keys.csv", "table", .text = "name\na\nb\n", .written = WRITTEN_LINES, .between = ','},
	{"table.txt", "table", .text = "arch\tname\ttime\nk6\ta\t1.5\nk7\tb\t2\n", .layout = 5,
	 .written = WRITTEN_LINES, .between = '\t'},
	{"table.tsv", "table", .text = "name\ttime\tn\na\t1.5\t3\nb\t-2\t4\n",
	 .written = WRITTEN_LINES, .between = '\t', .layout = 5},
	{"spaced.dat", "table", .text = "# T 300\n# n v w\na 1.5 x\nb 2 y\n",
	 .written = WRITTEN_LINES, .between = ' ', .layout = 8, .unscored = 1},
	{"list.txt", "step-list", .text = "1 8.5\n2 7.5\n", .written = WRITTEN_LINES,
	 .between = ' ', .layout = 1, .unscored = 2},
	{"steps.txt", "step-list", .text = "# ngpu: 8\n# step loss grad\n1 8.5 0.25\n2 7.5 0.5\n",
	 .written = WRITTEN_LINES, .between = ' ', .layout = 9, .unscored = 3},
	{"text.dat", "text", .text = "k-combined:\n1.17 9.7E-03\nH2O 1 -17.5\nend\n", .layout = 2,
	 .written = WRITTEN_LINES, .between = ' '},
	{"units.out", "text", .text = "took 5.5ms, 50% of it\nsum = 1.5D+02 (1)\n",
	 .written = WRITTEN_LINES, .between = ' ', .layout = 2},
	{"bytes.dat", "opaque", .text = "no number at all\n", .written = WRITTEN_LINES,
	 .between = ' '},
	{"fortran.npy", "npy", .file = "tests/fuzz/corpus/npy/fortran.npy",
	 .written = WRITTEN_BINARY},
	{"ints.npy", "npy", .file = "tests/fuzz/corpus/npy/ints.npy", .layout = 1,
	 .written = WRITTEN_BINARY},
	{"f8.npy", "npy", .make = make_npy_f8, .written = WRITTEN_BINARY, .layout = 1},
	{"f4.npy", "npy", .make = make_npy_f4, .written = WRITTEN_BINARY, .layout = 1},
	{"big.npy", "npy", .make = make_npy_big, .written = WRITTEN_BINARY},
	{"i4.npy", "npy", .make = make_npy_i4, .written = WRITTEN_BINARY, .layout = 1},
	{"i8.npy", "npy", .make = make_npy_i8, .written = WRITTEN_BINARY, .layout = 1},
	{"two.safetensors", "safetensors", .file = "tests/fuzz/corpus/safetensors/two", .layout = 8,
	 .written = WRITTEN_BINARY},
	{"f4.safetensors", "safetensors", .make = make_safetensors_f4, .written = WRITTEN_BINARY},
	{"a.h5", "hdf5", .make = make_hdf5, .written = WRITTEN_BINARY, .layout = 1722,
	 .fixed = true},
	{"a.nc", "netcdf", .make = make_netcdf, .written = WRITTEN_BINARY, .layout = 22},
	{"a.fits", "fits", .make = make_fits, .written = WRITTEN_BINARY, .layout = 5604},
	{"bf16.safetensors", "safetensors", .make = make_safetensors_bf16,
	 .written = WRITTEN_BINARY},
	{"pair.pte", "pte", .file = "tests/formats/pair.pte", .written = WRITTEN_BINARY},
	{"segments.pte", "pte", .file = "tests/formats/segments.pte", .written = WRITTEN_BINARY},
	{"cases.bpte", "bpte", .file = "tests/formats/cases.bpte", .make = make_bpte_tensor,
	 .layout = 96, .written = WRITTEN_BINARY, .fixed = true},
	{"double.bpte", "bpte", .make = make_bpte_double, .written = WRITTEN_BINARY, .fixed = true,
	 .layout = 96},
	{"data.ptd", "ptd", .file = "tests/formats/data.ptd", .make = make_ptd, .layout = 120,
	 .written = WRITTEN_BINARY, .fixed = true},
	{"rows.csv", "backend-csv", .text = BACKEND_CSV, .written = WRITTEN_LINES, .between = ',',
	 .unscored = 1, .layout = 11},
	{"test-report-f-models.json", "backend-json", .text = BACKEND_JSON, .layout = 33,
	 .unscored = 3},
	{"raw_expected_output.bin", "raw", .make = make_raw, .written = WRITTEN_BINARY},
	{"log.jsonl", "json-lines",
	 .text = "{\"step\": 1, \"loss\": 8.5}\n{\"step\": 2, \"loss\": 7.25}\n", .layout = 1,
	 .implied = 16},
	{"metrics.csv", "metrics-csv", .text = "step,epoch,loss,val\n1,0,8.5,\n1,0,,7.25\n",
	 .layout = 1, .written = WRITTEN_LINES, .between = ',', .unscored = 2, .implied = 40},
	/* Step 2 comes again, as after a restart. */
	{"again.csv", "metrics-csv", .text = "step,epoch,loss\n2,0,8.5\n2,0,7.5\n3,1,x\n3,1,y\n",
	 .written = WRITTEN_LINES, .between = ',', .unscored = 7, .implied = 36},
	{"again.jsonl", "json-lines",
	 .text = "{\"step\": 2, \"loss\": 8.5}\n{\"step\": 2, \"loss\": 7}\n", .layout = 1,
	 .unscored = 1, .implied = 18},
	{"again.txt", "number-table", .text = "2 8.5 0.25\n2 7.5 0.5\n", .layout = 1,
	 .written = WRITTEN_LINES, .between = ' '},
	{"again.json", "json", .text = "{\"loss\": {\"values\": {\"2\": 8.5, \"2\": 7.5}}}",
	 .unscored = 3},
	{"again.log", "torchtune", .text = "Step 2 | loss:8.5\nStep 2 | loss:7.5\n", .layout = 1,
	 .written = WRITTEN_LINES, .between = ' ', .unscored = 1, .implied = 6},
	{"tune.txt", "torchtune",
	 .text = "Step 1 | loss:8.5 lr:2e-05\nStep 2 | loss:7.5 lr:2e-05\n",
	 .written = WRITTEN_LINES, .between = ' ', .implied = 20, .layout = 3},
	{"bench.txt", "go-bench",
	 .text = "goos: linux\nBenchmarkSort-8 1000 1050 ns/op 64 B/op\nBenchmarkFind-8 500 8.5 "
		 "ns/op\n",
	 .written = WRITTEN_LINES, .between = ' ', .layout = 6},
	{"scan.dat", "number-table", .text = "# T = 300\n# x y\n0.5 1.25\n0.75 2.5\n",
	 .written = WRITTEN_LINES, .between = ' ', .layout = 9, .unscored = 1},
	{"golden.yaml", "yaml", .text = "loss: {1: 2.5, 2: 2.25}\nruns:\n  - name: a\n    t: 5\n",
	 .layout = 1, .written = WRITTEN_YAML, .unscored = 2},
	{"events.tfevents", "tfevents", .file = "tests/formats/events.out.tfevents.1.golden",
	 .written = WRITTEN_BINARY},
	{"events.out.tfevents.2", "tfevents", .make = make_events, .written = WRITTEN_BINARY},
	{"arrays.npz", "npz", .file = "tests/formats/arrays.npz", .layout = 84,
	 .written = WRITTEN_BINARY},
	{"made.npz", "npz", .make = make_npz, .written = WRITTEN_BINARY, .layout = 44},
	{"opdiff.jsonl", "opdiff", .text = OPDIFF, .layout = 60, .unscored = 5},
	{"packed.json.gz", "json", .text = "{\"train/loss\": {\"1\": 0.25, \"2\": 0.5}}",
	 .packed = true, .unscored = 2},
	{"packed.csv.gz", "table", .text = "name,time\na,1.5\nb,20\n", .written = WRITTEN_LINES,
	 .between = ',', .packed = true},
	{"packed.log.gz", "text", .text = "k = 1.17 (2)\n", .written = WRITTEN_LINES,
	 .between = ' ', .packed = true},
};

enum { GOLDEN_CASES = sizeof(golden_cases) / sizeof(*golden_cases), GOLDEN_VALUES = 4 };

/* What a binary golden has unless a test changes it; whole, so that every type has them. */
static const double golden_values[GOLDEN_VALUES] = {16, -48, 0, 1024};

/* Packs it as it is where the case says so. */
static inline void golden_pack(rg_buf *out, const rg_buf *plain)
{
	unsigned char bytes[16384];
	z_stream stream = {.next_in = (unsigned char *)plain->data,
			   .avail_in = (unsigned)plain->length,
			   .next_out = bytes,
			   .avail_out = sizeof(bytes)};

	assert_int_equal(
		deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
		Z_OK);
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	rg_buf_add(out, bytes, stream.total_out);
	deflateEnd(&stream);
}

/* The golden as it is, not packed. */
static inline void golden_write(const golden_case *golden, rg_buf *out)
{
	if (golden->file)
		assert_success(rg_file_read(out, golden->file));
	else if (golden->text)
		rg_buf_str(out, golden->text);
	else
		assert_true(golden->make(out, golden_values, golden->fixed ? 1 : GOLDEN_VALUES));
}

#endif
