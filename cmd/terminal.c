/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include "runner.h"

#include "base/cancel.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/shorten.h"
#include "base/utf8.h"
#include "report/workflow_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COLUMNS_DEFAULT = 80, COLUMNS_MAX = 65535, SHORTENED_MIN = 12 };

/* The descriptor of a stream, which fileno does not know if runner.h guards the stream. */
static int descriptor_of(FILE *stream)
{
	return stream == stderr ? STDERR_FILENO : STDOUT_FILENO;
}

bool terminal_use_color(const char *when, FILE *stream)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	if (when && !strcmp(when, "always"))
		return true;
	if (when && !strcmp(when, "never"))
		return false;
	if (no_color && *no_color)
		return false;
	return isatty(descriptor_of(stream)) && term && strcmp(term, "dumb");
}

size_t terminal_columns(FILE *stream)
{
	const char *text = getenv("COLUMNS");
	struct winsize size;
	uint64_t columns;

	if (!isatty(descriptor_of(stream)))
		return 0;
	if (!ioctl(descriptor_of(stream), TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	if (text && rg_uint64_parse(text, strlen(text), &columns) && columns &&
	    columns <= COLUMNS_MAX)
		return (size_t)columns;
	return COLUMNS_DEFAULT;
}

void terminal_print_safe(FILE *out, const char *text)
{
	size_t left = strlen(text), width;
	char safe[RG_UTF8_SAFE_SIZE];

	while (left) {
		size_t taken = rg_utf8_next_safe(text, left, safe, &width);
		fputs(safe, out);
		text += taken;
		left -= taken;
	}
}

void terminal_printf(FILE *out, const char *format, ...)
{
	bool is_line = format[strlen(format) - 1] == '\n';
	va_list args;

	va_start(args, format);
	char *text = rg_vtextf(format, args);
	va_end(args);
	if (is_line)
		text[strlen(text) - 1] = '\0';
	terminal_print_safe(out, text);
	if (is_line)
		fputc('\n', out);
	free(text);
}

void terminal_print_shortened(FILE *out, const char *text, size_t used)
{
	size_t columns = terminal_columns(out);
	RG_AUTO(rg_buf) safe = rg_buf_of(RG_BUF_ANY);

	if (!columns)
		columns = SIZE_MAX;
	rg_text_shorten(&safe, text, strlen(text),
			columns > used + SHORTENED_MIN ? columns - used : SHORTENED_MIN);
	fputs(safe.data, out);
}

/* The most talkative level that is shown. */
static rg_log_level shown = RG_LOG_INFO;
static pthread_mutex_t stderr_lock = PTHREAD_MUTEX_INITIALIZER;

/* Why stdout lost something first; 0: not, or not known. */
static int stdout_errno;

static void note_stdout(bool failed)
{
	if (failed && !stdout_errno)
		stdout_errno = errno;
}

void terminal_say(const char *format, ...)
{
	RG_AUTO(rg_buf) line = rg_buf_of(RG_BUF_ANY);
	va_list args;

	va_start(args, format);
	RG_AUTO_FREE char *text = rg_vtextf(format, args);
	va_end(args);
	rg_buf_str(&line, "regild: ");
	rg_utf8_add_safe(&line, text, strlen(text));
	rg_buf_char(&line, '\n');
	pthread_mutex_lock(&stderr_lock);
	note_stdout(fflush(stdout)); /* so that both keep their order where they go to one place */
	fwrite(line.data, 1, line.length, stderr);
	pthread_mutex_unlock(&stderr_lock);
}

bool terminal_shows(rg_log_level level)
{
	return level <= shown;
}

/* ---- as few lines as are read where no terminal is ---- */

enum { MESSAGES_SHOWN = 18 };
static bool limited;
static size_t lines_left, messages; /* behind stderr_lock */

void terminal_limit(int verbose)
{
	limited = !verbose && !isatty(STDOUT_FILENO);
	lines_left = TERMINAL_LINES;
	messages = 0;
}

bool terminal_is_limited(void)
{
	return limited;
}

size_t terminal_lines_left(void)
{
	return lines_left;
}

void terminal_take_lines(size_t lines)
{
	pthread_mutex_lock(&stderr_lock);
	lines_left -= lines < lines_left ? lines : lines_left;
	pthread_mutex_unlock(&stderr_lock);
}

void terminal_limit_end(void)
{
	const size_t more = messages > MESSAGES_SHOWN ? messages - MESSAGES_SHOWN : 0;
	if (limited && more)
		terminal_say("%zu more message%s; -v shows %s", more, rg_plural(more),
			     more == 1 ? "it" : "them");
	limited = false;
}

static void log_write(void *context, rg_log_level level, const char *text)
{
	(void)context;
	if (!terminal_shows(level))
		return;
	pthread_mutex_lock(&stderr_lock);
	const bool room = ++messages <= MESSAGES_SHOWN || !limited;
	lines_left -= room && lines_left;
	pthread_mutex_unlock(&stderr_lock);
	if (room)
		terminal_say("%s%s", level <= RG_LOG_WARNING ? "warning: " : "", text);
}

void terminal_log_init(rg_log *log, bool quiet, int verbose)
{
	log->write = log_write;
	log->context = NULL;
	shown = quiet         ? RG_LOG_MISSING
		: verbose > 1 ? RG_LOG_DEBUG
		: verbose > 0 ? RG_LOG_DETAIL
			      : RG_LOG_INFO;
}

bool terminal_is_interactive(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* Not through stdio: what it had read ahead would not show in the wait, and a signal in the middle
 * of its read may come too late. */
rg_error *terminal_read_line(char *line, size_t size, bool *end)
{
	size_t length = 0;
	bool any = false;
	char c = '\0';

	fflush(stderr);
	while (c != '\n') {
		ssize_t got = rg_cancel_wait(STDIN_FILENO) ? read(STDIN_FILENO, &c, 1) : -1;
		RG_TRY(rg_cancel_check());
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		any = true;
		if (c != '\n' && length + 1 < size)
			line[length++] = c;
	}
	line[length] = '\0';
	*end = !any;
	return NULL;
}

rg_error *terminal_confirm(const char *question, bool *yes)
{
	char answer[64];
	bool end;

	*yes = false;
	fprintf(stderr, "%s [y/N] ", question);
	rg_error *err = terminal_read_line(answer, sizeof(answer), &end);
	if (err || end)
		fputc('\n', stderr);
	*yes = !err && (answer[0] == 'y' || answer[0] == 'Y');
	return err;
}

bool terminal_guard_descriptors(void)
{
	int fd;
	/* Opened for the wrong direction, so that reading or writing them fails as it should. */
	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

rg_error *terminal_close_stdout(void)
{
	bool lost = ferror(stdout);
	errno = 0;
	note_stdout(fflush(stdout));
	/* stdio reported the loss without its errno, which a later call took away. */
	if (lost && !stdout_errno)
		stdout_errno = runner_stdout_errno();
	if (lost && !stdout_errno) {
		struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
		stdout_errno = poll(&out, 1, 0) == 1 && out.revents & POLLERR ? EPIPE : EIO;
	}
	errno = 0;
	/* Closed from the start (>&-) is not a loss if there was nothing to say. */
	note_stdout(fclose(stdout) && errno != EBADF);
	return stdout_errno ? rg_error_io(stdout_errno, "standard output") : NULL;
}

bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder of the file has to exist. */
static rg_error *stat_folder(struct stat *out, const char *path)
{
	RG_AUTO_FREE char *folder = rg_path_sibling(path, ".");
	return stat(folder, out) ? rg_error_io(errno, "%s", folder) : NULL;
}

/* Would what is written to one be lost to the other? Devices and pipes take several. */
static rg_error *is_one_file(const char *a, const char *b, bool *out)
{
	struct stat first, second;
	bool there = rg_output_stat(a, &first);

	*out = false;
	if (there != rg_output_stat(b, &second))
		return NULL;
	if (there) {
		*out = (S_ISREG(first.st_mode) || S_ISLNK(first.st_mode)) &&
		       is_same(&first, &second);
		return NULL;
	}
	if (strcmp(rg_path_name(a), rg_path_name(b)) != 0)
		return NULL;
	RG_TRY(stat_folder(&first, a));
	RG_TRY(stat_folder(&second, b));
	*out = is_same(&first, &second);
	return NULL;
}

static bool is_file(const output_file *file)
{
	return file->path && !is_stdout(file->path);
}

rg_error *check_output_is_not(const output_file *file, const char *name, const char *path)
{
	bool one_file = false;
	if (is_file(file))
		RG_TRY(is_one_file(file->path, path, &one_file));
	return one_file ? usage_error("%s would be written over %s, '%s'", file->option_name, name,
				      path)
			: NULL;
}

rg_error *check_output_files(const output_file *files, size_t count)
{
	bool one_file = false;
	for (size_t i = 0; i < count; i++) {
		const char *name = files[i].option_name;
		if (!is_file(&files[i]))
			continue;
		if (!*files[i].path)
			return usage_error("%s: the file has no name", name);
		RG_TRY(rg_error_wrap(rg_output_check(files[i].path), "%s", name));
		for (size_t j = 0; j < i; j++) {
			if (is_file(&files[j]))
				RG_TRY(is_one_file(files[j].path, files[i].path, &one_file));
			if (one_file)
				return usage_error("%s and %s name one file, '%s'",
						   files[j].option_name, name, files[i].path);
		}
	}
	return NULL;
}

rg_error *check_output_file(const char *option_name, const char *path)
{
	return check_output_files(&(output_file){option_name, path}, 1);
}

void terminal_print(const rg_buf *text)
{
	note_stdout(fwrite(text->data, 1, text->length, stdout) < text->length);
}

rg_error *write_output(const char *path, const rg_buf *text)
{
	rg_workflow_guard guard = {0};
	if (runner_reads(path))
		RG_TRY(runner_check(&guard, text->data, text->length));
	if (is_stdout(path)) {
		terminal_print(text);
		return NULL;
	}
	note_stdout(fflush(stdout)); /* it may be the same file, by another name */
	return rg_file_write_output(path, text->data, text->length);
}

static bool has_json;

bool terminal_has_json(void)
{
	return has_json;
}

rg_error *json_output_open(json_output *out, const char *path)
{
	*out = (json_output){.path = path};
	if (is_stdout(path))
		return NULL;
	note_stdout(fflush(stdout)); /* it may be the same file, by another name */
	return rg_output_open(&out->file, path);
}

rg_error *json_output_write(void *output, const void *bytes, size_t length)
{
	json_output *out = output;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	if (runner_reads(out->path))
		rg_workflow_add_json(&text, bytes, length);
	else
		rg_buf_add(&text, bytes, length);
	has_json |= is_stdout(out->path);
	if (!is_stdout(out->path))
		return rg_output_write(&out->file, text.data, text.length);
	terminal_print(&text);
	return NULL;
}

rg_error *json_output_close(json_output *out, rg_error *err)
{
	return is_stdout(out->path) ? err : rg_output_close(&out->file, err);
}

rg_error *write_json(const char *path, const rg_buf *text)
{
	json_output out;
	RG_TRY(json_output_open(&out, path));
	return json_output_close(&out, json_output_write(&out, text->data, text->length));
}
