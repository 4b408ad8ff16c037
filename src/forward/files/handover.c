/* SPDX-License-Identifier: BSD-3-Clause */
/* Hands files over to the service, without costing a process its locks. */
#include "forward/files/handover.h"

#include "base/sys.h"
#include "forward/files/fdpark.h"
#include "forward/files/procnames.h"
#include "forward/link/attach.h"
#include "gate/fdtable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

static void send_file(void *on)
{
	struct weir_handover *file = on;

	file->ret = weir_attach_file(file->fd, file->flags, file->name,
				     &file->open);
}

int weir_handover(struct weir_handover *file)
{
	int ret = weir_attach();

	if (!ret && !weir_fdtable_holds(file->fd))
		ret = -EMFILE;
	if (ret)
		return ret;
	if (weir_fdpark_is_wanted)
		weir_fdpark_run(send_file, file);
	else
		send_file(file);
	return file->ret;
}

int weir_handover_fd(int fd, uint32_t *ret_open)
{
	long flags = weir_sys2(SYS_fcntl, fd, F_GETFL);
	char name[PATH_MAX];
	struct weir_handover file = {
		.fd = fd, .flags = (int)flags, .name = name};
	int ret;

	if (flags < 0)
		return (int)flags;
	weir_procnames_path(fd, name, sizeof(name));
	ret = weir_handover(&file);
	*ret_open = file.open;
	return ret;
}
