/* SPDX-License-Identifier: BSD-3-Clause */
/* Strips names of files of what only one run has: places and numbers. */
#include "analyse/compare/nameform.h"

#include <string.h>

#define HEX_WORD  8 /* letters from which on hexadecimal digits are a number */
#define UUID_PART 4
#define EXTENSION 5 /* letters of the longest, with its dot */
#define RANDOM	  6 /* letters that mkstemp() and the like put into a name */

/* Without its last component; 0 when nothing is left. */
static size_t without_last(const char *path, size_t len)
{
	while (len && path[len - 1] != '/')
		len--;
	return len ? len - 1 : 0;
}

static int same_last(const struct weir_nameform_root *a,
		     const struct weir_nameform_root *b)
{
	size_t start_a = without_last(a->path, a->len);
	size_t start_b = without_last(b->path, b->len);

	return a->len - start_a == b->len - start_b &&
	       !memcmp(a->path + start_a, b->path + start_b, a->len - start_a);
}

void weir_nameform_roots(const char *const cwds[2],
			 struct weir_nameform_root ret_roots[2])
{
	struct weir_nameform_root cut[2];

	for (int i = 0; i < 2; i++) {
		size_t len = cwds[i] ? strlen(cwds[i]) : 0;

		while (len && cwds[i][len - 1] == '/')
			len--;
		ret_roots[i] = (struct weir_nameform_root){ cwds[i], len };
		cut[i] = ret_roots[i];
	}
	while (cut[0].len && cut[1].len && same_last(&cut[0], &cut[1]))
		for (int i = 0; i < 2; i++)
			cut[i].len = without_last(cut[i].path, cut[i].len);
	if (cut[0].len && cut[1].len)
		memcpy(ret_roots, cut, sizeof(cut));
	else if (!cut[0].len && !cut[1].len) /* they are the same */
		ret_roots[0].len = ret_roots[1].len = 0;
}

int weir_nameform_place(struct weir_bytes *to, const char *name, size_t len,
			const struct weir_nameform_root *root)
{
	int err;

	if (!root->len || len < root->len ||
	    memcmp(name, root->path, root->len) ||
	    (len > root->len && name[root->len] != '/'))
		return weir_bytes_add(to, name, len);
	err = weir_bytes_add(to, ".", 1);
	return err ? err : weir_bytes_add(to, name + root->len,
					  len - root->len);
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static int is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t word_length(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && is_word(text[n]))
		n++;
	return n;
}

/* Hexadecimal digits, some of them decimal: `decade` is a word. */
static int is_hex_number(const char *word, size_t len)
{
	int digits = 0;

	for (size_t i = 0; i < len; i++) {
		if (!is_hex(word[i]))
			return 0;
		digits += is_digit(word[i]);
	}
	return digits > 0;
}

/* `goes_on`: a number and a hyphen stand before it, as in a UUID. */
static int add_word(struct weir_bytes *to, const char *word, size_t len,
		    int *goes_on)
{
	int err = 0;

	if ((len >= HEX_WORD || (*goes_on && len == UUID_PART)) &&
	    is_hex_number(word, len)) {
		*goes_on = 1;
		return weir_bytes_add(to, "#", 1);
	}
	*goes_on = 0;
	for (size_t i = 0; !err && i < len; i++) {
		if (!is_digit(word[i]))
			err = weir_bytes_add(to, word + i, 1);
		else if (!i || !is_digit(word[i - 1]))
			err = weir_bytes_add(to, "#", 1);
	}
	return err;
}

/* What tells one kind of temporary file from another: .h5, but not .Xa81bC. */
static size_t extension_length(const char *name, size_t len)
{
	size_t n = 0;

	while (n < len && n < EXTENSION && name[len - 1 - n] != '.')
		n++;
	return n + 1 < len && n < EXTENSION ? n + 1 : 0;
}

/* Bytes up to the next slash, or all. */
static size_t component_length(const char *text, size_t len)
{
	const char *slash = memchr(text, '/', len);

	return slash ? (size_t)(slash - text) : len;
}

/* A * for all but its extension; as many bytes were taken. */
static int add_star(struct weir_bytes *to, const char *component, size_t len,
		    size_t *ret_taken)
{
	*ret_taken = len - extension_length(component, len);
	return weir_bytes_add(to, "*", 1);
}

static int add_component(struct weir_bytes *to, const char *text, size_t len)
{
	static const char temporary[] = "tmp";
	size_t n, begin = sizeof(temporary) - 1;
	int goes_on = 0, err = 0;

	if (len >= begin + RANDOM && !memcmp(text, temporary, begin))
		err = add_star(to, text, len, &begin);
	else
		begin = 0;
	for (size_t i = begin; !err && i < len; i += n) {
		n = word_length(text + i, len - i);
		if (n) {
			err = add_word(to, text + i, n, &goes_on);
			continue;
		}
		n = 1;
		goes_on &= text[i] == '-';
		err = weir_bytes_add(to, text + i, n);
	}
	return err;
}

static int add_form(struct weir_bytes *to, const char *text, size_t len)
{
	int err = 0;
	size_t n;

	for (size_t i = 0; !err && i < len; i += n) {
		n = component_length(text + i, len - i);
		err = add_component(to, text + i, n);
		if (!err && i + n < len)
			err = weir_bytes_add(to, text + i + n++, 1);
	}
	return err;
}

/* Bytes of the beginning that is a directory for temporary files. */
static size_t temporary_place(const char *name, size_t len)
{
	static const char *const places[] = {
		"/tmp/", "/var/tmp/", "/dev/shm/", "/run/shm/",
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		size_t n = strlen(places[i]);

		if (len > n && !memcmp(name, places[i], n))
			return n;
	}
	return 0;
}

static int add_path(struct weir_bytes *to, const char *path, size_t len)
{
	size_t start = temporary_place(path, len), taken = 0;
	int err = 0;

	if (start) {
		err = weir_bytes_add(to, path, start);
		err = err ? err : add_star(to, path + start,
					   component_length(path + start,
							    len - start),
					   &taken);
	}
	start += taken;
	return err ? err : add_form(to, path + start, len - start);
}

int weir_nameform_make(struct weir_bytes *to, const char *name, size_t len,
		       const struct weir_nameform_root *root)
{
	struct weir_bytes path = { 0 };
	int err = weir_nameform_place(&path, name, len, root);

	if (!err && path.used)
		err = add_path(to, (const char *)path.data, path.used);
	weir_bytes_fini(&path);
	return err;
}
