/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Station: PnetCDF's keys of a plan, where files are made and opened. The
 * program's info is copied and the copy handed on; its own keys win, unless
 * the setting is forced. A call that fails is not made again: keys let none
 * fail, and a rank that alone opens a file once more would wait for ever.
 */
#include "adjust/adjust.h"
#include "layers/layers.h"
#include "layers/pnetcdf/pnetcdf.h"
#include "layers/pnetcdf/pnetcdf_file.h"
#include "layers/pnetcdf/pnetcdf_library.h"
#include "spec/calls.h"
#include "spec/params.h"

#include <string.h>

#define MPICH_NO_INFO	0x1c000000
#define MPICH_INFO_KIND 7 /* in a handle of MPICH */
#define VALUE		256

enum asked { CREATE, DUP, SET, GET, FREE, MADE };

static const char *const symbols[] = {
	[CREATE] = "PMPI_Info_create", [DUP] = "PMPI_Info_dup",
	[SET] = "PMPI_Info_set",       [GET] = "PMPI_Info_get",
	[FREE] = "PMPI_Info_free",     [MADE] = "ncmpi_inq_file_info",
};

static struct weir_layers_slot slots[sizeof(symbols) / sizeof(*symbols)];

static void *ask_function(const void *from, enum asked what)
{
	return weir_layers_next(&slots[what], symbols[what], NULL, from);
}

static bool has_all(const void *from)
{
	for (size_t i = 0; i < sizeof(slots) / sizeof(*slots); i++)
		if (!ask_function(from, (enum asked)i))
			return false;
	return true;
}

static bool is_none(const void *from, long info)
{
	const void *null = weir_layers_object("ompi_mpi_info_null", from);

	return null ? info == (long)null : (int)info == MPICH_NO_INFO;
}

/* What is no handle of an info would end the program in a call of ours. */
static bool can_be_info(const void *from, long info)
{
	if (weir_layers_object("ompi_mpi_info_null", from))
		return info != 0;
	return ((unsigned)info >> 26 & 15) == MPICH_INFO_KIND;
}

static long copy_of(const void *from, long info)
{
	int (*create)(long *) = ask_function(from, CREATE);
	int (*dup)(long, long *) = ask_function(from, DUP);
	long copy = 0;

	if (is_none(from, info) ? create(&copy) : dup(info, &copy))
		return 0;
	return copy;
}

static bool has_key(const void *from, long info, const char *key,
		    char value[VALUE])
{
	int (*get)(long, const char *, int, char *, int *) =
		ask_function(from, GET);
	int found = 0;

	value[0] = 0;
	return !is_none(from, info) &&
	       !get(info, key, VALUE - 1, value, &found) && found;
}

static void free_info(const void *from, long info)
{
	int (*release)(long *) = ask_function(from, FREE);

	release(&info);
}

static const struct weir_plan_setting *
next_for(const struct weir_pnetcdf_args *args,
	 const struct weir_plan_setting *setting)
{
	return weir_adjust_next(WEIR_PLAN_PNETCDF,
				weir_pnetcdf_file_plain(args->path), NULL,
				setting);
}

/* A longer one would end the program; Open MPI has least room. */
static bool fits(const char *value)
{
	return *value && strlen(value) < VALUE;
}

/* The n-th setting for this file. */
static void give_hint(struct weir_pnetcdf_args *args,
		      const struct weir_plan_setting *setting, unsigned n)
{
	int (*set)(long, const char *, const char *) =
		ask_function(args->from, SET);
	const char *key = weir_adjust_name(setting);
	char value[VALUE];

	if (!(setting->flags & WEIR_PLAN_FORCE) &&
	    has_key(args->from, args->own_info, key, value))
		args->kept |= UINT64_C(1) << n;
	else if (!fits(weir_adjust_value(setting)) ||
		 set(args->info, key, weir_adjust_value(setting)))
		args->refused |= UINT64_C(1) << n;
}

void weir_pnetcdf_adjust_open_before(struct weir_pnetcdf_args *args)
{
	const struct weir_plan_setting *s = NULL;
	unsigned n = 0;

	if (!args->path || !args->opened || !has_all(args->from) ||
	    !can_be_info(args->from, args->info) || !next_for(args, NULL))
		return;
	args->adjusted = true;
	args->own_info = args->info;
	args->info = copy_of(args->from, args->own_info);
	if (!args->info) {
		args->info = args->own_info;
		args->refused = UINT64_MAX;
		return;
	}
	while ((s = next_for(args, s)) && n < 64)
		give_hint(args, s, n++);
}

bool weir_pnetcdf_adjust_open_again(struct weir_pnetcdf_args *args)
{
	(void)args;
	return false;
}

