/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the kernel and the file system what a file lies on. */
#include "layers/storage.h"

#include "base/lov.h"
#include "base/sys.h"
#include "capture/layer.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#define LARGEST 65536 /* attribute that the kernel passes on */

typedef void tell_layout(const void *bytes, size_t size,
			 char text[WEIR_LOV_TEXT]);

static __thread char stripes[WEIR_LOV_TEXT];
static __thread char number[2 + 16 + 1];

/* By the number that statfs(2) gives. */
static const struct {
	uint32_t type;
	const char *word;
} words[] = {
	{0xef53, "ext4"},	    {0x58465342, "xfs"},
	{0x9123683e, "btrfs"},	    {0x01021994, "tmpfs"},
	{0x6969, "nfs"},	    {0x0bd00bd0, "lustre"},
	{0x47504653, "gpfs"},	    {0x65735546, "fuse"},
	{0x00c36400, "ceph"},	    {0x19830326, "beegfs"},
	{0x794c7630, "overlay"},    {0x2fc12fc1, "zfs"},
	{0xff534d42, "cifs"},	    {0xfe534d42, "smb2"},
	{0x01021997, "9p"},	    {0x5346414f, "afs"},
	{0xaad7aaea, "panfs"},	    {0x20030528, "orangefs"},
	{0x01161970, "gfs2"},	    {0x7461636f, "ocfs2"},
	{0xf2f52010, "f2fs"},	    {0x4d44, "vfat"},
	{0x2011bab0, "exfat"},	    {0x858458f6, "ramfs"},
	{0x958458f6, "hugetlbfs"},  {0x9fa0, "proc"},
	{0x62656572, "sysfs"},	    {0x73717368, "squashfs"},
	{0x9660, "iso9660"},
};

/* As it is, in letters that can be shown. */
static void tell_as_is(const void *bytes, size_t size,
		       char text[WEIR_LOV_TEXT])
{
	const char *from = bytes;
	size_t used = 0;

	while (used < size && used < WEIR_LOV_TEXT - 1 && from[used] >= ' ' &&
	       from[used] < 0x7f) {
		text[used] = from[used];
		used++;
	}
	text[used] = 0;
}

/* Asked only where they may be: it is a request to a server. */
static const struct {
	const char *fs, *attribute;
	tell_layout *tell;
} layouts[] = {
	{"lustre", "lustre.lov", weir_lov_describe},
	{"ceph", "ceph.file.layout", tell_as_is},
	{"fuse", "lustre.lov", weir_lov_describe}, /* gateways of them */
	{"fuse", "ceph.file.layout", tell_as_is},
};

/* Never needed, but better than no word. */
static const char *hexadecimal(uint32_t type)
{
	static const char digits[] = "0123456789abcdef";
	char *at = number;
	int shift = 28;

	*at++ = '0';
	*at++ = 'x';
	while (shift && !(type >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		*at++ = digits[type >> shift & 15];
	*at = 0;
	return number;
}

static const char *type_of(const char *name)
{
	struct statfs st;
	uint32_t type;

	if (weir_sys2(SYS_statfs, name, &st))
		return "";
	type = (uint32_t)st.f_type;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i].type == type)
			return words[i].word;
	return hexadecimal(type);
}

/* Layouts may be larger than what is left of a small stack. */
static void ask_attribute(const char *name, const char *attribute,
			  tell_layout *tell)
{
	long room = weir_sys6(SYS_mmap, 0, LARGEST, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long got;

	if (weir_sys_failed(room))
		return;
	got = weir_sys4(SYS_getxattr, name, attribute, room, LARGEST);
	if (got > 0 && got <= LARGEST)
		tell((const void *)room, (size_t)got, stripes);
	weir_sys2(SYS_munmap, room, LARGEST);
}

void weir_storage_ask(const char *name, struct weir_storage *ret_storage)
{
	const char *fs = "";

	stripes[0] = 0;
	if (name && weir_layer_may_ask())
		fs = type_of(name);
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (!stripes[0] && !strcmp(fs, layouts[i].fs))
			ask_attribute(name, layouts[i].attribute,
				      layouts[i].tell);
	*ret_storage = (struct weir_storage){fs, stripes};
}
