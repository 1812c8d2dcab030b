# SPDX-License-Identifier: Apache-2.0
regild --version
regild version
