"""A clone, its branch and its remote: what state it is in, and the few steps that change it.

No step of these stashes, resets, rebases, forces, or checks out anything over what is not committed. One file, so that
all that git is ever asked to do to the author's clone is read in one place.
"""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from citeplug.errors import GitUnusable, LeftToAuthor, RemoteUnavailable
from citeplug.files.project_files import NotRead, read_bytes
from citeplug.project.git import Git, Ran, git_message, trouble
from citeplug.project.git_config import check_configuration
from citeplug.sync.overleaf.clone import (
    address_of,
    branch_of,
    common_folder,
    git_folder,
    need_rest,
    upstream_of,
    work_tree,
)

LARGEST = 50 * 1024 * 1024  # bytes of a file that Overleaf takes
_MOVED_ON = re.compile(r"\[rejected\]|fetch first|non-fast-forward|cannot lock ref|failed to update ref")
_IN_THE_WAY = re.compile(r"^\t(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Blob:
    """A file in a commit."""

    mode: str
    oid: str


class Repository:
    """The clone around a folder, on a branch that has a counterpart at a remote.

    Raises LeftToAuthor with what to do where it is in a state that a sync cannot begin in, UnsafeProject where its own
    configuration could start programs.
    """

    def __init__(self, folder: Path, *, interactive: bool = False) -> None:
        here = work_tree(folder)
        git = Git(here, interactive=interactive)
        self.git_folder = git_folder(git)
        for place in dict.fromkeys((here / ".git", self.git_folder, common_folder(git))):
            if place.is_dir():
                check_configuration(git, place)
        top = git.run("rev-parse", "--show-toplevel", may_fail=True)
        if top.code or Path(top.text).resolve() != here:
            raise LeftToAuthor(f"{here} is not the work tree of its git folder", "clone the project again")
        self.top = here
        self.git = git
        need_rest(git, self.git_folder)
        self.branch = branch_of(git)
        self.remote, self.remote_branch = upstream_of(git, self.branch)
        self.address = address_of(git, self.remote)
        git.protocols = self.address.protocols

    @property
    def tracking(self) -> str:
        return f"refs/remotes/{self.remote}/{self.remote_branch}"

    def lock_files(self) -> list[Path]:
        """The lock files of the steps that citeplug has git do here."""
        common = common_folder(self.git)
        names = ("index.lock", "HEAD.lock", "citeplug-index.lock")
        refs = (f"refs/heads/{self.branch}.lock", f"{self.tracking}.lock", "packed-refs.lock")
        return [*(self.git_folder / name for name in names), *(common / name for name in refs)]

    # Reading

    def head(self) -> str:
        """The commit of the branch. Raises LeftToAuthor if the branch was left meanwhile."""
        branch = self.git.run("symbolic-ref", "--quiet", "HEAD", may_fail=True).text
        ran = self.git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}", may_fail=True)
        if branch != f"refs/heads/{self.branch}" or ran.code:
            raise LeftToAuthor(
                f"the branch {self.branch} was switched during the sync", "run it again on the right branch"
            )
        return ran.text

    def dirty(self) -> list[str]:
        """The files under version control that differ from the last commit, staged or not, seen from the top."""
        listed = self.git.run(
            "status", "--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=all", "--no-renames"
        ).out
        return [_name(item[3:]) for item in listed.split(b"\0") if len(item) > 3]

    def untracked(self, paths: Sequence[str]) -> tuple[list[str], list[str]]:
        """Those of `paths` that are not under version control, and those that the project wants ignored."""
        new = self._listed("ls-files", "-z", "--others", "--exclude-standard", "--", *_literal(paths))
        all_new = self._listed("ls-files", "-z", "--others", "--", *_literal(paths))
        return new, [path for path in all_new if path not in new]

    def blobs(self, commit: str, paths: Sequence[str]) -> dict[str, Blob]:
        """The files of a commit that are, or lie beneath, one of `paths`."""
        listed = self.git.run("ls-tree", "-r", "-z", "--full-tree", commit, "--", *paths).out
        blobs = {}
        for item in listed.split(b"\0"):
            if item:
                about, _, name = item.partition(b"\t")
                mode, _, oid = about.decode("ascii").split(" ")[:3]
                blobs[_name(name)] = Blob(mode, oid)
        return blobs

    def content(self, blob: Blob) -> bytes:
        return self.git.run("cat-file", "blob", blob.oid).out

    def contents(self, blobs: Sequence[Blob], most: int) -> list[bytes]:
        """The contents of these blobs, in their order, up to `most` bytes in all; what lies behind that is left out."""
        oids = "".join(f"{blob.oid}\n" for blob in blobs).encode("ascii")
        out = io.BytesIO(self.git.run("cat-file", "--batch", data=oids).out if blobs else b"")
        contents: list[bytes] = []
        while (head := out.readline()) and (size := int(head.split()[2])) <= most:
            contents.append(out.read(size))
            out.readline()
            most -= size
        return contents

    def tracked(self, paths: Sequence[str]) -> list[str]:
        """The files beneath `paths` that the last commit or the index has."""
        staged = self._listed("ls-files", "-z", "--", *_literal(paths))
        return list(dict.fromkeys([*staged, *self.blobs("HEAD", paths)]))

    def is_ancestor(self, one: str, other: str) -> bool:
        return self.git.run("merge-base", "--is-ancestor", one, other, may_fail=True).code == 0

    def merge_base(self, one: str, other: str) -> str:
        """Raises LeftToAuthor if the two share no past."""
        ran = self.git.run("merge-base", one, other, may_fail=True)
        if ran.code:
            if self.git.run("rev-parse", "--is-shallow-repository").text == "true":
                raise LeftToAuthor("this clone is shallow, and does not have enough history", "git fetch --unshallow")
            raise LeftToAuthor(
                f"{self.branch} and the remote's {self.remote_branch} have no commit in common",
                "clone the project again, and copy your files into the new clone",
            )
        return ran.text.splitlines()[0]

    def changed_between(self, one: str, other: str) -> list[str]:
        return self._listed("diff-tree", "-r", "-z", "--no-renames", "--name-only", one, other)

    def _listed(self, *words: str) -> list[str]:
        return [_name(item) for item in self.git.run(*words).out.split(b"\0") if item]

    # The remote

    def fetch(self) -> str:
        """Ask the remote; returns the commit of its branch. Raises RemoteUnavailable."""
        spec = f"+refs/heads/{self.remote_branch}:{self.tracking}"
        flags = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc")
        ran = self.git.over_network("fetch", *flags, "--", self.remote, spec, may_fail=True)
        if "couldn't find remote ref" in ran.err:
            raise LeftToAuthor(
                f"the remote has no branch {self.remote_branch}",
                "Overleaf has only one branch: check it out, or sync the branch that the remote has",
            )
        if ran.code:
            raise trouble("fetch", ran.err)
        return self.git.run("rev-parse", "--verify", f"{self.tracking}^{{commit}}").text

    def push(self, commit: str) -> bool:
        """Give the remote `commit`; False if it has moved on meanwhile. Raises RemoteUnavailable, LeftToAuthor."""
        spec = f"{commit}:refs/heads/{self.remote_branch}"
        flags = ("--porcelain", "--no-verify", "--no-follow-tags", "--no-signed")
        ran = self.git.over_network("push", *flags, "--", self.remote, spec, may_fail=True)
        if ran.code == 0:
            return True
        output = ran.out.decode("utf-8", "replace")
        if _MOVED_ON.search(output + ran.err):
            return False
        if "[remote rejected]" in output or "pre-receive hook declined" in ran.err:
            raise self._refused(commit, ran)
        raise trouble("push", ran.err)

    def _refused(self, commit: str, ran: Ran) -> RemoteUnavailable:
        large = self._large(commit)
        hint = "the commits are still here; undo what it refuses, and run it again"
        if large:
            hint = f"Overleaf takes files up to 50 MiB: remove {', '.join(large)}, from the commits too"
        return RemoteUnavailable(f"the remote refuses the push: {git_message(ran.err)}", hint)

    def _large(self, commit: str) -> list[str]:
        listed = self.git.run("ls-tree", "-r", "-l", "-z", "--full-tree", commit).out
        sizes = (item.partition(b"\t") for item in listed.split(b"\0") if item)
        return [_name(name) for about, _, name in sizes if int(about.split()[3].replace(b"-", b"0")) > LARGEST][:3]

    # Merging

    def merged(self, ours: str, theirs: str) -> tuple[str, list[str]]:
        """Merge two commits: the tree, and the files with conflicts; nothing but objects is written."""
        ran = self.git.run("merge-tree", "--write-tree", "-z", "--name-only", ours, theirs, may_fail=True)
        if ran.code not in (0, 1):
            raise GitUnusable(f"git merge-tree failed: {git_message(ran.err)}", "merge by hand: 'git pull --no-rebase'")
        tree, *items = ran.out.split(b"\0")
        names = map(_name, takewhile(bool, items))
        return tree.decode("ascii").strip(), list(dict.fromkeys(names))

    def with_files(self, tree: str, files: Mapping[str, bytes | None]) -> str:
        """A tree with these files in it, or, where None, without them."""
        index = self.git_folder / "citeplug-index"
        index.unlink(missing_ok=True)
        env = {"GIT_INDEX_FILE": str(index)}
        try:
            self.git.run("read-tree", tree, env=env)
            lines = b""
            for name, data in files.items():
                path = name.encode("utf-8", "surrogateescape")
                if data is None:
                    lines += b"0 " + b"0" * len(tree) + b"\t" + path + b"\0"
                else:
                    oid = self.git.run("hash-object", "-w", "--stdin", data=data).out.strip()
                    lines += b"100644 " + oid + b"\t" + path + b"\0"
            self.git.run("update-index", "-z", "--index-info", data=lines, env=env)
            return self.git.run("write-tree", env=env).text
        finally:
            index.unlink(missing_ok=True)

    def merge_commit(self, tree: str, ours: str, theirs: str, message: str) -> str:
        return self.git.run("commit-tree", tree, "-p", ours, "-p", theirs, data=message.encode()).text

    def advance(self, commit: str) -> None:
        """Bring branch and work tree to `commit`, which contains the branch's own. Nothing that is not committed is
        written over: raises LeftToAuthor, with everything as it was."""
        ran = self.git.run(
            "merge", "--ff-only", "--quiet", "--no-stat", "--no-verify", "--no-overwrite-ignore", commit, may_fail=True,
            whole=True,
        )  # fmt: skip
        if ran.code == 0:
            return
        names = sorted(set(_IN_THE_WAY.findall(ran.err)))
        if names and "untracked working tree files" in ran.err:
            raise LeftToAuthor(
                f"{', '.join(names[:5])} was added at the remote, and is here too, not tracked by git; nothing was"
                " touched",
                "move your file away, or commit it, then run it again",
            )
        if names:
            raise LeftToAuthor(
                f"{', '.join(names[:5])} changed here, and at the remote too; nothing was changed",
                "commit your changes (git commit), then run it again to merge both",
            )
        raise GitUnusable(f"git merge failed: {git_message(ran.err)}", "see what 'git status' says there")

    def settle(self, before: str, after: str) -> None:
        """After a kill in the middle of `advance(after)`: what git had begun to write is written to its end.

        Only files are touched whose content is that of `after`, the beginning of it, or none.
        """
        if self.head() != before:
            return
        changed = self.changed_between(before, after)
        new = self.blobs(after, [])
        begun = [path for path in changed if path in new and self._begun(path, new[path], after)]
        if begun:
            words = ("checkout", "--quiet", after, "--pathspec-from-file=-", "--pathspec-file-nul")
            self.git.run(*words, data=_listing(begun), env={"GIT_LITERAL_PATHSPECS": "1"}, whole=True)

    def _begun(self, path: str, blob: Blob, commit: str) -> bool:
        file = self.top / path
        if blob.mode not in ("100644", "100755") or file.is_symlink() or file.is_dir():
            return False
        if not file.exists():
            return True
        whole = self.git.run("cat-file", "--filters", f"{commit}:{path}").out
        try:
            return whole.startswith(read_bytes(file, len(whole)))
        except NotRead:
            return False

    # Committing

    def commit(self, paths: Sequence[str], message: str) -> bool:
        """Commit these files and no other, whatever is staged; False if none of them differs from the last commit."""
        differing = set(self.dirty())
        new, _ = self.untracked(paths)
        changed = [path for path in paths if path in differing or path in new]
        if not changed:
            return False
        from_input = ("--pathspec-from-file=-", "--pathspec-file-nul")
        env = {"GIT_LITERAL_PATHSPECS": "1"}
        if new:
            self.git.run(
                "add", *from_input, data="\0".join(new).encode("utf-8", "surrogateescape"), env=env, whole=True
            )
        ran = self.git.run(
            "commit", "--only", "--quiet", "--no-verify", "--no-post-rewrite", "--no-gpg-sign", "-m", message,
            *from_input, data=_listing(changed), env=env, may_fail=True, whole=True,
        )  # fmt: skip
        if ran.code and "nothing to commit" not in (ran.out.decode("utf-8", "replace") + ran.err):
            raise GitUnusable(f"git commit failed: {git_message(ran.err)}", "see what 'git status' says there")
        return ran.code == 0

    def need_identity(self) -> None:
        """Raise LeftToAuthor if git does not know in whose name to commit."""
        if self.git.run("var", "GIT_COMMITTER_IDENT", may_fail=True).code:
            raise LeftToAuthor(
                "git does not know your name, which a commit needs",
                "set it: git config --global user.name 'Your Name', and user.email you@example.org",
            )


def _literal(paths: Sequence[str]) -> list[str]:
    return [f":(top,literal){path}" for path in paths]


def _listing(paths: Sequence[str]) -> bytes:
    return "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")


def _name(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
