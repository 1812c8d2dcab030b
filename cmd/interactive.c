/* SPDX-License-Identifier: Apache-2.0 */
#include "interactive.h"

#include "review.h"
#include "terminal.h"

#include "base/cancel.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/*
 * Single keys from the terminal on stdin, which act at once. Only the wait for a key changes the
 * terminal's mode: whatever ends it (a key, Ctrl-C, Ctrl-\, SIGTERM, a hang-up) puts it back, and
 * Ctrl-Z does until the program goes on.
 */

/* The bytes of one key follow each other at once, also over a slow line. */
enum { REST_OF_KEY_MS = 50 };

/* These end or stop a program without asking, beside those of base/cancel.h. */
static const int signals[] = {SIGTSTP, SIGQUIT};
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

/* During a wait for a key: for on_signal. */
static struct termios before, during;
static const char *shown;

static void catch (int number);

/* Only with functions that are safe in a handler. */
static void on_signal(int number)
{
	int kept = errno;
	sigset_t own;

	tcsetattr(STDIN_FILENO, TCSANOW, &before);
	signal(number, SIG_DFL);
	raise(number);
	/* It is blocked in its own handler: this is where it ends or stops the program. */
	sigemptyset(&own);
	sigaddset(&own, number);
	sigprocmask(SIG_UNBLOCK, &own, NULL);
	/* It was stopped, and goes on. */
	catch (number);
	tcsetattr(STDIN_FILENO, TCSANOW, &during);
	if (write(STDERR_FILENO, shown, strlen(shown)) < 0)
		kept = errno;
	errno = kept;
}

static void catch (int number)
{
	struct sigaction action = {.sa_handler = on_signal};
	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static bool is_plain(char key)
{
	return key >= ' ' && key <= '~';
}

static rg_error *wait_for_key(char *key, bool *end)
{
	struct pollfd ready = {.fd = STDIN_FILENO, .events = POLLIN};
	char rest[64];

	do {
		ssize_t got = rg_cancel_wait(STDIN_FILENO) ? read(STDIN_FILENO, key, 1) : -1;
		RG_TRY(rg_cancel_check());
		if (got < 0 && errno == EINTR)
			*key = '\n';
		else if (got <= 0 || (cc_t)*key == before.c_cc[VEOF])
			*end = true;
	} while (!*end && (*key == '\n' || *key == '\r'));
	/* The rest of the key's bytes is dropped. */
	while (!*end && !is_plain(*key) && poll(&ready, 1, REST_OF_KEY_MS) == 1 &&
	       read(STDIN_FILENO, rest, sizeof(rest)) > 0)
		;
	return NULL;
}

/* Forgets what was typed so far: it cannot answer a question that nobody has seen. */
static void keys_forget(void)
{
	tcflush(STDIN_FILENO, TCIFLUSH);
}

/*
 * Shows the question on stderr and waits for a key, which is shown after it. Enter is ignored. If
 * the key sends several bytes, as an arrow does, *key is the first byte, never a letter; the others
 * are dropped. RG_E_CANCELLED on Ctrl-C; *end tells that there is no key any more.
 */
static rg_error *keys_read(const char *question, char *key, bool *end)
{
	struct sigaction old[SIGNALS];
	*end = false;
	*key = '\n';
	if (tcgetattr(STDIN_FILENO, &before))
		return rg_error_io(errno, "the terminal");
	during = before;
	during.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	during.c_cc[VMIN] = 1;
	during.c_cc[VTIME] = 0;
	shown = question;
	fflush(stderr);
	for (size_t i = 0; i < SIGNALS; i++)
		/* A signal that the parent chose to ignore stays ignored. */
		if (!sigaction(signals[i], NULL, &old[i]) && old[i].sa_handler != SIG_IGN)
			catch (signals[i]);
	tcsetattr(STDIN_FILENO, TCSANOW, &during);
	fputs(question, stderr);
	fflush(stderr);
	rg_error *err = wait_for_key(key, end);
	tcsetattr(STDIN_FILENO, TCSANOW, &before);
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &old[i], NULL);
	fprintf(stderr, "%c\n", !err && !*end && is_plain(*key) ? *key : ' ');
	return err;
}

