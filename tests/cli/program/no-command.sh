# SPDX-License-Identifier: Apache-2.0
# Without a command: the help, on stderr, and a wrong call.
status=0
regild 2>help.txt || status=$?
regild help | diff - help.txt
exit $status
# exit: 2
