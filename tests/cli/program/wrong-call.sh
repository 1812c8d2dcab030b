# SPDX-License-Identifier: Apache-2.0
# What is wrong is named, with where to look; nothing goes to stdout but what is asked for.
try regild nonsense
try regild udno --list
try regild help comp
try regild refresh 22651183945 --all
try regild help nonsense
try regild help --nonsense
try regild compare --colums=all
try regild compare --c
try regild compare --co=x --csv y
try regild help -Z
try regild help --color
try regild help --color sometimes
try regild help --help=1
try regild help one two
try regild help '--no
nsense'
