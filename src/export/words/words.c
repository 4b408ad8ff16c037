/* SPDX-License-Identifier: BSD-3-Clause */
/* Names numbers: flags, commands, advice. */
#include "export/words/words.h"

#include "spec/errors.h"

#include <fcntl.h>
#include <fts.h>
#include <ftw.h>
#include <glob.h>
#include <linux/close_range.h>
#include <linux/falloc.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

struct word {
	uint64_t value;
	const char *name;
};

#define WORD(name) { (name), #name }
#define COUNT(words) (sizeof(words) / sizeof(*(words)))

/* Where some have others in them, they come first. */
static const struct word open_words[] = {
	WORD(O_SYNC), WORD(O_TMPFILE), WORD(O_CREAT), WORD(O_EXCL),
	WORD(O_NOCTTY), WORD(O_TRUNC), WORD(O_APPEND), WORD(O_NONBLOCK),
	WORD(O_DSYNC), WORD(O_DIRECT), WORD(O_DIRECTORY), WORD(O_NOFOLLOW),
	WORD(O_NOATIME), WORD(O_CLOEXEC), WORD(O_PATH), WORD(O_ASYNC),
	{ 0100000, "O_LARGEFILE" },
};

static const struct word whence_words[] = {
	WORD(SEEK_SET), WORD(SEEK_CUR), WORD(SEEK_END), WORD(SEEK_DATA),
	WORD(SEEK_HOLE),
};

static const struct word bufmode_words[] = {
	WORD(_IOFBF), WORD(_IOLBF), WORD(_IONBF),
};

static const struct word fcntl_words[] = {
	WORD(F_DUPFD), WORD(F_DUPFD_CLOEXEC), WORD(F_GETFD), WORD(F_SETFD),
	WORD(F_GETFL), WORD(F_SETFL), WORD(F_GETLK), WORD(F_SETLK),
	WORD(F_SETLKW), WORD(F_OFD_GETLK), WORD(F_OFD_SETLK),
	WORD(F_OFD_SETLKW), WORD(F_GETOWN), WORD(F_SETOWN), WORD(F_GETPIPE_SZ),
	WORD(F_SETPIPE_SZ), WORD(F_GETLEASE), WORD(F_SETLEASE),
	WORD(F_ADD_SEALS), WORD(F_GET_SEALS), WORD(F_GETSIG), WORD(F_SETSIG),
	WORD(F_GETOWN_EX), WORD(F_SETOWN_EX), WORD(F_NOTIFY),
	WORD(F_GET_RW_HINT), WORD(F_SET_RW_HINT),
};

static const struct word falloc_words[] = {
	WORD(FALLOC_FL_KEEP_SIZE), WORD(FALLOC_FL_PUNCH_HOLE),
	WORD(FALLOC_FL_COLLAPSE_RANGE), WORD(FALLOC_FL_ZERO_RANGE),
	WORD(FALLOC_FL_INSERT_RANGE), WORD(FALLOC_FL_UNSHARE_RANGE),
};

static const struct word at_words[] = {
	WORD(AT_SYMLINK_NOFOLLOW), WORD(AT_EACCESS), WORD(AT_SYMLINK_FOLLOW),
	WORD(AT_NO_AUTOMOUNT), WORD(AT_EMPTY_PATH), WORD(AT_STATX_FORCE_SYNC),
	WORD(AT_STATX_DONT_SYNC),
};

static const struct word remove_words[] = {
	WORD(AT_REMOVEDIR),
};

static const struct word rename_words[] = {
	WORD(RENAME_NOREPLACE), WORD(RENAME_EXCHANGE), WORD(RENAME_WHITEOUT),
};

static const struct word access_words[] = {
	WORD(R_OK), WORD(W_OK), WORD(X_OK),
};

static const struct word xattr_words[] = {
	WORD(XATTR_CREATE), WORD(XATTR_REPLACE),
};

static const struct word memfd_words[] = {
	WORD(MFD_CLOEXEC), WORD(MFD_ALLOW_SEALING), WORD(MFD_HUGETLB),
};

