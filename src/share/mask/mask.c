/* SPDX-License-Identifier: BSD-3-Clause */
/* Masks what others shall not read in a trace. */
#include "share/mask/mask.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* A name that is longer is no path, and is hidden as one word. */
#define MOST_PATH 65536

/* Inodes fit a signed field of a record, devices and users their types. */
#define INO_BITS 56
#define DEV_BITS 32
#define ID_BITS	 31

/* A piece of a text that is not terminated. */
struct piece {
	const char *at;
	size_t len;
};

static int is_word(const struct piece *piece, const char *word)
{
	return piece->len == strlen(word) &&
	       !memcmp(piece->at, word, piece->len);
}

static int begins(const struct piece *piece, const char *word)
{
	size_t len = strlen(word);

	return piece->len >= len && !memcmp(piece->at, word, len);
}

static int ends(const struct piece *piece, const char *word)
{
	size_t len = strlen(word);

	return piece->len >= len &&
	       !memcmp(piece->at + piece->len - len, word, len);
}

static int is_listed(const struct piece *piece, const char *const *words)
{
	for (; *words; words++)
		if (is_word(piece, *words))
			return 1;
	return 0;
}

int weir_mask_allow(struct weir_mask *mask, const char *word)
{
	static const struct {
		const char *word;
		unsigned keep;
	} words[] = {
		{"extensions", WEIR_MASK_EXTENSIONS},
		{"host", WEIR_MASK_HOST},
		{"args", WEIR_MASK_ARGS},
		{"programs", WEIR_MASK_PROGRAMS},
		{"users", WEIR_MASK_USERS},
		{"inodes", WEIR_MASK_INODES},
	};

	if (*word == '/') {
		if (mask->prefix_count == WEIR_MASK_PREFIXES)
			return -E2BIG;
		mask->prefixes[mask->prefix_count++] = word;
		return 0;
	}
	if (!strcmp(word, "none")) {
		mask->keep &= ~(unsigned)WEIR_MASK_EXTENSIONS;
		return 0;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(word, words[i].word))
			continue;
		mask->keep |= words[i].keep;
		return 0;
	}
	return -EINVAL;
}

static int add_piece(struct weir_bytes *to, const struct piece *piece)
{
	return weir_bytes_add(to, piece->at, piece->len);
}

static int add_word(const struct weir_mask *mask, const struct piece *piece,
		    struct weir_bytes *to)
{
	char word[WEIR_SECRET_WORD + 1];

	weir_maskcache_word(mask->cache, &mask->secret, piece->at, piece->len,
			    word);
	return weir_bytes_add(to, word, WEIR_SECRET_WORD);
}

static int add_number(struct weir_bytes *to, uint64_t number)
{
	char digits[20], *d = digits + sizeof(digits);

	do
		*--d = (char)('0' + number % 10);
	while (number /= 10);
	return weir_bytes_add(to, d, (size_t)(digits + sizeof(digits) - d));
}

/* The end of a name from its last dot on, when many have it. */
static struct piece extension_of(const struct piece *name)
{
	static const char *const known[] = {
		".a",	 ".bak",  ".bin",  ".bp",  ".bz2",    ".c",   ".cc",
		".cfg",	 ".conf", ".cpp",  ".csv", ".dat",    ".db",  ".err",
		".f",	 ".f90",  ".fits", ".grb", ".grib",   ".gz",  ".h",
		".h5",	 ".hdf",  ".hdf5", ".in",  ".ini",    ".jpg", ".json",
		".lock", ".log",  ".md",   ".nc",  ".nc4",    ".nml", ".npy",
		".npz",	 ".o",	  ".out",  ".pdf", ".png",    ".py",  ".pyc",
		".root", ".sh",	  ".so",   ".sql", ".sqlite", ".tar", ".tif",
		".tmp",	 ".toml", ".txt",  ".vtk", ".vtu",    ".xml", ".xz",
		".yaml", ".yml",  ".zip",  ".zst", NULL};
	const char *dot = memrchr(name->at, '.', name->len);
	struct piece end = {NULL, 0};

	if (!dot || dot == name->at)
		return end;
	end.at = dot;
	end.len = (size_t)(name->at + name->len - dot);
	if (!is_listed(&end, known))
		end.len = 0;
	return end;
}

static int add_component(const struct weir_mask *mask, const struct piece *name,
			 struct weir_bytes *to)
{
	struct piece end;
	int err;

	if (!name->len || is_word(name, ".") || is_word(name, ".."))
		return add_piece(to, name);
	err = add_word(mask, name, to);
	if (err || !(mask->keep & WEIR_MASK_EXTENSIONS))
		return err;
	end = extension_of(name);
	return end.len ? add_piece(to, &end) : 0;
}

/* Each component by itself. */
static int add_components(const struct weir_mask *mask, struct piece path,
			  struct weir_bytes *to)
{
	bool is_whole;
	int err = 0;

