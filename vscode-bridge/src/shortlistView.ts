/** The side view of the shortlist: papers that the section may cite, to be pinned, excluded, opened and cited. */

import * as vscode from "vscode";

import { type Choice, draftOf, isDone, type Paper, readChoices, readKey, readShortlist } from "./answers.js";
import { ask } from "./asking.js";
import { copy, MISSING, WRITTEN } from "./commands.js";
import { citingEditor, documentOf, inFront } from "./documents.js";
import { isPlan, planning } from "./insertion.js";
import type { Server } from "./server.js";
import type { SourceView } from "./sourceView.js";
import { HAS_PAPERS } from "./getting.js";
import { ARXIV_ID } from "./identifiers.js";
import { capital } from "./letters.js";
import { asMarkdown, brief, choosing, details, grouped, heading, inSection, newerNotice, rechosen, sign, spoken } from "./shortlist.js";

const VIEW = "citeplug.shortlist";
const HOLDS = "citeplug.shortlistHolds"; // for the view's welcome: nothing yet, looking, no papers, papers

/** The same object for as long as its row is there: a change of one row leaves the others as they are under the mouse. */
type Node = Group | Row;
interface Group {
  title: string;
  rows: Row[];
}
interface Row {
  paper: Paper;
}

export class ShortlistView implements vscode.Disposable, vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<Node>;
  private readonly parts: vscode.Disposable[];
  private papers: readonly Paper[] = [];
  private nodes: Group[] = [];
  /** The document whose project the papers are for. */
  private of: vscode.Uri | undefined;
  /** What the section cites is listed until the author has papers found. */
  private fromSection = true;
  private looking: vscode.CancellationTokenSource | undefined;
  /** A row that was selected for a sentence, whose source is shown: its abstract is not to take that place. */
  private followed: Node | undefined;

  constructor(
    private readonly server: Server,
    private readonly source: SourceView,
  ) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this });
    const onPaper = (work: (paper: Paper) => Promise<void>) => async (node?: Node) => {
      const paper = paperOf(node);
      if (paper !== undefined) {
        await work(paper);
      }
    };
    const register = vscode.commands.registerCommand;
    const settings = vscode.workspace.createFileSystemWatcher("**/citeplug.toml");
    this.parts = [
      settings,
      ...[settings.onDidCreate, settings.onDidChange, settings.onDidDelete].map((on) => on(() => this.settingsChanged())),
      this.view.onDidChangeSelection(({ selection: [node] }) => {
        const paper = paperOf(node);
        if (paper !== undefined && node !== this.followed) {
          this.source.show(paper);
        }
        this.followed = undefined;
      }),
      source.onDidFollow((ids) => this.follow(ids)),
      register("citeplug.findPapers", () => this.find()),
      register(MISSING, (of: vscode.Uri) => this.listMissing(of)),
      register(WRITTEN, (of: vscode.Uri) => this.listWritten(of)),
      register("citeplug.stopFinding", () => this.looking?.cancel()),
      register("citeplug.pinPaper", onPaper((paper) => this.choose(paper, "pin"))),
      register("citeplug.excludePaper", onPaper((paper) => this.choose(paper, "exclude"))),
      register("citeplug.unchoosePaper", onPaper((paper) => this.choose(paper, undefined))),
      register("citeplug.openPaper", onPaper(openAtArxiv)),
      register("citeplug.copyKey", onPaper((paper) => this.copy(paper, "key"))),
      register("citeplug.copyBibtex", onPaper((paper) => this.copy(paper, "bibtex"))),
      register("citeplug.citePaper", onPaper((paper) => this.cite(paper))),
    ];
    this.holds("nothing");
  }

  dispose(): void {
    this.looking?.cancel();
    this.view.dispose();
    this.changed.dispose();
    vscode.Disposable.from(...this.parts).dispose();
  }

  getChildren(node?: Node): Node[] {
    return node === undefined ? this.nodes : "rows" in node ? node.rows : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ("rows" in node) {
      const item = new vscode.TreeItem(node.title, vscode.TreeItemCollapsibleState.Expanded);
      item.id = node.title;
      item.description = String(node.rows.length);
      return item;
    }
    const { paper } = node;
    const item = new vscode.TreeItem(heading(paper));
    item.id = paper.arxivId;
    item.iconPath = icon(paper);
    item.description = brief(paper);
    item.contextValue = paper.choice === undefined ? "paper.free" : "paper.chosen";
    item.tooltip = tooltip(paper);
    item.accessibilityInformation = { label: spoken(paper) };
    return item;
  }

  getParent(node: Node): Node | undefined {
    return this.nodes.find(({ rows }) => rows.some((row) => row === node));
  }

  /** Select a paper of the sentence that is read. */
  private async follow(ids: readonly string[]): Promise<void> {
    const row = this.nodes.flatMap(({ rows }) => rows).find(({ paper }) => ids.includes(paper.arxivId));
    if (row !== undefined && this.view.visible && this.view.selection[0] !== row) {
      this.followed = row;
      await this.view.reveal(row, { select: true, focus: false });
    }
  }

  private async listMissing(of: vscode.Uri): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    await this.find(of, true);
  }

  /** List what the section cites; of papers that were found, say which these are now. */
  private async listWritten(of: vscode.Uri): Promise<void> {
    if (this.looking !== undefined) {
      return;
    }
    const before = this.papers;
    const written = readShortlist(await ask(this.server, "citeplug.server.shortlist", { uri: of.toString(), written: true })) ?? [];
    const papers = this.fromSection ? written : inSection(before, written);
    const ids = (some: readonly Paper[]): string => some.map(({ arxivId, cited, verdict, inSection: is }) => [arxivId, cited, verdict, is].join(" ")).join();
    if (before === this.papers && papers.length > 0 && ids(papers) !== ids(before)) {
      this.show(papers);
      this.of = this.fromSection ? of : this.of;
      this.holds("papers");
      await this.settingsChanged();
    }
  }

  /** Look for the papers of the draft in front. One at a time: a second call does nothing. */
  private async find(of?: vscode.Uri, missing = false): Promise<void> {
    const uri = documentOf(of ?? inFront()?.document.uri ?? this.of);
    if (uri === undefined || this.looking !== undefined) {
      return;
    }
    const looking = new vscode.CancellationTokenSource();
    this.looking = looking;
    this.fromSection = false;
    this.holds("looking");
    try {
      const answer = await vscode.window.withProgress({ location: { viewId: VIEW } }, () =>
        ask(this.server, "citeplug.server.shortlist", { uri: uri.toString(), missing }, {
          report: (stage) => {
            this.view.message = `${capital(stage)} …`;
          },
          cancellation: looking.token,
        }),
      );
      const papers = readShortlist(answer);
      if (papers !== undefined) {
        this.show(papers);
        this.of = uri;
        this.view.description = [missing ? "not cited yet" : "", newerNotice(draftOf(answer))].filter(Boolean).join(" · ");
        if (papers.length > 0) {
          void vscode.commands.executeCommand("setContext", HAS_PAPERS, true);
        }
      }
    } finally {
      this.looking = undefined;
      looking.dispose();
      this.view.message = "";
      this.holds(this.papers.length > 0 ? "papers" : this.of === undefined ? "nothing" : "none");
    }
  }

  /** Show a new list. */
  private show(papers: readonly Paper[]): void {
    this.papers = papers;
    this.nodes = grouped(papers).map(({ title, papers: some }) => ({ title, rows: some.map((paper) => ({ paper })) }));
    this.changed.fire(undefined);
  }

  /** Show what is known of the same papers now: their rows stay where they are, and no other is redrawn. */
  private mark(papers: readonly Paper[]): void {
    const known = new Map(papers.map((paper) => [paper.arxivId, paper]));
    this.papers = papers;
    for (const row of this.nodes.flatMap(({ rows }) => rows)) {
      const paper = known.get(row.paper.arxivId);
      if (paper !== undefined && JSON.stringify(paper) !== JSON.stringify(row.paper)) {
        row.paper = paper;
        this.changed.fire(row);
        this.source.update(paper);
      }
    }
  }

  /** Heed what another program, or the author, has chosen in the settings. */
  private async settingsChanged(): Promise<void> {
    const { of } = this;
    if (this.papers.length > 0 && of !== undefined) {
      const choices = readChoices(await ask(this.server, "citeplug.server.choices", { uri: of.toString() }));
      if (choices !== undefined && of === this.of) {
        this.mark(rechosen(this.papers, choices));
      }
    }
  }

  private async choose(paper: Paper, choice: Choice | undefined): Promise<void> {
    if (this.of === undefined) {
      return;
    }
    const argument = { uri: this.of.toString(), arxiv_id: paper.arxivId, choice: choice ?? "none" };
    if (isDone(await ask(this.server, "citeplug.server.choose", argument))) {
      this.mark(choosing(this.papers, paper.arxivId, choice));
    }
  }

  /** Cite a paper at the cursor; where that is in a plan, name it there. */
  private async cite(paper: Paper): Promise<void> {
    const editor = citingEditor();
    if (editor === undefined) {
      return;
    }
    const { document, selection, viewColumn = vscode.ViewColumn.Active } = editor;
    const { line, character } = selection.active;
    const { text } = document.lineAt(line);
    if (isPlan(text, document.getText(new vscode.Range(0, 0, line, character)))) {
      const { start, end, text: id } = planning(text, paper.arxivId);
      await editor.edit((edit) => {
        edit.replace(new vscode.Range(line, start, line, end), id);
      });
    } else {
      const uri = document.uri.toString();
      const key = readKey(await ask(this.server, "citeplug.server.insertCitation", { uri, arxiv_id: paper.arxivId, line, character }));
      // The document in front may be of another project than the papers.
      if (key !== undefined && uri === this.of?.toString()) {
        this.mark(this.papers.map((each) => (each.arxivId === paper.arxivId ? { ...each, key, cited: true } : each)));
      }
    }
    await vscode.window.showTextDocument(document, { viewColumn });
  }

  private async copy(paper: Paper, what: "key" | "bibtex"): Promise<void> {
    if (this.of !== undefined) {
      await copy(this.server, what, this.of, { arxiv_id: paper.arxivId });
    }
  }

  private holds(what: "nothing" | "looking" | "none" | "papers"): void {
    void vscode.commands.executeCommand("setContext", HOLDS, what);
  }
}

async function openAtArxiv({ arxivId }: Paper): Promise<void> {
  if (ARXIV_ID.test(arxivId)) {
    await vscode.env.openExternal(vscode.Uri.parse(`https://arxiv.org/abs/${arxivId}`));
  }
}

/** The paper of a row; a link in the view of the source gives no more than its paper. */
function paperOf(node: Node | undefined): Paper | undefined {
  return node === undefined || "rows" in node ? undefined : node.paper;
}

/** What is known of a paper but its abstract, which the view beneath shows. */
function tooltip(paper: Paper): vscode.MarkdownString {
  const [title = "", authors = "", ...about] = details(paper).map(asMarkdown);
  return new vscode.MarkdownString([`**${title}**\n\n${authors}\n`, ...about.map((line) => `- ${line}`)].join("\n"));
}

function icon(paper: Paper): vscode.ThemeIcon {
  if (paper.choice !== undefined) {
    return new vscode.ThemeIcon(paper.choice === "pin" ? "pinned" : "circle-slash");
  }
  const name = sign(paper);
  const colour = name === "pass" ? "testing.iconPassed" : "list.warningForeground";
  return new vscode.ThemeIcon(name, name === "circle-outline" ? undefined : new vscode.ThemeColor(colour));
}
