# SPDX-License-Identifier: Apache-2.0
# usage: Rscript tool.R FOLDER: as tool.py, of R itself and testthat, if that is installed.
folder <- commandArgs(TRUE)[1]
lines <- strsplit(readLines(file.path(folder, "pairs")), " ")
has_testthat <- suppressWarnings(requireNamespace("testthat", quietly = TRUE))
cat(R.version.string, "\n")
if (has_testthat) cat("testthat", format(packageVersion("testthat")), "\n")

bytes <- function(hex) as.raw(strtoi(substring(hex, seq(1, nchar(hex), 2), seq(2, nchar(hex), 2)), 16))
value <- function(hex, type) {
	if (type == "int64") {
		high <- readBin(bytes(substring(hex, 1, 8)), "integer", size = 4, endian = "big")
		low <- strtoi(substring(hex, c(9, 13), c(12, 16)), 16)
		# NA is the smallest integer.
		(if (is.na(high)) -2^31 else high) * 2^32 + (low[1] * 2^16 + low[2])
	} else if (type == "uint8") {
		strtoi(hex, 16)
	} else if (type == "int32") {
		x <- readBin(bytes(hex), "integer", size = 4, endian = "big")
		if (is.na(x)) -2^31 else as.double(x)
	} else {
		readBin(bytes(hex), "double", size = nchar(hex) / 2, endian = "big")
	}
}
values <- function(text, type)
	if (text == "-") numeric(0) else vapply(strsplit(text, ",")[[1]], value, 0, type, USE.NAMES = FALSE)

pairs <- lapply(lines, function(l) list(name = l[1], old = values(l[4], l[2]), new = values(l[5], l[3])))
for (rule in strsplit(readLines(file.path(folder, "rules")), " ")) {
	p <- if (length(rule) > 2) list(tolerance = as.numeric(sub(".*=", "", rule[3]))) else list()
	equal <- if (rule[2] == "r-all.equal") {
		function(old, new) isTRUE(do.call(all.equal, c(list(old, new), p)))
	} else if (rule[2] == "testthat" && has_testthat) {
		function(old, new) tryCatch({
			testthat::local_edition(3)
			do.call(testthat::expect_equal, c(list(new, old, max_diffs = 1), p))
			TRUE
		}, error = function(e) FALSE)
	} else next
	for (pair in pairs)
		cat(rule[1], pair$name, if (equal(pair$old, pair$new)) "passes\n" else "fails\n")
}