static bool is_before(const void *from, unsigned major, unsigned minor)
{
	const char *at = weir_pnetcdf_library_version(from);
	unsigned have[2] = { 0, 0 };

	for (int i = 0; at && i < 2; i++) {
		for (; *at >= '0' && *at <= '9'; at++)
			have[i] = have[i] * 10 + (unsigned)(*at - '0');
		at += *at == '.';
	}
	return have[0] < major || (have[0] == major && have[1] < minor);
}

/*
 * Open MPI shows keys that nobody looked at, so that reading one back is no
 * proof: these are known to do nothing here. NULL: nothing is known.
 */
static const char *why_inert(const struct weir_pnetcdf_args *args,
			     enum weir_param param, long made)
{
	char value[VALUE];

	switch (param) {
	case WEIR_PARAM_NC_HASH_SIZE_DIM:
	case WEIR_PARAM_NC_HASH_SIZE_VAR:
	case WEIR_PARAM_NC_HASH_SIZE_GATTR:
	case WEIR_PARAM_NC_HASH_SIZE_VATTR:
		return is_before(args->from, 1, 13)
			       ? "PnetCDF knows it from 1.13 on"
			       : NULL;
	case WEIR_PARAM_NC_NUM_AGGRS_PER_NODE:
		return is_before(args->from, 1, 14)
			       ? "PnetCDF knows it from 1.14 on"
			       : NULL;
	case WEIR_PARAM_NC_BURST_BUF:
	case WEIR_PARAM_NC_BURST_BUF_DIRNAME:
	case WEIR_PARAM_NC_BURST_BUF_FLUSH_BUFFER_SIZE:
		return has_key(args->from, made, "nc_burst_buf_del_on_close",
			       value)
			       ? NULL
			       : "not in use here";
	default:
		return NULL;
	}
}

/* Where variables lie is settled when a file is made. */
static bool is_too_late(const struct weir_pnetcdf_args *args,
			enum weir_param param)
{
	return args->call == WEIR_CALL_NCMPI_OPEN &&
	       (param == WEIR_PARAM_NC_HEADER_ALIGN_SIZE ||
		param == WEIR_PARAM_NC_VAR_ALIGN_SIZE ||
		param == WEIR_PARAM_NC_RECORD_ALIGN_SIZE);
}

struct said {
	enum weir_plan_verdict verdict;
	const char *words;
	char value[VALUE];
};

static void judge_hint(const struct weir_pnetcdf_args *args,
		       const struct weir_plan_setting *setting, long made,
		       struct said *ret)
{
	bool found = has_key(args->from, made, weir_adjust_name(setting),
			     ret->value);
	const char *inert = why_inert(args, setting->param, made);

	ret->words = inert ? inert : ret->value;
	if (inert)
		ret->verdict = WEIR_VERDICT_INERT;
	else if (!found)
		ret->verdict = WEIR_VERDICT_IGNORED;
	else if (strcmp(ret->value, weir_adjust_value(setting)))
		ret->verdict = WEIR_VERDICT_CHANGED;
	else
		ret->verdict = WEIR_VERDICT_TOOK;
}

static void judge_setting(const struct weir_pnetcdf_args *args,
			  const struct weir_plan_setting *setting, unsigned n,
			  long made, struct said *ret)
{
	ret->words = ret->value;
	if (args->kept >> n & 1) {
		has_key(args->from, args->own_info, weir_adjust_name(setting),
			ret->value);
		ret->verdict = WEIR_VERDICT_KEPT;
	} else if (args->refused >> n & 1) {
		ret->verdict = WEIR_VERDICT_REFUSED;
		ret->words = "the info cannot have it";
	} else {
		judge_hint(args, setting, made, ret);
	}
}

/* Asking what was made of it is local: no other rank is waited for. */
static void tell_all(struct weir_layer *on,
		     const struct weir_pnetcdf_args *args)
{
	int (*ask_made)(int, long *) = ask_function(args->from, MADE);
	const struct weir_plan_setting *s = NULL;
	const struct weir_pnetcdf_file *file =
		weir_pnetcdf_file_find(*args->opened);
	long made = 0;
	struct said said;

	if (ask_made(*args->opened, &made))
		return;
	for (unsigned n = 0; n < 64 && (s = next_for(args, s)); n++) {
		if (is_too_late(args, s->param))
			continue;
		judge_setting(args, s, n, made, &said);
		weir_adjust_tell(on, file ? file->handle : 0, s, said.verdict,
				 said.words);
	}
	free_info(args->from, made);
}

void weir_pnetcdf_adjust_open_after(struct weir_layer *on,
				    struct weir_pnetcdf_args *args, long ret)
{
	if (args->info != args->own_info)
		free_info(args->from, args->info);
	args->info = args->own_info;
	if (!ret)
		tell_all(on, args);
}
