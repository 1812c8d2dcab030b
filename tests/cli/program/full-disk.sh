# SPDX-License-Identifier: Apache-2.0
# A lost line on stdout is an error, never a success.
to() {
	local status=0
	regild help >"$1" || status=$?
	echo "$1: exit code $status"
}
to /dev/full
to /dev/null
# Its reader has gone (regild … | head -1): silent, by SIGPIPE, also where it came in ignored.
unread() {
	rm -f gone status
	{
		while [ ! -e gone ]; do sleep 0.05; done
		status=0
		"$@" || status=$?
		echo "$status" >status
	} | { exec <&-; touch gone; }
	while [ ! -s status ]; do sleep 0.05; done
	echo "no reader: exit code $(cat status)"
}
unread regild help
ignoring() (
	trap '' PIPE
	exec "$@"
)
unread ignoring regild help
# The last line fills a buffer, fails and is dropped: nothing is left to fail on at the end.
printf '{"%04000d": [NaN], "%0100d": [NaN]}' 0 0 >g.json
unread regild check -q g.json
# Closed from the start.
status=0
regild help >&- || status=$?
echo "closed: exit code $status"
