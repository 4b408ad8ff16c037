/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins several traces into one directory. */
#include "share/merge.h"

#include "base/hash.h"
#include "share/filecopy.h"
#include "share/outdir.h"
#include "share/parts.h"
#include "share/rewrite.h"
#include "share/survey.h"
#include "trace/bytes/map.h"
#include "trace/facts/nodeinfo.h"
#include "trace/file/store.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define END_BYTES 4096

static int fail_at(struct weir_merge *job, const char *where, bool writing,
		   int err)
{
	snprintf(job->where, sizeof(job->where), "%s", where);
	job->writing = writing;
	return err;
}

/* HOST of HOST.1, when the file tells that this is its host. */
static void name_host(const struct weir_part *part, int fd,
		      char to[sizeof(((struct weir_nodeinfo *)0)->host)])
{
	struct weir_nodeinfo info;
	size_t len;
	const char *c;

	snprintf(to, sizeof(info.host), "%s", part->stem);
	if (weir_parts_host(fd, &info))
		return;
	len = strlen(info.host);
	if (!len || strncmp(to, info.host, len) || to[len] != '.')
		return;
	for (c = to + len + 1; isdigit((unsigned char)*c);)
		c++;
	if (!*c && c > to + len + 1)
		to[len] = '\0';
}

/* A trace being made of others. */
struct mix {
	struct weir_merge *job;
	struct weir_outdir dir;
	struct weir_map files; /* what a file looks like to its index + 1 */
};

/* Size and both ends of a file: seldom the same by chance. */
static uint64_t looks_of(int fd)
{
	struct {
		uint64_t size;
		uint8_t ends[2][END_BYTES];
	} looks = {.size = weir_filecopy_size(fd)};
	uint64_t tail = looks.size > END_BYTES ? looks.size - END_BYTES : 0;

	if (pread(fd, looks.ends[0], END_BYTES, 0) < 0 ||
	    pread(fd, looks.ends[1], END_BYTES, (off_t)tail) < 0)
		return 0; /* compared with more than it need be */
	return weir_hash_bytes(&looks, sizeof(looks));
}

static int is_same_file(const char *path, int fd)
{
	int same, other = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (other < 0)
		return -errno;
	same = weir_filecopy_same(fd, other);
	close(other);
	return same;
}

/*
 * 1 when a new file has the same bytes; else 0 and the key for this one. Files
 * that look the same and are not stand at the keys that follow.
 */
static int is_there(const struct mix *mix, int fd, uint64_t *ret_key)
{
	uint64_t at, key = looks_of(fd);
	int same = 0;

	while (!same && (at = weir_map_get(&mix->files, key))) {
		same = is_same_file(mix->dir.files[at - 1], fd);
		key += !same;
	}
	*ret_key = key;
	return same;
}

static int copy_as_host(struct weir_merge *job, struct weir_outdir *dir,
			const char *host, int from)
{
	int to = -1, err = weir_outdir_create(dir, host, &to);

	if (err)
		return err;
	err = weir_filecopy_all(from, to);
	close(to);
	job->copied++;
	return err;
}

/* A link is as good as a copy: a packed file is never written to again. */
static int place_file(struct weir_merge *job, const struct weir_part *part,
		      const struct weir_parts_file *file,
		      struct weir_outdir *dir)
{
	char host[sizeof(((struct weir_nodeinfo *)0)->host)];

	name_host(part, file->fd, host);
	if (file->state != WEIR_PARTS_PACKED) {
		job->packed++;
		job->copied--;
		return copy_as_host(job, dir, host, file->fd);
	}
	if (!weir_outdir_link(dir, host, part->path)) {
		job->linked++;
		return 0;
	}
	return copy_as_host(job, dir, host, file->fd);
}

/* Calls that a file holds; what is damaged in it is counted with `job`. */
static int count_calls(struct weir_merge *job, int fd, uint64_t *to)
{
	struct weir_survey survey = {0};
	int err = weir_survey_add(&survey, fd);
	bool exact;

	if (!err)
		*to += weir_survey_calls(&survey, &exact);
	if (!err && job) {
		job->damaged_blocks += survey.damaged_blocks;
		job->damaged_bytes += survey.damaged_bytes;
		job->unended += survey.unended;
	}
	weir_survey_fini(&survey);
	return err;
}

static int take_file(struct mix *mix, const struct weir_part *part,
		     const struct weir_parts_file *file)
{
	struct weir_merge *job = mix->job;
	uint64_t key = 0;
	int err = is_there(mix, file->fd, &key);

	if (err > 0) {
		job->twice++;
		return 0;
	}
	if (!err)
		err = count_calls(job, file->fd, &job->calls);
	if (err)
		return fail_at(job, part->path, false, err);
	err = place_file(job, part, file, &mix->dir);
	if (!err)
		err = weir_map_put(&mix->files, key, mix->dir.count);
	if (err)
		return fail_at(job, mix->dir.path, true, err);
	job->files++;
	job->bytes += weir_filecopy_size(file->fd);
	return 0;
}

