/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes an anonymised copy of a trace. */
#include "share/anon.h"

#include "share/outdir.h"
#include "share/parts.h"
#include "trace/facts/nodeinfo.h"
#include "trace/file/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A trace under way. */
struct way {
	struct weir_rewrite job;
	struct weir_outdir *dir; /* NULL: one file, `path` */
	const char *path;
	struct weir_anon_result *result;
	int writing; /* the error is one of the output */
};

/* The host's name as its file shall have it; hidden like in the HEAD. */
static int name_host(const struct weir_mask *mask, const struct weir_part *part,
		     int fd, struct weir_bytes *to)
{
	struct weir_nodeinfo info;
	int err = weir_parts_host(fd, &info);
	const char *host = err ? part->stem : info.host;

	if (err && err != -ENOENT)
		return err;
	err = weir_mask_host(mask, host, strlen(host), to);
	return err ? err : weir_bytes_add(to, "", 1);
}

static int create(struct way *way, const struct weir_part *part, int fd,
		  int *ret_fd)
{
	struct weir_bytes host = {0};
	int err;

	if (!way->dir) {
		way->writing = 1;
		*ret_fd =
			open(way->path,
			     O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			     0600);
		return *ret_fd < 0 ? -errno : 0;
	}
	err = name_host(way->job.mask, part, fd, &host);
	way->writing = !err;
	if (!err)
		err = weir_outdir_create(way->dir, (const char *)host.data,
					 ret_fd);
	weir_bytes_fini(&host);
	return err;
}

static int write_masked_file(struct way *way, const struct weir_part *part,
			     int from)
{
	struct weir_store *store;
	int to = -1, err = create(way, part, from, &to);

	if (!err)
		err = weir_store_adopt(to, &store);
	if (err)
		return err;
	err = weir_rewrite_file(&way->job, from, store);
	way->writing = err != -ENOTSUP;
	way->result->bytes += weir_store_bytes(store);
	way->result->files++;
	weir_store_close(store);
	if (err && !way->dir)
		unlink(way->path);
	return err;
}

static int write_part(struct way *way, const struct weir_part *part)
{
	struct weir_rewrite_account *account = &way->job.account;
	struct weir_pack_totals totals = {0};
	struct weir_parts_file file;
	int err;

	way->writing = 0;
	err = weir_parts_open_packed(part, &file, &totals);
	if (err == -ENOENT && way->dir)
		return 0; /* its memory has gone meanwhile */
	if (err == -EBADMSG && way->dir) {
		way->result->refused++;
		return 0;
	}
	if (err)
		return err;
	account->damaged_blocks += totals.damaged_blocks;
	account->damaged_bytes += totals.damaged_bytes;
	account->damaged_events += totals.damaged_events;
	if (file.fd >= 0)
		err = write_masked_file(way, part, file.fd);
	weir_parts_close(&file);
	return err;
}

static int write_parts(struct way *way, const struct weir_parts *parts)
{
	int err = 0;

	for (size_t i = 0; !err && i < parts->count; i++)
		err = write_part(way, &parts->list[i]);
	if (err)
		return err;
	way->writing = 1;
	for (size_t i = 0; !err && way->dir && i < parts->mark_count; i++)
		err = weir_outdir_mark(way->dir, parts->marks[i]);
	way->writing = err != 0;
	if (!err && !way->result->files && !parts->mark_count)
		err = -EBADMSG;
	return err;
}

static int is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int write_directory(struct way *way, const struct weir_parts *parts)
{
	struct weir_outdir dir;
	int err = weir_outdir_open(&dir, way->path);

	way->writing = 1;
	if (err)
		return err;
	way->dir = &dir;
	err = write_parts(way, parts);
	if (err)
		weir_outdir_abandon(&dir);
	weir_outdir_close(&dir);
	return err;
}

int weir_anon_write(const struct weir_mask *mask, const char *trace,
		    const char *out, struct weir_anon_result *ret_result,
		    const char **ret_where)
{
	struct weir_anon_result result = {0};
	struct way way = {.job.mask = mask, .path = out, .result = &result};
	struct weir_parts parts;
	int err = weir_parts_find(trace, &parts);

	if (!err) {
		if (is_directory(trace))
			err = write_directory(&way, &parts);
		else
			err = write_parts(&way, &parts);
		weir_parts_fini(&parts);
	}
	*ret_where = way.writing ? out : trace;
	if (err)
		return err;
	result.account = way.job.account;
	*ret_result = result;
	return 0;
}

int weir_anon_is_damaged(const struct weir_anon_result *result)
{
	const struct weir_rewrite_account *account = &result->account;

	return account->damaged_blocks || account->damaged_bytes ||
	       account->unended || result->refused;
}