	while (!err) {
		const char *slash = memchr(path.at, '/', path.len);
		struct piece name = path;

		if (slash)
			name.len = (size_t)(slash - path.at);
		path.at += name.len + 1;
		path.len -= slash ? name.len + 1 : name.len;
		/* FILE:/PATH, an object in a file, stays one. */
		is_whole = slash && name.len > 1 &&
			   name.at[name.len - 1] == ':';
		name.len -= is_whole;
		err = add_component(mask, &name, to);
		err = err || !is_whole ? err : weir_bytes_add(to, ":", 1);
		if (err || !slash)
			break;
		err = weir_bytes_add(to, "/", 1);
	}
	return err;
}

static bool lies_in(const struct piece *path, const char *place, size_t len)
{
	return path->len >= len && !memcmp(path->at, place, len) &&
	       (path->len == len || path->at[len] == '/');
}

/* These tell what kind of file it is, and of nobody: pipes, memory, ... */
static const char *const places[] = { "/dev/pts", "/dev/shm", "/dev/tty",
				      "/dev", "/proc", "/sys" };

static size_t place_part(const struct piece *path)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (lies_in(path, places[i], strlen(places[i])))
			return strlen(places[i]);
	return 0;
}

/* How much of an absolute path is to be left as it is. */
static size_t clear_part(const struct weir_mask *mask, const struct piece *path)
{
	size_t most = place_part(path);

	for (unsigned i = 0; i < mask->prefix_count; i++) {
		const char *prefix = mask->prefixes[i];
		size_t len = strlen(prefix);

		while (len && prefix[len - 1] == '/')
			len--;
		if (!lies_in(path, prefix, len))
			continue;
		/* A prefix of slashes alone means every absolute path. */
		if (!len)
			return path->len;
		if (len > most)
			most = len;
	}
	return most;
}

static int parse_number(const struct piece *digits, uint64_t *ret_number)
{
	uint64_t number = 0;

	if (!digits->len || digits->len > 19)
		return -EINVAL;
	for (size_t i = 0; i < digits->len; i++) {
		if (digits->at[i] < '0' || digits->at[i] > '9')
			return -EINVAL;
		number = number * 10 + (uint64_t)(digits->at[i] - '0');
	}
	*ret_number = number;
	return 0;
}

/* pipe:[4711]: an inode of the kernel's own. 1 when it was one. */
static int add_invented(const struct weir_mask *mask, const struct piece *name,
			struct weir_bytes *to, int *ret_err)
{
	static const char *const kinds[] = {"pipe",   "socket", "mnt", "net",
					    "pid",    "user",	"uts", "ipc",
					    "cgroup", "time",	NULL};
	const char *open = memchr(name->at, '[', name->len);
	struct piece kind, digits;
	uint64_t number = 0;
	int err;

	if (!open || open - name->at < 2 || open[-1] != ':' || !ends(name, "]"))
		return 0;
	kind = (struct piece){name->at, (size_t)(open - 1 - name->at)};
	digits = (struct piece){open + 1, name->len - kind.len - 3};
	if (!is_listed(&kind, kinds) || parse_number(&digits, &number))
		return 0;
	kind.len += 2;
	err = add_piece(to, &kind);
	if (!err)
		err = add_number(to,
				 weir_mask_number(mask, WEIR_MASK_INO, number));
	*ret_err = err ? err : weir_bytes_add(to, "]", 1);
	return 1;
}

static int is_known_anon(const struct piece *name)
{
	static const char *const known[] = {
		"anon_inode:[eventfd]",	    "anon_inode:[eventpoll]",
		"anon_inode:[timerfd]",	    "anon_inode:[signalfd]",
		"anon_inode:[io_uring]",    "anon_inode:[perf_event]",
		"anon_inode:[userfaultfd]", "anon_inode:[pidfd]",
		"anon_inode:[fanotify]",    "anon_inode:inotify",
		"anon_inode:[aio]",	    NULL};

	return is_listed(name, known);
}

/* "/memfd:NAME" and "NAME (deleted)" are the kernel's to say. */
static int add_path(const struct weir_mask *mask, struct piece path,
		    struct weir_bytes *to)
{
	static const char gone[] = " (deleted)", memfd[] = "/memfd:";
	struct piece start = {path.at, 0}, end = {gone, 0};
	int err;

	if (ends(&path, gone)) {
		end.len = strlen(gone);
		path.len -= end.len;
	}
	if (begins(&path, memfd))
		start.len = strlen(memfd);
	else
		start.len = clear_part(mask, &path);
	path.at += start.len;
	path.len -= start.len;
	err = add_piece(to, &start);
	if (!err)
		err = add_components(mask, path, to);
	return err ? err : add_piece(to, &end);
}

int weir_mask_path(const struct weir_mask *mask, const void *text, size_t len,
		   struct weir_bytes *to)
{
	struct piece path = {text, len};
	int err = 0;

	if (!len)
		return 0;
	if (len > MOST_PATH)
		return add_word(mask, &path, to);
	if (is_known_anon(&path))
		return add_piece(to, &path);
	if (add_invented(mask, &path, to, &err))
		return err;
	return add_path(mask, path, to);
}

