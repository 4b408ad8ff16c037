/* SPDX-License-Identifier: BSD-3-Clause */
/* Completes and packs traces, in place or as a copy. */
#include "share/repack.h"

#include "share/filecopy.h"
#include "share/outdir.h"
#include "share/parts.h"
#include "trace/file/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail_at(struct weir_repack *job, const char *where, bool writing,
		   int err)
{
	snprintf(job->where, sizeof(job->where), "%s", where);
	job->writing = writing;
	return err;
}

static void add_damage(struct weir_repack *job,
		       const struct weir_pack_totals *totals)
{
	job->account.damaged_blocks += totals->damaged_blocks;
	job->account.damaged_bytes += totals->damaged_bytes;
	job->account.damaged_events += totals->damaged_events;
}

/* As it is, or squeezed anew. */
static int write_packed(struct weir_repack *job, int from, int to)
{
	struct weir_rewrite rewrite = {.level = job->level};
	struct weir_store *store;
	int fd, err;

	if (!job->level)
		return weir_filecopy_all(from, to);
	fd = fcntl(to, F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		return -errno;
	err = weir_store_adopt(fd, &store);
	if (err)
		return err;
	rewrite.account = job->account;
	err = weir_rewrite_file(&rewrite, from, store);
	job->account = rewrite.account;
	weir_store_close(store);
	return err;
}

/* Opens what there is of a part, packed; 0 and fd -1 when it is nothing. */
static int open_part(struct weir_repack *job, const struct weir_part *part,
		     struct weir_parts_file *file)
{
	struct weir_pack_totals totals = {0};
	struct stat st;
	int err = weir_parts_open_packed(part, file, &totals);

	if (err == -EBADMSG)
		job->refused++;
	if (err == -EBADMSG || err == -ENOENT) {
		file->fd = -1;
		return 0;
	}
	if (err)
		return fail_at(job, part->path, false, err);
	add_damage(job, &totals);
	job->files++;
	job->packed += file->state != WEIR_PARTS_PACKED || job->level;
	if (!stat(part->path, &st))
		job->before += (uint64_t)st.st_size;
	return 0;
}

static int copy_part(struct weir_repack *job, const struct weir_part *part,
		     struct weir_outdir *dir)
{
	struct weir_parts_file file;
	int to = -1, err = open_part(job, part, &file);

	if (err || file.fd < 0)
		return err;
	err = weir_outdir_create(dir, part->stem, &to);
	if (!err) {
		err = write_packed(job, file.fd, to);
		job->after += weir_filecopy_size(to);
		close(to);
	}
	weir_parts_close(&file);
	return err ? fail_at(job, dir->path, true, err) : 0;
}

static int copy_parts(struct weir_repack *job, const struct weir_parts *parts,
		      const char *trace, const char *out)
{
	struct weir_outdir dir;
	int err = weir_outdir_open(&dir, out);

	if (err)
		return fail_at(job, out, true, err);
	for (size_t i = 0; !err && i < parts->count; i++)
		err = copy_part(job, &parts->list[i], &dir);
	for (size_t i = 0; !err && i < parts->mark_count; i++)
		err = weir_outdir_mark(&dir, parts->marks[i]);
	if (!err && !job->files && !parts->mark_count)
		err = fail_at(job, trace, false, -EBADMSG);
	if (err)
		weir_outdir_abandon(&dir);
	weir_outdir_close(&dir);
	return err;
}

int weir_repack_copy(struct weir_repack *job, const char *trace,
		     const char *out)
{
	struct weir_parts parts;
	int err = weir_parts_find(trace, &parts);

	if (err)
		return fail_at(job, trace, false, err);
	err = copy_parts(job, &parts, trace, out);
	weir_parts_fini(&parts);
	return err;
}

/* Writes the new file beside the old one and lets it take its name. */
static int replace(struct weir_repack *job, const struct weir_part *part,
		   int from)
{
	char path[PATH_MAX];
	int to, err;

	if (snprintf(path, sizeof(path), "%s.tmp", part->path) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	unlink(path); /* of a packer that was killed; we hold the lock */
	to = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		  0600);
	if (to < 0)
		return -errno;
	err = write_packed(job, from, to);
	if (!err && (fsync(to) || rename(path, part->path)))
		err = -errno;
	if (!err)
		job->after += weir_filecopy_size(to);
	else
		unlink(path);
	close(to);
	return err;
}

static int complete_taken(struct weir_repack *job, const struct weir_part *part,
			  struct weir_leftover *left)
{
	struct weir_parts_file file;
	int err = open_part(job, part, &file);

	if (err || file.fd < 0)
		return err;
	/* What is in memory beside a whole file is not known to be in it. */
	if (file.state == WEIR_PARTS_PACKED && file.has_live)
		err = -ENOTEMPTY;
	if (!err)
		err = replace(job, part, file.fd);
	if (!err)
		err = weir_leftover_remove(left);
	weir_parts_close(&file);
	return err ? fail_at(job, part->path, true, err) : 0;
}

/* Nothing to do: 1. */
static int is_complete(struct weir_repack *job, const struct weir_part *part)
{
	struct weir_parts_file file;
	int done;

	if (job->level || weir_parts_open(part, &file))
		return 0;
	done = !file.has_live && file.state != WEIR_PARTS_RAW;
	if (done) {
		uint64_t size = weir_filecopy_size(file.fd);

		job->before += size;
		job->after += size;
		job->files++;
		job->account.unended += file.state == WEIR_PARTS_EMPTY;
	}
	weir_parts_close(&file);
	return done;
}

static int complete_part(struct weir_repack *job, const struct weir_part *part)
{
	struct weir_leftover left;
	int err;

	if (is_complete(job, part))
		return 0;
	err = weir_leftover_take(&left, part->path, part->stem, &job->busy);
	if (err)
		return fail_at(job, part->path, true, err);
	err = complete_taken(job, part, &left);
	weir_leftover_release(&left);
	return err;
}

int weir_repack_in_place(struct weir_repack *job, const char *trace)
{
	struct weir_parts parts;
	int err = weir_parts_find(trace, &parts);

	if (err)
		return fail_at(job, trace, false, err);
	for (size_t i = 0; !err && i < parts.count; i++)
		err = complete_part(job, &parts.list[i]);
	if (!err && !job->files && !parts.mark_count)
		err = fail_at(job, trace, false, -EBADMSG);
	weir_parts_fini(&parts);
	return err;
}
