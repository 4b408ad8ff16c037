/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the plan of this process, and what becomes of it. */
#include "adjust/adjust.h"

#include "base/hash.h"
#include "base/pathname.h"
#include "base/sys.h"
#include "capture/memory/control.h"
#include "plan/flatplan.h"
#include "spec/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static struct weir_flatplan flat;
static bool is_on;

static long read_flat_plan(long fd, char *to, size_t bytes)
{
	size_t done = 0;

	while (done < bytes) {
		long got = weir_sys3(SYS_read, fd, to + done, bytes - done);

		if (got <= 0)
			return got ? got : -EBADMSG;
		done += (size_t)got;
	}
	return 0;
}

/* Copied, not mapped: a file that is cut short would end the program. */
static void take_plan(long fd)
{
	struct stat st;
	size_t bytes;
	long at;

	if (weir_sys2(SYS_fstat, fd, &st) || st.st_size <= 0 ||
	    st.st_size > WEIR_PLAN_LARGEST)
		return;
	bytes = (size_t)st.st_size;
	at = weir_sys6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (weir_sys_failed(at))
		return;
	if (!read_flat_plan(fd, (char *)at, bytes) &&
	    !weir_flatplan_open((const void *)at, bytes, &flat)) {
		weir_sys3(SYS_mprotect, at, bytes, PROT_READ);
		is_on = true;
		return;
	}
	weir_sys2(SYS_munmap, at, bytes);
}

void weir_adjust_begin(const char *path)
{
	long fd = weir_sys4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC,
			    0);

	if (fd < 0)
		return;
	take_plan(fd);
	weir_sys1(SYS_close, fd);
}

bool weir_adjust_is_on(void)
{
	return is_on;
}

bool weir_adjust_has(enum weir_plan_target target)
{
	for (uint32_t i = 0; is_on && i < flat.count; i++)
		if (flat.settings[i].target == target)
			return true;
	return false;
}

/* The name from the root as patterns have it, if there is room for it. */
static const char *whole_name(const char *file, char room[PATH_MAX])
{
	size_t length = strlen(file);
	long used = 0;

	if (*file != '/') {
		used = weir_sys2(SYS_getcwd, room, PATH_MAX - 1);
		if (used <= 0)
			return file;
		room[used - 1] = '/';
	}
	if ((size_t)used + length + 1 > PATH_MAX)
		return file;
	memcpy(room + used, file, length + 1);
	weir_pathname_tidy(room);
	return room;
}

/* Some setting of the target is for certain files alone. */
static bool asks_for_files(enum weir_plan_target target)
{
	for (uint32_t i = 0; i < flat.count; i++)
		if (flat.settings[i].target == target && flat.settings[i].file)
			return true;
	return false;
}

const struct weir_plan_setting *
weir_adjust_next(enum weir_plan_target target, const char *file,
		 const char *dataset, const struct weir_plan_setting *setting)
{
	char room[PATH_MAX];

	if (!is_on)
		return NULL;
	if (file && asks_for_files(target))
		file = whole_name(file, room);
	return weir_flatplan_next(&flat, target, file, dataset, setting);
}

const struct weir_plan_setting *weir_adjust_nth(uint32_t n)
{
	return flat.settings + n;
}

const char *weir_adjust_name(const struct weir_plan_setting *setting)
{
	return weir_flatplan_text(&flat, setting->name);
}

const char *weir_adjust_value(const struct weir_plan_setting *setting)
{
	return weir_flatplan_text(&flat, setting->value);
}

static const char *last_component(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool weir_adjust_is_proven(const struct weir_plan_setting *setting,
			   const char *object, uint64_t offset, uint32_t ranks)
{
	const char *name = last_component(object);

	return setting->ranks == ranks &&
	       weir_flatplan_has_site(&flat, setting,
				      weir_hash_bytes(name, strlen(name)),
				      offset);
}

/* Of all processes of this node, whoever is first. */
static void give_example(struct weir_control_why *why,
			 enum weir_plan_verdict verdict, const char *words)
{
	uint32_t nobody = 0;

	if (verdict == WEIR_VERDICT_TOOK || verdict == WEIR_VERDICT_GIVEN ||
	    !*words || atomic_load(&why->state) ||
	    !atomic_compare_exchange_strong(&why->state, &nobody, 1))
		return;
	why->verdict = verdict;
	for (size_t i = 0; i + 1 < sizeof(why->text) && words[i]; i++)
		why->text[i] = words[i];
	atomic_store(&why->state, WEIR_CONTROL_SAID);
}

static void count_verdict(const struct weir_plan_setting *setting,
			  enum weir_plan_verdict verdict, const char *words)
{
	ptrdiff_t n = setting - flat.settings;

	atomic_fetch_add(&weir_control->verdicts[n][verdict], 1);
	give_example(&weir_control->whys[n], verdict, words);
}

/* What was asked for: a variable's value without the name before it. */
static const char *asked(const struct weir_plan_setting *setting)
{
	const char *value = weir_flatplan_text(&flat, setting->value);
	const char *equals = setting->target == WEIR_PLAN_ENVIRONMENT
				     ? strchr(value, '=')
				     : NULL;

	return equals ? equals + 1 : value;
}

static void record(struct weir_layer *on, uint32_t handle,
		   const struct weir_plan_setting *setting,
		   enum weir_plan_verdict verdict, const char *effective)
{
	struct weir_args told = { .call = WEIR_CALL_PLAN_EFFECT, .fd = -1 };
	struct weir_encoded *detail = weir_layer_child_detail(on);

	weir_encode_text(detail, weir_flatplan_text(&flat, setting->name));
	weir_encode_text(detail, asked(setting));
	weir_encode_unsigned(detail, verdict);
	weir_encode_text(detail, effective);
	weir_layer_derive(on, handle, &told);
}

void weir_adjust_tell(struct weir_layer *on, uint32_t handle,
		      const struct weir_plan_setting *setting,
		      enum weir_plan_verdict verdict, const char *effective)
{
	count_verdict(setting, verdict, effective);
	if (on)
		record(on, handle, setting, verdict, effective);
}
