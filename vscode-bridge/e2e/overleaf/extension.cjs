/**
 * Files as Overleaf Workshop has them: they exist in the editor alone, under addresses with a query. They are those of
 * the folder $CITEPLUG_E2E_OVERLEAF, read once; what is written goes to the folder $CITEPLUG_E2E_WRITTEN too, to be
 * looked at.
 */

const { mkdirSync, readFileSync, readdirSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const vscode = require("vscode");

const ROOT = vscode.Uri.parse("overleaf-workshop://www.overleaf.com/Paper?user%3Dada%26project%3D5f");
const files = new Map();
const changed = new vscode.EventEmitter();

function nameOf(uri) {
  if (uri.query !== ROOT.query || !`${uri.path}/`.startsWith("/Paper/")) {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
  return uri.path.slice("/Paper/".length);
}

const provider = {
  onDidChangeFile: changed.event,
  watch: () => new vscode.Disposable(() => undefined),
  stat(uri) {
    const name = nameOf(uri);
    const held = files.get(name);
    if (held !== undefined) {
      return { type: vscode.FileType.File, ctime: 0, mtime: held.mtime, size: held.bytes.length };
    }
    if (name === "") {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    throw vscode.FileSystemError.FileNotFound(uri);
  },
  readDirectory: () => [...files.keys()].map((name) => [name, vscode.FileType.File]),
  readFile(uri) {
    const held = files.get(nameOf(uri));
    if (held === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return held.bytes;
  },
  writeFile(uri, bytes) {
    const name = nameOf(uri);
    const type = files.has(name) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    files.set(name, { bytes, mtime: Date.now() });
    const copy = join(process.env.CITEPLUG_E2E_WRITTEN, name);
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, bytes);
    changed.fire([{ type, uri }]);
  },
  createDirectory() {},
  delete(uri) {
    files.delete(nameOf(uri));
    changed.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  },
  rename(from, to) {
    provider.writeFile(to, provider.readFile(from));
    provider.delete(from);
  },
};

exports.activate = (context) => {
  const folder = process.env.CITEPLUG_E2E_OVERLEAF;
  for (const name of readdirSync(folder)) {
    files.set(name, { bytes: readFileSync(join(folder, name)), mtime: 0 });
  }
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider("overleaf-workshop", provider, { isCaseSensitive: true }),
    vscode.commands.registerCommand("overleafLike.open", async () => {
      const draft = ROOT.with({ path: "/Paper/main.tex" });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(draft), { preview: false });
    }),
  );
};
