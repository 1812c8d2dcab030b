#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Prints a bill of materials of the static program in SPDX 2.3, made of release/sources.sha256 and release/NOTICE.
# usage: SOURCE_DATE_EPOCH=… release/bom.sh VERSION
set -euo pipefail
cd "$(dirname "$0")"
version=$1

# "NAME VERSION SHA256 LICENCE OWNER" of each source, with tabs: the checksum is that of what upstream released.
sources() {
	local sum file name rest archive
	sed -n 's/^\([0-9a-f]*\)  \(.*\)\.dsc$/\1 \2/p' sources.sha256 | while read -r sum file; do
		name=${file%%_*}
		archive=$(grep "  ${name}_[^ ]*\.orig\.tar\." sources.sha256)
		rest=$(sed -n "s/^$name  *//p" NOTICE)
		[ -n "$rest" ] || {
			echo "bom: release/NOTICE does not have $name" >&2
			exit 1
		}
		printf '%s\t%s\t%s\t%s\t%s\n' "$name" "${file#*_}" "${archive%% *}" "${rest%%  *}" "${rest##*  }"
	done
}

# In a URL, + and ~ of a version are escaped.
escaped() {
	local text=${1//+/%2B}
	echo "${text//\~/%7E}"
}

package() {
	cat <<-JSON
		  {
		   "SPDXID": "SPDXRef-$1",
		   "name": "$1",
		   "versionInfo": "$2",
		   "downloadLocation": "NOASSERTION",
		   "filesAnalyzed": false,
		   "licenseConcluded": "$3",
		   "licenseDeclared": "$3",
		   "copyrightText": "$4"$5
		  }
	JSON
}

cat <<JSON
{
 "spdxVersion": "SPDX-2.3",
 "dataLicense": "CC0-1.0",
 "SPDXID": "SPDXRef-DOCUMENT",
 "name": "regild-$version",
 "documentNamespace": "https://spdx.org/spdxdocs/regild-$version-$(sha256sum sources.sha256 NOTICE | sha256sum | cut -c 1-32)",
 "creationInfo": {"created": "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)", "creators": ["Tool: regild-release-bom"]},
 "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-liblzma-public-domain",
  "extractedText": "liblzma is in the public domain."}],
 "packages": [
$(
	package regild "$version" Apache-2.0 'Copyright 2026 the authors of regild' ''
	sources | while IFS=$'\t' read -r name its sum licence owner; do
		echo '  ,'
		package "$name" "$its" "$licence" "$owner" ",
   \"checksums\": [{\"algorithm\": \"SHA256\", \"checksumValue\": \"$sum\"}],
   \"externalRefs\": [{\"referenceCategory\": \"PACKAGE-MANAGER\", \"referenceType\": \"purl\",
    \"referenceLocator\": \"pkg:deb/debian/$name@$(escaped "$its")?arch=source\"}]"
	done
)
 ],
 "relationships": [
  {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-regild"}
$(
	sources | while IFS=$'\t' read -r name _; do
		echo "  ,{\"spdxElementId\": \"SPDXRef-regild\", \"relationshipType\": \"STATIC_LINK\", \"relatedSpdxElement\": \"SPDXRef-$name\"}"
	done
)
 ]
}
JSON
