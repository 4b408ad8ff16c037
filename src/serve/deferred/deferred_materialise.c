/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Materialises a deferred file. Whatever fails, its memory is left and tried
 * again; an error is an entry of the ledger, under a number behind those of the
 * board.
 */
#include "base/clock.h"
#include "serve/deferred/deferred_file.h"
#include "serve/failures/failures.h"
#include "serve/files/backing.h"
#include "serve/files/fileevents.h"
#include "serve/files/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE	    (1u << 20)
#define SECOND	    UINT64_C(1000000000)
#define RETRY_MOST  60 /* s */
#define OPENED	    (O_RDWR | O_NOFOLLOW | O_CLOEXEC)
#define ALL_WRITING (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)
#define ALL_CALLS   (F_SEAL_FUTURE_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)

static uint64_t size_of(int fd)
{
	struct stat about;

	return fstat(fd, &about) ? 0 : (uint64_t)about.st_size;
}

static struct weir_failures_range range_of(const struct weir_deferred *deferred)
{
	uint64_t size = size_of(deferred->memory);

	return (struct weir_failures_range){
		.file = WEIR_BOARD_FILES + deferred->place,
		.turn = deferred->kept->turn,
		.length = size ? size : 1,
	};
}

static int note_failure(struct weir_deferred *deferred, int err)
{
	uint64_t wait = UINT64_C(1)
			<< (deferred->tries < 6 ? deferred->tries : 6);
	struct weir_failures_one failure = {
		.range = range_of(deferred),
		.error = -err,
		.tries = ++deferred->tries,
		.path = deferred->kept->path,
	};

	if (wait > RETRY_MOST)
		wait = RETRY_MOST;
	deferred->retry = weir_clock_ns(CLOCK_MONOTONIC) + wait * SECOND;
	deferred->error = err;
	if (atomic_load(&deferred->kept->phase) == WEIR_DEFERRED_NAMED)
		weir_failures_fail(&failure);
	return err;
}

void weir_deferred_settle_failure(struct weir_deferred *deferred,
				  enum weir_state_fate fate)
{
	struct weir_failures_range range = range_of(deferred);

	range.length = UINT64_MAX >> 1;
	weir_failures_settle(&range, fate); /* an earlier daemon's too */
	deferred->error = 0;
	deferred->retry = 0;
}

/* Each byte that one has, the other has there too. */
static bool begins_with(int whole, int part)
{
	static const size_t room = PIECE;
	char *bytes = malloc(2 * room);
	off_t at = 0;
	ssize_t got = bytes ? pread(part, bytes, room, at) : -1;

	while (got > 0 && pread(whole, bytes + room, (size_t)got, at) == got &&
	       !memcmp(bytes, bytes + room, (size_t)got)) {
		at += got;
		got = pread(part, bytes, room, at);
	}
	free(bytes);
	return !got;
}

/* What a daemon that died has begun: it holds what the memory does, so far. */
static int reopen_own(const struct weir_deferred *deferred, const char *name)
{
	int fd = openat(deferred->parent, name, OPENED);
	struct stat about;

	if (fd < 0)
		return -EEXIST;
	if (!fstat(fd, &about) && S_ISREG(about.st_mode) &&
	    about.st_uid == geteuid() && about.st_nlink == 1 &&
	    begins_with(deferred->memory, fd))
		return fd;
	close(fd);
	return -EEXIST;
}

/* Until it is whole whoever asks for its name waits. True: it was before. */
static bool begin_materialising(struct weir_deferred *deferred)
{
	bool was_begun = atomic_exchange(&deferred->kept->is_materialising, 1);

	if (!was_begun)
		atomic_fetch_add(&weir_state_board->deferred_begun, 1);
	return was_begun;
}

static void end_materialising(struct weir_deferred *deferred)
{
	if (atomic_exchange(&deferred->kept->is_materialising, 0))
		atomic_fetch_sub(&weir_state_board->deferred_begun, 1);
}

/* It may be opened by us in any way until its mode is set. */
static int create(struct weir_deferred *deferred, const char *name)
{
	bool was_begun = begin_materialising(deferred);
	int fd = weir_deferred_name_inode(deferred, name);

	if (fd == -EOPNOTSUPP) {
		fd = openat(deferred->parent, name, OPENED | O_CREAT | O_EXCL,
			    0600);
		fd = fd < 0 ? -errno : fd;
	}
	if (fd >= 0)
		return fd;
	if (fd == -EEXIST && was_begun)
		return reopen_own(deferred, name);
	end_materialising(deferred);
	return fd;
}

static int write_piece(void *file, char *bytes, size_t size, uint64_t at)
{
	size_t done = 0;

	while (done < size) {
		struct iovec part = {bytes + done, size - done};
		int64_t put = weir_backing_write(file, &part, 1, at + done);

		if (put <= 0)
			return put ? (int)put : -EIO;
		done += (size_t)put;
		atomic_fetch_add(&weir_state->requests_out, 1);
		atomic_fetch_add(&weir_state->bytes_out, (uint64_t)put);
	}
	return 0;
}

