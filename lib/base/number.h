/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_NUMBER_H
#define REGILD_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest text that rg_double_repr writes, with its NUL: "-2.2250738585072014e-308". */
#define RG_DOUBLE_REPR_SIZE 32

/*
 * Writes the shortest decimal that reads back as the same double, the nearest one where several
 * are equally short, laid out as Python's repr lays it out: "0.0", "-0.0", "1e-05", "0.0001",
 * "1e+16", "inf", "-inf", "nan". Returns the length. The C locale's numeric rules are required
 * (regild never calls setlocale).
 */
size_t rg_double_repr(double value, char out[static RG_DOUBLE_REPR_SIZE]);

/* The double nearest to what printf prints with so many decimals, at least 0, or with so many
 * digits, at least 1. */
double rg_double_round_decimals(double value, int decimals);
double rg_double_round_digits(double value, int digits);

/*
 * A number as people write it in text: an optional sign, digits with an optional point and
 * exponent, or inf/infinity/nan in any case; surrounding blanks (as Python's float() strips them)
 * are allowed, hexadecimal and empty text are not. `text` need not be NUL-terminated.
 */
bool rg_double_parse(const char *text, size_t length, double *out);

/* A number as rg_double_parse takes it, or in per cent: "0.01" and "1%" are the same. */
bool rg_fraction_parse(const char *text, size_t length, double *out);

/* The number that begins at `*at`, without blanks, inf and nan; *at is after it then. False where
 * there is none before `end`. */
bool rg_decimal_read(const char **at, const char *end, double *out);

/*
 * The number, by JSON's grammar, that begins at `*at`; *at is after it then. False where there is
 * none before `end`.
 */
bool rg_json_number_read(const char **at, const char *end, double *out);

/* Decimal digits only, the whole text, no sign but an optional '-'; false when it does not fit. */
bool rg_int64_parse(const char *text, size_t length, int64_t *out);
bool rg_uint64_parse(const char *text, size_t length, uint64_t *out);

/* A size as users write it: "256", "4k", "16M", "2G", "1T" (powers of 1024; "MiB", "MB", "m" are
 * taken as "M"). False when it is not a size or does not fit. */
bool rg_size_parse(const char *text, uint64_t *out);
/* "512 B", "1.5 KiB", "3.2 GiB". */
#define RG_SIZE_TEXT 16
void rg_size_text(uint64_t bytes, char out[static RG_SIZE_TEXT]);

/* A count as people read it: "248,181". Returns `out`. */
#define RG_COUNT_TEXT 28
const char *rg_count_text(uint64_t count, char out[static RG_COUNT_TEXT]);

/* The number nearest to value with so many decimals, ties by the exact binary value: what Python's
 * round(value, places) gives. places: 0 … 12. */
double rg_round_places(double value, int places);

/* A share (0 … 1) in percent, two digits, rounded up: "at most 7.5" is true of 2/27. */
#define RG_PERCENT_SIZE 16
void rg_percent_at_most(char out[static RG_PERCENT_SIZE], double share);

#endif
