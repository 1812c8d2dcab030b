/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_TERMINAL_H
#define REGILD_CMD_TERMINAL_H

#include "base/buf.h"
#include "base/file.h"
#include "base/log.h"
#include "options.h"

/* Whether to colour what goes to `stream`: --color, NO_COLOR, TERM=dumb, and whether it is a
 * terminal, in this order. */
bool terminal_use_color(const char *when, FILE *stream);

/* How many columns it has: its window's, else COLUMNS, else 80; 0 where it is not a terminal. */
size_t terminal_columns(FILE *stream);

/* Text from outside (a job's, file's or metric's name) for a person: control characters and broken
 * UTF-8 as \xNN, so that nobody's name can move the cursor. */
void terminal_print_safe(FILE *out, const char *text);
/* All of a text so, but for the line's end that the format ends with. */
void terminal_printf(FILE *out, const char *format, ...) RG_PRINTF(2, 3);
/* The same without its middle, where a line has no room for it beside `used` columns. */
void terminal_print_shortened(FILE *out, const char *text, size_t used);

/* "regild: TEXT" on stderr, always, safe as above, and written at once: lines of threads and of
 * other processes do not mix with it. */
void terminal_say(const char *format, ...) RG_PRINTF(1, 2);

/* A refresh prints TERMINAL_LINES lines at most if stdout is not a terminal and -v is not given,
 * as such a reader pays by the line. First terminal_limit; each part takes the lines that it
 * prints, and leaves some to the next; terminal_limit_end says what was left out of the log. */
enum { TERMINAL_LINES = 60 };
void terminal_limit(int verbose);
bool terminal_is_limited(void);
size_t terminal_lines_left(void);
void terminal_take_lines(size_t lines);
void terminal_limit_end(void);

/* The sink of a flow's log: "regild: TEXT" on stderr, by level. */
void terminal_log_init(rg_log *log, bool quiet, int verbose);
/* Does it show lines of this level (-q, -v)? */
bool terminal_shows(rg_log_level level);

/* Reads a line without its end; what is beyond `size` is dropped. RG_E_CANCELLED on Ctrl-C; *end
 * tells that there is no line any more. */
RG_CHECKED rg_error *terminal_read_line(char *line, size_t size, bool *end);

/* Asks a question that wants y or n; only where terminal_is_interactive. */
RG_CHECKED rg_error *terminal_confirm(const char *question, bool *yes);
bool terminal_is_interactive(void);

/* Keeps descriptors 0 to 2 taken where the caller closed them, so that no file opened later is
 * written over by what was meant for stdout. False where /dev/null cannot be opened. */
bool terminal_guard_descriptors(void);

/* Is an output's path "-"? NULL is not. */
bool is_stdout(const char *path);
/* Writes an output for programs: to a file as a whole, or to stdout, whose failure is seen when it
 * is closed. RG_E_UNSAFE where it must not go to stdout (runner.h). */
RG_CHECKED rg_error *write_output(const char *path, const rg_buf *text);
/* The same of a JSON document, which nothing keeps from stdout. */
RG_CHECKED rg_error *write_json(const char *path, const rg_buf *text);
/* The same as it comes, in whole lines; json_output_write is an rg_buf_drain's. */
typedef struct {
	const char *path;
	rg_output file; /* where it is one */
} json_output;
RG_CHECKED rg_error *json_output_open(json_output *out, const char *path);
RG_CHECKED rg_error *json_output_write(void *output, const void *bytes, size_t length);
/* `err` is what making the document came to: where it is set, no file is put in place. */
RG_CHECKED rg_error *json_output_close(json_output *out, rg_error *err);
/* Has JSON been written to stdout? */
bool terminal_has_json(void);
/* Prints what people read. */
void terminal_print(const rg_buf *text);

/* A file that is to be written, and the option that names it; `path` may be NULL. */
typedef struct {
	const char *option_name, *path;
} output_file;

/* RG_E_USAGE where an output would be written over `path`, a file that the command reads, which is
 * called `name`. */
RG_CHECKED rg_error *check_output_is_not(const output_file *file, const char *name,
					 const char *path);
/* Can all of them be written, each to a file of its own? Asked before the work that they are for.
 */
RG_CHECKED rg_error *check_output_files(const output_file *files, size_t count);
RG_CHECKED rg_error *check_output_file(const char *option_name, const char *path);

/* Flushes and closes stdout; RG_E_IO where anything written to it was lost. */
RG_CHECKED rg_error *terminal_close_stdout(void);

#endif
