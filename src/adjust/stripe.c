/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the stripes of files that libc's calls make on Lustre. */
#include "adjust/stripe.h"

#include "adjust/adjust.h"
#include "base/lov.h"
#include "base/sys.h"
#include "spec/params.h"
#include "spec/real.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#define LUSTRE	     0x0bd00bd0 /* of statfs(2) */
#define SET_STRIPE   0x4008669aul /* _IOW('f', 154, long) */
#define LATER	     (O_NOCTTY | O_ASYNC) /* O_LOV_DELAY_CREATE */
#define MAGIC	     UINT32_C(0x0bd10bd0)
#define ATTRIBUTE    "lustre.lov"
#define LARGEST	     4096 /* attribute: 160 stripes */
#define OWNERS_RIGHT (S_IRUSR | S_IWUSR)
#define ANY	     0xffff /* first target; of a count: all of them */
#define PAGE	     4096

/* struct lov_user_md_v1 of Lustre. */
struct layout {
	uint32_t magic, pattern;
	uint64_t object[2];
	uint32_t size;
	uint16_t count, first;
};

_Static_assert(sizeof(struct layout) == 32, "layout");

/* For work: signal handlers may open files on a small stack. */
static __thread char work[LARGEST];

/* The kernel would say EFAULT where we would crash. */
static bool is_text(const char *text)
{
	for (size_t seen = 0; seen < PATH_MAX;) {
		size_t rest = PAGE - ((uintptr_t)text + seen) % PAGE;

		if (!weir_readable_probe(text + seen, 1))
			return false;
		if (memchr(text + seen, 0, rest))
			return true;
		seen += rest;
	}
	return false;
}

static bool makes_a_file(const struct weir_opened *plan)
{
	return plan->flags & O_CREAT && plan->has_perms &&
	       !(plan->flags & (O_DIRECTORY | O_PATH)) && plan->path &&
	       is_text(plan->path) && *plan->path;
}

/* For every setting of stripes that is for this file. */
static void note_all(struct weir_opened *plan, const char *name,
		     enum weir_plan_verdict verdict, const char *why)
{
	const struct weir_plan_setting *s = NULL;

	while ((s = weir_adjust_next(WEIR_PLAN_STRIPE, name, NULL, s)))
		weir_opening_note(plan, s, verdict, why);
}

static bool exists(const struct weir_opened *plan)
{
	struct stat st;

	return !weir_sys4(SYS_newfstatat, plan->dirfd, plan->path, &st,
			  AT_SYMLINK_NOFOLLOW);
}

/* By what the directory lies on: the file is not there yet. */
static bool is_on_lustre(const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t length = slash ? (size_t)(slash - name) + 1 : 0;
	struct statfs st;

	if (length >= sizeof(work))
		return false;
	memcpy(work, length ? name : ".", length ? length : 1);
	work[length ? length : 1] = 0;
	return !weir_real.statfs(work, &st) &&
	       (uint32_t)st.f_type == LUSTRE;
}

static struct layout layout_for(const char *name)
{
	struct layout asked = { .magic = MAGIC, .first = ANY };
	const struct weir_plan_setting *s = NULL;

	while ((s = weir_adjust_next(WEIR_PLAN_STRIPE, name, NULL, s))) {
		if (s->param == WEIR_PARAM_STRIPE_COUNT)
			asked.count = (uint16_t)s->number[0];
		else if (s->param == WEIR_PARAM_STRIPE_SIZE)
			asked.size = (uint32_t)s->number[0];
		else if (s->param == WEIR_PARAM_STRIPE_OFFSET)
			asked.first = (uint16_t)s->number[0];
	}
	return asked;
}

/* The number behind a key in what lov.h tells; -1: it is not there. */
static int64_t told(const char *text, const char *key)
{
	size_t length = strlen(key);
	int64_t value = 0;

	while (*text && strncmp(text, key, length))
		text++;
	if (!*text)
		return -1;
	for (text += length; *text >= '0' && *text <= '9'; text++)
		value = value * 10 + *text - '0';
	return value;
}

