"""Settings of git that start a program or lead elsewhere, as a project's own configuration may hold them.

`{evil}` stands for the path of a program. Of those in `ACCEPTED` citeplug takes no notice; with the others it runs no
git in the project.
"""

REFUSED = (
    ("filter.x.clean", "{evil}"), ("filter.x.process", "{evil}"), ("filter.x.smudge", "{evil}"),
    ("merge.x.driver", "{evil} %O %A %B"), ("diff.x.textconv", "{evil}"), ("diff.x.command", "{evil}"),
    ("diff.external", "{evil}"), ("core.sshCommand", "{evil}"), ("core.gitProxy", "{evil}"),
    ("core.askPass", "{evil}"), ("credential.helper", "!{evil}"), ("credential.helper", "{evil}"),
    ("credential.helper", "store --file=/tmp/x"), ("gpg.program", "{evil}"), ("gpg.ssh.program", "{evil}"),
    ("credential.https://git.overleaf.com.helper", "!{evil}"), ("core.worktree", "/"), ("include.path", "{evil}"),
    ("includeIf.gitdir:/.path", "{evil}"), ("url.ext::{evil} .insteadOf", "http://"), ("protocol.ext.allow", "always"),
    ("remote.origin.uploadpack", "{evil}"), ("remote.origin.receivepack", "{evil}"), ("remote.origin.vcs", "evil"),
    ("core.attributesFile", "{evil}"), ("core.alternateRefsCommand", "{evil}"), ("http.proxy", "http://evil"),
    ("http.sslVerify", "false"), ("http.cookieFile", "{evil}"), ("branch.main.mergeOptions", "-s evil"),
    ("filter.lfs.clean", "{evil} clean -- %f"), ("sequence.editor", "{evil}"), ("submodule.x.update", "!{evil}"),
    ("trailer.x.command", "{evil}"), ("uploadpack.packObjectsHook", "{evil}"), ("commit.template", "/etc/passwd"),
    ("interactive.diffFilter", "{evil}"), ("pager.log", "{evil}"), ("receive.procReceiveRefs", "refs"),
    ("rebase.instructionFormat", "x"), ("init.templateDir", "{evil}"), ("man.x.cmd", "{evil}"),
    ("browser.x.cmd", "{evil}"),
    ("core.sparseCheckout", "true"), ("extensions.worktreeConfig", "true"),
)  # fmt: skip
ACCEPTED = (
    ("core.hooksPath", "{evil}-hooks"), ("core.fsmonitor", "{evil}"), ("core.pager", "{evil}"),
    ("core.editor", "{evil}"), ("alias.status", "!{evil}"), ("alias.fetch", "!{evil}"), ("alias.co", "!{evil}"),
    ("commit.gpgSign", "true"), ("difftool.x.cmd", "{evil}"), ("mergetool.x.cmd", "{evil}"), ("diff.tool", "x"),
    ("submodule.recurse", "true"), ("gc.auto", "1"), ("credential.helper", "store"),
)  # fmt: skip
HOOKS = (
    "pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change", "fsmonitor-watchman",
    "reference-transaction", "pre-push", "post-checkout", "post-merge", "pre-merge-commit", "pre-auto-gc",
)  # fmt: skip