static const struct word flock_words[] = {
	WORD(LOCK_SH), WORD(LOCK_EX), WORD(LOCK_UN), WORD(LOCK_NB),
};

static const struct word lockf_words[] = {
	WORD(F_ULOCK), WORD(F_LOCK), WORD(F_TLOCK), WORD(F_TEST),
};

static const struct word fadvice_words[] = {
	WORD(POSIX_FADV_NORMAL), WORD(POSIX_FADV_RANDOM),
	WORD(POSIX_FADV_SEQUENTIAL), WORD(POSIX_FADV_WILLNEED),
	WORD(POSIX_FADV_DONTNEED), WORD(POSIX_FADV_NOREUSE),
};

static const struct word rwf_words[] = {
	WORD(RWF_HIPRI), WORD(RWF_DSYNC), WORD(RWF_SYNC), WORD(RWF_NOWAIT),
	WORD(RWF_APPEND),
};

static const struct word sync_words[] = {
	WORD(SYNC_FILE_RANGE_WAIT_BEFORE), WORD(SYNC_FILE_RANGE_WRITE),
	WORD(SYNC_FILE_RANGE_WAIT_AFTER),
};

static const struct word splice_words[] = {
	WORD(SPLICE_F_MOVE), WORD(SPLICE_F_NONBLOCK), WORD(SPLICE_F_MORE),
	WORD(SPLICE_F_GIFT),
};

static const struct word close_words[] = {
	WORD(CLOSE_RANGE_UNSHARE), WORD(CLOSE_RANGE_CLOEXEC),
};

static const struct word statx_words[] = {
	WORD(STATX_BASIC_STATS), WORD(STATX_TYPE), WORD(STATX_MODE),
	WORD(STATX_NLINK), WORD(STATX_UID), WORD(STATX_GID), WORD(STATX_ATIME),
	WORD(STATX_MTIME), WORD(STATX_CTIME), WORD(STATX_INO),
	WORD(STATX_SIZE), WORD(STATX_BLOCKS), WORD(STATX_BTIME),
};

static const struct word resolve_words[] = {
	{ 1, "RESOLVE_NO_XDEV" }, { 2, "RESOLVE_NO_MAGICLINKS" },
	{ 4, "RESOLVE_NO_SYMLINKS" }, { 8, "RESOLVE_BENEATH" },
	{ 16, "RESOLVE_IN_ROOT" }, { 32, "RESOLVE_CACHED" },
};

static const struct word prot_words[] = {
	WORD(PROT_READ), WORD(PROT_WRITE), WORD(PROT_EXEC),
};

static const struct word map_words[] = {
	WORD(MAP_SHARED_VALIDATE), WORD(MAP_SHARED), WORD(MAP_PRIVATE),
	WORD(MAP_FIXED), WORD(MAP_ANONYMOUS), WORD(MAP_GROWSDOWN),
	WORD(MAP_DENYWRITE), WORD(MAP_EXECUTABLE), WORD(MAP_LOCKED),
	WORD(MAP_NORESERVE), WORD(MAP_POPULATE), WORD(MAP_NONBLOCK),
	WORD(MAP_STACK), WORD(MAP_HUGETLB), WORD(MAP_SYNC),
	WORD(MAP_FIXED_NOREPLACE),
};

static const struct word msync_words[] = {
	WORD(MS_ASYNC), WORD(MS_INVALIDATE), WORD(MS_SYNC),
};

static const struct word remap_words[] = {
	WORD(MREMAP_MAYMOVE), WORD(MREMAP_FIXED), WORD(MREMAP_DONTUNMAP),
};

static const struct word madvice_words[] = {
	WORD(MADV_NORMAL), WORD(MADV_RANDOM), WORD(MADV_SEQUENTIAL),
	WORD(MADV_WILLNEED), WORD(MADV_DONTNEED), WORD(MADV_FREE),
	WORD(MADV_REMOVE), WORD(MADV_DONTFORK), WORD(MADV_DOFORK),
	WORD(MADV_MERGEABLE), WORD(MADV_UNMERGEABLE), WORD(MADV_HUGEPAGE),
	WORD(MADV_NOHUGEPAGE), WORD(MADV_DONTDUMP), WORD(MADV_DODUMP),
	WORD(MADV_WIPEONFORK), WORD(MADV_KEEPONFORK), WORD(MADV_COLD),
	WORD(MADV_PAGEOUT), WORD(MADV_POPULATE_READ),
	WORD(MADV_POPULATE_WRITE),
};

