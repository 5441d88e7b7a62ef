# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which peers this machine has: standard library only."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

JARS = Path("/usr/share/java")
NEEDED = (
    *("jaxws-api", "jaxws-rt", "jaxws-tools", "jws-api", "javax.xml.soap-api", "saaj-impl", "javax.activation"),
    *("jaxb-api", "jaxb-runtime", "jaxb-core", "jaxb-impl", "jaxb-xjc", "xsom", "rngom", "codemodel", "dtd-parser"),
    *("istack-commons-runtime", "istack-commons-tools", "txw2", "relaxngDatatype", "xml-resolver"),
    *("stax-ex", "stax2-api", "streambuffer", "mimepull", "metro-policy", "gmbal", "FastInfoset"),
)


def no_php() -> str:
    """Why PHP cannot be the peer; empty when it can."""
    php = shutil.which("php")
    if not php:
        return "there is no php (Debian: php-cli and php-soap)"
    modules = subprocess.run([php, "-m"], capture_output=True, text=True, check=False).stdout.split()
    return "" if "soap" in modules else "php has no soap extension (Debian: php-soap)"


def no_jaxws() -> str:
    """Why the JAX-WS reference implementation cannot be the peer; empty when it can."""
    gone = [program for program in ("java", "javac", "javap") if not shutil.which(program)]
    if gone:
        return f"there is no {gone[0]} (Debian: default-jdk-headless)"
    gone = [name for name in NEEDED if not (JARS / f"{name}.jar").exists()]
    return f"there is no {JARS}/{gone[0]}.jar (Debian: libjaxws-java)" if gone else ""


def no_rclone() -> str:
    """Why rclone cannot be the peer; empty when it can."""
    return "" if shutil.which("rclone") else "there is no rclone (Debian: rclone)"
