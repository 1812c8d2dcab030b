# A lost line on stdout is an error, never a success.
try regild help >/dev/full
try regild --version >/dev/full
# Closed by the reader: no death by signal, the same error.
{ sleep 0.2; try regild help; } | true
# Closed from the start, with nothing to say to it.
try regild help >&-
