/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/child.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"
#include "base/temporary.h"
#include "base/thread.h"
#include "golden/binary/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __APPLE__ /* which has neither; SIGPIPE is ignored */
#define MSG_NOSIGNAL 0
#define SOCK_CLOEXEC 0
#endif

/* The child's socket; the golden and what is written of it take the next two descriptors. */
enum { SOCKET = 3, GOLDEN, WRITTEN, FILES, MEMORY_KEPT = 32 << 20 };

/* Sends or takes the golden's size and, as open files, the golden and where to write. */
static bool pass(int socket, bool sends, int files[static 2], uint64_t *size)
{
	enum { SIZE = 2 * sizeof(int) };
	union {
		struct cmsghdr head; /* aligns */
		char bytes[CMSG_SPACE(SIZE)];
	} control = {0};
	struct iovec part = {size, sizeof(*size)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	ssize_t n;

	if (sends) {
		*head = (struct cmsghdr){.cmsg_level = SOL_SOCKET,
					 .cmsg_type = SCM_RIGHTS,
					 .cmsg_len = CMSG_LEN(SIZE)};
		memcpy(CMSG_DATA(head), files, SIZE);
	}
	do
		n = sends ? sendmsg(socket, &message, MSG_NOSIGNAL) : recvmsg(socket, &message, 0);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(*size) || sends)
		return n == sizeof(*size);
	head = CMSG_FIRSTHDR(&message);
	if (!head || head->cmsg_type != SCM_RIGHTS || head->cmsg_len != CMSG_LEN(SIZE))
		return false;
	memcpy(files, CMSG_DATA(head), SIZE);
	return true;
}

/* A golden may take so long, `most` seconds and what its size asks for. */
static unsigned seconds_for(const rg_binary_reader *reader, unsigned most, uint64_t size)
{
	enum { BYTES_A_SECOND = 1 << 22 };
	return (reader->seconds ? reader->seconds : most) + (unsigned)(size / BYTES_A_SECOND);
}

static unsigned patience(const rg_binary_reader *reader, uint64_t size)
{
	return seconds_for(reader, 30, size);
}

/* --- the child --- */

/* A library that a broken file has put into an endless loop uses up the processor's time long
 * before that of a clock is over, which a busy machine needs. */
static void limit_time(unsigned processor, unsigned clock)
{
	const struct itimerval timer = {.it_value = {.tv_sec = processor}};
	(void)setitimer(ITIMER_PROF, &timer, NULL);
	alarm(clock);
}

static rg_error *read_golden(const rg_binary_reader *reader, rg_wire *wire, int fd, uint64_t size)
{
	void *data = size && size <= SIZE_MAX
			     ? mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0)
			     : MAP_FAILED;
	if (data == MAP_FAILED)
		return rg_error_new(RG_E_LIMIT, "its bytes do not fit the reader's memory");
	limit_time(seconds_for(reader, 5, size), 2 * patience(reader, size));
	wire->file = (rg_span){data, (size_t)size, rg_map_forget};
	rg_error *err = reader->read(wire, data, (size_t)size);
	limit_time(0, 0);
	munmap(data, (size_t)size);
	return err;
}

/* Whatever the parent has open. */
static void close_others(void)
{
	const long count = sysconf(_SC_OPEN_MAX);
	enum { MOST = 4096 };
	for (int fd = SOCKET + 1; fd < (count > MOST ? MOST : (int)count); fd++)
		close(fd);
}

/* Files stay open while a golden is read: they take the only descriptors that there may be. */
void rg_child_main(const rg_binary_reader *reader)
{
	static rg_wire wire;
	uint64_t size;
	int files[2];

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGINT, SIG_IGN); /* the parent says when it is over */
#ifdef M_TRIM_THRESHOLD /* glibc: libraries unpack chunk after chunk into memory just freed */
	(void)mallopt(M_TRIM_THRESHOLD, MEMORY_KEPT);
	(void)mallopt(M_MMAP_THRESHOLD, MEMORY_KEPT);
#endif
	close_others();
	RG_AUTO_PTR(rg_error) missing = reader->load();
	rg_sandbox_close(FILES, RG_WIRE_FILE_MAX);
	while (pass(SOCKET, false, files, &size)) {
		wire = (rg_wire){.fd = files[1], .socket = SOCKET};
		RG_AUTO_PTR(rg_error)
		err = missing ? NULL : read_golden(reader, &wire, files[0], size);
		const rg_error *why = missing ? missing : err;
		rg_wire_say(&wire, missing ? RG_WIRE_MISSING : RG_WIRE_END, "",
			    why ? rg_error_message(why) : "");
		close(files[0]);
		rg_wire_finish(&wire, 0);
		close(files[1]);
	}
	_exit(0); /* a library's handlers for an exit may not be safe any more */
}

/* --- the parent --- */

typedef struct {
	bool is_busy;
	const rg_binary_reader *reader;
	pid_t pid; /* 0: there is none */
	int fd;
} child;

enum { CHILDREN_MAX = 8 };
static child children[CHILDREN_MAX];
static pthread_mutex_t children_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t one_is_free = PTHREAD_COND_INITIALIZER;
static const char *program;

void rg_child_program(const char *path)
{
	static const char own[] = "/proc/self/exe"; /* as it was, also when its file was replaced */
	program = access(own, X_OK) ? path : own;
}

