# SPDX-License-Identifier: Apache-2.0
# An empty cache, and words that mean nothing.
try regild cache
try regild cache clear
try regild cache bogus
try regild cache list clear
try env -u HOME regild cache
# Nothing was removed: the lost report is all that failed.
try sh -c 'regild cache clear >/dev/full'
