/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stations: hints of a plan, where files are opened and given hints.
 *
 * The program's info is copied and the copy handed on; its own keys win,
 * unless the setting is forced. What a file was given as it was opened stays
 * with it: later calls are changed only in keys that the program itself names
 * there. So all ranks hand on the same keys if they would have without us; a
 * key that only some of them give lets ROMIO wait for the others.
 *
 * A call that fails is not made again: hints let none fail, and a rank that
 * alone opens a file once more would wait for ever. Only an unknown driver
 * before the name fails at once in every rank.
 */
#include "adjust/adjust.h"
#include "layers/mpi/mpi_file.h"
#include "layers/mpi/mpi_info.h"
#include "layers/mpi/mpi_mca.h"
#include "layers/mpi/mpi_real.h"
#include "layers/mpi/mpi_verdict.h"

#include <limits.h>
#include <string.h>

#define MOST 64 /* settings for one file */

static const char lockless[] = "bglockless:";

/* A setting for a call, and what is known of it so far. */
struct trial {
	const struct weir_plan_setting *setting;
	bool is_fixed; /* the program cannot have its own any more */
	bool is_given; /* else `verdict` holds */
	enum weir_plan_verdict verdict;
	const char *why;
};

/*
 * Those of the thread's outermost call; a call below it has a struct of
 * arguments below it on the stack.
 */
static __thread struct {
	const struct weir_mpi_args *owner;
	int count;
	struct trial list[MOST];
} now;
static __thread char driven[sizeof(lockless) + PATH_MAX];

/*
 * The hints of open files, by their numbers. ROMIO makes a file's buffer as it
 * is opened: who asks for a larger one later would write beyond it.
 */
struct planned {
	uint64_t told;	 /* of the info in which the program last named some */
	bool has_buffer; /* as large as the plan says */
	uint8_t count, hints[MOST];
};

static const char buffer[] = "cb_buffer_size";

static struct weir_book book;
static struct planned files[WEIR_BOOK_ROOM];

static struct planned *planned_of(long fh)
{
	uint32_t at = weir_book_find(&book, (uint64_t)fh);

	return at == WEIR_BOOK_NONE ? NULL : &files[at];
}

/* What is no handle of an info would end the program in a call of ours. */
static bool can_be_info(long info)
{
	if (weir_mpi_flavour.narrow)
		return ((unsigned)info >> 26 & 15) == 7;
	return info != 0;
}

static bool may_adjust(const struct weir_mpi_args *args)
{
	return weir_mpi_meet(args->from) && can_be_info(args->info) &&
	       !(now.owner && (uintptr_t)args < (uintptr_t)now.owner);
}

static void take_over(struct weir_mpi_args *args)
{
	now.owner = args;
	args->adjusted = true;
	args->own_info = args->info;
	args->own_path = args->path;
}

static bool is_none(long info)
{
	return weir_mpi_cut(info) == weir_mpi_flavour.info_null;
}

static void add_trial(const struct weir_plan_setting *setting)
{
	if (now.count < MOST)
		now.list[now.count++] = (struct trial){ .setting = setting };
}

static void gather_settings(enum weir_plan_target target, const char *file)
{
	const struct weir_plan_setting *setting = NULL;

	while ((setting = weir_adjust_next(target, file, NULL, setting)))
		add_trial(setting);
}

static bool is_hint(const struct trial *trial)
{
	return trial->setting->target == WEIR_PLAN_HINT;
}

static void decide(struct trial *trial, enum weir_plan_verdict verdict,
		   const char *why)
{
	trial->is_given = false;
	trial->verdict = verdict;
	trial->why = why;
}

/* What MPI_Info_set would refuse ends the program. */
static bool has_room(const char *key, const char *value)
{
	return strlen(key) <= weir_mpi_flavour.key && *value &&
	       strlen(value) <= weir_mpi_flavour.value;
}

static bool is_own(const struct trial *trial, long own)
{
	char value[WEIR_MPI_VALUE + 1];

	return !trial->is_fixed && !(trial->setting->flags & WEIR_PLAN_FORCE) &&
	       weir_mpi_verdict_value(own, weir_adjust_name(trial->setting),
				      value);
}

static void give_hint(struct trial *trial, long own, long copy)
{
	const struct weir_plan_setting *setting = trial->setting;
	const char *key = weir_adjust_name(setting);

	if (!has_room(key, weir_adjust_value(setting)))
		decide(trial, WEIR_VERDICT_REFUSED,
		       "it is too long for an info of this MPI");
	else if (is_own(trial, own))
		decide(trial, WEIR_VERDICT_KEPT, "");
	else if (weir_mpi_real.info_set(copy, key, weir_adjust_value(setting)))
		decide(trial, WEIR_VERDICT_REFUSED, "MPI_Info_set failed");
	else
		trial->is_given = true;
}

