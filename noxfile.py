# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sessions of antsibull-nox, set up in antsibull-nox.toml; ``make test-all`` runs them, ``nox -l`` lists them."""

import antsibull_nox
import nox

antsibull_nox.load_antsibull_nox_toml()

if __name__ == "__main__":
    nox.main()