static int take_part(struct mix *mix, const struct weir_part *part)
{
	struct weir_merge *job = mix->job;
	struct weir_pack_totals totals = {0};
	struct weir_parts_file file;
	int err = weir_parts_open_packed(part, &file, &totals);

	if (err == -EBADMSG)
		job->refused++;
	if (err == -EBADMSG || err == -ENOENT)
		return 0;
	if (err)
		return fail_at(job, part->path, false, err);
	job->damaged_blocks += totals.damaged_blocks;
	job->damaged_bytes += totals.damaged_bytes;
	job->damaged_events += totals.damaged_events;
	err = take_file(mix, part, &file);
	weir_parts_close(&file);
	return err;
}

static int take_marks(struct mix *mix, const struct weir_parts *parts)
{
	int err = 0;

	for (size_t i = 0; !err && i < parts->mark_count; i++) {
		err = weir_outdir_mark(&mix->dir, parts->marks[i]);
		mix->job->marks++;
	}
	return err ? fail_at(mix->job, mix->dir.path, true, err) : 0;
}

static int take_trace(struct mix *mix, const char *trace)
{
	struct weir_merge *job = mix->job;
	uint32_t had = job->files + job->twice;
	struct weir_parts parts;
	int err = weir_parts_find(trace, &parts);

	if (err)
		return fail_at(job, trace, false, err);
	for (size_t i = 0; !err && i < parts.count; i++)
		err = take_part(mix, &parts.list[i]);
	if (!err)
		err = take_marks(mix, &parts);
	if (!err && job->files + job->twice == had && !parts.mark_count)
		err = fail_at(job, trace, false, -EBADMSG);
	weir_parts_fini(&parts);
	return err;
}

/* Nothing may be lost: the new files are asked what they hold. */
static int check_nothing_lost(struct weir_merge *job, const char *out)
{
	struct weir_parts parts;
	int err = weir_parts_find(out, &parts);

	if (err)
		return fail_at(job, out, true, err);
	for (size_t i = 0; !err && i < parts.count; i++) {
		struct weir_parts_file file;

		err = weir_parts_open(&parts.list[i], &file);
		if (err)
			break;
		err = count_calls(NULL, file.fd, &job->written);
		weir_parts_close(&file);
	}
	if (!err && (job->written != job->calls || parts.count != job->files ||
		     parts.mark_count != job->marks))
		err = -EILSEQ;
	weir_parts_fini(&parts);
	return err ? fail_at(job, out, true, err) : 0;
}

static int gather_parts(struct mix *mix, char *const *traces, const char *dir)
{
	int err = weir_outdir_open(&mix->dir, dir);

	if (err)
		return fail_at(mix->job, dir, true, err);
	for (; !err && *traces; traces++)
		err = take_trace(mix, *traces);
	return err ? err : check_nothing_lost(mix->job, dir);
}

static void fini(struct mix *mix)
{
	weir_outdir_close(&mix->dir);
	weir_map_fini(&mix->files);
}

int weir_merge_traces(struct weir_merge *job, char *const *traces,
		      const char *out)
{
	struct mix mix = {.job = job};
	int err = gather_parts(&mix, traces, out);

	if (err)
		weir_outdir_abandon(&mix.dir);
	fini(&mix);
	return err;
}

/* Appends a gathered file as a part. */
static int append_part(struct mix *mix, const char *path,
		       struct weir_store *store)
{
	struct weir_rewrite rewrite = {.as_part = 1};
	int err, fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return fail_at(mix->job, path, true, -errno);
	err = weir_rewrite_file(&rewrite, fd, store);
	close(fd);
	mix->job->damaged_events += rewrite.account.damaged_events;
	return err ? fail_at(mix->job, path, err != -ENODATA, err) : 0;
}

static int join_parts(struct mix *mix, int fd, const char *out)
{
	struct weir_merge *job = mix->job;
	struct weir_store *store;
	int err = weir_store_adopt(fcntl(fd, F_DUPFD_CLOEXEC, 3), &store);

	if (err)
		return fail_at(job, out, true, err);
	for (size_t i = 0; !err && i < mix->dir.count; i++)
		err = append_part(mix, mix->dir.files[i], store);
	weir_store_close(store);
	if (err)
		return err;
	job->written = 0;
	err = count_calls(NULL, fd, &job->written);
	if (!err && job->written != job->calls)
		err = -EILSEQ;
	job->bytes = weir_filecopy_size(fd);
	return err ? fail_at(job, out, true, err) : 0;
}

/* The files are gathered first, so that each is known to be good. */
int weir_merge_to_file(struct weir_merge *job, char *const *traces,
		       const char *out)
{
	struct mix mix = {.job = job};
	char dir[PATH_MAX];
	int err, fd;

	if (snprintf(dir, sizeof(dir), "%s.parts", out) >= (int)sizeof(dir))
		return fail_at(job, out, true, -ENAMETOOLONG);
	fd = open(out, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		  0600);
	if (fd < 0)
		return fail_at(job, out, true, -errno);
	err = gather_parts(&mix, traces, dir);
	if (!err && job->marks)
		err = fail_at(job, out, false, -EISDIR);
	if (!err)
		err = join_parts(&mix, fd, out);
	weir_outdir_abandon(&mix.dir);
	fini(&mix);
	close(fd);
	if (err)
		unlink(out);
	return err;
}
