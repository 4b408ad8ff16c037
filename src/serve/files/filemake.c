/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes and unmakes a served file: its descriptor, here and with the
 * supervisor.
 */
#include "serve/files/filemake.h"

#include "serve/files/backends.h"
#include "serve/files/fileevents.h"
#include "serve/files/filefailures.h"
#include "serve/state/board.h"
#include "serve/state/keptfds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static weir_index_gone gone_from_index;

void weir_filemake_begin(weir_index_gone gone)
{
	gone_from_index = gone;
}

static struct weir_file *prepare_file(uint32_t place, uint32_t turn)
{
	struct weir_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->index = weir_index_new(gone_from_index, NULL);
	if (!file->index) {
		free(file);
		return NULL;
	}
	file->place = place;
	file->turn = turn;
	file->kept = &weir_state->files[place];
	pthread_mutex_init(&file->lock, NULL);
	pthread_mutex_init(&file->staging, NULL);
	return file;
}

static void scrap(struct weir_file *file)
{
	weir_index_free(file->index);
	pthread_mutex_destroy(&file->staging);
	pthread_mutex_destroy(&file->lock);
	free(file);
}

static int open_backing(struct weir_file *file, int fd)
{
	void *backing;
	int err = weir_backends_used->open(weir_backends_self, fd, &backing);

	if (!err)
		file->backing = backing;
	return err;
}

static void keep_for_next(struct weir_file *file,
			  const struct weir_file_new *new)
{
	struct weir_state_file *kept = file->kept;

	kept->turn = file->turn;
	kept->dev = new->dev;
	kept->ino = new->ino;
	kept->is_bypassed = 0;
	kept->is_told = 0;
	kept->sync_error = 0;
	kept->is_readable = new->can_read;
	atomic_store(&kept->end, 0);
	snprintf(kept->path, sizeof(kept->path), "%s", new->path);
	atomic_store(&kept->live, 1);
}

int weir_filemake_new(uint32_t place, uint32_t turn,
		      const struct weir_file_new *new,
		      struct weir_file **ret_file)
{
	struct weir_file *file = prepare_file(place, turn);
	int err;

	if (!file)
		return -ENOMEM;
	err = weir_keptfds_keep(WEIR_KEPTFDS_FILE, place, new->fd);
	if (err)
		goto fail;
	err = open_backing(file, new->fd);
	if (err) {
		weir_keptfds_drop(WEIR_KEPTFDS_FILE, place);
		goto fail;
	}
	file->can_read = new->can_read;
	file->can_write = new->can_write;
	keep_for_next(file, new);
	*ret_file = file;
	return 0;
fail:
	scrap(file);
	return err;
}

static bool is_better(const struct weir_file *file,
		      const struct weir_file_new *new)
{
	if ((file->can_read && !new->can_read) ||
	    (file->can_write && !new->can_write))
		return false;
	return (new->can_read && !file->can_read) ||
	       (new->can_write && !file->can_write);
}

/* Threads may be in calls with the old one: it is closed at the end. */
static void *replace(struct weir_file *file, const struct weir_file_new *new,
		     void *backing)
{
	void *old = NULL;

	pthread_mutex_lock(&file->lock);
	if (is_better(file, new) && !file->former[1]) {
		file->former[file->former[0] ? 1 : 0] = file->backing;
		file->backing = backing;
		file->can_read = new->can_read;
		file->kept->is_readable = new->can_read;
		file->can_write = new->can_write;
	} else {
		old = backing;
	}
	pthread_mutex_unlock(&file->lock);
	return old;
}

static void use_better(struct weir_file *file, const struct weir_file_new *new)
{
	void *backing;

	if (weir_keptfds_keep(WEIR_KEPTFDS_FILE, file->place, new->fd) ||
	    weir_backends_used->open(weir_backends_self, new->fd, &backing)) {
		close(new->fd);
		return;
	}
	backing = replace(file, new, backing);
	if (backing)
		weir_backends_used->close(weir_backends_self, backing);
}

void weir_filemake_improve(struct weir_file *file,
			   const struct weir_file_new *new)
{
	bool better;

	pthread_mutex_lock(&file->lock);
	better = is_better(file, new);
	pthread_mutex_unlock(&file->lock);
	if (better)
		use_better(file, new);
	else
		close(new->fd);
}

/* The one that was inherited belongs to the supervisor's table. */
static int open_inherited(struct weir_file *file)
{
	int held = weir_keptfds_inherited(WEIR_KEPTFDS_FILE, file->place);
	int fd, flags, err;

	if (held < 0)
		return -EBADF;
	fd = fcntl(held, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	flags = fcntl(fd, F_GETFL) & O_ACCMODE;
	file->can_read = flags != O_WRONLY;
	file->can_write = flags != O_RDONLY;
	err = open_backing(file, fd);
	if (err)
		close(fd);
	return err;
}

struct weir_file *weir_filemake_back(uint32_t place)
{
	struct weir_state_file *kept = &weir_state->files[place];
	struct weir_file *file = prepare_file(place, kept->turn);
	int err;

	if (!file)
		return NULL;
	err = open_inherited(file);
	if (err) {
		fprintf(stderr, "weir: %s: cannot be opened again: error %d\n",
			kept->path, -err);
		scrap(file);
		return NULL;
	}
	file->error = weir_filefailures_error(file);
	if (kept->is_told)
		weir_fileevents_name(file);
	weir_board_show(place, file->turn,
			WEIR_FILE_WRITTEN |
				(kept->is_bypassed ? WEIR_FILE_BYPASS : 0) |
				(kept->is_told ? WEIR_FILE_TRACED : 0));
	return file;
}

void weir_filemake_unmake(struct weir_file *file)
{
	const struct weir_backend *backend = weir_backends_used;

	if (file->can_write) /* who runs it next must not find it open */
		weir_keptfds_drop(WEIR_KEPTFDS_FILE, file->place);
	else
		weir_keptfds_drop_later(WEIR_KEPTFDS_FILE, file->place);
	for (int i = 0; i < 2; i++)
		if (file->former[i])
			backend->close(weir_backends_self, file->former[i]);
	backend->close(weir_backends_self, file->backing);
	scrap(file);
}
