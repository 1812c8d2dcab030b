/* SPDX-License-Identifier: Apache-2.0 */
#include "shell.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The only file of a program's operands, or stdin (NULL). False for two, or what cannot be read. */
static bool one_file(int argc, char **argv, int at, const char **file)
{
	*file = at < argc ? argv[at] : NULL;
	return argc - at <= 1 && can_read(*file);
}

/* "-n N", "-nN", "-N", "-c N": by *unit, 'n' or 'c'. *plus: "+N". Returns the first operand, or 0.
 */
static int amount(int argc, char **argv, char *unit, long *n, bool *plus)
{
	const char *number;
	int at = 1;

	*unit = 'n';
	*n = 10;
	*plus = false;
	if (argc < 2 || argv[1][0] != '-' || !argv[1][1])
		return 1;
	number = argv[1] + 1;
	if (*number == 'n' || *number == 'c') {
		*unit = *number++;
		if (!*number) {
			if (argc < 3)
				return 0;
			number = argv[++at];
		}
	}
	if (*number == '+') {
		*plus = true;
		number++;
	}
	return is_number(number, n) &&
			       (at + 1 == argc || argv[at + 1][0] != '-' || !argv[at + 1][1])
		       ? at + 1
		       : 0;
}

/* Stops reading a pipe once it has enough, so that what writes to it ends. */
int tool_head(int argc, char **argv)
{
	char unit, bytes[1 << 12];
	const char *file;
	long left;
	bool plus;
	int at = amount(argc, argv, &unit, &left, &plus), fd = 0, status = 0;
	ssize_t n = 0;

	if (!at || plus || !one_file(argc, argv, at, &file))
		return NOT_KNOWN;
	if (file && strcmp(file, "-"))
		fd = open(file, O_RDONLY | O_CLOEXEC);
	while (left > 0 && !status &&
	       ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))) {
		ssize_t end = 0;

		for (; end < n && left > 0; end++)
			if (unit == 'c' || bytes[end] == '\n')
				left--;
		status = n > 0 ? put(argv[0], bytes, (size_t)end) : 0;
		/* The next program that reads this file begins where this one has ended. */
		if (end < n)
			(void)!lseek(fd, end - n, SEEK_CUR);
	}
	if (fd > 0)
		close(fd);
	return n < 0 ? 1 : status;
}

int tool_tail(int argc, char **argv)
{
	char unit;
	const char *file;
	long count;
	bool plus;
	int at = amount(argc, argv, &unit, &count, &plus), status;
	text in;
	size_t start;

	if (!at || !one_file(argc, argv, at, &file))
		return NOT_KNOWN;
	if (!read_all(file, &in))
		return 1;
	if (plus) {
		start = 0;
		for (long i = 1; i < count && start < in.length; start++)
			if (unit == 'c' || in.bytes[start] == '\n')
				i++;
	} else {
		start = in.length;
		while (start && (unit == 'n' || count > 0)) {
			if (unit == 'c')
				count--;
			else if (in.bytes[start - 1] == '\n' && start < in.length && --count == 0)
				break;
			else if (!count)
				break;
			start--;
		}
	}
	status = put(argv[0], in.bytes + start, in.length - start);
	text_free(&in);
	return status;
}

int tool_wc(int argc, char **argv)
{
	const char *file;
	size_t count = 0;
	char said[64];
	text in, out = {0};

	if (argc < 2 || (strcmp(argv[1], "-l") && strcmp(argv[1], "-c")) ||
	    !one_file(argc, argv, 2, &file) || (file && !strcmp(file, "-")))
		return NOT_KNOWN;
	if (!read_all(file, &in))
		return 1;
	for (size_t i = 0; i < in.length; i++)
		count += in.bytes[i] == '\n';
	text_add(
		&out, said,
		(size_t)snprintf(said, sizeof(said), "%zu", argv[1][1] == 'l' ? count : in.length));
	if (file) {
		text_add_char(&out, ' ');
		text_add(&out, file, strlen(file));
	}
	text_add_char(&out, '\n');
	text_free(&in);
	return put_text(argv[0], &out);
}

/* "PREFIX%gSUFFIX", with a width at most, before which a 0 fills up. */
typedef struct {
	const char *prefix, *suffix;
	size_t prefix_length;
	int width;
	bool zeros;
} format;