static const struct word walk_words[] = {
	WORD(FTW_PHYS), WORD(FTW_MOUNT), WORD(FTW_CHDIR), WORD(FTW_DEPTH),
	WORD(FTW_ACTIONRETVAL),
};

static const struct word fts_words[] = {
	WORD(FTS_COMFOLLOW), WORD(FTS_LOGICAL), WORD(FTS_NOCHDIR),
	WORD(FTS_NOSTAT), WORD(FTS_PHYSICAL), WORD(FTS_SEEDOT), WORD(FTS_XDEV),
	WORD(FTS_WHITEOUT),
};

static const struct word fts_order_words[] = {
	WORD(FTS_AGAIN), WORD(FTS_FOLLOW), WORD(FTS_NOINSTR), WORD(FTS_SKIP),
};

static const struct word glob_words[] = {
	WORD(GLOB_ERR), WORD(GLOB_MARK), WORD(GLOB_NOSORT), WORD(GLOB_DOOFFS),
	WORD(GLOB_NOCHECK), WORD(GLOB_APPEND), WORD(GLOB_NOESCAPE),
	WORD(GLOB_PERIOD), WORD(GLOB_ALTDIRFUNC), WORD(GLOB_BRACE),
	WORD(GLOB_NOMAGIC), WORD(GLOB_TILDE), WORD(GLOB_ONLYDIR),
	WORD(GLOB_TILDE_CHECK),
};

static const struct word globbed_words[] = {
	WORD(GLOB_NOSPACE), WORD(GLOB_ABORTED), WORD(GLOB_NOMATCH),
	WORD(GLOB_NOSYS),
};

static const struct word lio_mode_words[] = {
	{ 0, "LIO_WAIT" }, { 1, "LIO_NOWAIT" },
};

static const struct word lio_op_words[] = {
	{ 0, "read" }, { 1, "write" }, { 2, "nop" },
};

static const struct word iocb_op_words[] = {
	{ 0, "pread" }, { 1, "pwrite" }, { 2, "fsync" }, { 3, "fdsync" },
	{ 5, "poll" }, { 6, "noop" }, { 7, "preadv" }, { 8, "pwritev" },
};

/* Some are newer than the headers we are built with. */
static const struct word uring_op_words[] = {
	{ 0, "nop" }, { 1, "readv" }, { 2, "writev" }, { 3, "fsync" },
	{ 4, "read_fixed" }, { 5, "write_fixed" }, { 6, "poll_add" },
	{ 7, "poll_remove" }, { 8, "sync_file_range" }, { 9, "sendmsg" },
	{ 10, "recvmsg" }, { 11, "timeout" }, { 12, "timeout_remove" },
	{ 13, "accept" }, { 14, "async_cancel" }, { 15, "link_timeout" },
	{ 16, "connect" }, { 17, "fallocate" }, { 18, "openat" },
	{ 19, "close" }, { 20, "files_update" }, { 21, "statx" },
	{ 22, "read" }, { 23, "write" }, { 24, "fadvise" }, { 25, "madvise" },
	{ 26, "send" }, { 27, "recv" }, { 28, "openat2" },
	{ 29, "epoll_ctl" }, { 30, "splice" }, { 31, "provide_buffers" },
	{ 32, "remove_buffers" }, { 33, "tee" }, { 34, "shutdown" },
	{ 35, "renameat" }, { 36, "unlinkat" }, { 37, "mkdirat" },
	{ 38, "symlinkat" }, { 39, "linkat" }, { 40, "msg_ring" },
	{ 41, "fsetxattr" }, { 42, "setxattr" }, { 43, "fgetxattr" },
	{ 44, "getxattr" }, { 45, "socket" }, { 46, "uring_cmd" },
	{ 47, "send_zc" }, { 48, "sendmsg_zc" }, { 49, "read_multishot" },
	{ 50, "waitid" }, { 51, "futex_wait" }, { 52, "futex_wake" },
	{ 53, "futex_waitv" }, { 54, "fixed_fd_install" },
	{ 55, "ftruncate" }, { 56, "bind" }, { 57, "listen" },
	{ 58, "recv_zc" }, { 59, "epoll_wait" }, { 60, "readv_fixed" },
	{ 61, "writev_fixed" }, { 62, "pipe" },
};

