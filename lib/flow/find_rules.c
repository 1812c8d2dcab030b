/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/find_rules.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/tree.h"
#include "base/utf8.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 2000, BYTES_MAX = 1 << 20, FOUND_MAX = 8, AHEAD = 300 };

/* A name whose end another one has comes after it. An option is followed by its value. */
static const struct {
	const char *call, *rule;
	char after;
	const char *parameters[3];
} calls[] = {
	{"xr.testing.assert_allclose", "xarray", '(', {"rtol", "atol"}},
	{"xarray.testing.assert_allclose", "xarray", '(', {"rtol", "atol"}},
	{"torch.testing.assert_allclose", NULL, '(', {NULL}},
	{"assert_allclose", "numpy-testing-allclose", '(', {"rtol", "atol"}},
	{"np.allclose", "numpy-allclose", '(', {"rtol", "atol"}},
	{"assert_array_equal", "numpy-testing-array_equal", '(', {NULL}},
	{"assert_array_almost_equal", "numpy-testing-almost_equal", '(', {"decimal"}},
	{"assert_array_max_ulp", "numpy-testing-max_ulp", '(', {"maxulp"}},
	{"math.isclose", "math-isclose", '(', {"rel_tol", "abs_tol"}},
	{"pytest.approx", "pytest-approx", '(', {"rel", "abs"}},
	{"num_regression.check", "pytest-regressions", '(', {"rtol", "atol"}},
	{"assert_frame_equal", "pandas-frame", '(', {"rtol", "atol"}},
	{"all.equal", "r-all.equal", '(', {"tolerance"}},
	{"expect_equal", "testthat", '(', {"tolerance"}},
	{"toBeCloseTo", "jest-close", '(', {NULL}},
	{"h5diff", "h5diff", ' ', {"-d", "-p"}},
	{"fitsdiff", "fitsdiff", ' ', {"-r", "-a"}},
	{"numdiff", "numdiff", ' ', {"-a", "-r"}},
};
enum { CALLS = sizeof(calls) / sizeof(*calls) };

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t skip(const char *text, size_t length, size_t at, const char *these)
{
	while (at < length && text[at] && strchr(these, text[at]))
		at++;
	return at;
}

/* Adds the key of "rtol=1e-5", "'rtol': 1e-5" or "-d 1e-5"; a formula is for people to read. */
static void add_key(rg_buf *keys, const char *text, size_t length, const char *name)
{
	const size_t size = strlen(name);
	const char *key = name + (*name == '-');
	for (size_t at = 1; at + size < length; at++) {
		const size_t quote = skip(text, length, at + size, "'\"");
		const size_t sign = skip(text, length, quote, " \t");
		const size_t start = skip(text, length, sign, "=: \t");
		const size_t end = skip(text, length, start, "0123456789.eE+-");
		double value;

		if (is_word(text[at - 1]) || memcmp(text + at, name, size) != 0 ||
		    start == at + size || (*name != '-' && !strchr("=:", text[sign])))
			continue;
		const bool whole = end < length ? strchr(",)]} \t\r\n;'\"", text[end]) != NULL
						: length < AHEAD;
		rg_buf_str(keys, ";\t");
		for (const char *c = key; *c; c++)
			rg_buf_char(keys, *c == '_' ? '-' : *c);
		if (whole && end - start < RG_DOUBLE_REPR_SIZE && text[start] != '-' &&
		    rg_double_parse(text + start, end - start, &value) && isfinite(value))
			rg_buf_printf(keys, " = %.*s\n", (int)(end - start), text + start);
		else
			rg_buf_str(keys, " = (see there)\n");
		return;
	}
}

/* Adds what a call says, unless another one says the same. */
static void add_call(rg_buf *out, size_t *found, size_t call, const char *text, size_t left,
		     const char *path, size_t line)
{
	const bool is_line = calls[call].after == ' ';
	RG_AUTO(rg_buf) keys = rg_buf_of(RG_BUF_TEXT);
	size_t length = 0, open = 0;

	/* A call ends with its parenthesis, a command with its line. */
	for (; length < left && length < AHEAD && !(is_line && text[length] == '\n'); length++) {
		open += text[length] == '(';
		if (!is_line && text[length] == ')' && !--open)
			break;
	}
	rg_buf_printf(&keys, ";\tmetric = *\n;\trule = %s\n", calls[call].rule);
	for (size_t k = 0; k < 3 && calls[call].parameters[k]; k++)
		add_key(&keys, text, length, calls[call].parameters[k]);
	rg_buf_char(&keys, '\n');
	if (*found == FOUND_MAX || (*found && strstr(out->data, keys.data)))
		return;
	if (!*found)
		rg_buf_str(out,
			   "\n# What the project's tests seem to call equal (regild-equal(7)); "
			   "take what fits the goldens.\n");
	rg_buf_str(out, "# ");
	rg_utf8_add_safe(out, path, strlen(path));
	rg_buf_printf(out, ":%zu\n;[check \"tests%zu\"]\n%s", line, ++*found, keys.data);
}

static void search(rg_buf *out, size_t *found, const rg_buf *text, const char *path)
{
	const char *data = text->data;
	for (size_t at = 0, line = 1; at < text->length; at++) {
		line += data[at] == '\n';
		for (size_t i = 0; (data[at] == '(' || data[at] == ' ') && i < CALLS; i++) {
			const size_t size = strlen(calls[i].call);
			if (calls[i].after != data[at] || size > at ||
			    memcmp(data + at - size, calls[i].call, size) != 0 ||
			    (size < at && is_word(data[at - size - 1])))
				continue;
			if (calls[i].rule)
				add_call(out, found, i, data + at, text->length - at, path, line);
			break;
		}
	}
}

static bool is_searched(const char *path)
{
	static const char ends[] = ".py .R .r .Rmd .sh .bash .js .mjs .ts .tsx .yml .yaml .mk ";
	const char *dot = strrchr(path, '.'), *found = dot ? strstr(ends, dot) : NULL;
	return found && dot[1] && found[strlen(dot)] == ' ' && !strchr(dot, ' ');
}

void rg_find_rules(rg_buf *out, const char *top, const char *const *paths, size_t count)
{
	const int folder = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	size_t files = 0, found = 0;

	for (size_t i = 0; folder >= 0 && i < count && files < FILES_MAX; i++) {
		int fd = -1;
		uint64_t size;
		if (!is_searched(paths[i]))
			continue;
		files++;
		RG_AUTO(rg_buf) text = rg_buf_of(BYTES_MAX);
		/* A file that cannot be read proposes nothing. */
		rg_error *err = rg_tree_open_file(&fd, &size, folder, paths[i]);
		if (!err && size <= BYTES_MAX)
			err = rg_file_read_descriptor(&text, fd, paths[i]);
		if (!err)
			search(out, &found, &text, paths[i]);
		rg_error_free(err);
		if (fd >= 0)
			close(fd);
	}
	if (folder >= 0)
		close(folder);
}
