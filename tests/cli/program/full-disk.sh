# A lost line on stdout is an error, never a success.
to() {
	local status=0
	regild help >"$1" || status=$?
	echo "$1: exit code $status"
}
to /dev/full
to /dev/null
# Its reader has gone: no death by signal, the same error.
{ while [ ! -e gone ]; do sleep 0.05; done; status=0; regild help || status=$?; echo "$status" >status; } |
	{ exec <&-; touch gone; }
while [ ! -s status ]; do sleep 0.05; done
echo "no reader: exit code $(cat status)"
# Closed from the start.
status=0
regild help >&- || status=$?
echo "closed: exit code $status"
