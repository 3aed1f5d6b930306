/** The foot of the panel, in view wherever the author has scrolled to: what is being done, or what was done last. */

import { button, element, paragraph, row, sentence } from "./elements.js";
import { type Command, type FromPanel, type State, UNDONE } from "./messages.js";

/** What was written, by the command that did it. */
const WRITTEN: Partial<Record<Command, string>> = {
  generate: "The section is written.",
  addEntry: "Entry added.",
  insertCitation: "Citation added.",
  insertAnswer: "Sentence added.",
};

export class Outcome {
  readonly element = element("footer", { role: "status" });
  private readonly work = paragraph("", "busy");
  private readonly share = element("progress", { max: "100", "aria-label": "Progress" }) as HTMLProgressElement;
  private readonly working: HTMLElement;

  constructor(private readonly tell: (message: FromPanel) => void) {
    this.working = row(this.work, this.does("Stop", { kind: "cancel" }), this.share);
  }

  get isBusy(): boolean {
    return this.working.isConnected;
  }

  /** `view` is the one that is shown: what was written from another is undone there. */
  show(state: State | null, view: string): void {
    const { busy = "", share = 0, notice = "", question = null, proposal = null, undo = null } = state ?? {};
    if (busy !== "" && question === null) {
      this.work.textContent = sentence(busy);
      this.share.value = share;
      this.share.toggleAttribute("value", share > 0);
      if (!this.isBusy) {
        this.element.replaceChildren(this.working);
      }
      return;
    }
    const told = notice === "" ? [] : [row(paragraph(notice, notice === UNDONE ? "busy" : "busy problem"), this.does("Close", { kind: "dismiss" }))];
    const written = proposal !== null || undo === null || !["", view].includes(undo.view) ? [] : [row(paragraph(WRITTEN[undo.command] ?? "Corrected.", "busy"), this.does("Undo", { kind: "undo" }))];
    this.element.replaceChildren(...told, ...written);
  }

  private does(label: string, message: FromPanel): HTMLElement {
    return button(label, this.tell.bind(null, message), "quiet");
  }
}