static bool read_format(const char *from, format *out)
{
	const char *percent = strchr(from, '%');
	char *end;

	if (!percent || strchr(from, '\\'))
		return false;
	*out = (format){.prefix = from,
			.prefix_length = (size_t)(percent - from),
			.zeros = percent[1] == '0'};
	if (percent[1] != 'g' && (percent[1] < '0' || percent[1] > '9'))
		return false;
	out->width = (int)strtol(percent + 1, &end, 10);
	out->suffix = end + 1;
	return *end == 'g' && !strchr(out->suffix, '%') && out->width < 16;
}

int tool_seq(int argc, char **argv)
{
	const char *separator = "\n";
	format by = {0};
	long number[3] = {1, 1, 0};
	int at = 1, numbers;
	char digits[32];
	text out = {0};
	bool known = read_format("%g", &by);

	for (; known && at + 1 < argc && (!strcmp(argv[at], "-f") || !strcmp(argv[at], "-s"));
	     at += 2)
		if (argv[at][1] == 'f')
			known = read_format(argv[at + 1], &by);
		else
			separator = argv[at + 1];
	numbers = argc - at;
	if (!known || numbers < 1 || numbers > 3 || strchr(separator, '\\'))
		return NOT_KNOWN;
	for (int i = at; i < argc; i++)
		if (!is_number(argv[i], &number[i == argc - 1 ? 2 : i - at]) ||
		    strlen(argv[i]) > 6 || (argv[i][0] == '0' && argv[i][1]))
			return NOT_KNOWN;
	if (!number[1])
		return NOT_KNOWN;
	for (long i = number[0]; i <= number[2]; i += number[1]) {
		int length = by.zeros ? snprintf(digits, sizeof(digits), "%0*ld", by.width, i)
				      : snprintf(digits, sizeof(digits), "%*ld", by.width, i);

		if (i != number[0])
			text_add(&out, separator, strlen(separator));
		text_add(&out, by.prefix, by.prefix_length);
		text_add(&out, digits, (size_t)length);
		text_add(&out, by.suffix, strlen(by.suffix));
	}
	if (out.length)
		text_add_char(&out, '\n');
	return put_text(argv[0], &out);
}

/* A character of a set of tr(1) at *at. -1 for what begins a class or a range of them. */
static int set_char(const char **at)
{
	static const char names[] = "abfnrtv\\", values[] = "\a\b\f\n\r\t\v\\";
	const char *name;
	int c = (unsigned char)*(*at)++;

	if (c == '[')
		return -1;
	if (c != '\\')
		return c;
	if (**at >= '0' && **at <= '7') {
		c = 0;
		for (int digits = 0; digits < 3 && **at >= '0' && **at <= '7'; digits++)
			c = c * 8 + *(*at)++ - '0';
		return c < 256 ? c : -1;
	}
	name = **at ? strchr(names, **at) : NULL;
	if (!name)
		return -1;
	(*at)++;
	return (unsigned char)values[name - names];
}

/* The characters of a set in their order. Returns how many, or -1. */
static int read_set(const char *from, unsigned char out[static 512])
{
	int count = 0;

	while (*from) {
		int c = set_char(&from), last = c;

		if (c >= 0 && *from == '-' && from[1]) {
			from++;
			last = set_char(&from);
		}
		if (c < 0 || last < c || count + last - c >= 512)
			return -1;
		for (; c <= last; c++)
			out[count++] = (unsigned char)c;
	}
	return count;
}

int tool_tr(int argc, char **argv)
{
	unsigned char from[512], to[512], map[256];
	bool gone[256] = {0}, drop = argc == 3 && !strcmp(argv[1], "-d");
	int count, other = 0;
	size_t kept = 0;
	text in;

	if (argc != 3 || (!drop && argv[1][0] == '-') || !can_read(NULL))
		return NOT_KNOWN;
	count = read_set(argv[drop ? 2 : 1], from);
	if (!drop)
		other = read_set(argv[2], to);
	if (count < 0 || other < 0 || (!drop && !other))
		return NOT_KNOWN;
	for (int i = 0; i < 256; i++)
		map[i] = (unsigned char)i;
	for (int i = 0; i < count; i++) {
		gone[from[i]] = drop;
		if (!drop)
			map[from[i]] = to[i < other ? i : other - 1];
	}
	if (!read_all(NULL, &in))
		return 1;
	for (size_t i = 0; i < in.length; i++)
		if (!gone[(unsigned char)in.bytes[i]])
			in.bytes[kept++] = (char)map[(unsigned char)in.bytes[i]];
	in.length = kept;
	return put_text(argv[0], &in);
}

