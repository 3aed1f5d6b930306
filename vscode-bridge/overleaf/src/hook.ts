/**
 * In the page: citeplug as an extension of Overleaf's editor, by the event and the store that Overleaf has for this.
 *
 * It reads and edits text through the editor's transactions alone. It knows no secret, and what it sends is checked by
 * who gets it: the page can send the same.
 */

import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorState, Extension, StateEffectType, Text } from "@codemirror/state";
import type { DecorationSet, EditorView, Tooltip, ViewUpdate } from "@codemirror/view";
import type * as StateModule from "@codemirror/state";
import type * as ViewModule from "@codemirror/view";

import type { CardPart } from "./card.js";
import type { Card, FromPage, Mark, Offer, ToPage } from "./messages.js";
import type { Change } from "./texts.js";

/** What the event brings of CodeMirror. */
type Bundle = Pick<typeof StateModule, "StateEffect" | "StateField"> & Pick<typeof ViewModule, "Decoration" | "EditorView" | "ViewPlugin" | "hoverTooltip">;

interface Store {
  get(path: string): unknown;
}

declare global {
  interface Window {
    overleaf?: { unstable?: { store?: Store } };
  }
}

const EVENT = "UNSTABLE_editor:extensions";
const RELOAD = "editor:extension-loaded";
const ANSWER_TIME = 3_000; // ms in which a completion or a hover is answered, or left out
const BEHIND = -50; // after the completions of the editor itself
// The argument of any command, which may be one that cites: citeplug knows which do.
const IN_ARGUMENT = /\\[a-zA-Z@]+\*?(?:\[[^[\]]*\])*\{[^{}]*$/;
const LOOK_BACK = 2_000; // characters

const channel = new MessageChannel();
const waiting = new Map<number, (message: ToPage) => void>();
let number = 0;
let shown: Shown | undefined;
let stateClass: typeof EditorState | undefined;
let marksEffect: StateEffectType<readonly Mark[]> | undefined;

/** The document in the editor. `revision` counts its changes; a change for another revision is refused. */
interface Shown {
  readonly view: EditorView;
  readonly id: string;
  doc: Text;
  revision: number;
}

window.addEventListener(EVENT, (event) => {
  const detail: unknown = (event as CustomEvent<unknown>).detail;
  if (typeof detail !== "object" || detail === null) {
    return;
  }
  const { CodeMirror: bundle, extensions } = detail as { CodeMirror?: Partial<Bundle>; extensions?: unknown };
  if (Array.isArray(extensions) && isBundle(bundle)) {
    (extensions as Extension[]).push(extensionOf(bundle));
  }
});
channel.port1.onmessage = ({ data }: MessageEvent<ToPage>): void => {
  take(data);
};
// The content script began before the page did, and waits for this alone.
window.postMessage("citeplug", window.location.origin, [channel.port2]);

function tell(message: FromPage): void {
  channel.port1.postMessage(message);
}

function isBundle(bundle: Partial<Bundle> | undefined): bundle is Bundle {
  const names = ["Decoration", "EditorView", "StateEffect", "StateField", "ViewPlugin", "hoverTooltip"] as const;
  return bundle !== undefined && names.every((name) => typeof bundle[name] === "function");
}

function extensionOf({ Decoration, EditorView, StateEffect, StateField, ViewPlugin, hoverTooltip }: Bundle): Extension {
  const effect = (marksEffect = StateEffect.define<readonly Mark[]>());
  const field = StateField.define<{ marks: readonly Mark[]; decorations: DecorationSet }>({
    create: () => ({ marks: [], decorations: Decoration.none }),
    update(value, transaction) {
      const marks = transaction.effects.find((each) => each.is(effect))?.value;
      if (marks === undefined) {
        const moved = ({ from, to, ...mark }: Mark): Mark => ({
          ...mark,
          from: transaction.changes.mapPos(from, 1),
          to: transaction.changes.mapPos(to, -1),
        });
        return transaction.docChanged
          ? { marks: value.marks.map(moved), decorations: value.decorations.map(transaction.changes) }
          : value;
      }
      const { doc } = transaction.state;
      const lines = new Map(marks.map((mark) => [doc.lineAt(mark.from).from, mark]));
      const ranges = [
        ...[...lines].map(([from, { severity }]) => Decoration.line({ class: `citeplug-line citeplug-${severity}` }).range(from)),
        ...marks
          .filter((mark) => mark.to > mark.from)
          .map((mark) => Decoration.mark({ class: `citeplug-mark citeplug-${mark.severity}` }).range(mark.from, mark.to)),
      ];
      return { marks, decorations: Decoration.set(ranges, true) };
    },
    provide: (self) => EditorView.decorations.from(self, ({ decorations }) => decorations),
  });
  const plugin = ViewPlugin.define((view) => {
    opened(view);
    return {
      update: (update: ViewUpdate): void => {
        followed(update);
      },
      destroy(): void {
        if (shown?.view === view && !view.dom.isConnected) {
          shown = undefined;
          tell({ kind: "closed" });
        }
      },
    };
  });
  const hover = hoverTooltip(async (view, at): Promise<Tooltip | null> => {
    const marks = view.state.field(field, false)?.marks.filter((mark) => mark.from <= at && at <= mark.to) ?? [];
    const card = shown?.view === view ? await cardAt(at) : null;
    const parts = [...marks.map(({ message }): CardPart => ({ kind: "verdict", text: message })), ...(card?.parts ?? [])];
    const [from, to] = [card?.from ?? marks[0]?.from ?? at, card?.to ?? marks[0]?.to ?? at];
    return parts.length === 0 || to > view.state.doc.length ? null : { pos: from, end: to, above: true, create: () => ({ dom: box(parts) }) };
  });
  return [field, plugin, hover, theme(EditorView), ...(stateClass === undefined ? [] : [completions(stateClass)])];
}

function completions(known: typeof EditorState): Extension {
  const data = [{ autocomplete: complete }];
  return known.languageData.of(() => data);
}

function theme(view: typeof EditorView): Extension {
  const colours = { error: "#c62828", warning: "#b26a00", info: "#1565c0" };
  const rules = Object.entries(colours).flatMap(([severity, colour]) => [
    [`.cm-line.citeplug-line.citeplug-${severity}`, { boxShadow: `inset 3px 0 ${colour}` }],
    [`.citeplug-mark.citeplug-${severity}`, { textDecoration: `underline wavy ${colour}`, textDecorationSkipInk: "none" }],
  ]);
  return view.baseTheme({
    ...(Object.fromEntries(rules) as Record<string, Record<string, string>>),
    ".cm-tooltip-autocomplete li.ol-cm-completion-citeplug .cm-completionDetail": { fontStyle: "normal", opacity: ".75", marginLeft: "1.2em" },
    ".citeplug-card": { whiteSpace: "pre-wrap", overflowWrap: "anywhere", maxWidth: "32em", maxHeight: "22em", overflow: "auto", padding: "8px 12px", font: "13px/1.45 system-ui, sans-serif" },
    ".citeplug-card > *": { margin: "0 0 5px" },
    ".citeplug-card > :last-child": { marginBottom: "0" },
    ".citeplug-card .citeplug-verdict": { fontSize: "12px", fontWeight: "600" },
    ".citeplug-card .citeplug-title": { fontSize: "15px", fontWeight: "600", lineHeight: "1.3" },
    ".citeplug-card .citeplug-about": { opacity: ".8" },
    ".citeplug-card .citeplug-quote": { borderLeft: "3px solid #098842", paddingLeft: "9px" },
    ".citeplug-card .citeplug-rule": { borderTop: "1px solid", opacity: ".25" },
  });
}

function box(parts: readonly CardPart[]): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "citeplug-card";
  for (const { kind, text } of parts) {
    const part = document.createElement("div");
    part.className = `citeplug-${kind}`;
    part.textContent = text;
    dom.append(part);
  }
  return dom;
}

