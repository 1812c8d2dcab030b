#include "terminal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_use_color(const char *when, FILE *stream)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when && !strcmp(when, "always"))
		return true;
	if (when && !strcmp(when, "never"))
		return false;
	if (no_color && *no_color)
		return false;
	return isatty(fileno(stream)) && term && strcmp(term, "dumb");
}

/* How many bytes the well-formed UTF-8 character at `p` has; 0 when it is none. */
static size_t utf8_length(const unsigned char *p)
{
	size_t length = *p < 0x80   ? 1
			: *p < 0xc2 ? 0
			: *p < 0xe0 ? 2
			: *p < 0xf0 ? 3
			: *p < 0xf5 ? 4
				    : 0;
	size_t i;

	for (i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((*p == 0xe0 && p[1] < 0xa0) || (*p == 0xed && p[1] > 0x9f) ||
	    (*p == 0xf0 && p[1] < 0x90) || (*p == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

/* C0, DEL, and the C1 controls that UTF-8 writes as C2 80 … C2 9F. */
static bool is_control(const unsigned char *p)
{
	return *p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0);
}

void terminal_print_safe(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	while (*p) {
		size_t length = utf8_length(p), i;

		if (!length || is_control(p)) {
			for (i = 0; i < (length ? length : 1); i++)
				fprintf(out, "\\x%02x", p[i]);
		} else {
			fwrite(p, 1, length, out);
		}
		p += length ? length : 1;
	}
}

/* The most talkative level that is shown. */
static rg_log_level shown = RG_LOG_INFO;
static bool silent;
static pthread_mutex_t stderr_lock = PTHREAD_MUTEX_INITIALIZER;

static void log_write(void *context, rg_log_level level, const char *text)
{
	(void)context;
	if (silent || level > shown)
		return;
	pthread_mutex_lock(&stderr_lock);
	fputs(level == RG_LOG_WARNING ? "regild: warning: " : "regild: ", stderr);
	terminal_print_safe(stderr, text);
	fputc('\n', stderr);
	pthread_mutex_unlock(&stderr_lock);
}

void terminal_log_init(rg_log *log, const common_arguments *common)
{
	log->write = log_write;
	log->context = NULL;
	silent = common->quiet;
	shown = common->verbose > 1   ? RG_LOG_DEBUG
		: common->verbose > 0 ? RG_LOG_DETAIL
				      : RG_LOG_INFO;
}

bool terminal_is_interactive(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

rg_error *terminal_confirm(const char *question, bool *yes)
{
	char answer[64];

	*yes = false;
	if (!terminal_is_interactive())
		return rg_error_new(RG_E_USAGE, "cannot ask without a terminal: %s", question);
	fprintf(stderr, "%s [y/N] ", question);
	fflush(stderr);
	if (!fgets(answer, sizeof(answer), stdin)) {
		fputc('\n', stderr);
		return NULL;
	}
	*yes = answer[0] == 'y' || answer[0] == 'Y';
	return NULL;
}

rg_error *terminal_close_stdout(void)
{
	bool lost = ferror(stdout);

	errno = 0;
	/* A closed stdout (>&-) that nothing was written to is no loss. */
	if ((fclose(stdout) && errno != EBADF) || lost)
		return rg_error_io(errno ? errno : EIO, "standard output");
	return NULL;
}
