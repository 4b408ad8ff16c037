/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the supervisor that a daemon does not answer. */
#include "forward/link/link_complain.h"

#include "forward/link/link.h"
#include "forward/link/link_talk.h"
#include "forward/link/self.h"
#include "spec/forward.h"

#include <errno.h>

#define NOT_FOUND UINT64_C(15000000000) /* ns without a name: it is gone */

static int complain_at(const char *name, uint64_t waited_ns)
{
	struct weir_op_complain_in in = {.waited = waited_ns};
	unsigned char call[256];
	struct weir_link_talk talk = {.directory = weir_link_directory(),
				      .name = name,
				      .call = call,
				      .fd = -1};
	int64_t size;
	int ret;

	if (weir_link_is_attached())
		in.session = weir_link.page->session;
	size = weir_frame_put_complain(call, sizeof(call), &in, NULL, 0);
	if (size < 0)
		return (int)size;
	talk.call_size = (size_t)size;
	ret = weir_link_talk(&talk);
	weir_link_talk_end(&talk);
	return ret;
}

/* Where names mean something else, the service may be there without one. */
static bool is_nobody(int err, uint64_t waited_ns)
{
	return err == -ECONNREFUSED ||
	       (err == -ENOENT &&
		(!weir_self_has_moved() || waited_ns >= NOT_FOUND));
}

/*
 * Without a supervisor the daemon works on, and nobody replaces it. When its
 * socket too is gone, nobody will answer any more.
 */
int weir_link_complain(uint64_t waited_ns)
{
	int ret = complain_at(WEIR_LINK_ABOVE, waited_ns);

	if (is_nobody(ret, waited_ns) && weir_link_is_attached() &&
	    is_nobody(complain_at(WEIR_LINK_DOOR, waited_ns), waited_ns))
		atomic_store(&weir_link.page->dead, 1);
	return ret;
}