/** Tell which document a new state of the editor shows. */
function opened(view: EditorView): void {
  const store = window.overleaf?.unstable?.store;
  const [id, name] = [store?.get("editor.open_doc_id"), store?.get("editor.open_doc_name")];
  if (typeof id !== "string" || typeof name !== "string") {
    return;
  }
  const { state } = view;
  // While another document is on its way the store names that one already, and the editor shows the one before.
  // All empty documents are one.
  const isAsBefore = shown?.view === view && shown.doc === state.doc && (shown.id === id || state.doc.length > 0);
  if (!isAsBefore) {
    shown = { view, id, doc: state.doc, revision: (shown?.revision ?? 0) + 1 };
    tell({ kind: "opened", id, name, text: state.doc.toString(), revision: shown.revision, readOnly: state.readOnly });
  }
  if (stateClass === undefined) {
    // Completions need a class that the event does not bring: with it, the extension is asked for once more.
    stateClass = state.constructor as typeof EditorState;
    queueMicrotask(() => window.dispatchEvent(new CustomEvent(RELOAD)));
  }
}

function followed(update: ViewUpdate): void {
  if (shown?.view !== update.view) {
    return;
  }
  const { readOnly } = update.state;
  if (readOnly !== update.startState.readOnly) {
    tell({ kind: "locked", readOnly }); // Overleaf opens each document read-only, and unlocks it when it is shown
  }
  if (!update.docChanged) {
    return;
  }
  const changes: Change[] = [];
  update.changes.iterChanges((from, to, _start, _end, insert) => {
    changes.push({ from, to, insert: insert.toString() });
  });
  shown.doc = update.state.doc;
  shown.revision += 1;
  tell({ kind: "changed", changes, revision: shown.revision });
}

