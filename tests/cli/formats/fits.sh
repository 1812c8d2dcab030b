# SPDX-License-Identifier: Apache-2.0
# FITS, as astropy writes it: images of each type, cards, tables of each type, compressed tiles.
needs_binary FITS
cp -r "$REGILD_TOP/fixtures/fits/old" "$REGILD_TOP/fixtures/fits/new" .
for golden in image table; do
	echo "== $golden"
	regild textconv old/$golden.fits
	try regild compare --top 0 old/$golden.fits new/$golden.fits
done
echo "== compressed"
regild textconv old/compressed.fits | grep '\[0, [0-3]\]'
try regild compare --top 0 old/compressed.fits new/compressed.fits
echo "== another order of HDUs, another date"
regild compare old/same.fits new/same.fits
echo "== cut off"
head -c 20000 old/image.fits >cut.fits
try regild check cut.fits
echo "== cut off in the first header, and a text of cards"
head -c 2000 old/image.fits >head.fits
try regild check head.fits
try regild compare head.fits old/image.fits
cp head.fits cards.txt
regild check cards.txt
