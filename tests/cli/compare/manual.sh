# SPDX-License-Identifier: Apache-2.0
# The manual lists the columns and the conditions that there are, in their order.
new_repository
mkdir -p $ROOT && git commit -q --allow-empty -m empty
regild compare -q --columns all --csv - | tr -d '\r' | tr ',' '\n' >there
sed -n '/^\.Sh COLUMNS/,/^\.Sh TEMPLATES/s/^\.It Cm //p' "$REGILD_TOP/man/regild-compare.1" >told
diff told there && echo same
sed -n '/^\.Sh CONDITIONS/,/^\.Sh COLUMNS/s/^\.It Cm \([a-z-]*\).*/\1/p' "$REGILD_TOP/man/regild-compare.1" >told
regild help reports | sed -n '/--fail-on /,/^ *--\|^$/s/^ \{8\}\([a-z][a-z-]*\)[^ ]*  .*/\1/p' | diff - told && echo same
