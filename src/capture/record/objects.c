/* SPDX-License-Identifier: BSD-3-Clause */
/* Records which programs and libraries lie where in this process. */
#include "capture/record/objects.h"

#include "base/sys.h"
#include "capture/memory/pool.h"
#include "capture/record/encode.h"
#include "capture/record/mapsfile.h"
#include "capture/record/record.h"
#include "spec/calls.h"

#include <elf.h>
#include <string.h>
#include <sys/uio.h>

#define MOST_CODE   1024 /* mappings of code */
#define MOST_LOOKS  1000 /* into /proc/self/maps, each process */
#define STRANGE	    64
#define PAGE_SHIFT  12
#define HEAD_BYTES  1024 /* of an object: with its program headers */
#define NOTE_BYTES  1024
#define BUILD_BYTES 64

/* Code that was told. Only added to, until a library goes. */
static struct {
	uintptr_t low, high;
} known[MOST_CODE];
static _Atomic uint32_t knowing;
static _Atomic bool looking;
static uint32_t looks;
static _Atomic uint32_t whose; /* process */

/* Pages without code: chains of programs without frame pointers lead there. */
static uintptr_t strange[STRANGE];

static bool is_known_code(uintptr_t address)
{
	uint32_t n = atomic_load_explicit(&knowing, memory_order_acquire);

	for (uint32_t i = 0; i < n; i++)
		if (address >= known[i].low && address < known[i].high)
			return true;
	return false;
}

/* Memory that another thread may unmap. */
static bool copy_memory(void *to, uintptr_t from, size_t bytes)
{
	struct iovec here = { to, bytes };
	struct iovec there = { (void *)from, bytes };

	return weir_sys6(SYS_process_vm_readv, weir_sys0(SYS_getpid), &here, 1,
			 &there, 1, 0) == (long)bytes;
}

/* Writes the build id of a note segment as hexadecimal digits. */
static bool spell_build(const uint8_t *notes, size_t bytes, char *to)
{
	static const char digits[] = "0123456789abcdef";
	size_t at = 0;

	while (at + sizeof(Elf64_Nhdr) <= bytes) {
		const Elf64_Nhdr *note = (const void *)(notes + at);
		size_t name = at + sizeof(*note);
		size_t id = name + ((note->n_namesz + 3) & ~UINT32_C(3));

		if (note->n_namesz > bytes || note->n_descsz > bytes ||
		    id + note->n_descsz > bytes)
			return false;
		if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4 ||
		    memcmp(notes + name, "GNU", 4)) {
			at = id + ((note->n_descsz + 3) & ~UINT32_C(3));
			continue;
		}
		for (size_t i = 0; i < note->n_descsz && i < BUILD_BYTES / 2;
		     i++) {
			*to++ = digits[notes[id + i] >> 4];
			*to++ = digits[notes[id + i] & 15];
		}
		*to = 0;
		return true;
	}
	return false;
}

/* The object's headers lie at its base; `room` is for HEAD and NOTE_BYTES. */
static void find_build(uint8_t *room, uintptr_t base, char *to)
{
	const Elf64_Ehdr *head = (const void *)room;
	const Elf64_Phdr *part;
	uintptr_t first = 0;
	bool has_first = false;

	*to = 0;
	if (!copy_memory(room, base, HEAD_BYTES) ||
	    memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_ident[EI_CLASS] != ELFCLASS64 ||
	    head->e_phentsize != sizeof(*part) || head->e_phoff % 8 ||
	    head->e_phoff > HEAD_BYTES)
		return;
	part = (const void *)(room + head->e_phoff);
	for (int i = 0; i < head->e_phnum &&
			(const uint8_t *)(part + i + 1) <= room + HEAD_BYTES;
	     i++) {
		size_t bytes = part[i].p_filesz < NOTE_BYTES ? part[i].p_filesz
							     : NOTE_BYTES;

		if (part[i].p_type == PT_LOAD && !has_first) {
			has_first = true;
			first = part[i].p_vaddr & ~UINT64_C(4095);
		}
		if (part[i].p_type != PT_NOTE)
			continue;
		/* It stands before the segments only by custom. */
		if (copy_memory(room + HEAD_BYTES,
				base + part[i].p_vaddr -
					(has_first ? first : 0),
				bytes) &&
		    spell_build(room + HEAD_BYTES, bytes, to))
			return;
	}
}

