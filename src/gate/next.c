/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the functions that come after ours in the search order.
 *
 * dlsym(RTLD_NEXT) would do, but it may allocate (and so call into a malloc
 * that is not ready and opens files), and its version differs between the C
 * libraries that we must start under. The loaded objects and their hash
 * tables are there to be read.
 */
#include "gate/next.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#define HIDDEN_VERSION 0x8000
#define MOST_NOTED     64

struct object {
	ElfW(Addr) base;
	const ElfW(Sym) *symbols;
	const char *strings;
	const uint32_t *gnu_hash;
	const uint32_t *old_hash;
	const uint16_t *versions;
	const ElfW(Verdef) *defined;
};

struct wanted {
	const char *symbol;
	const char *versions;
	uint32_t hash;
	bool is_variable;
};

/* A walk over the loaded objects, from the first one behind us. */
struct search {
	const struct wanted *wanted; /* NULL: to be noted */
	void *found;
	bool behind_us;
};

/* The objects behind us at the start, in order: these are never unloaded. */
static struct object noted[MOST_NOTED];
static size_t noted_count;

/* Whether the table holds addresses or offsets depends on the loader. */
static const void *address(const struct object *object, ElfW(Addr) value)
{
	return (const void *)(value < object->base ? value + object->base
						   : value);
}

static void read_dynamic(struct object *object, const ElfW(Dyn) *dynamic)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++) {
		const void *at = address(object, dynamic->d_un.d_ptr);

		switch (dynamic->d_tag) {
		case DT_SYMTAB:
			object->symbols = at;
			break;
		case DT_STRTAB:
			object->strings = at;
			break;
		case DT_GNU_HASH:
			object->gnu_hash = at;
			break;
		case DT_HASH:
			object->old_hash = at;
			break;
		case DT_VERSYM:
			object->versions = at;
			break;
		case DT_VERDEF:
			object->defined = at;
			break;
		}
	}
}

static const char *version_of(const struct object *object, uint32_t index)
{
	const ElfW(Verdef) *at = object->versions ? object->defined : NULL;
	uint16_t wanted = at ? object->versions[index] & ~HIDDEN_VERSION : 0;

	while (at && at->vd_ndx != wanted)
		at = at->vd_next ? (const void *)((const char *)at +
						  at->vd_next) : NULL;
	if (!at)
		return "";
	return object->strings +
	       ((const ElfW(Verdaux) *)((const char *)at + at->vd_aux))
		       ->vda_name;
}

/* Whether a word is one of a list. */
static bool lists(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (; len && *list; list += *list == ' ') {
		size_t next = strcspn(list, " ");

		if (next == len && !strncmp(list, word, len))
			return true;
		list += next;
	}
	return false;
}

static bool is_kind(const ElfW(Sym) *symbol, bool is_variable)
{
	int type = ELF64_ST_TYPE(symbol->st_info);

	return is_variable ? type == STT_OBJECT
			   : type == STT_FUNC || type == STT_GNU_IFUNC;
}

static bool matches(const struct object *object, uint32_t index,
		    const struct wanted *wanted)
{
	const ElfW(Sym) *symbol = &object->symbols[index];

	if (symbol->st_shndx == SHN_UNDEF || !symbol->st_value ||
	    !is_kind(symbol, wanted->is_variable))
		return false;
	if (strcmp(object->strings + symbol->st_name, wanted->symbol))
		return false;
	if (wanted->versions)
		return lists(wanted->versions, version_of(object, index));
	return !object->versions ||
	       !(object->versions[index] & HIDDEN_VERSION);
}

static void *function(const struct object *object, uint32_t index)
{
	const ElfW(Sym) *symbol = &object->symbols[index];
	void *at = (void *)(object->base + symbol->st_value);

	if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
		return ((void *(*)(void))at)();
	return at;
}

