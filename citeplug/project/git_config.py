"""Check of a clone's own configuration: a folder that came by mail or in a zip may carry one that starts programs or
leads elsewhere.

Only settings that can do neither are accepted; the others belong into the user's own configuration.
"""

import re
from pathlib import Path

from citeplug.errors import UnsafeProject
from citeplug.project.git import Git

_MOST = 1_000_000  # bytes

# Keys as git prints them: section and name in lower case, the part between as written.
_HARMLESS = re.compile(
    r"core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol"
    r"|safecrlf|quotepath|longpaths|untrackedcache|abbrev|commentchar|whitespace|trustctime|checkstat|compression"
    r"|bigfilethreshold|preloadindex|fscache|hidedotfiles|protecthfs|protectntfs|sharedrepository|fsmonitor|hookspath)"
    r"|remote\..*\.(?:url|pushurl|fetch|prune|tagopt|skipfetchall|gh-resolved)|remote\.pushdefault"
    r"|branch\..*\.(?:remote|merge|rebase|description|vscode-merge-base|github-pr-owner-number)"
    r"|branch\.(?:autosetupmerge|autosetuprebase|sort)"
    r"|user\.(?:name|email|useconfigonly)|(?:author|committer)\.(?:name|email)"
    r"|credential(?:\..*)?\.(?:username|usehttppath)|http\.(?:postbuffer|lowspeedlimit|lowspeedtime|version)"
    r"|http\..*\.extraheader"
    r"|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|fetch\.prune(?:tags)?"
    r"|merge\.(?:ff|conflictstyle|renames|directoryrenames|renamelimit)|rebase\.(?:autostash|autosquash)|rerere\.enabled"
    r"|commit\.(?:gpgsign|verbose|cleanup)|tag\.gpgsign|gc\..*|maintenance\.(?:auto|strategy)|pack\..*|color\..*|gui\..*"
    r"|index\.version|extensions\.objectformat|lfs\.(?:repositoryformatversion|.*\.access)|submodule\.(?:active|recurse|.*\.(?:url|active|branch))"
    r"|advice\..*|i18n\..*|log\.(?:date|decorate|follow)|status\..*|diff\.(?:renames|algorithm|mnemonicprefix|noprefix)"
    # Never asked for by what citeplug runs.
    r"|alias\..*|(?:diff|merge)tool\..*|(?:diff|merge)\.(?:tool|guitool)|core\.(?:editor|pager)"
)
_HELPER = re.compile(r"credential(?:\..*)?\.helper")
# A helper by its bare name is a program of the user's; with a path, a shell's `!` or options it may be anybody's.
_BARE_HELPER = re.compile(r"(?:[a-z][a-z0-9-]*|cache --timeout[= ][0-9]+)?")

# What `git lfs install --local` writes.
_LFS = re.compile(
    r"filter\.lfs\.(?:clean|smudge|process|required)\n(?:git-lfs (?:clean|smudge) -- %f|git-lfs filter-process|true)"
)


def check_configuration(git: Git, folder: Path) -> None:
    """Raise UnsafeProject if the configuration in the git folder could start a program or lead elsewhere."""
    refused = [name for file in ("config", "config.worktree") for name in _refused(git, folder / file)]
    if refused:
        raise UnsafeProject(
            f"the project's own git configuration ({folder / 'config'}) sets {', '.join(refused[:5])}, which could"
            " start programs or lead elsewhere; git is not run in it",
            "clone it again with 'citeplug overleaf clone', or, if you set this yourself, set it with"
            " 'git config --global'",
        )


def _refused(git: Git, file: Path) -> list[str]:
    if not file.exists():
        return []
    if not file.is_file() or file.stat().st_size > _MOST:
        return [f"a file that is not a regular one ({file.name})"]
    listed = git.run("config", "--file", str(file), "--no-includes", "--null", "--list").out
    names = []
    for item in listed.split(b"\0"):
        name, _, value = item.decode("utf-8", "replace").partition("\n")
        is_helper = _HELPER.fullmatch(name) and _BARE_HELPER.fullmatch(value)
        if name and not (_HARMLESS.fullmatch(name) or is_helper or _LFS.fullmatch(f"{name}\n{value}")):
            names.append("".join(sign if sign.isprintable() else "?" for sign in name)[:80])
    return sorted(set(names))
