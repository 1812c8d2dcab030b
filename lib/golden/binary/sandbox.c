/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/sandbox.h"

#include "base/library.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef REGILD_LIBRARY
#include <seccomp.h>

static struct {
	__typeof__(seccomp_init) *init;
	__typeof__(seccomp_load) *load;
	__typeof__(seccomp_rule_add) *rule_add;
	__typeof__(seccomp_syscall_resolve_name) *resolve;
} filter;

static bool load_filter(void)
{
	static const char *const names[] = {"seccomp_init", "seccomp_load", "seccomp_rule_add",
					    "seccomp_syscall_resolve_name"};
	static rg_library library = {REGILD_LIBRARY, "libseccomp2", names, 4, &filter, false};
	RG_AUTO_PTR(rg_error) err = rg_library_load(&library);
	return !err;
}

/* A machine may lack some of these calls. Any other one fails with EPERM. */
static bool close_calls(void)
{
	static const char calls[] =
		"read write pwrite64 recvmsg recvfrom sendto sendmsg mmap mmap2 munmap mremap "
		"madvise brk "
		"close lseek _llseek fstat fstat64 exit exit_group futex rt_sigaction "
		"rt_sigprocmask "
		"rt_sigreturn sigaltstack alarm setitimer getpid gettid tgkill getrandom pause "
		"clock_gettime clock_gettime64 gettimeofday time getrusage nanosleep "
		"clock_nanosleep sched_yield restart_syscall ";
	void *rules = filter.init(SCMP_ACT_ERRNO(EPERM));
	char name[32] = "";
	for (const char *at = calls; rules && *at; at += strlen(name) + 1) {
		memset(name, 0, sizeof(name));
		memcpy(name, at, strcspn(at, " "));
		const int number = filter.resolve(name);
		if (number >= 0)
			(void)filter.rule_add(rules, SCMP_ACT_ALLOW, number, 0);
	}
	return rules && !filter.load(rules); /* else limits are all that there is */
}
#else
static bool load_filter(void)
{
	return false;
}
static bool close_calls(void)
{
	return false;
}
#endif

static void limit(__typeof__(RLIMIT_CPU) what, rlim_t most)
{
	(void)setrlimit(what, &(struct rlimit){most, most}); /* lowers only */
}

void rg_sandbox_close(int files, uint64_t size)
{
	enum { CPU_SECONDS = 3600 };
	const bool loaded = load_filter();

	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_FSIZE, (rlim_t)size);
	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_CPU, CPU_SECONDS);
	limit(RLIMIT_NOFILE, (rlim_t)files);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* their shadows are large */
	limit(RLIMIT_DATA, (rlim_t)1 << 30);
#endif
	if (loaded)
		(void)close_calls();
}

/* A process of its own tries it, as there is no way back. */
const char *rg_sandbox_name(void)
{
	int status = 1;
	const pid_t pid = load_filter() ? fork() : -1;
	if (!pid)
		_exit(!close_calls());
	if (pid < 0)
		return "rlimits";
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status ? "rlimits, as libseccomp fails here" : "libseccomp";
}