/* A list of cut(1): "2", "1,3-5", "2-". */
static bool read_list(const char *list, bool have[static 256])
{
	while (*list) {
		char *end;
		long first = strtol(list, &end, 10), last = first;

		if (end == list || first < 1 || first > 255)
			return false;
		if (*end == '-') {
			list = end + 1;
			last = strtol(list, &end, 10);
			if (end == list)
				last = 255;
		}
		if (last < first || last > 255 || (*end && *end != ','))
			return false;
		for (; first <= last; first++)
			have[first] = true;
		list = end + (*end == ',');
	}
	return true;
}

/* The fields of a line that are wanted, or all of it if it has no delimiter. */
static void cut_line(line in, char delimiter, const bool have[static 256], text *out)
{
	const char *end = in.at + in.length, *at = in.at;
	bool any = false;

	if (!memchr(in.at, delimiter, in.length)) {
		text_add(out, in.at, in.length);
	} else {
		for (int field = 1; at <= end; field++) {
			const char *stop = memchr(at, delimiter, (size_t)(end - at));

			stop = stop ? stop : end;
			if (have[field < 255 ? field : 255]) {
				if (any)
					text_add_char(out, delimiter);
				text_add(out, at, (size_t)(stop - at));
				any = true;
			}
			at = stop + 1;
		}
	}
	text_add_char(out, '\n');
}

int tool_cut(int argc, char **argv)
{
	bool have[256] = {0};
	char delimiter = '\t';
	const char *list = NULL, *file;
	int at = 1;
	size_t position = 0;
	text in, out = {0};
	line one;

	for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
		const char *value = argv[at][2] ? argv[at] + 2 : argv[at + 1];

		if (!value || (argv[at][1] != 'd' && argv[at][1] != 'f') ||
		    (argv[at][1] == 'd' && (!*value || value[1])))
			return NOT_KNOWN;
		if (argv[at][1] == 'd')
			delimiter = *value;
		else
			list = value;
		at += !argv[at][2];
	}
	if (!list || !read_list(list, have) || !one_file(argc, argv, at, &file))
		return NOT_KNOWN;
	if (!read_all(file, &in))
		return 1;
	while (next_line(&in, &position, &one))
		cut_line(one, delimiter, have, &out);
	text_free(&in);
	return put_text(argv[0], &out);
}

static int by_bytes(const void *a, const void *b)
{
	const line *x = a, *y = b;
	size_t shorter = x->length < y->length ? x->length : y->length;
	int order = shorter ? memcmp(x->at, y->at, shorter) : 0;

	return order ? order : (x->length > y->length) - (x->length < y->length);
}

static bool same_line(line a, line b)
{
	return a.length == b.length && (!a.length || !memcmp(a.at, b.at, a.length));
}

/* Sorts bytes, which is the order of the locale C alone. */
int tool_sort(int argc, char **argv)
{
	bool once = argc > 1 && !strcmp(argv[1], "-u");
	const char *file;
	size_t count = 0, at = 0;
	text in, out = {0};
	line *lines, one;

	if (strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") != 0 ||
	    (argc > 1 && !once && argv[1][0] == '-') || !one_file(argc, argv, 1 + once, &file))
		return NOT_KNOWN;
	if (!read_all(file, &in))
		return 1;
	lines = malloc((in.length + 1) * sizeof(*lines));
	if (!lines)
		abort();
	while (next_line(&in, &at, &one))
		lines[count++] = one;
	qsort(lines, count, sizeof(*lines), by_bytes);
	for (size_t i = 0; i < count; i++) {
		if (once && i && same_line(lines[i - 1], lines[i]))
			continue;
		text_add(&out, lines[i].at, lines[i].length);
		text_add_char(&out, '\n');
	}
	free(lines);
	text_free(&in);
	return put_text(argv[0], &out);
}

int tool_uniq(int argc, char **argv)
{
	bool counted = argc > 1 && !strcmp(argv[1], "-c");
	const char *file;
	char said[32];
	size_t at = 0, count = 0;
	text in, out = {0};
	line one = {0}, last = {0};
	bool more;

	if ((argc > 1 && !counted && argv[1][0] == '-') ||
	    !one_file(argc, argv, 1 + counted, &file))
		return NOT_KNOWN;
	if (!read_all(file, &in))
		return 1;
	do {
		more = next_line(&in, &at, &one);
		if (count && (!more || !same_line(last, one))) {
			if (counted)
				text_add(&out, said,
					 (size_t)snprintf(said, sizeof(said), "%7zu ", count));
			text_add(&out, last.at, last.length);
			text_add_char(&out, '\n');
			count = 0;
		}
		last = one;
		count++;
	} while (more);
	text_free(&in);
	return put_text(argv[0], &out);
}