static const struct word sqe_words[] = {
	{ 1, "FIXED_FILE" }, { 2, "IO_DRAIN" }, { 4, "IO_LINK" },
	{ 8, "IO_HARDLINK" }, { 16, "ASYNC" }, { 32, "BUFFER_SELECT" },
	{ 64, "CQE_SKIP_SUCCESS" },
};

static const struct word cqe_words[] = {
	{ 1, "BUFFER" }, { 2, "MORE" }, { 4, "SOCK_NONEMPTY" },
	{ 8, "NOTIF" },
};

static const struct word h5_flags_words[] = {
	{ 1, "RDWR" }, { 2, "TRUNC" }, { 4, "EXCL" }, { 16, "CREAT" },
	{ 32, "SWMR_WRITE" }, { 64, "SWMR_READ" },
};

static const struct word h5_scope_words[] = {
	{ 0, "LOCAL" }, { 1, "GLOBAL" },
};

/* enum weir_plan_verdict */
static const struct word verdict_words[] = {
	{ 0, "took" },	  { 1, "changed" }, { 2, "ignored" }, { 3, "kept" },
	{ 4, "inert" },	  { 5, "refused" }, { 6, "given" },   { 7, "unsafe" },
};

/* enum weir_recordevents_fate */
static const struct word fate_words[] = {
	{ 0, "stored" },      { 1, "again" },	{ 2, "failed" },
	{ 3, "overwritten" }, { 4, "removed" }, { 5, "given_up" },
	{ 6, "rescued" },
};

/* enum weir_digest_doubt */
static const struct word doubts_words[] = {
	{ 1, "untold" },    { 2, "existed" },	 { 4, "overwritten" },
	{ 8, "truncated" }, { 16, "mapped" },	 { 32, "copied" },
	{ 64, "shared" },   { 128, "position" }, { 256, "type" },
	{ 512, "wide" },    { 1024, "buffer" },	 { 2048, "short" },
	{ 4096, "crowded" }, { 8192, "view" },	 { 16384, "coarse" },
	{ 32768, "pieces" }, { 65536, "raced" }, { 131072, "buffered" },
};

static const struct word h5_layout_words[] = {
	{ 0, "compact" }, { 1, "contiguous" }, { 2, "chunked" },
	{ 3, "virtual" },
};

static const struct word h5_xfer_words[] = {
	{ 0, "independent" }, { 1, "collective" },
};

static const struct word h5_got_words[] = {
	{ 0, "independent" }, { 1, "chunks_independent" },
	{ 2, "chunks_collective" }, { 3, "chunks_mixed" },
	{ 4, "collective" },
};

static const struct word h5_cause_words[] = {
	{ 1, "set_independent" }, { 2, "datatype_conversion" },
	{ 4, "data_transforms" }, { 8, "mpi_opt_types" },
	{ 16, "not_simple_or_scalar" }, { 32, "not_contiguous_or_chunked" },
	{ 64, "filtered_writes_disabled" }, { 128, "error" },
};

static const struct word h5_end_words[] = {
	{ 0, "done" }, { 1, "failed" }, { 2, "cancelled" }, { 3, "not_known" },
};

/* 0 is to read alone, or to write over what is there. */
static const struct word nc_mode_words[] = {
	{ 0x1, "NC_WRITE" }, { 0x4, "NC_NOCLOBBER" },
	{ 0x20, "NC_64BIT_DATA" }, { 0x100, "NC_CLASSIC_MODEL" },
	{ 0x200, "NC_64BIT_OFFSET" }, { 0x800, "NC_SHARE" },
	{ 0x1000, "NC_NETCDF4" },
};