/* The child gets no environment, which has tokens. */
static char **child_environment(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	extern char **environ; /* has the sanitizer's options */
	return environ;
#else
	static char *none[] = {NULL};
	return none;
#endif
}

/* The child has no descriptor but the socket and /dev/null. */
static int spawn(pid_t *pid, const char *name, int socket)
{
	char *words[] = {(char *)(uintptr_t)program, (char[]){RG_CHILD_COMMAND},
			 (char *)(uintptr_t)name, NULL};
	posix_spawn_file_actions_t actions;
	int failed = posix_spawn_file_actions_init(&actions);
	if (failed)
		return failed;
	for (int fd = 0; fd < SOCKET && !failed; fd++)
		failed = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, socket, SOCKET);
	if (!failed)
		failed = posix_spawnp(pid, program, &actions, NULL, words, child_environment());
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

static rg_error *start(child *c)
{
	int pair[2];

	if (!program)
		return rg_error_new(RG_E_NOTFOUND, "this program has no reader of it");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return rg_error_io(errno, "a socket for its reader");
	fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	/* A duplicate onto itself would keep it closed in the child. */
	const int high = fcntl(pair[1], F_DUPFD_CLOEXEC, SOCKET + 1);
	close(pair[1]);
	const int failed = high < 0 ? errno : spawn(&c->pid, c->reader->name, high);
	if (high >= 0)
		close(high);
	c->fd = pair[0];
	if (!failed)
		return NULL;
	close(c->fd);
	c->pid = 0;
	return rg_error_io(failed, "its reader cannot be started");
}

/* Waits for the child's end and returns its status, as waitpid has it. */
static int end(child *c, bool kill_it)
{
	int status = 0;
	if (kill_it)
		kill(c->pid, SIGKILL);
	close(c->fd);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	return status;
}

static rg_error *too_long(const child *c)
{
	return rg_error_new(RG_E_PARSE, "the library that reads it (%s) took too long",
			    c->reader->format);
}

/* The child has closed its socket. */
static rg_error *ended(child *c)
{
	enum { PATIENCE_MS = 1000 };
	siginfo_t info = {0};
	for (int i = 0; i < PATIENCE_MS && !info.si_pid; i++) {
		(void)waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT);
		if (!info.si_pid)
			(void)poll(NULL, 0, 1);
	}
	const int status = end(c, !info.si_pid);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		return too_long(c);
	if (WIFSIGNALED(status))
		return rg_error_new(RG_E_PARSE, "signal %d ended the library that reads it (%s)",
				    WTERMSIG(status), c->reader->format);
	return rg_error_new(RG_E_PARSE, "the library that reads it (%s) ended the process",
			    c->reader->format);
}

/* The child's answer, before its time is over. */
static rg_error *take_answer(child *c, uint64_t size)
{
	enum { WAIT_MS = 200 };
	const double until = rg_clock_monotonic() + patience(c->reader, size);
	struct pollfd poll_fd = {.fd = c->fd, .events = POLLIN};
	int failed = 0;

	while (poll(&poll_fd, 1, WAIT_MS) <= 0) {
		RG_TRY(rg_cancel_check());
		if (rg_clock_monotonic() > until)
			return too_long(c);
	}
	if (recv(c->fd, &failed, sizeof(failed), 0) != sizeof(failed))
		return ended(c);
	if (failed == EFBIG)
		return rg_error_new(RG_E_LIMIT, "its values take more than %" PRIu64 " bytes",
				    RG_WIRE_FILE_MAX);
	return failed ? rg_error_io(failed, "its values in a temporary file") : NULL;
}

/* Bytes in memory are written to a file without a name. */
static rg_error *ask(child *c, const rg_input *in, int out)
{
	int files[2] = {in->file, out};
	uint64_t size = in->size;
	rg_error *err = NULL;

	RG_TRY(c->pid ? NULL : start(c));
	if (!in->file) {
		RG_TRY(rg_file_unnamed(&files[0], rg_temporary_folder()));
		err = rg_write_all(files[0], in->data, in->size, "a temporary file");
	}
	if (!err && !pass(c->fd, true, files, &size))
		err = ended(c);
	if (!in->file)
		close(files[0]);
	if (!err)
		err = take_answer(c, in->size);
	if (err && c->pid)
		end(c, true);
	return err;
}

/* One that is not busy: rather one of this reader. NULL: all are. */
static child *free_child(const rg_binary_reader *reader)
{
	child *found = NULL;
	for (size_t i = 0; i < CHILDREN_MAX; i++) {
		child *c = &children[i];
		if (c->is_busy)
			continue;
		if (c->pid && c->reader == reader)
			return c;
		if (!found || (found->pid && !c->pid))
			found = c;
	}
	return found;
}

rg_error *rg_child_read(const rg_binary_reader *reader, const rg_input *in, int out)
{
	child *c;
	pthread_mutex_lock(&children_lock);
	while (!(c = free_child(reader)))
		pthread_cond_wait(&one_is_free, &children_lock);
	c->is_busy = true;
	pthread_mutex_unlock(&children_lock);
	if (c->reader != reader && c->pid)
		end(c, true);
	c->reader = reader;
	rg_error *err = ask(c, in, out);
	RG_LOCKED(&children_lock);
	c->is_busy = false;
	pthread_cond_signal(&one_is_free);
	return err;
}