static void refuse_hints(const char *why)
{
	for (int i = 0; i < now.count; i++)
		if (is_hint(&now.list[i]))
			decide(&now.list[i], WEIR_VERDICT_REFUSED, why);
}

static int count_hints(void)
{
	int hints = 0;

	for (int i = 0; i < now.count; i++)
		hints += is_hint(&now.list[i]);
	return hints;
}

/* A copy of the program's info with the hints is handed on. */
static void give_hints(struct weir_mpi_args *args)
{
	long copy = 0;

	if (!count_hints())
		return;
	if (is_none(args->info) ? weir_mpi_real.info_create(&copy)
				: weir_mpi_real.info_dup(args->info, &copy)) {
		refuse_hints("no copy of the info could be made");
		return;
	}
	for (int i = 0; i < now.count; i++)
		if (is_hint(&now.list[i]))
			give_hint(&now.list[i], args->own_info, copy);
	args->info = copy;
}

/* Else the program may not outlive a try. Its own handler is given back. */
static bool errors_return(void)
{
	long handler = 0;

	if (weir_mpi_real.get_errhandler(weir_mpi_flavour.file_null, &handler))
		return false;
	if (weir_mpi_cut(handler) == weir_mpi_flavour.errors_return)
		return true;
	weir_mpi_real.errhandler_free(&handler);
	return false;
}

/* OMPIO would make a file of that name. */
static const char *objection(const char *bare_name)
{
	if (!weir_mpi_flavour.narrow)
		return "Open MPI has no such driver";
	if (!errors_return())
		return "the program does not let an error return";
	if (strlen(bare_name) >= PATH_MAX)
		return "the name is too long";
	return NULL;
}

/* A prefix of the name chooses a driver; the program's own counts more. */
static void put_driver(struct trial *trial, struct weir_mpi_args *args)
{
	const char *name = weir_mpi_without_driver(args->path);
	const char *against;

	if (!trial->setting->number[0]) {
		decide(trial, WEIR_VERDICT_TOOK, "");
		return;
	}
	if (name != args->path && !(trial->setting->flags & WEIR_PLAN_FORCE)) {
		decide(trial, WEIR_VERDICT_KEPT, "");
		return;
	}
	against = objection(name);
	if (against) {
		decide(trial, WEIR_VERDICT_REFUSED, against);
		return;
	}
	memcpy(driven, lockless, sizeof(lockless) - 1);
	memcpy(driven + sizeof(lockless) - 1, name, strlen(name) + 1);
	args->path = driven;
	decide(trial, WEIR_VERDICT_TOOK, "");
}

void weir_mpi_adjust_open_before(struct weir_mpi_args *args)
{
	const char *name;

	if (!args->path || !may_adjust(args))
		return;
	name = weir_mpi_without_driver(args->path);
	now.count = 0;
	gather_settings(WEIR_PLAN_HINT, name);
	gather_settings(WEIR_PLAN_NAME_PREFIX, name);
	if (!now.count && !weir_mpi_mca_is_due())
		return;
	take_over(args);
	give_hints(args);
	for (int i = 0; i < now.count; i++)
		if (!is_hint(&now.list[i]))
			put_driver(&now.list[i], args);
}

bool weir_mpi_adjust_open_again(struct weir_mpi_args *args)
{
	if (args->path == args->own_path)
		return false;
	args->path = args->own_path;
	for (int i = 0; i < now.count; i++)
		if (now.owner == args && !is_hint(&now.list[i]))
			decide(&now.list[i], WEIR_VERDICT_REFUSED,
			       "this ROMIO has no such driver");
	return true;
}

/* What came of a setting; of what the program kept: its own value. */
static void judge_hint(const struct trial *trial,
		       const struct weir_mpi_args *args,
		       enum weir_mpi_server server, long made,
		       struct weir_mpi_verdict *ret_verdict)
{
	if (trial->is_given) {
		weir_mpi_verdict_judge(server, made, args->on.fs,
				       trial->setting, ret_verdict);
		return;
	}
	weir_mpi_verdict_settle(ret_verdict, trial->verdict, trial->why);
	if (trial->verdict == WEIR_VERDICT_KEPT && is_hint(trial))
		weir_mpi_verdict_value(args->own_info,
				       weir_adjust_name(trial->setting),
				       ret_verdict->effective);
}

