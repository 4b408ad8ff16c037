/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the plan of a run before anything else, and leaves it in the trace. */
#include "launch/plans/runplan.h"

#include "base/whole.h"
#include "launch/plans/planproof.h"
#include "launch/programs/inside.h"
#include "launch/programs/program.h"
#include "launch/programs/subject.h"
#include "plan/plan.h"
#include "spec/exits.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int take_bytes(struct weir_runplan *plan, int fd)
{
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    st.st_size > WEIR_PLAN_LARGEST)
		return -EBADMSG;
	plan->size = (size_t)st.st_size;
	plan->bytes = malloc(plan->size);
	if (!plan->bytes)
		return -ENOMEM;
	err = weir_whole_read(fd, plan->bytes, plan->size);
	return err ? err
		   : weir_flatplan_open(plan->bytes, plan->size, &plan->flat);
}

int weir_runplan_load(struct weir_runplan *plan, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err;

	*plan = (struct weir_runplan){0};
	if (fd < 0)
		return -errno;
	err = take_bytes(plan, fd);
	close(fd);
	if (!err && snprintf(plan->path, PATH_MAX, "%s", path) >= PATH_MAX)
		err = -ENAMETOOLONG;
	if (err)
		weir_runplan_fini(plan);
	return err;
}

static int name_file(const char *dir, const char *suffix, char path[PATH_MAX])
{
	int length = snprintf(path, PATH_MAX, "%s/" WEIR_PLAN_NAME "%s", dir,
			      suffix);

	return length < PATH_MAX ? 0 : -ENAMETOOLONG;
}

int weir_runplan_find(struct weir_runplan *plan, const char *dir)
{
	char path[PATH_MAX];
	int err = name_file(dir, "", path);

	*plan = (struct weir_runplan){0};
	return err ? err : weir_runplan_load(plan, path);
}

void weir_runplan_fini(struct weir_runplan *plan)
{
	free(plan->bytes);
	*plan = (struct weir_runplan){0};
}

/* That of an earlier run begins with a word that no XML begins with. */
static bool is_flat(const char *path)
{
	char magic[8] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = fd < 0 ? -1 : read(fd, magic, sizeof(magic));

	if (fd >= 0)
		close(fd);
	return got == sizeof(magic) &&
	       !memcmp(magic, WEIR_PLAN_MAGIC, sizeof(magic));
}

static int flatten(struct weir_runplan *plan, const char *path)
{
	struct weir_plan *written;
	int err = weir_plan_read(path, &written, stderr);

	if (err)
		return err;
	err = weir_planproof_add(written);
	if (!err)
		err = weir_plan_flatten(written, &plan->bytes, &plan->size);
	weir_plan_free(written);
	return err ? err
		   : weir_flatplan_open(plan->bytes, plan->size, &plan->flat);
}

int weir_runplan_read(struct weir_runplan *plan, const char *path)
{
	bool flat = is_flat(path);
	int err;

	*plan = (struct weir_runplan){0};
	err = flat ? weir_runplan_load(plan, path) : flatten(plan, path);
	plan->path[0] = '\0';
	if (!err)
		return 0;
	weir_runplan_fini(plan);
	if (err == -EINVAL)
		return WEIR_EXIT_REFUSED;
	fprintf(stderr, "weir: cannot read the plan %s: %s\n", path,
		err == -EBADMSG ? "it is damaged, or of another version"
				: strerror(-err));
	return err == -ENOMEM ? WEIR_EXIT_INTERNAL : WEIR_EXIT_REFUSED;
}

/* Another rank was first: it has read the same. */
static int compare_left(const struct weir_runplan *plan)
{
	struct weir_runplan there;
	int err = weir_runplan_load(&there, plan->path);

	if (!err && (there.size != plan->size ||
		     memcmp(there.bytes, plan->bytes, plan->size)))
		err = -EEXIST;
	weir_runplan_fini(&there);
	return err;
}

/* Whole, or not there: linked when it is written. */
static int put_into(struct weir_runplan *plan, const char *dir)
{
	char draft[PATH_MAX], suffix[80], host[48] = "";
	int err = name_file(dir, "", plan->path);

	if (err)
		return err;
	gethostname(host, sizeof(host) - 1);
	snprintf(suffix, sizeof(suffix), ".%s-%d", host, (int)getpid());
	err = name_file(dir, suffix, draft);
	if (!err)
		err = weir_whole_create(draft, plan->bytes, plan->size);
	if (err)
		return err;
	if (link(draft, plan->path))
		err = errno == EEXIST ? compare_left(plan) : -errno;
	/* Where there are no links: as good as it can be done. */
	if (err && err != -EEXIST && !rename(draft, plan->path))
		return 0;
	unlink(draft);
	return err;
}