int weir_mask_keeps_below(const struct weir_mask *mask, const char *path)
{
	size_t len = strlen(path);

	for (unsigned i = 0; i < mask->prefix_count; i++) {
		const char *prefix = mask->prefixes[i];

		if (!strncmp(prefix, path, len) && prefix[len] == '/' &&
		    prefix[len + strspn(prefix + len, "/")])
			return 1;
	}
	return 0;
}

int weir_mask_name(const struct weir_mask *mask, const void *text, size_t len,
		   struct weir_bytes *to)
{
	/* Streams that no file is behind, and pipes that were made here. */
	static const char *const own[] = {"memory", "cookie", "pipe", NULL};
	struct piece name = {text, len};

	if (is_listed(&name, own))
		return add_piece(to, &name);
	return weir_mask_path(mask, text, len, to);
}

int weir_mask_host(const struct weir_mask *mask, const void *text, size_t len,
		   struct weir_bytes *to)
{
	struct piece host = {text, len};

	if (!len || mask->keep & WEIR_MASK_HOST)
		return add_piece(to, &host);
	return add_word(mask, &host, to);
}

int weir_mask_program(const struct weir_mask *mask, const void *text,
		      size_t len, struct weir_bytes *to)
{
	if (mask->keep & WEIR_MASK_PROGRAMS)
		return weir_bytes_add(to, text, len);
	return weir_mask_path(mask, text, len, to);
}

int weir_mask_source(const struct weir_mask *mask, const void *text, size_t len,
		     struct weir_bytes *to)
{
	struct piece source = {text, len};

	return len ? add_word(mask, &source, to) : 0;
}

/* Of size=4096 the key with its sign; none: it could hide anything. */
static size_t known_key(const struct piece *word)
{
	static const char *const known[] = {
		"size=",	"count=",	 "first=",	 "extent=",
		"parts=",	"pattern=",	 "pool=",	 "stripe_unit=",
		"stripe_count=", "object_size=", "pool_namespace=", NULL};
	const char *equals = memchr(word->at, '=', word->len);
	struct piece key = {word->at, 0};

	if (equals)
		key.len = (size_t)(equals - word->at) + 1;
	return is_listed(&key, known) ? key.len : 0;
}

static int add_layout_word(const struct weir_mask *mask, struct piece word,
			   struct weir_bytes *to)
{
	struct piece key = {word.at, known_key(&word)};
	int is_number = key.len && !begins(&word, "pool");
	int err = add_piece(to, &key);

	word.at += key.len;
	word.len -= key.len;
	for (size_t i = 0; i < word.len; i++)
		is_number &= (word.at[i] >= '0' && word.at[i] <= '9') ||
			     word.at[i] == '-';
	if (err || !word.len)
		return err;
	return is_number ? add_piece(to, &word) : add_word(mask, &word, to);
}

int weir_mask_layout(const struct weir_mask *mask, const void *text, size_t len,
		     struct weir_bytes *to)
{
	struct piece word = {text, 0};
	int err = 0;

	for (size_t i = 0; !err && i < len; i++) {
		const char *at = (const char *)text + i;

		if (*at != ' ' && *at != ';') {
			word.len++;
			continue;
		}
		err = add_layout_word(mask, word, to);
		err = err ?: weir_bytes_add(to, at, 1);
		word = (struct piece){at + 1, 0};
	}
	return err ?: add_layout_word(mask, word, to);
}

int weir_mask_argument(const struct weir_mask *mask, const void *text,
		       size_t len, struct weir_bytes *to)
{
	struct piece option = {text, 0};
	const char *equals = memchr(text, '=', len);
	int err;

	if (mask->keep & WEIR_MASK_ARGS)
		return weir_bytes_add(to, text, len);
	while (option.len < 2 && option.len < len &&
	       option.at[option.len] == '-')
		option.len++;
	if (!option.len)
		return weir_mask_path(mask, text, len, to);
	err = add_piece(to, &option);
	option.at += option.len;
	len -= option.len;
	if (!equals)
		return err ? err : weir_mask_path(mask, option.at, len, to);
	option.len = (size_t)(equals - option.at);
	if (!err && option.len)
		err = add_word(mask, &option, to);
	if (!err)
		err = weir_bytes_add(to, "=", 1);
	return err ? err
		   : weir_mask_path(mask, equals + 1, len - option.len - 1, to);
}

uint64_t weir_mask_number(const struct weir_mask *mask,
			  enum weir_mask_number what, uint64_t number)
{
	int is_user = what == WEIR_MASK_UID || what == WEIR_MASK_GID;
	unsigned bits = is_user			? ID_BITS
			: what == WEIR_MASK_INO ? INO_BITS
						: DEV_BITS;

	if (mask->keep & (is_user ? WEIR_MASK_USERS : WEIR_MASK_INODES))
		return number;
	/* 0 is no device and no inode; -1 in a chown is nobody. */
	if (is_user ? number == UINT32_MAX || number == UINT64_MAX : !number)
		return number;
	return weir_secret_number(&mask->secret, (char)what, number) >>
	       (64 - bits);
}
