/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/sandbox.h"

#include "base/library.h"

#include <errno.h>
#include <seccomp.h>

static struct {
	__typeof__(seccomp_init) *init;
	__typeof__(seccomp_load) *load;
	__typeof__(seccomp_rule_add) *rule_add;
	__typeof__(seccomp_syscall_resolve_name) *resolve;
} filter;

rg_error *rg_seccomp_load(void)
{
	static const char *const names[] = {"seccomp_init", "seccomp_load", "seccomp_rule_add",
					    "seccomp_syscall_resolve_name"};
	static rg_library library = {.path = REGILD_LIBRARY,
				     .package = "libseccomp2",
				     .names = names,
				     .count = sizeof(names) / sizeof(*names),
				     .functions = &filter};
	return rg_library_load(&library);
}

/* Of these, those that the machine has. Any other call fails with EPERM. */
void rg_seccomp_close(void)
{
	static const char *const calls[] = {
		"read",
		"write",
		"recvmsg",
		"recvfrom",
		"sendto",
		"sendmsg",
		"mmap",
		"mmap2",
		"munmap",
		"mremap",
		"madvise",
		"brk",
		"close",
		"lseek",
		"_llseek",
		"fstat",
		"fstat64",
		"exit",
		"exit_group",
		"futex",
		"rt_sigaction",
		"rt_sigprocmask",
		"rt_sigreturn",
		"sigaltstack",
		"alarm",
		"setitimer",
		"getpid",
		"gettid",
		"tgkill",
		"getrandom",
		"clock_gettime",
		"clock_gettime64",
		"gettimeofday",
		"time",
		"getrusage",
		"nanosleep",
		"clock_nanosleep",
		"sched_yield",
		"restart_syscall",
		"pause",
	};
	void *rules = filter.init(SCMP_ACT_ERRNO(EPERM));
	for (size_t i = 0; rules && i < sizeof(calls) / sizeof(*calls); i++) {
		const int number = filter.resolve(calls[i]);
		if (number >= 0)
			(void)filter.rule_add(rules, SCMP_ACT_ALLOW, number, 0);
	}
	if (rules)
		(void)filter.load(rules); /* where it fails, limits are all that there is */
}
