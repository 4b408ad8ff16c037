/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps once what the files of a trace have in common. */
#include "trace/read/readshelf.h"

#include "base/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct weir_readshelf_book {
	struct weir_bytes text;
	struct weir_dictionary *dictionary;
};

void weir_readshelf_fini(struct weir_readshelf *shelf)
{
	for (uint32_t i = 0; i < shelf->book_count; i++) {
		weir_bytes_fini(&shelf->books[i].text);
		weir_dictionary_free(shelf->books[i].dictionary);
	}
	free(shelf->books);
	weir_names_fini(&shelf->names);
	weir_zip_fini(&shelf->zip);
	*shelf = (struct weir_readshelf){ 0 };
}

static int add_book(struct weir_readshelf *shelf,
		    const struct weir_bytes *text)
{
	struct weir_readshelf_book book = {.dictionary = NULL};
	int err = weir_dictionary_parse(text->data, text->used,
					&book.dictionary);

	if (err)
		return err;
	if (WEIR_GROW_EXACTLY(shelf->books, shelf->book_count + 1) ||
	    weir_bytes_add(&book.text, text->data, text->used)) {
		weir_dictionary_free(book.dictionary);
		return -ENOMEM;
	}
	shelf->books[shelf->book_count++] = book;
	return 0;
}

int weir_readshelf_dictionary(struct weir_readshelf *shelf,
			      const struct weir_bytes *text,
			      const struct weir_dictionary **ret_dictionary)
{
	uint32_t i;
	int err = 0;

	for (i = 0; i < shelf->book_count; i++)
		if (shelf->books[i].text.used == text->used &&
		    !memcmp(shelf->books[i].text.data, text->data, text->used))
			break;
	if (i == shelf->book_count)
		err = add_book(shelf, text);
	if (!err)
		*ret_dictionary = shelf->books[i].dictionary;
	return err;
}