static int copy_to_file(const struct weir_deferred *deferred,
			struct weir_file *file)
{
	struct weir_deferred_copy copy = {deferred->memory, write_piece, file};
	uint64_t size;
	int err = weir_deferred_copy(&copy, &size);

	return err ? err : weir_backing_truncate(file, size);
}

/* One more open of the file, as of one that a client hands over. */
static int open_created(const struct weir_deferred *deferred, bool writes,
			struct weir_file **ret_file)
{
	struct weir_file_new new = {
		.fd = fcntl(deferred->file, F_DUPFD_CLOEXEC, 0),
		.writes = writes,
		.can_read = true,
		.can_write = true,
		.path = deferred->kept->path,
	};
	struct stat about;
	int err;

	if (new.fd < 0 || fstat(deferred->file, &about))
		return -errno;
	new.dev = about.st_dev;
	new.ino = about.st_ino;
	err = weir_files_open(&new, ret_file);
	if (err)
		close(new.fd);
	return err;
}

static int open_as(const struct weir_deferred *deferred, uint32_t flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", deferred->file);
	fd = open(path, (int)(flags & WEIR_DEFERRED_FLAGS) | O_CLOEXEC);
	return fd >= 0 ? fd : fcntl(deferred->file, F_DUPFD_CLOEXEC, 0);
}

static int keep_given(struct weir_deferred *deferred, uint32_t session,
		      uint32_t open, uint32_t flags)
{
	struct weir_deferred_given *given = malloc(sizeof(*given));

	if (!given)
		return -ENOMEM;
	*given = (struct weir_deferred_given){
		session, open, open_as(deferred, flags), deferred->given};
	if (given->fd < 0) {
		free(given);
		return -EMFILE;
	}
	deferred->given = given;
	return given->fd;
}

/* From now on it is an open of the file, for us. */
static int convert(struct weir_deferred *deferred, uint32_t session,
		   uint32_t open)
{
	struct weir_state_session *of = &weir_state->sessions[session];
	struct weir_state_open *kept = &of->opens[open];
	bool writes = (kept->flags & O_ACCMODE) != O_RDONLY;
	struct weir_file *file;
	int err;

	if (kept->turn)
		return 0;
	err = open_created(deferred, writes, &file);
	if (err)
		return err;
	kept->file = file->place;
	if (writes)
		atomic_store(&of->writes[file->place], file->turn);
	kept->turn = file->turn;
	keep_given(deferred, session, open, kept->flags);
	return 0;
}

/* One that cannot be now is when it is asked for. */
static void convert_all(struct weir_deferred *deferred)
{
	uint32_t key = deferred->place + 1;

	for (uint32_t s = 0; s < WEIR_STATE_SESSIONS && deferred->opens; s++) {
		struct weir_state_session *of = &weir_state->sessions[s];

		if (!atomic_load(&of->live))
			continue;
		for (uint32_t i = 0; i < WEIR_SESSION_OPENS; i++)
			if (atomic_load(&of->opens[i].live) &&
			    of->opens[i].deferred == key)
				convert(deferred, s, i);
	}
}

int weir_deferred_give(struct weir_deferred *deferred, uint32_t session,
		       uint32_t open)
{
	struct weir_state_open *kept =
		&weir_state->sessions[session].opens[open];
	struct weir_deferred_given *given = deferred->given;
	int fd = convert(deferred, session, open);

	if (fd)
		return fd;
	while (given && (given->session != session || given->open != open))
		given = given->next;
	fd = given ? given->fd
		   : keep_given(deferred, session, open, kept->flags);
	if (fd < 0)
		return fd;
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? -errno : fd;
}

void weir_deferred_take_back(struct weir_deferred *deferred, uint32_t session,
			     uint32_t open)
{
	struct weir_deferred_given **at = &deferred->given, *given;

	while ((given = *at)) {
		if (given->session == session && given->open == open) {
			*at = given->next;
			close(given->fd);
			free(given);
			return;
		}
		at = &given->next;
	}
}

bool weir_deferred_is_sealed(const struct weir_deferred *deferred)
{
	int seals = fcntl(deferred->memory, F_GET_SEALS);

	return seals > 0 && seals & (ALL_WRITING | F_SEAL_FUTURE_WRITE);
}

/*
 * From here on clients ask for the file, and wait for it. Whoever has mapped
 * the memory, or sealed its seals, can write there on, and spoils only what is
 * its own: nobody else waits for that. One without a name stays there instead.
 */
static int seal(struct weir_deferred *deferred)
{
	bool has_to =
		weir_deferred_is_sealed(deferred) ||
		atomic_load(&deferred->kept->phase) == WEIR_DEFERRED_NAMED;

	atomic_store(&weir_state_board->deferred[deferred->place], 0);
	if (!fcntl(deferred->memory, F_ADD_SEALS, ALL_WRITING))
		return 0;
	if (!has_to)
		return -errno;
	fcntl(deferred->memory, F_ADD_SEALS, ALL_CALLS);
	return 0;
}

/*
 * What the kernel would have given it when it was made, whatever has become of
 * the directory, and what those who wrote to its memory have left.
 */