static void record_object(const struct weir_brief *brief,
			  const struct weir_mapsfile_row *row, uintptr_t base)
{
	struct weir_thread *t = brief->thread;
	const struct weir_args args = { .call = WEIR_CALL_OBJECT };
	struct weir_pass child = {
		.thread = t,
		.start = brief->end,
		.end = brief->end,
		.depth = brief->depth + 1u,
		.flags = brief->flags & WEIR_EVENT_VFORK,
	};
	struct weir_encoded *d = weir_record_child_detail(&child);
	char build[BUILD_BYTES + 1];

	find_build((uint8_t *)d->joined, base, build);
	weir_encode_text(d, row->path);
	weir_encode_unsigned(d, base);
	weir_encode_unsigned(d, row->low);
	weir_encode_unsigned(d, row->high);
	weir_encode_text(d, build);
	weir_record_derive(&child, &args);
}

/* Mappings of one object stand one after the other, the first one first. */
static void read_maps(const struct weir_brief *brief)
{
	struct weir_mapsfile maps;
	struct weir_mapsfile_row row;
	uintptr_t base = 0;
	uint64_t inode = 0;

	if (!weir_mapsfile_open(&maps, brief->thread->found,
				sizeof(brief->thread->found)))
		return;
	while (weir_mapsfile_next(&maps, &row)) {
		uint32_t n = atomic_load(&knowing);

		if (row.inode != inode || !row.offset) {
			base = row.low - row.offset;
			inode = row.inode;
		}
		if (!row.is_code || is_known_code(row.low) || n == MOST_CODE)
			continue;
		known[n].low = row.low;
		known[n].high = row.high;
		if (row.path[0] == '/')
			record_object(brief, &row, base);
		atomic_store_explicit(&knowing, n + 1, memory_order_release);
	}
	weir_mapsfile_close(&maps);
}

void weir_objects_forget(void)
{
	if (atomic_exchange(&looking, true))
		return;
	atomic_store(&knowing, 0);
	memset(strange, 0, sizeof(strange));
	atomic_store(&looking, false);
}

/* A forked child tells anew; who was looking as it was forked is not there. */
static void begin_process(void)
{
	uint32_t pid = (uint32_t)weir_pool_live()->pid;

	if (atomic_load_explicit(&whose, memory_order_relaxed) == pid ||
	    atomic_exchange(&whose, pid) == pid)
		return;
	atomic_store(&knowing, 0);
	atomic_store(&looking, false);
	looks = 0;
}

bool weir_objects_know(const struct weir_brief *brief, uintptr_t address)
{
	uintptr_t page = address >> PAGE_SHIFT;
	uintptr_t *odd = &strange[page % STRANGE];

	begin_process();
	if (is_known_code(address))
		return true;
	if (*odd == page || looks >= MOST_LOOKS ||
	    atomic_exchange(&looking, true))
		return false;
	looks++;
	read_maps(brief);
	if (!is_known_code(address))
		*odd = page;
	atomic_store(&looking, false);
	return is_known_code(address);
}

bool weir_objects_region(struct weir_thread *t, uintptr_t address,
			 uintptr_t *ret_low, uintptr_t *ret_high)
{
	struct weir_mapsfile maps;
	struct weir_mapsfile_row row;
	bool found = false;

	if (!weir_mapsfile_open(&maps, t->found, sizeof(t->found)))
		return false;
	while (!found && weir_mapsfile_next(&maps, &row))
		found = address >= row.low && address < row.high;
	weir_mapsfile_close(&maps);
	if (found) {
		*ret_low = row.low;
		*ret_high = row.high;
	}
	return found;
}
