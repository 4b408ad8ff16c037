/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the kernel what a plan says of a file that was opened. */
#include "adjust/advice.h"

#include "adjust/adjust.h"
#include "base/sys.h"
#include "spec/params.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

#define BLOCK 512 /* of st_blocks */

/* What there is to say of a file. */
struct facts {
	struct weir_opened *plan;
	const struct weir_plan_setting *setting;
	const struct stat *st;
	int fd;
};

static void note_verdict(const struct facts *of, enum weir_plan_verdict verdict,
			 const char *why)
{
	weir_opening_note(of->plan, of->setting, verdict, why);
}

static const char *words_of(long err)
{
	static const struct {
		long err;
		const char *words;
	} known[] = {
		{ -EOPNOTSUPP, "the file system cannot do it" },
		{ -ENOSYS, "the kernel cannot do it" },
		{ -ENOSPC, "there is no room" },
		{ -EDQUOT, "the quota is used up" },
		{ -EINTR, "a signal came" },
		{ -EPERM, "not permitted" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].err == err)
			return known[i].words;
	return "the kernel refuses it";
}

/* Whose files lie in memory, and are never read ahead. */
static bool is_in_memory(int fd)
{
	struct statfs st;

	return !weir_sys2(SYS_fstatfs, fd, &st) &&
	       (st.f_type == 0x01021994 || st.f_type == 0x858458f6);
}

static bool writes(const struct facts *of)
{
	return (of->plan->flags & O_ACCMODE) != O_RDONLY;
}

static bool reads(const struct facts *of)
{
	return (of->plan->flags & O_ACCMODE) != O_WRONLY;
}

/* Before 6.3 the kernel takes `noreuse` and does nothing with it. */
static bool minds_noreuse(void)
{
	struct utsname name;
	long major, minor = 0;
	const char *at = name.release;

	if (weir_sys1(SYS_uname, &name))
		return false;
	for (major = 0; *at >= '0' && *at <= '9'; at++)
		major = major * 10 + *at - '0';
	for (at += *at == '.'; *at >= '0' && *at <= '9'; at++)
		minor = minor * 10 + *at - '0';
	return major > 6 || (major == 6 && minor >= 3);
}

static int advice_of(const char *word)
{
	static const struct {
		const char *word;
		int advice;
	} known[] = {
		{ "normal", POSIX_FADV_NORMAL },
		{ "sequential", POSIX_FADV_SEQUENTIAL },
		{ "random", POSIX_FADV_RANDOM },
		{ "willneed", POSIX_FADV_WILLNEED },
		{ "dontneed", POSIX_FADV_DONTNEED },
		{ "noreuse", POSIX_FADV_NOREUSE },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].word, word))
			return known[i].advice;
	return -1;
}

/* Nobody tells what the kernel makes of it, but where it does nothing. */
static void judge_advice(const struct facts *of, long got, bool noreuse)
{
	if (got)
		note_verdict(of, WEIR_VERDICT_REFUSED, words_of(got));
	else if (is_in_memory(of->fd))
		note_verdict(of, WEIR_VERDICT_INERT, "the file lies in memory");
	else if (noreuse && !minds_noreuse())
		note_verdict(of, WEIR_VERDICT_INERT,
			     "Linux minds it from 6.3 on");
	else
		note_verdict(of, WEIR_VERDICT_GIVEN, "");
}

static void advise(const struct facts *of)
{
	int advice = advice_of(weir_adjust_value(of->setting));

	if (advice < 0) {
		note_verdict(of, WEIR_VERDICT_REFUSED, "no such advice");
		return;
	}
	judge_advice(of, weir_sys4(SYS_fadvise64, of->fd, 0, 0, advice),
		     advice == POSIX_FADV_NOREUSE);
}

/* Of a file that has something to read. */
static void read_ahead(const struct facts *of)
{
	if (reads(of) && of->st->st_size)
		judge_advice(of,
			     weir_sys3(SYS_readahead, of->fd, 0,
				       of->setting->number[0]),
			     false);
}

/* At most half of what is free: who asks for too much must not take all. */
static bool has_room(int fd, uint64_t bytes)
{
	struct statfs st;

	return !weir_sys2(SYS_fstatfs, fd, &st) &&
	       (uint64_t)st.f_bavail * (uint64_t)st.f_bsize / 2 >= bytes;
}

static void measure_blocks(const struct facts *of)
{
	int64_t asked = of->setting->number[0], found;
	struct stat st;

	if (weir_sys2(SYS_fstat, of->fd, &st)) {
		note_verdict(of, WEIR_VERDICT_GIVEN, "");
		return;
	}
	found = (int64_t)st.st_blocks * BLOCK;
	weir_opening_measure(of->plan, of->setting, asked,
			     found >= asked ? asked : found);
}

/* The file stays as long as it is; only an empty one is given blocks. */
static void preallocate(const struct facts *of)
{
	int64_t bytes = of->setting->number[0];
	long got;

	if (!writes(of) || !(of->plan->flags & (O_CREAT | O_TRUNC)) ||
	    of->st->st_size)
		return;
	if (!has_room(of->fd, (uint64_t)bytes) ||
	    weir_sys_limits_files((size_t)bytes)) {
		note_verdict(of, WEIR_VERDICT_REFUSED, words_of(-ENOSPC));
		return;
	}
	got = weir_sys4(SYS_fallocate, of->fd, FALLOC_FL_KEEP_SIZE, 0, bytes);
	if (got)
		note_verdict(of, WEIR_VERDICT_REFUSED, words_of(got));
	else
		measure_blocks(of);
}

void weir_advice_give(struct weir_opened *plan,
		      const struct weir_plan_setting *setting, int fd,
		      const struct stat *st)
{
	static const struct {
		enum weir_param param;
		void (*give)(const struct facts *of);
	} ways[] = {
		{ WEIR_PARAM_FADVISE, advise },
		{ WEIR_PARAM_READAHEAD, read_ahead },
		{ WEIR_PARAM_PREALLOCATE, preallocate },
	};
	struct facts of = { plan, setting, st, fd };

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (ways[i].param == setting->param)
			ways[i].give(&of);
}