static void tell_all(struct weir_layer *on, const struct weir_mpi_args *args,
		     long fh)
{
	enum weir_mpi_server server = weir_mpi_verdict_server(args);
	const struct weir_mpi_file *file = weir_mpi_file_find(fh);
	uint32_t handle = file ? file->handle : 0;
	struct weir_mpi_verdict verdict;
	long made = 0;

	if (weir_mpi_real.get_info(fh, &made))
		made = weir_mpi_flavour.info_null;
	for (int i = 0; i < now.count; i++) {
		judge_hint(&now.list[i], args, server, made, &verdict);
		weir_adjust_tell(on, handle, now.list[i].setting,
				 verdict.verdict, verdict.effective);
	}
	if (!is_none(made))
		weir_mpi_real.info_free(&made);
}

static bool is_buffer(const struct trial *trial)
{
	return !strcmp(weir_adjust_name(trial->setting), buffer);
}

static void note_trial(struct planned *planned, const struct trial *trial)
{
	if (!is_hint(trial))
		return;
	planned->hints[planned->count++] =
		(uint8_t)(trial->setting - weir_adjust_nth(0));
	planned->has_buffer |= trial->is_given && is_buffer(trial);
}

/*
 * For what the program may say of the file later. OMPIO does not listen then
 * to what it was told as the file was opened.
 */
static void remember_file(const struct weir_mpi_args *args, long fh)
{
	bool is_deaf = weir_mpi_verdict_server(args) == WEIR_MPI_OMPIO;
	uint32_t at = !is_deaf && count_hints()
			      ? weir_book_add(&book, (uint64_t)fh)
			      : WEIR_BOOK_NONE;

	if (at == WEIR_BOOK_NONE)
		return;
	files[at] = (struct planned){ 0 };
	files[at].told = is_none(args->own_info)
				 ? 0
				 : weir_mpi_info_key(weir_mpi_info_asked(args));
	for (int i = 0; i < now.count; i++)
		note_trial(&files[at], &now.list[i]);
}

/* Ours is the copy, and only while the owner's list is the call's. */
static bool free_copy(struct weir_mpi_args *args)
{
	bool is_ours = now.owner == args;

	if (args->info != args->own_info)
		weir_mpi_real.info_free(&args->info);
	args->info = args->own_info;
	if (is_ours)
		now.owner = NULL;
	return is_ours;
}

void weir_mpi_adjust_open_after(struct weir_layer *on,
				struct weir_mpi_args *args, long ret)
{
	if (!free_copy(args) || ret)
		return;
	tell_all(on, args, *args->opened);
	remember_file(args, *args->opened);
	weir_mpi_mca_tell(on, args);
}

/* Of the file's hints those that the program names now. */
static void gather_named(const struct planned *planned, long info)
{
	char value[WEIR_MPI_VALUE + 1];

	now.count = 0;
	for (int i = 0; i < planned->count; i++) {
		const struct weir_plan_setting *setting =
			weir_adjust_nth(planned->hints[i]);

		if (!weir_mpi_verdict_value(info, weir_adjust_name(setting),
					    value))
			continue;
		add_trial(setting);
		now.list[now.count - 1].is_fixed =
			planned->has_buffer &&
			is_buffer(&now.list[now.count - 1]);
	}
}

void weir_mpi_adjust_info_before(struct weir_mpi_args *args)
{
	const struct planned *planned;

	if (!may_adjust(args) || is_none(args->info))
		return;
	planned = planned_of(args->fh);
	if (!planned)
		return;
	gather_named(planned, args->info);
	if (!now.count)
		return;
	take_over(args);
	give_hints(args);
}

bool weir_mpi_adjust_info_again(struct weir_mpi_args *args)
{
	return false;
}

/* Libraries hand over the same info with each of many views. */
void weir_mpi_adjust_info_after(struct weir_layer *on,
				struct weir_mpi_args *args, long ret)
{
	struct planned *planned = planned_of(args->fh);
	uint64_t key;

	if (!free_copy(args) || ret || !planned)
		return;
	key = weir_mpi_info_key(weir_mpi_info_asked(args));
	if (key == planned->told)
		return;
	planned->told = key;
	tell_all(on, args, args->fh);
}

void weir_mpi_adjust_close_before(struct weir_mpi_args *args)
{
	if (args->opened)
		weir_book_remove(&book, (uint64_t)*args->opened);
}

bool weir_mpi_adjust_close_again(struct weir_mpi_args *args)
{
	return false;
}

void weir_mpi_adjust_close_after(struct weir_layer *on,
				 struct weir_mpi_args *args, long ret)
{
}