static void judge_stripe(struct weir_opened *plan, const char *text,
			 const struct weir_plan_setting *setting)
{
	static const struct {
		enum weir_param param;
		const char *key;
	} keys[] = {
		{ WEIR_PARAM_STRIPE_COUNT, "count=" },
		{ WEIR_PARAM_STRIPE_SIZE, "size=" },
		{ WEIR_PARAM_STRIPE_OFFSET, "first=" },
	};
	int64_t asked = setting->number[0], found = -1;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (keys[i].param == setting->param)
			found = told(text, keys[i].key);
	if (found < 0)
		weir_opening_note(plan, setting, WEIR_VERDICT_GIVEN, "");
	else /* as Lustre likes, and it did */
		weir_opening_measure(plan, setting, asked < 0 ? found : asked,
				     found);
}

static void read_back(struct weir_opened *plan, const char *name, int fd)
{
	static __thread char text[WEIR_LOV_TEXT];
	const struct weir_plan_setting *s = NULL;
	long got = weir_real.fgetxattr(fd, ATTRIBUTE, work, sizeof(work));

	text[0] = 0;
	if (got > 0 && got <= LARGEST)
		weir_lov_describe(work, (size_t)got, text);
	while ((s = weir_adjust_next(WEIR_PLAN_STRIPE, name, NULL, s)))
		judge_stripe(plan, text, s);
}

/* Who may make a file and not open it again must be able to, for a moment. */
static void mend_rights(struct weir_opened *plan, int fd)
{
	struct stat st;

	if (weir_sys2(SYS_fstat, fd, &st) ||
	    (st.st_mode & OWNERS_RIGHT) == OWNERS_RIGHT)
		return;
	plan->mends = true;
	plan->mended = st.st_mode & 07777;
	weir_sys2(SYS_fchmod, fd, plan->mended | OWNERS_RIGHT);
}

/* The program's call finds it there, and must not mind. */
static void let_in(struct weir_opened *plan)
{
	const char *from = plan->letters;
	char *to = plan->own_letters;

	plan->flags &= ~O_EXCL;
	if (!from || strlen(from) >= sizeof(plan->own_letters))
		return;
	for (; *from; from++)
		if (*from != 'x')
			*to++ = *from;
	*to = 0;
	plan->letters = plan->own_letters;
}

static void give_stripes(struct weir_opened *plan, const char *name, int fd)
{
	struct layout asked = layout_for(name);

	if (!weir_real.ioctl(fd, SET_STRIPE, (long)&asked))
		read_back(plan, name, fd);
	else if (errno == EEXIST)
		note_all(plan, name, WEIR_VERDICT_KEPT,
			 "somebody else made the file");
	else
		note_all(plan, name, WEIR_VERDICT_REFUSED, "Lustre refuses it");
}

/* A file that nobody gives stripes gets the usual ones when it is opened. */
static void make(struct weir_opened *plan, const char *name)
{
	int fd = weir_real.openat(plan->dirfd, plan->path,
				  O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC |
					  LATER,
				  plan->perms);

	if (fd < 0) {
		note_all(plan, name,
			 errno == EEXIST ? WEIR_VERDICT_KEPT
					 : WEIR_VERDICT_REFUSED,
			 errno == EEXIST ? "the file exists"
					 : "the file cannot be made");
		return;
	}
	mend_rights(plan, fd);
	give_stripes(plan, name, fd);
	weir_sys1(SYS_close, fd); /* the program's is to have its number */
	let_in(plan);
}

void weir_stripe_prepare(struct weir_opened *plan,
			 const char *(*name_of)(const struct weir_opened *plan,
						int fd))
{
	const char *name;

	if (!makes_a_file(plan))
		return;
	name = name_of(plan, -1);
	if (!weir_adjust_next(WEIR_PLAN_STRIPE, name, NULL, NULL))
		return;
	if (!is_on_lustre(name))
		note_all(plan, name, WEIR_VERDICT_IGNORED, "not on Lustre");
	else if (exists(plan))
		note_all(plan, name, WEIR_VERDICT_KEPT, "the file exists");
	else
		make(plan, name);
}

void weir_stripe_finish(struct weir_opened *plan)
{
	if (plan->mends)
		weir_sys3(SYS_fchmodat, plan->dirfd, plan->path,
			  plan->mended);
	plan->mends = false;
}