function ask(kind: "complete" | "hover", at: number, revision: number): Promise<ToPage | undefined> {
  number += 1;
  const own = number;
  tell({ kind, number: own, at, revision });
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      waiting.delete(own);
      resolve(undefined);
    }, ANSWER_TIME);
    waiting.set(own, (message) => {
      clearTimeout(late);
      resolve(message);
    });
  });
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos } = context;
  const own = shown;
  if (own === undefined || own.view !== context.view || !IN_ARGUMENT.test(state.sliceDoc(Math.max(0, pos - LOOK_BACK), pos))) {
    return null;
  }
  const message = await ask("complete", pos, own.revision);
  if (message?.kind !== "offers" || context.aborted) {
    return null;
  }
  const from = message.offers[0]?.from;
  return from === undefined ? null : { from, filter: true, options: message.offers.map((offer, index) => optionOf(offer, index, message.number, state.sliceDoc(from, pos))) };
}

/** An option that fits whatever was typed: what fits by author or topic is known to citeplug. */
function optionOf(offer: Offer, index: number, from: number, typed: string): Completion {
  return {
    label: typed === "" ? offer.insert : typed,
    displayLabel: offer.label,
    detail: offer.detail,
    section: { name: offer.group, rank: offer.group.startsWith("In ") ? 0 : 1 },
    type: "citeplug",
    boost: BEHIND - index / 10,
    apply(view): void {
      const to = Math.max(offer.to, view.state.selection.main.head);
      view.dispatch({
        changes: { from: offer.from, to, insert: offer.insert },
        selection: { anchor: offer.from + offer.insert.length },
        userEvent: "input.complete",
      });
      tell({ kind: "picked", number: from, index });
    },
  };
}

async function cardAt(at: number): Promise<Card | null> {
  const message = shown === undefined ? undefined : await ask("hover", at, shown.revision);
  return message?.kind === "card" ? message.card : null;
}

function take(message: ToPage): void {
  switch (message.kind) {
    case "offers":
    case "card":
      waiting.get(message.number)?.(message);
      waiting.delete(message.number);
      break;
    case "marks":
      if (shown?.revision === message.revision && marksEffect !== undefined) {
        shown.view.dispatch({ effects: marksEffect.of(message.marks) });
      }
      break;
    case "reveal":
      if (shown?.revision === message.revision) {
        shown.view.dispatch({ selection: { anchor: message.at }, scrollIntoView: true });
        shown.view.focus();
      }
      break;
    case "cursor":
      if (shown !== undefined) {
        tell({ kind: "cursor", number: message.number, at: shown.view.state.selection.main.head, revision: shown.revision });
      }
      break;
    case "apply":
      tell({ kind: "applied", number: message.number, problem: apply(message.changes, message.revision) });
      break;
  }
}

/** Make changes as one transaction; why not, if they are not made. */
function apply(changes: Change[], revision: number): string {
  if (shown?.revision !== revision) {
    return "the text was changed in the meantime";
  }
  if (shown.view.state.readOnly) {
    return "you may only read this project";
  }
  const { view } = shown;
  const before = view.state.doc;
  view.dispatch({ changes, userEvent: "input.citeplug" });
  return changes.length > 0 && view.state.doc === before ? "the editor refused the change" : "";
}