static void dress(const struct weir_deferred *deferred)
{
	struct timespec times[2];
	struct stat has, wants;

	if (fstat(deferred->file, &has) || fstat(deferred->memory, &wants))
		return;
	if (has.st_gid != wants.st_gid &&
	    fchown(deferred->file, (uid_t)-1, wants.st_gid))
		return;
	times[0] = wants.st_atim;
	times[1] = wants.st_mtim;
	futimens(deferred->file, times);
	fchmod(deferred->file,
	       wants.st_mode & 07777); /* it is whole, and ours */
}

static int fill_file(struct weir_deferred *deferred)
{
	struct weir_fileevents_creation event = {.cid = deferred->kept->cid};
	struct weir_file *file;
	int err = seal(deferred);

	if (!err)
		err = open_created(deferred, true, &file);
	if (err)
		return err;
	event.file = file;
	weir_fileevents_enter_creation(&event);
	err = copy_to_file(deferred, file);
	weir_fileevents_leave_creation(&event, size_of(deferred->memory), err);
	if (!err) {
		convert_all(deferred);
		dress(deferred);
	}
	deferred->kept->file = file->place;
	deferred->kept->file_turn = file->turn;
	weir_files_close(file, true);
	return err;
}

/* Somebody may have put another file there. */
static bool is_ours_still(const struct weir_deferred *deferred,
			  const char *name)
{
	struct stat ours, there;

	return *name && !fstat(deferred->file, &ours) &&
	       !fstatat(deferred->parent, name, &there, AT_SYMLINK_NOFOLLOW) &&
	       ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

/* Nobody was given the file: as if it had not been created. */
static void undo(struct weir_deferred *deferred, const char *name)
{
	if (is_ours_still(deferred, name))
		unlinkat(deferred->parent, name, 0);
	close(deferred->file);
	deferred->file = -1;
	end_materialising(deferred);
	weir_deferred_show(deferred);
}

/* It had a name, and lost it: no other can be given to it either. */
static int create_nameless(struct weir_deferred *deferred)
{
	char name[64];
	int fd;

	snprintf(name, sizeof(name), ".weir-%d-%u-%u", (int)getpid(),
		 deferred->place, deferred->kept->turn);
	if (deferred->inode >= 0)
		return weir_deferred_take_inode(deferred, name);
	fd = openat(deferred->parent, ".",
		    O_RDWR | O_CLOEXEC | O_TMPFILE | O_EXCL, 0600);
	if (fd >= 0)
		return fd;
	fd = create(deferred, name);
	if (fd >= 0)
		unlinkat(deferred->parent, name, 0);
	return fd;
}

int weir_deferred_materialise(struct weir_deferred *deferred)
{
	struct weir_state_deferred *kept = deferred->kept;
	bool has_name = atomic_load(&kept->phase) == WEIR_DEFERRED_NAMED;
	const char *name = weir_deferred_name(kept->path);
	int err;

	deferred->file =
		has_name ? create(deferred, name) : create_nameless(deferred);
	if (deferred->file < 0)
		return note_failure(deferred, deferred->file);
	err = fill_file(deferred);
	if (err) {
		undo(deferred, has_name ? name : "");
		return note_failure(deferred, err);
	}
	weir_deferred_settle_failure(deferred, WEIR_FATE_RESOLVED);
	atomic_fetch_add(&weir_state->materialised, 1);
	atomic_fetch_add(&weir_state->materialised_bytes,
			 size_of(deferred->memory));
	atomic_store(&kept->phase, WEIR_DEFERRED_MATERIALISED);
	end_materialising(deferred);
	if (has_name)
		weir_deferred_leave_names(deferred);
	return 0;
}

static bool is_its(const struct weir_state_failure *entry, void *arg)
{
	const struct weir_deferred *deferred = arg;

	return entry->file == WEIR_BOARD_FILES + deferred->place &&
	       entry->turn == deferred->kept->turn;
}

static int put_piece(void *to, char *bytes, size_t size, uint64_t at)
{
	return pwrite(*(int *)to, bytes, size, (off_t)at) == (ssize_t)size
		       ? 0
		       : -ENOSPC;
}

static int write_all(int from, int to)
{
	struct weir_deferred_copy copy = {from, put_piece, &to};
	uint64_t size;
	int err = weir_deferred_copy(&copy, &size);

	if (err)
		return err;
	return ftruncate(to, (off_t)size) || fsync(to) ? -errno : 0;
}

void weir_deferred_leave(struct weir_deferred *deferred, const char *directory)
{
	char name[PATH_MAX];
	struct weir_failures_end end = {.is_meant = is_its,
					.arg = deferred,
					.fate = WEIR_FATE_RESCUED,
					.rescue = name};
	int fd, err, length;

	length = snprintf(name, sizeof(name), "%s/%.200s.%d-%u.weir-deferred",
			  directory, weir_deferred_name(deferred->kept->path),
			  (int)getpid(), deferred->place);
	if (length >= (int)sizeof(name))
		return;
	fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	err = write_all(deferred->memory, fd);
	close(fd);
	if (err)
		unlink(name);
	else
		weir_failures_close(&end);
}
