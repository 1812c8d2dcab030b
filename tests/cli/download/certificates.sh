# SPDX-License-Identifier: Apache-2.0
# Certificates are checked, against the ones that CURL_CA_BUNDLE or SSL_CERT_FILE names.
command -v openssl >/dev/null || skip "needs openssl(1)"
unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -subj /CN=localhost \
	-addext 'subjectAltName=DNS:localhost' 2>/dev/null
openssl s_server -accept 127.0.0.1:0 -key key.pem -cert cert.pem -www >server 2>&1 &
trap 'kill $! 2>/dev/null || true' EXIT
eventually grep -qs '^ACCEPT .*:[0-9]' server
port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' server)
export GITHUB_API_URL=https://localhost:$port GITHUB_TOKEN=t GITHUB_REPOSITORY=o/n
try regild download --run 5 --all -o out 2>err
grep -o -e 'SSL certificate problem' -e '; CURL_CA_BUNDLE.*' err
try env CURL_CA_BUNDLE="$PWD/key.pem" regild download --run 5 --all -o out 2>err
grep -o '; CURL_CA_BUNDLE.*' err
try env SSL_CERT_FILE="$PWD/cert.pem" regild download --run 5 --all -o out