static const struct word nc_type_words[] = {
	{ 1, "NC_BYTE" }, { 2, "NC_CHAR" }, { 3, "NC_SHORT" },
	{ 4, "NC_INT" }, { 5, "NC_FLOAT" }, { 6, "NC_DOUBLE" },
	{ 7, "NC_UBYTE" }, { 8, "NC_USHORT" }, { 9, "NC_UINT" },
	{ 10, "NC_INT64" }, { 11, "NC_UINT64" },
};

static const struct word nc_memory_words[] = {
	{ 0, "flexible" }, { 1, "text" }, { 2, "schar" }, { 3, "uchar" },
	{ 4, "short" }, { 5, "ushort" }, { 6, "int" }, { 7, "uint" },
	{ 8, "long" }, { 9, "float" }, { 10, "double" }, { 11, "longlong" },
	{ 12, "ulonglong" },
};

static const struct word nc_fill_words[] = {
	{ 0, "NC_FILL" }, { 0x100, "NC_NOFILL" },
};

static const struct word nc_many_words[] = {
	{ (uint64_t)-1, "NC_REQ_ALL" }, { (uint64_t)-2, "NC_GET_REQ_ALL" },
	{ (uint64_t)-3, "NC_PUT_REQ_ALL" },
};

static const struct word mpi_amode_words[] = {
	{ 1, "CREATE" }, { 2, "RDONLY" }, { 4, "WRONLY" }, { 8, "RDWR" },
	{ 16, "DELETE_ON_CLOSE" }, { 32, "UNIQUE_OPEN" }, { 64, "EXCL" },
	{ 128, "APPEND" }, { 256, "SEQUENTIAL" },
};

static const struct word mpi_whence_words[] = {
	{ 600, "MPI_SEEK_SET" }, { 602, "MPI_SEEK_CUR" },
	{ 604, "MPI_SEEK_END" },
};

static const struct word mpi_level_words[] = {
	{ 0, "single" }, { 1, "funneled" }, { 2, "serialized" },
	{ 3, "multiple" },
};

static const struct word mpiio_error_words[] = { WEIR_ERRORS_MPIIO };
static const struct word pnetcdf_error_words[] = { WEIR_ERRORS_PNETCDF };

#define LIST(show, words, bits)                                            \
	{ show, words##_words, COUNT(words##_words), bits }

static const struct list {
	const char *show;
	const struct word *words;
	size_t count;
	int bits; /* several of them may be set */
} lists[] = {
	LIST("whence", whence, 0),
	LIST("bufmode", bufmode, 0),
	LIST("fcntl_cmd", fcntl, 0),
	LIST("lockf_cmd", lockf, 0),
	LIST("fadvice", fadvice, 0),
	LIST("madvice", madvice, 0),
	LIST("fts_order", fts_order, 0),
	LIST("globbed", globbed, 0),
	LIST("lio_mode", lio_mode, 0),
	LIST("lio_op", lio_op, 0),
	LIST("iocb_op", iocb_op, 0),
	LIST("uring_op", uring_op, 0),
	LIST("h5_scope", h5_scope, 0),
	LIST("verdict", verdict, 0),
	LIST("doubts", doubts, 1),
	LIST("fate", fate, 0),
	LIST("h5_layout", h5_layout, 0),
	LIST("h5_xfer", h5_xfer, 0),
	LIST("h5_io_mode", h5_got, 0),
	LIST("h5_cause", h5_cause, 1),
	LIST("h5_end", h5_end, 0),
	LIST("nc_type", nc_type, 0),
	LIST("nc_memory", nc_memory, 0),
	LIST("nc_fill", nc_fill, 0),
	LIST("nc_many", nc_many, 0),
	LIST("nc_mode", nc_mode, 1),
	LIST("mpi_whence", mpi_whence, 0),
	LIST("mpi_level", mpi_level, 0),
	LIST("mpiio_error", mpiio_error, 0),
	LIST("pnetcdf_error", pnetcdf_error, 0),
	LIST("mpi_amode", mpi_amode, 1),
	LIST("sqe_flags", sqe, 1),
	LIST("cqe_flags", cqe, 1),
	LIST("falloc_mode", falloc, 1),
	LIST("at_flags", at, 1),
	LIST("remove_flags", remove, 1),
	LIST("rename_flags", rename, 1),
	LIST("xattr_flags", xattr, 1),
	LIST("memfd_flags", memfd, 1),
	LIST("flock_op", flock, 1),
	LIST("rwf_flags", rwf, 1),
	LIST("sync_flags", sync, 1),
	LIST("splice_flags", splice, 1),
	LIST("close_flags", close, 1),
	LIST("statx_mask", statx, 1),
	LIST("resolve_flags", resolve, 1),
	LIST("prot", prot, 1),
	LIST("map_flags", map, 1),
	LIST("msync_flags", msync, 1),
	LIST("remap_flags", remap, 1),
	LIST("walk_flags", walk, 1),
	LIST("fts_options", fts, 1),
	LIST("glob_flags", glob, 1),
};

/* One of several; a number when it is none of them. */
static void show_one(struct weir_text *out, const struct list *list,
		     uint64_t number)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->words[i].value == number) {
			weir_text_string(out, list->words[i].name);
			return;
		}
	weir_text_signed(out, (int64_t)number);
}

