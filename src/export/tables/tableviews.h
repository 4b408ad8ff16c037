/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines indexes and views over the tables of a trace in SQL. */
#ifndef WEIR_TABLES_TABLEVIEWS_H
#define WEIR_TABLES_TABLEVIEWS_H

/* To be run when all rows are there. */
extern const char weir_tableviews_sql[];

#endif
