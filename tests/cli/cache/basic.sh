# An empty cache, and words that mean nothing.
try regild cache
try regild cache clear
try regild cache bogus
try regild cache list clear
try env -u HOME regild cache