int weir_runplan_leave(struct weir_runplan *plan, const char *dir)
{
	int err = put_into(plan, dir);

	if (err == -EEXIST)
		fprintf(stderr,
			"weir: %s holds a run by another plan: name another "
			"directory\n",
			dir);
	return err;
}

/* VARIABLE=VALUE, and never what makes us, or the loader, work. */
static bool may_be_set(const char *setting, size_t length)
{
	static const char *const ours[] = {"LD_", "WEIR_", "PATH="};

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (!strncmp(setting, ours[i], strlen(ours[i])))
			return false;
	return length > 0;
}

static int set_variable(const struct weir_runplan *plan,
			const struct weir_plan_setting *setting)
{
	const char *text = weir_flatplan_text(&plan->flat, setting->value);
	const char *equals = strchr(text, '=');
	char name[256];
	size_t length = equals ? (size_t)(equals - text) : 0;

	if (length >= sizeof(name) || !may_be_set(text, length))
		return 0;
	memcpy(name, text, length);
	name[length] = '\0';
	return setenv(name, equals + 1, !!(setting->flags & WEIR_PLAN_FORCE)) ?
		       -errno : 0;
}

int weir_runplan_export(const struct weir_runplan *plan)
{
	const struct weir_plan_setting *setting = NULL;
	int err;

	if (!plan->bytes)
		return unsetenv("WEIR_PLAN") ? -errno : 0;
	err = setenv("WEIR_PLAN", plan->path, 1) ? -errno : 0;
	while (!err &&
	       (setting = weir_flatplan_next(&plan->flat, WEIR_PLAN_ENVIRONMENT,
					     NULL, NULL, setting)))
		err = set_variable(plan, setting);
	return err;
}

/* The object of ours, as --layers calls it, that applies a setting. */
static const char *object_of(const struct weir_plan_setting *setting)
{
	static const char *const objects[] = {
		[WEIR_PLAN_FILE_ACCESS] = "hdf5",
		[WEIR_PLAN_FILE_CREATE] = "hdf5",
		[WEIR_PLAN_DATASET_CREATE] = "hdf5",
		[WEIR_PLAN_DATASET_ACCESS] = "hdf5",
		[WEIR_PLAN_TRANSFER] = "hdf5",
		[WEIR_PLAN_HINT] = "mpi",
		[WEIR_PLAN_NAME_PREFIX] = "mpi",
		[WEIR_PLAN_PNETCDF] = "pnetcdf",
	};
	const char *name = setting->target < sizeof(objects) / sizeof(*objects)
				   ? objects[setting->target]
				   : NULL;

	return name ? name : "";
}

static uint32_t count_for(const struct weir_runplan *plan, unsigned object)
{
	uint32_t count = 0;

	for (uint32_t k = 0; k < plan->flat.count; k++)
		count += !strcmp(object_of(&plan->flat.settings[k]),
				 weir_preloads[object].name);
	return count;
}

/* Settings for an object that cannot be applied, and why. */
static void warn_of(const struct weir_runplan *plan, unsigned object,
		    const char *who, const char *why)
{
	uint32_t count = count_for(plan, object);

	if (count)
		fprintf(stderr,
			"weir: warning: %u setting%s of the plan for %s cannot "
			"be applied: %s %s\n", count, count == 1 ? "" : "s",
			weir_preloads[object].title, who, why);
}

static void warn_of_layers(const struct weir_runplan *plan,
			   const struct weir_preloads_choice *layers)
{
	char why[64];

	for (unsigned i = 0; weir_preloads[i].name; i++) {
		snprintf(why, sizeof(why), "leaves %s out",
			 weir_preloads[i].name);
		if (!(layers->set & 1u << i))
			warn_of(plan, i, "--layers", why);
	}
}

static void warn_of_program(const char *command, void *arg)
{
	const struct weir_runplan *plan = arg;
	weir_preloads_set inside = 0;
	struct weir_program program;

	if (!weir_program_inspect(command, &program))
		inside = weir_inside_find(program.path);
	for (unsigned i = 0; weir_preloads[i].name; i++)
		if (inside & 1u << i)
			warn_of(plan, i, program.path,
				"has it in its own file; link it with the "
				"shared library");
}

void weir_runplan_warn(const struct weir_runplan *plan,
		       const struct weir_preloads_choice *layers,
		       char **command)
{
	if (!plan->bytes)
		return;
	if (!layers->by_program)
		warn_of_layers(plan, layers);
	weir_subject_each(command, warn_of_program, (void *)plan);
}
