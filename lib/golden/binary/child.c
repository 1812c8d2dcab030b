/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/child.h"

#include "base/map.h"
#include "golden/binary/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* The open file that the parent hands over; -1: it has left. */
static int take_file(uint64_t *size)
{
	union {
		struct cmsghdr head; /* aligns */
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec part = {size, sizeof(*size)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	ssize_t got;
	int fd = -1;

	while ((got = recvmsg(RG_CHILD_SOCKET, &message, 0)) < 0 && errno == EINTR)
		;
	const struct cmsghdr *head = got == sizeof(*size) ? CMSG_FIRSTHDR(&message) : NULL;
	if (head && head->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

/* The descriptor stays open while its file is read: it takes the only one that there may be. */
static rg_error *read_file(const rg_binary_reader *reader, rg_wire *wire, int fd, uint64_t size)
{
	void *data = size && size <= SIZE_MAX
			     ? mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0)
			     : MAP_FAILED;
	if (data == MAP_FAILED)
		return rg_error_new(RG_E_LIMIT, "its bytes do not fit the reader's memory");
	alarm(reader->seconds ? reader->seconds * 2 : RG_CHILD_SECONDS * 2);
	wire->file = (rg_span){data, (size_t)size, rg_map_forget};
	rg_error *err = reader->read(wire, data, (size_t)size);
	alarm(0);
	munmap(data, (size_t)size);
	return err;
}

/* Whatever the parent has open. */
static void close_others(void)
{
	const long count = sysconf(_SC_OPEN_MAX);
	enum { MOST = 4096 };
	for (int fd = RG_CHILD_SOCKET + 1; fd < (count > MOST ? MOST : (int)count); fd++)
		close(fd);
}

void rg_child_main(const rg_binary_reader *reader)
{
	static rg_wire wire = {.fd = RG_CHILD_SOCKET};
	uint64_t size;
	int fd;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN); /* the parent says when it is over */
	close_others();
	RG_AUTO_PTR(rg_error) missing = reader->load();
	rg_sandbox_close(RG_CHILD_SOCKET + 2); /* the socket, and one golden */
	while ((fd = take_file(&size)) >= 0) {
		RG_AUTO_PTR(rg_error) err = missing ? NULL : read_file(reader, &wire, fd, size);
		const rg_error *why = missing ? missing : err;
		close(fd);
		rg_wire_say(&wire, missing ? RG_WIRE_MISSING : RG_WIRE_END, "",
			    why ? rg_error_message(why) : "");
		rg_wire_flush(&wire);
	}
	_exit(0); /* a library's handlers for an exit may not be safe any more */
}