/* Several joined by '|', and what has no name in hexadecimal. */
static void show_bits(struct weir_text *out, const struct list *list,
		      uint64_t number, int some)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct word *word = &list->words[i];

		if ((number & word->value) != word->value)
			continue;
		if (some++)
			weir_text_char(out, '|');
		weir_text_string(out, word->name);
		number &= ~word->value;
	}
	if (!number && some)
		return;
	if (some)
		weir_text_char(out, '|');
	weir_text_hex(out, number);
}

static void show_open(struct weir_text *out, uint64_t flags)
{
	static const char *const access[] = {
		"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE",
	};
	static const struct list bits = LIST("", open, 1);

	weir_text_string(out, access[flags & O_ACCMODE]);
	show_bits(out, &bits, flags & ~(uint64_t)O_ACCMODE, 1);
}

static void show_access(struct weir_text *out, uint64_t mode)
{
	static const struct list bits = LIST("", access, 1);

	if (mode)
		show_bits(out, &bits, mode, 0);
	else
		weir_text_string(out, "F_OK");
}

static void show_h5_flags(struct weir_text *out, uint64_t flags)
{
	static const struct list bits = LIST("", h5_flags, 1);

	if (flags)
		show_bits(out, &bits, flags, 0);
	else
		weir_text_string(out, "RDONLY");
}

static void show_dirfd(struct weir_text *out, uint64_t number)
{
	if ((int64_t)number == AT_FDCWD)
		weir_text_string(out, "AT_FDCWD");
	else
		weir_text_signed(out, (int64_t)number);
}

/* A small number, or an address. */
static void show_word(struct weir_text *out, uint64_t number)
{
	if ((int64_t)number == (int32_t)number)
		weir_text_signed(out, (int64_t)number);
	else
		weir_text_hex(out, number);
}

/* A user or group; the highest number leaves it as it is. */
static void show_owner(struct weir_text *out, uint64_t number)
{
	weir_text_signed(out, number == UINT32_MAX ? -1 : (int64_t)number);
}

static const struct {
	const char *show;
	void (*function)(struct weir_text *out, uint64_t number);
} special[] = {
	{ "open_flags", show_open },
	{ "access_mode", show_access },
	{ "dirfd", show_dirfd },
	{ "h5_flags", show_h5_flags },
	{ "word", show_word },
	{ "owner", show_owner },
};

int weir_words_show(struct weir_text *out, const char *show, uint64_t number)
{
	for (size_t i = 0; i < COUNT(special); i++)
		if (!strcmp(show, special[i].show)) {
			special[i].function(out, number);
			return 1;
		}
	for (size_t i = 0; i < COUNT(lists); i++) {
		if (strcmp(show, lists[i].show))
			continue;
		if (lists[i].bits)
			show_bits(out, &lists[i], number, 0);
		else
			show_one(out, &lists[i], number);
		return 1;
	}
	return 0;
}
