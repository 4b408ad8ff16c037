/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracks the open I/O handles of a process in an OTF2 archive. */
#include "export/otf2/otf2handles.h"

#include "trace/event/detail.h"

#include <fcntl.h>
#include <string.h>

void weir_otf2handles_reset(struct weir_otf2handles *all)
{
	weir_map_fini(&all->open);
}

/* Streams and descriptors of one open file are two handles. */
static uint64_t handle_key(const struct weir_event *event,
			   const struct weir_call *call)
{
	uint64_t paradigm = weir_otf2defs_paradigm(call ? call->layer : NULL);

	if (event->handle)
		return paradigm << 56 | UINT64_C(1) << 32 | event->handle;
	if (event->file)
		return paradigm << 56 | UINT64_C(2) << 32 | event->file;
	return paradigm << 56 | UINT64_C(3) << 32 | (uint32_t)event->fd;
}

static int define(struct weir_otf2handles *all,
		  const struct weir_dump_event *described,
		  struct weir_otf2defs_open open, uint32_t *ret_handle)
{
	const struct weir_event *event = described->event;
	int err = 0;

	open.paradigm = weir_otf2defs_paradigm(
		described->call ? described->call->layer : NULL);
	open.file = OTF2_UNDEFINED_IO_FILE;
	if (described->file)
		err = weir_otf2defs_file(all->defs, event->file, &open.file);
	if (!err)
		err = weir_otf2defs_handle(all->defs, &open, ret_handle);
	return err ? err
		   : weir_map_put(&all->open,
				  handle_key(event, described->call),
				  (uint64_t)*ret_handle + 1);
}

int weir_otf2handles_create(struct weir_otf2handles *all,
			    const struct weir_dump_event *described,
			    uint32_t parent, uint32_t *ret_handle)
{
	struct weir_otf2defs_open open = { .parent = parent };

	return define(all, described, open, ret_handle);
}

int weir_otf2handles_find(struct weir_otf2handles *all,
			  const struct weir_dump_event *described,
			  uint32_t *ret_handle)
{
	struct weir_otf2defs_open open = {
		.parent = OTF2_UNDEFINED_IO_HANDLE, .was_there = true,
	};
	uint64_t known = weir_map_get(
		&all->open, handle_key(described->event, described->call));

	if (!known)
		return define(all, described, open, ret_handle);
	*ret_handle = (uint32_t)(known - 1);
	return 0;
}

void weir_otf2handles_close(struct weir_otf2handles *all,
			    const struct weir_event *event,
			    const struct weir_call *call)
{
	weir_map_remove(&all->open, handle_key(event, call));
}

/* --- how files are opened ----------------------------------------------- */

static const struct {
	uint64_t flag;
	OTF2_IoCreationFlag creation;
	OTF2_IoStatusFlag status;
} words[] = {
	{ O_CREAT, OTF2_IO_CREATION_FLAG_CREATE, 0 },
	{ O_TRUNC, OTF2_IO_CREATION_FLAG_TRUNCATE, 0 },
	{ O_DIRECTORY, OTF2_IO_CREATION_FLAG_DIRECTORY, 0 },
	{ O_EXCL, OTF2_IO_CREATION_FLAG_EXCLUSIVE, 0 },
	{ O_NOCTTY, OTF2_IO_CREATION_FLAG_NO_CONTROLLING_TERMINAL, 0 },
	{ O_NOFOLLOW, OTF2_IO_CREATION_FLAG_NO_FOLLOW, 0 },
	{ O_PATH, OTF2_IO_CREATION_FLAG_PATH, 0 },
	{ O_CLOEXEC, 0, OTF2_IO_STATUS_FLAG_CLOSE_ON_EXEC },
	{ O_APPEND, 0, OTF2_IO_STATUS_FLAG_APPEND },
	{ O_NONBLOCK, 0, OTF2_IO_STATUS_FLAG_NON_BLOCKING },
	{ O_ASYNC, 0, OTF2_IO_STATUS_FLAG_ASYNC },
	{ O_DSYNC, 0, OTF2_IO_STATUS_FLAG_DATA_SYNC },
	{ O_DIRECT, 0, OTF2_IO_STATUS_FLAG_AVOID_CACHING },
	{ O_NOATIME, 0, OTF2_IO_STATUS_FLAG_NO_ACCESS_TIME },
};

static struct weir_otf2handles_how translate(uint64_t flags)
{
	struct weir_otf2handles_how how = {
		.mode = (flags & O_ACCMODE) == O_RDONLY ?
				OTF2_IO_ACCESS_MODE_READ_ONLY :
			(flags & O_ACCMODE) == O_WRONLY ?
				OTF2_IO_ACCESS_MODE_WRITE_ONLY :
				OTF2_IO_ACCESS_MODE_READ_WRITE,
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!(flags & words[i].flag))
			continue;
		how.creation |= words[i].creation;
		how.status |= words[i].status;
	}
	return how;
}

struct weir_otf2handles_how
weir_otf2handles_how(const struct weir_dump_event *described)
{
	struct weir_otf2handles_how how = {
		.mode = OTF2_IO_ACCESS_MODE_READ_WRITE,
	};
	struct weir_detail detail;
	struct weir_value value;

	if (!described->call)
		return how;
	weir_detail_start(&detail, described->event, described->call);
	while (weir_detail_next(&detail, &value))
		if (value.given && !strcmp(value.kind->show, "open_flags"))
			return translate(value.number);
	return how;
}
