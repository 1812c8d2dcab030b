/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/process.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/temporary.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct rg_child {
	pthread_mutex_t lock;
	const rg_binary_reader *reader;
	pid_t pid; /* 0: there is none */
	int fd;
	double until; /* the time that the golden may take */
	size_t at, end;
	char buffer[RG_WIRE_BUFFER];
};

enum { CHILDREN_MAX = 4 };
static rg_child children[CHILDREN_MAX];
static pthread_mutex_t children_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *program;

void rg_child_program(const char *path)
{
	static const char own[] = "/proc/self/exe"; /* as it was, also when its file was replaced */
	program = access(own, X_OK) ? path : own;
}

static rg_child *child_of(const rg_binary_reader *reader)
{
	RG_LOCKED(&children_lock);
	size_t i = 0;
	while (i < CHILDREN_MAX - 1 && children[i].reader && children[i].reader != reader)
		i++;
	if (!children[i].reader)
		pthread_mutex_init(&children[i].lock, NULL);
	children[i].reader = reader;
	return &children[i];
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
	for (int fd = 0; fd < RG_CHILD_SOCKET && !failed; fd++)
		failed = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, socket, RG_CHILD_SOCKET);
	if (!failed)
		failed = posix_spawnp(pid, program, &actions, NULL, words, child_environment());
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

static rg_error *start(rg_child *child)
{
	int pair[2];

	if (!program)
		return rg_error_new(RG_E_NOTFOUND, "this program has no reader of it");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return rg_error_io(errno, "a socket for its reader");
	fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	/* A duplicate onto itself would keep it closed in the child. */
	const int high = fcntl(pair[1], F_DUPFD_CLOEXEC, RG_CHILD_SOCKET + 1);
	close(pair[1]);
	const int failed = high < 0 ? errno : spawn(&child->pid, child->reader->name, high);
	if (high >= 0)
		close(high);
	if (failed) {
		close(pair[0]);
		child->pid = 0;
		return rg_error_io(failed, "its reader cannot be started");
	}
	child->fd = pair[0];
	return NULL;
}

/* Waits for the child's end and returns its status, as waitpid has it. */
static int end(rg_child *child, bool kill_it)
{
	int status = 0;
	if (kill_it)
		kill(child->pid, SIGKILL);
	close(child->fd);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
	return status;
}

/* The child has closed its socket. */
static rg_error *ended(rg_child *child)
{
	enum { PATIENCE_MS = 1000 };
	siginfo_t info = {0};
	for (int i = 0; i < PATIENCE_MS && !info.si_pid; i++) {
		(void)waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
		if (!info.si_pid)
			(void)poll(NULL, 0, 1);
	}
	const int status = end(child, !info.si_pid);
	if (WIFSIGNALED(status))
		return rg_error_new(RG_E_PARSE, "signal %d ended the library that reads it (%s)",
				    WTERMSIG(status), child->reader->format);
	return rg_error_new(RG_E_PARSE, "the library that reads it (%s) ended the process",
			    child->reader->format);
}

static rg_error *send_file(rg_child *child, int fd, uint64_t size)
{
	union {
		struct cmsghdr head; /* aligns */
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec part = {&size, sizeof(size)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	ssize_t sent;

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	while ((sent = sendmsg(child->fd, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		;
	return sent == sizeof(size) ? NULL : ended(child);
}

/* Bytes in memory are written to a file without a name. */
static rg_error *hand_over(rg_child *child, const rg_input *in)
{
	int fd;
	if (in->file)
		return send_file(child, in->file, in->size);
	RG_TRY(rg_file_unnamed(&fd, rg_temporary_folder()));
	rg_error *err = rg_write_all(fd, in->data, in->size, "a temporary file");
	if (!err)
		err = send_file(child, fd, in->size);
	close(fd);
	return err;
}

rg_error *rg_child_open(rg_child **out, const rg_binary_reader *reader, const rg_input *in)
{
	enum { BYTES_A_SECOND = 1 << 22 };
	rg_child *child = child_of(reader);
	*out = NULL;
	pthread_mutex_lock(&child->lock);
	rg_error *err = child->pid ? NULL : start(child);
	const double most = reader->seconds ? reader->seconds : RG_CHILD_SECONDS;
	child->until = rg_clock_monotonic() + most + (double)in->size / BYTES_A_SECOND;
	child->at = child->end = 0;
	if (!err)
		err = hand_over(child, in);
	if (err)
		pthread_mutex_unlock(&child->lock);
	else
		*out = child;
	return err;
}

/* Fills the buffer, or `out` where more is wanted than that holds; *got is at least 1. */
static rg_error *receive(rg_child *child, void *out, size_t size, size_t *got)
{
	enum { WAIT_MS = 200 };
	struct pollfd poll_fd = {.fd = child->fd, .events = POLLIN};
	ssize_t n = -1;

	while (n < 0) {
		RG_TRY(rg_cancel_check());
		if (rg_clock_monotonic() > child->until) {
			end(child, true);
			return rg_error_new(RG_E_PARSE,
					    "the library that reads it (%s) took too long",
					    child->reader->format);
		}
		if (poll(&poll_fd, 1, WAIT_MS) > 0) {
			n = recv(child->fd, out, size, 0);
			if (!n || (n < 0 && errno != EINTR && errno != EAGAIN))
				return ended(child);
		}
	}
	*got = (size_t)n;
	return NULL;
}

rg_error *rg_child_take(rg_child *child, void *out, size_t size)
{
	char *to = out;
	size_t got = 0;

	while (size) {
		if (child->at == child->end && size >= sizeof(child->buffer)) {
			RG_TRY(receive(child, to, size, &got));
		} else {
			if (child->at == child->end) {
				child->at = 0;
				RG_TRY(receive(child, child->buffer, sizeof(child->buffer),
					       &child->end));
			}
			got = child->end - child->at;
			got = got < size ? got : size;
			memcpy(to, child->buffer + child->at, got);
			child->at += got;
		}
		to += got;
		size -= got;
	}
	return NULL;
}

void rg_child_close(rg_child *child, bool whole)
{
	if (child->pid && !whole)
		end(child, true);
	pthread_mutex_unlock(&child->lock);
}
