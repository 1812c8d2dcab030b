/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_ZIP_FORMAT_H
#define REGILD_ARCHIVE_ZIP_FORMAT_H

/* Records of a zip: how each begins, and how long it is without what varies (APPNOTE.TXT 6.3.10,
 * 4.3.7 to 4.3.16). */
#define RG_ZIP_LOCAL_SIGNATURE   0x04034b50u
#define RG_ZIP_ENTRY_SIGNATURE   0x02014b50u
#define RG_ZIP_END_SIGNATURE     0x06054b50u
#define RG_ZIP_END64_SIGNATURE   0x06064b50u
#define RG_ZIP_LOCATOR_SIGNATURE 0x07064b50u
#define RG_ZIP_LOCAL_SIZE        30
#define RG_ZIP_ENTRY_SIZE        46
#define RG_ZIP_END_SIZE          22

#endif