static const char prompt[] = "put this golden in [y,n,a,d,g,s,q,?]? ";

static const char help[] = "y - put this golden in, even if it is held back\n"
			   "n - leave it out\n"
			   "a - put in this and all that follow, except what is held back\n"
			   "d - leave out this and all that follow\n"
			   "g - put in all of its stage and variant, except what is held back\n"
			   "s - show its path, all rows, and the values of its worst metric\n"
			   "q - stop asking, and leave out what has no answer\n"
			   "? - show this help\n";

/* --- answers --- */

/* A golden that is held back and not wanted stays so. */
static void decide(review_question *q, bool take)
{
	rg_plan_item *item = q->item;
	q->decided = true;
	if (!take) {
		item->left_out = !item->held;
		return;
	}
	item->allowed |= item->held;
	item->held = 0;
}

static void decide_several(review *r, const review_question *asked, char key)
{
	size_t count = 0;
	for (size_t i = 0; i < r->count; i++)
		if (!r->questions[i].decided &&
		    (key == 'd' || (!r->questions[i].item->held &&
				    (key == 'a' || review_is_group(&r->questions[i], asked))))) {
			decide(&r->questions[i], key != 'd');
			count++;
		}
	if (count)
		fprintf(stderr, "%zu %s\n", count, key == 'd' ? "left out" : "to put in");
	else
		fputs("nothing that follows goes with it; y puts it in\n", stderr);
}

/* Asks about the golden until a key decides; *stop: it is to be the last one. */
static rg_error *ask(review *r, size_t place, bool *stop)
{
	review_question *asked = &r->questions[place];
	bool end;
	char key;

	for (;;) {
		RG_TRY(keys_read(prompt, &key, &end));
		if (end)
			return rg_error_new(RG_E_CANCELLED, "the input ended before the review "
							    "did; nothing is changed");
		key = (char)tolower((unsigned char)key);
		switch (key) {
		case 'y':
		case 'n':
			decide(asked, key == 'y');
			return NULL;
		case 'a':
		case 'd':
		case 'g':
			decide_several(r, asked, key);
			return NULL;
		case 's':
			RG_TRY(review_show_all(r, place));
			break;
		case 'q':
			*stop = true;
			return NULL;
		default:
			fputs(help, stderr);
		}
	}
}

/* --- the whole --- */

/* The last question, which no key that was typed before answers. */
static rg_error *confirm(review *r, bool stopped, bool dry_run)
{
	size_t taken = 0;
	char text[80];
	bool yes;

	for (size_t i = 0; i < r->count; i++) {
		if (!r->questions[i].decided)
			decide(&r->questions[i], false);
		taken += rg_plan_item_is_taken(r->questions[i].item);
	}
	if (!taken && stopped)
		return rg_error_new(RG_E_CANCELLED, "the review was stopped; nothing is changed");
	if (!taken || dry_run)
		return NULL;
	snprintf(text, sizeof(text), "put in %zu of %zu?", taken, r->count);
	keys_forget();
	RG_TRY(terminal_confirm(text, &yes));
	return yes ? NULL : rg_error_new(RG_E_CANCELLED, "not confirmed; nothing is changed");
}

rg_error *interactive_check(void)
{
	return terminal_is_interactive() ? NULL : usage_error("--interactive needs a terminal");
}

rg_error *interactive_review(const command_context *context, rg_plan *plan, bool dry_run)
{
	const bool color = terminal_use_color(context->common->color, stderr);
	RG_AUTO(review) r = {0};
	bool stop = false;

	RG_TRY(interactive_check());
	RG_TRY(review_make(&r, plan, context->flow.config));
	if (!r.count && !r.stuck)
		return NULL;
	review_show_story(&r, color);
	keys_forget();
	for (size_t place = 0; place < r.count && !stop; place += r.questions[place].decided) {
		if (r.questions[place].decided)
			continue;
		review_show_question(&r, place, color);
		RG_TRY(ask(&r, place, &stop));
	}
	return confirm(&r, stop, dry_run);
}
