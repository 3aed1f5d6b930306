/**
 * A page with what an extension meets in Overleaf's: CodeMirror at its versions, its event, its store, its file tree.
 *
 * `window.project` is set before: {docs: [{id, path, text}], hook, readOnly, open, shared}. Of a `shared` project each change
 * goes to `window.exchange`, which puts those of all pages in one order, and comes back to every page by `window.receive`.
 */

import { acceptCompletion, autocompletion, completionStatus, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, invertedEffects, isolateHistory, redo, undo } from "@codemirror/commands";
import { syntaxTree } from "@codemirror/language";
import { ChangeSet, Compartment, EditorSelection, EditorState, Prec, StateEffect, StateField, Text, Transaction } from "@codemirror/state";
import { Decoration, EditorView, hoverTooltip, keymap, ViewPlugin, WidgetType } from "@codemirror/view";
import { fileTree } from "./tree.js";

const CodeMirror = { ChangeSet, Decoration, EditorSelection, EditorView, Prec, StateEffect, StateField, ViewPlugin, WidgetType, hoverTooltip, keymap, syntaxTree, undo, redo, invertedEffects, isolateHistory };
const { docs, hook = true, readOnly = false, open, shared = false } = window.project;
const me = crypto.randomUUID();
const values = new Map();
const third = new Compartment();
const editable = new Compartment();
window.overleaf = { unstable: { store: { get: (path) => values.get(path) } } };

const offer = (extensions) => {
  if (hook) {
    window.dispatchEvent(new CustomEvent("UNSTABLE_editor:extensions", { detail: { CodeMirror, extensions } }));
  }
  return extensions;
};
const reload = ViewPlugin.define((view) => {
  const listener = () => view.dispatch({ effects: third.reconfigure(offer([])) });
  window.addEventListener("editor:extension-loaded", listener);
  return { destroy: () => window.removeEventListener("editor:extension-loaded", listener) };
});
const ownKeys = (context) => {
  const typed = context.matchBefore(/\\cite\{[^{}]*/);
  if (typed === null) {
    return null;
  }
  const from = typed.from + Math.max(typed.text.lastIndexOf("{"), typed.text.lastIndexOf(",")) + 1;
  const keys = docs.flatMap(({ path, text }) => (path.endsWith(".bib") ? [...text.matchAll(/^@\w+\{([^,]+),/gm)].map((found) => found[1]) : []));
  return { from, options: keys.map((label) => ({ label, type: "reference" })) };
};
const stateOf = (doc) =>
  EditorState.create({
    doc: doc.text,
    extensions: [
      history({ newGroupDelay: 250 }),
      EditorView.lineWrapping,
      editable.of(EditorState.readOnly.of(true)),
      autocompletion({ icons: false, defaultKeymap: false, interactionDelay: 0, optionClass: (option) => `ol-cm-completion-${option.type}` }),
      Prec.highest(keymap.of([{ key: "Enter", run: acceptCompletion }, { key: "Ctrl-Space", run: startCompletion }])),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorState.languageData.of(() => [{ autocomplete: ownKeys }]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          doc.text = update.state.doc.toString();
          if (!shared) {
            window.saved(window.location.pathname, doc.path, doc.text);
          } else if (!update.transactions.some((each) => each.annotation(Transaction.remote))) {
            doc.pending = doc.pending?.compose(update.changes) ?? update.changes;
            void push(doc);
          }
        }
      }),
      third.of(offer([])),
      reload,
    ],
  });

const view = new EditorView({ parent: document.querySelector("#editor") });
const show = (doc) => {
  // The store is ahead of the editor, as in Overleaf.
  values.set("editor.open_doc_id", doc.id);
  values.set("editor.open_doc_name", doc.path.split("/").at(-1));
  values.set("editor.view", view);
  queueMicrotask(() => {
    view.setState(stateOf(doc));
    window.lock(readOnly);
  });
};
/** Send what was typed, until it is accepted: what others sent before comes first. */
const push = async (doc) => {
  if (doc.sending || (doc.sent ??= doc.pending) === undefined) {
    return;
  }
  doc.pending = doc.sent === doc.pending ? undefined : doc.pending;
  doc.sending = true;
  while (!(await window.exchange(window.location.pathname, doc.path, doc.version ?? 0, doc.sent.toJSON(), me))) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
window.receive = ({ path, by, changes }) => {
  const doc = docs.find((each) => each.path === path);
  doc.version = (doc.version ?? 0) + 1;
  if (by === me) {
    doc.sent = undefined;
    doc.sending = false;
    void push(doc);
    return;
  }
  let theirs = ChangeSet.fromJSON(changes);
  for (const name of ["sent", "pending"].filter((each) => doc[each] !== undefined)) {
    [doc[name], theirs] = [doc[name].map(theirs), theirs.map(doc[name], true)];
  }
  if (values.get("editor.open_doc_id") === doc.id) {
    view.dispatch({ changes: theirs, annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(false)] });
  } else {
    doc.text = theirs.apply(Text.of(doc.text.split("\n"))).toString();
  }
};
const draw = fileTree(docs, show);

/** Overleaf opens a document read-only and unlocks it then, and locks it where it cannot be saved. */
window.lock = (isLocked) => view.dispatch({ effects: editable.reconfigure(EditorState.readOnly.of(isLocked)) });
/** A document that somebody made. */
window.added = (doc) => {
  docs.push(doc);
  draw();
};
/** A document that was deleted, which may be the shown one. */
window.removed = (id) => {
  docs.splice(docs.findIndex((each) => each.id === id), 1);
  draw();
  if (values.get("editor.open_doc_id") === id) {
    show(docs.find(({ path }) => path === open));
  }
};
/** What a co-author types, in the shown document or another one. */
window.remote = (path, from, insert) => {
  const doc = docs.find((each) => each.path === path);
  if (values.get("editor.open_doc_id") === doc.id) {
    view.dispatch({ changes: { from, insert } });
  } else {
    doc.text = doc.text.slice(0, from) + insert + doc.text.slice(from);
    window.saved(window.location.pathname, path, doc.text);
  }
};
window.cursorTo = (text, after = true) => {
  const at = view.state.doc.toString().indexOf(text);
  view.dispatch({ selection: { anchor: at + (after ? text.length : 0) }, scrollIntoView: true });
  view.focus();
};
window.cursorLine = () => view.state.doc.lineAt(view.state.selection.main.head).text;
window.shown = () => view.state.doc.toString();
window.coords = (text) => view.coordsAtPos(view.state.doc.toString().indexOf(text) + 1);
window.completion = () => completionStatus(view.state);
show(docs.find(({ path }) => path === open));
