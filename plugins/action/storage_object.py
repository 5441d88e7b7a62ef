# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Action plugin of the module storage_object; it also finds, decrypts and sends the file behind src."""

from __future__ import annotations

import os
import typing as t

from ansible.errors import AnsibleFileNotFound
from ansible.module_utils.parsing.convert_bool import boolean

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.source_file import check_kind
from ansible_collections.fcd.cloud.plugins.modules import storage_object
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import ActionArgumentError, Args, InProcessAction

main = storage_object.main  # for ansible-lint, which checks options with it


class ActionModule(InProcessAction):
    """Manages an object in the task worker, from a file on the controller too."""

    operation = storage_object.OPERATION
    _controller_file: str | None = None

    def prepare(self, args: Args, variables: Args, *, in_worker: bool) -> Args:
        """Replace ``src`` by the path under which the operation finds the file, decrypted and on its own host."""
        del variables
        src = args.get("src")
        if not isinstance(src, str) or not src or args.get("state") == "absent":
            return args
        if boolean(args.get("remote_src", False), strict=False):
            return args
        self._controller_file = self._found(src)
        if in_worker or self._module_reads_it():
            return {**args, "src": self._controller_file}
        return {**args, "src": self._sent(self._controller_file), "remote_src": True}

    def finish(self) -> None:
        """Remove what was decrypted."""
        if self._controller_file:
            self._loader.cleanup_tmp_file(self._controller_file)

    def _found(self, src: str) -> str:
        """Return the path of a readable file: the file itself, or a decrypted copy that ``finish`` removes.

        Raises ActionArgumentError when there is none.
        """
        try:
            path = str(self._find_needle("files", src))
        except AnsibleFileNotFound:  # its own text has many lines
            where = "" if os.path.isabs(src) else ", neither in the folder files of the role or playbook nor beside it"
            raise ActionArgumentError(
                f"src: {src} cannot be read: there is no such file on the controller{where}.",
                next_step="Check the path, or set remote_src if the file is on the host of the task.",
                option="src",
            ) from None
        check_kind(os.stat(path).st_mode, path, "src")
        return str(self._loader.get_real_file(path))

    def _module_reads_it(self) -> bool:
        """Whether the module runs here, as the same user, and before ``finish``."""
        transport: str = self._connection.transport
        return transport == "local" and not self._play_context.become and not self._task.async_val

    def _sent(self, path: str) -> str:
        """Send the file to the host's temporary folder, which Ansible removes afterwards."""
        shell: t.Any = self._connection._shell  # noqa: SLF001 - as Ansible's own action plugins do
        folder = shell.tmpdir or self._make_tmp_path()
        target = str(shell.join_path(folder, ".source"))
        self._transfer_file(path, target)
        self._fixup_perms2((folder, target))
        return target
