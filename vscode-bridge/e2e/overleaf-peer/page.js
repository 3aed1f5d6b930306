/**
 * Overleaf's page with its own client: connection, documents and the editor's extensions come from Overleaf's repository.
 *
 * Around them is what its React components do: join, open a document, leave it. `window.project` is set before:
 * {docs: [{id, path}], open}. It is the real page's order of steps in use-codemirror-scope and editor-manager-context.
 */

import { autocompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { ConnectionManager } from "@/features/ide-react/connection/connection-manager";
import EditorWatchdogManager from "@/features/ide-react/connection/editor-watchdog-manager";
import { IdeEventEmitter } from "@/features/ide-react/create-ide-event-emitter";
import { OpenDocuments } from "@/features/ide-react/editor/open-documents";
import { editable, setEditable } from "@/features/source-editor/extensions/editable";
import { filterCharacters } from "@/features/source-editor/extensions/filter-characters";
import { ranges } from "@/features/source-editor/extensions/ranges";
import { realtime } from "@/features/source-editor/extensions/realtime";
import { thirdPartyExtensions } from "@/features/source-editor/extensions/third-party-extensions";
import { fileTree } from "../overleaf-page/tree.js";

const { docs, open } = window.project;
const values = new Map();
window.overleaf = { unstable: { store: { get: (path) => values.get(path) } } };
window.problems = [];
const report = (error) => window.problems.push(String(error?.message ?? error));

const events = new IdeEventEmitter();
const connection = new ConnectionManager();
const { socket } = connection;
const documents = new OpenDocuments(socket, new EditorWatchdogManager({ onTimeoutHandler: report }), events);
const view = new EditorView({ parent: document.querySelector("#editor") });
let [current, currentId, epoch] = [undefined, undefined, 0];

const joined = (container) => new Promise((resolve, reject) => container.join((error) => (error ? reject(error) : resolve())));
async function show(doc) {
  if (doc === undefined || doc.id === currentId) {
    return;
  }
  currentId = doc.id;
  values.set("editor.open_doc_id", doc.id);
  values.set("editor.open_doc_name", doc.path);
  epoch += 1;
  const own = epoch;
  if (current !== undefined) {
    current.off();
    current.on("error", report);
    await current.leaveAndCleanUpPromise();
  }
  const next = epoch === own ? documents.getDocument(doc.id) : undefined;
  await (next && joined(next));
  if (epoch !== own) {
    next?.leaveAndCleanUp();
    return;
  }
  next.on("error", report);
  current = next;
  view.setState(
    EditorState.create({
      doc: next.getSnapshot(),
      extensions: [
        history({ newGroupDelay: 250 }),
        EditorView.lineWrapping,
        keymap.of([...defaultKeymap, ...historyKeymap]),
        filterCharacters(),
        autocompletion({ interactionDelay: 0, optionClass: ({ type }) => `ol-cm-completion-${type}` }),
        realtime({ currentDoc: next }, report),
        editable(),
        ranges(),
        thirdPartyExtensions(),
      ],
    }),
  );
  view.dispatch(setEditable(true));
}

const draw = fileTree(docs, (doc) => show(doc).catch(report));
socket.on("joinProjectResponse", ({ project, permissionsLevel }) => {
  events.emit("project:joined", { project, permissionsLevel });
  show(docs.find(({ path }) => current === undefined && path === open)).catch(report);
});
socket.on("reciveNewDoc", (_folder, { _id: id, name }) => {
  docs.push({ id, path: name });
  draw();
});
socket.on("removeEntity", (id) => {
  docs.splice(docs.findIndex((doc) => doc.id === id), 1);
  draw();
  if (id === currentId) {
    show(docs.find(({ path }) => path === open)).catch(report);
  }
});

window.author = () => socket.publicId;
window.shown = () => view.state.doc.toString();
window.connection = connection;
window.isSaved = () => connection.state.readyState === WebSocket.OPEN && current.joined && !documents.hasUnsavedChanges();
window.reconnect = () => connection.tryReconnectNow();
window.cursorTo = (text, after = true) => {
  const at = view.state.doc.toString().indexOf(text);
  view.dispatch({ selection: { anchor: at + (after ? text.length : 0) }, scrollIntoView: true });
  view.focus();
};
/** A comment on a text, as the review panel makes one. */
window.comment = (text, thread) => current.submitOp({ c: text, p: view.state.doc.toString().indexOf(text), t: thread });
