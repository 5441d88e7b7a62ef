# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds a server with the JAX-WS reference implementation: its own tool makes classes of the WSDL."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

from peer_process import WSDL
from peers_at_hand import JARS, NEEDED

HERE = pathlib.Path(__file__).resolve().parent / "jaxws"
POLICY = (
    re.compile(r"<wsp:Policy .*?\n  </wsp:Policy>", re.DOTALL),
    re.compile(r"<wsp:PolicyReference [^>]*/>"),
)
METHOD = re.compile(r"public abstract ([\w.]+) (\w+)\(([\w.]+)\)( throws [\w., ]+)?;")
IMPLEMENTATION = """
@javax.jws.WebService(endpointInterface = "peer.ICommonFcd", serviceName = "CommonFcd",
    portName = "WSHttpBinding_ICommonFcd", targetNamespace = "http://schemas.example.com/fcd",
    wsdlLocation = "CommonFcd.wsdl")
@javax.xml.ws.BindingType(javax.xml.ws.soap.SOAPBinding.SOAP12HTTP_BINDING)
@javax.xml.ws.soap.Addressing(enabled = true, required = true)
public class Implementation implements peer.ICommonFcd {{
{methods}
}}
"""


def class_path(folder: pathlib.Path) -> str:
    return ":".join([str(folder), *(str(JARS / f"{name}.jar") for name in NEEDED)])


def build(folder: pathlib.Path) -> None:
    """Make the classes in ``folder``. The WSDL goes there without its policy, which this server refuses (WSP1015)."""
    for file in WSDL.iterdir():
        text = file.read_text(encoding="utf-8")
        for piece in POLICY:
            text = piece.sub("", text)
        (folder / file.name).write_text(text, encoding="utf-8")
    shutil.copy(HERE / "bindings.xml", folder)
    java = ["java", "-cp", class_path(folder)]
    _run([*java, "com.sun.tools.ws.WsImport", "-keep", "-Xnocompile", "-extension", "-p", "peer", "-s", str(folder),
          "-wsdllocation", "CommonFcd.wsdl", "-b", "bindings.xml", "CommonFcd.wsdl"], folder)  # fmt: skip
    _compile(folder, *(str(path) for path in (folder / "peer").glob("*.java")))
    listed = _run(["javap", "-cp", class_path(folder), "peer.ICommonFcd"], folder)
    methods = "\n".join(
        f"    public {output} {name}({kind} input){thrown} {{ return Server.answer(input, {output}.class); }}"
        for output, name, kind, thrown in METHOD.findall(listed)
    )
    (folder / "Implementation.java").write_text(IMPLEMENTATION.format(methods=methods), encoding="utf-8")
    _compile(folder, str(folder / "Implementation.java"), str(HERE / "Server.java"))


def command(folder: pathlib.Path, port: int) -> list[str]:
    return ["java", "-Dsun.net.httpserver.nodelay=true", "-cp", class_path(folder), "Server", str(port), str(folder)]


def _compile(folder: pathlib.Path, *files: str) -> None:
    _run(["javac", "-encoding", "UTF-8", "-nowarn", "-cp", class_path(folder), "-d", str(folder), *files], folder)


def _run(command: list[str], folder: pathlib.Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        raise RuntimeError(f"{command[0]} {command[3][:60]}: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout
