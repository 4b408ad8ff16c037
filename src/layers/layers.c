/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the function that a call would have reached without us. */
#include "layers/layers.h"

#include "base/sys.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

/*
 * By their oldest versions: a newer one would keep older systems from loading
 * us. Weak, as there they live in a library of their own.
 */
#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5"
#else
#define OLDEST "GLIBC_2.17"
#endif
__asm__(".symver dlopen, dlopen@" OLDEST);
__asm__(".symver dlsym, dlsym@" OLDEST);
__asm__(".symver dlerror, dlerror@" OLDEST);
#pragma weak dlopen
#pragma weak dlsym
#pragma weak dlerror

struct caller {
	uintptr_t at, low, high;
	const char *name;
};

static bool covers(const struct dl_phdr_info *info, struct caller *caller)
{
	bool inside = false;

	caller->low = UINTPTR_MAX;
	caller->high = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t low = info->dlpi_addr + part->p_vaddr;
		uintptr_t high = low + part->p_memsz;

		if (part->p_type != PT_LOAD)
			continue;
		inside |= caller->at - low < part->p_memsz;
		caller->low = low < caller->low ? low : caller->low;
		caller->high = high > caller->high ? high : caller->high;
	}
	return inside;
}

static int look_into(struct dl_phdr_info *info, size_t size, void *data)
{
	struct caller *caller = data;

	if (!covers(info, caller))
		return 0;
	caller->name = info->dlpi_name;
	return 1;
}

/* The program itself has no name, and all that is global is in its sight. */
static void *find_for(const char *symbol, const void *own,
		      const struct caller *caller)
{
	void *handle = caller->name && *caller->name ?
			       dlopen(caller->name, RTLD_LAZY | RTLD_NOLOAD) :
			       NULL;
	void *function = handle ? dlsym(handle, symbol) : NULL;

	if (!function || function == own)
		function = dlsym(RTLD_NEXT, symbol);
	dlerror(); /* what we did not find is nobody's business */
	return function == own ? NULL : function;
}

static bool can_look(void)
{
	return dlopen && dlsym && dlerror;
}

/* The first to come takes a home, and fills it before it can be seen. */
static void remember_function(struct weir_layers_slot *slot,
			      const struct caller *caller, void *function)
{
	for (int i = 0; i < WEIR_LAYERS_HOMES; i++) {
		struct weir_layers_home *home = &slot->homes[i];
		uintptr_t nobody = 0;

		if (!atomic_compare_exchange_strong(&home->low, &nobody, 1))
			continue;
		home->high = caller->high;
		home->function = function;
		atomic_store(&home->low, caller->low);
		return;
	}
}

static struct weir_layers_home *home_of(struct weir_layers_slot *slot,
				      uintptr_t at)
{
	for (int i = 0; i < WEIR_LAYERS_HOMES; i++) {
		struct weir_layers_home *home = &slot->homes[i];
		uintptr_t low = atomic_load(&home->low);

		if (low > 1 && at >= low && at < home->high)
			return home;
	}
	return NULL;
}

void *weir_layers_find(struct weir_layers_slot *slot, const char *symbol,
		       const void *own, const void *from)
{
	struct weir_layers_home *home = home_of(slot, (uintptr_t)from);
	struct caller caller = { .at = (uintptr_t)from };
	int err = errno;
	void *function = NULL;

	if (home)
		return home->function;
	if (can_look() && dl_iterate_phdr(look_into, &caller)) {
		function = find_for(symbol, own, &caller);
		if (function)
			remember_function(slot, &caller, function);
	}
	errno = err;
	return function;
}

bool weir_layers_span(const void *at, uintptr_t *ret_low, uintptr_t *ret_high)
{
	struct caller caller = { .at = (uintptr_t)at };

	if (!dl_iterate_phdr(look_into, &caller))
		return false;
	*ret_low = caller.low;
	*ret_high = caller.high;
	return true;
}

/* The program itself has no name there. */
bool weir_layers_locate(const void *code, struct weir_layers_place *ret_place)
{
	struct caller caller = { .at = (uintptr_t)code };
	size_t room = sizeof(ret_place->object) - 1;
	long length;

	if (!dl_iterate_phdr(look_into, &caller) || !caller.name)
		return false;
	ret_place->offset = caller.at - (caller.low & ~UINT64_C(4095));
	length = (long)strlen(caller.name);
	if (!length)
		length = weir_sys4(SYS_readlinkat, AT_FDCWD, "/proc/self/exe",
				   ret_place->object, room);
	else if ((size_t)length <= room)
		memcpy(ret_place->object, caller.name, (size_t)length);
	if (length <= 0 || (size_t)length > room)
		return false;
	ret_place->object[length] = '\0';
	return true;
}

void *weir_layers_sibling(const char *symbol, const void *from)
{
	struct caller caller = { .at = (uintptr_t)from };
	int err = errno;
	void *function = NULL;

	if (can_look() && dl_iterate_phdr(look_into, &caller))
		function = find_for(symbol, NULL, &caller);
	errno = err;
	return function;
}

/* Who is linked with a library may have its variables among its own. */
void *weir_layers_object(const char *symbol, const void *from)
{
	int err = errno;
	void *object = can_look() ? dlsym(RTLD_DEFAULT, symbol) : NULL;

	if (!object)
		object = weir_layers_sibling(symbol, from);
	errno = err;
	return object;
}