/* header: buckets, first symbol, bloom words, bloom shift; then the tables */
static void *find_gnu(const struct object *object,
		      const struct wanted *wanted)
{
	const uint32_t *table = object->gnu_hash;
	uint32_t buckets = table[0], first = table[1];
	const ElfW(Addr) *bloom = (const void *)(table + 4);
	const uint32_t *bucket = (const void *)(bloom + table[2]);
	const uint32_t *chain = bucket + buckets;
	uint32_t hash = wanted->hash, index;
	ElfW(Addr) word = bloom[hash / 64 % table[2]];

	if (!(word >> hash % 64 & word >> (hash >> table[3]) % 64 & 1))
		return NULL;
	index = buckets ? bucket[hash % buckets] : 0;
	for (; index >= first; index++) {
		uint32_t other = chain[index - first];

		if ((other | 1) == (hash | 1) &&
		    matches(object, index, wanted))
			return function(object, index);
		if (other & 1)
			break;
	}
	return NULL;
}

/* Objects without the newer table: count is in the older one. */
static void *find_old(const struct object *object,
		      const struct wanted *wanted)
{
	for (uint32_t i = 0; i < object->old_hash[1]; i++)
		if (matches(object, i, wanted))
			return function(object, i);
	return NULL;
}

static void *find_in(const struct object *object, const struct wanted *wanted)
{
	if (!object->symbols || !object->strings)
		return NULL;
	if (object->gnu_hash && object->gnu_hash[2])
		return find_gnu(object, wanted);
	return object->old_hash ? find_old(object, wanted) : NULL;
}

static bool holds_us(const struct dl_phdr_info *info)
{
	ElfW(Addr) here = (ElfW(Addr))holds_us;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type == PT_LOAD &&
		    here - info->dlpi_addr - part->p_vaddr < part->p_memsz)
			return true;
	}
	return false;
}

static bool is_vdso(const struct dl_phdr_info *info)
{
	return info->dlpi_name && !strncmp(info->dlpi_name, "linux-", 6);
}

static struct object object_of(const struct dl_phdr_info *info)
{
	struct object object = { .base = info->dlpi_addr };

	for (int i = 0; i < info->dlpi_phnum && !is_vdso(info); i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type == PT_DYNAMIC)
			read_dynamic(&object, (const void *)(object.base +
							     part->p_vaddr));
	}
	return object;
}

static int look_into(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	struct object object;

	if (!search->behind_us) {
		search->behind_us = holds_us(info);
		return 0;
	}
	object = object_of(info);
	if (search->wanted)
		search->found = find_in(&object, search->wanted);
	else if (noted_count < MOST_NOTED)
		noted[noted_count++] = object;
	return search->found != NULL;
}

void weir_next_prepare(void)
{
	struct search search = { .wanted = NULL };
	int err = weir_gate_errno();

	if (!noted_count)
		dl_iterate_phdr(look_into, &search);
	weir_gate_set_errno(err);
}

static struct wanted want(const char *symbol, const char *versions)
{
	struct wanted wanted = { symbol, versions, 5381, false };

	for (const char *at = symbol; *at; at++)
		wanted.hash = wanted.hash * 33 + (uint8_t)*at;
	return wanted;
}

/* In the order in which the loader would look: what came later is behind. */
static bool set(const struct wanted *wanted, void **ret_at)
{
	struct search search = { .wanted = wanted };
	int err = weir_gate_errno();

	for (size_t i = 0; i < noted_count && !search.found; i++)
		search.found = find_in(&noted[i], wanted);
	if (!search.found)
		dl_iterate_phdr(look_into, &search);
	if (search.found)
		*ret_at = search.found;
	weir_gate_set_errno(err);
	return search.found;
}

bool weir_next_set(const char *symbol, const char *versions, void **function)
{
	struct wanted wanted = want(symbol, versions);

	return set(&wanted, function);
}

bool weir_next_variable(const char *symbol, const char *versions,
			void **ret_variable)
{
	struct wanted wanted = want(symbol, versions);

	wanted.is_variable = true;
	return set(&wanted, ret_variable);
}

void weir_next_fill(const struct weir_next_slot *slots, size_t count)
{
	for (size_t i = 0; i < count; i++)
		weir_next_set(slots[i].symbol, slots[i].versions,
			      slots[i].function);
}

static int look_for_us(struct dl_phdr_info *info, size_t size, void *data)
{
	const char **name = data;

	if (!holds_us(info))
		return 0;
	*name = info->dlpi_name;
	return 1;
}

const char *weir_next_own_name(void)
{
	const char *name = NULL;

	dl_iterate_phdr(look_for_us, &name);
	return name;
}
