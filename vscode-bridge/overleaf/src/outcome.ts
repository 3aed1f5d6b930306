/** The foot of the panel, in view wherever the author has scrolled to: what is being done, or what was done last. */

import { button, element, paragraph, row, sentence, textIn } from "./elements.js";
import { type Command, type FromPanel, type State, UNDONE } from "./messages.js";

/** What a command has done with what it wrote. */
const WRITTEN: Partial<Record<Command, string>> = { generate: "Wrote", addEntry: "Added", insertCitation: "Added", insertAnswer: "Added" };

const SECOND = 1_000; // ms

export class Outcome {
  readonly element = element("footer", { role: "status" });
  private readonly work = paragraph("", "busy");
  private readonly share = element("progress", { max: "100", "aria-label": "Progress" }) as HTMLProgressElement;
  private readonly clock = textIn("span", "", { class: "small", "aria-hidden": "true" }); // not to be read aloud each second
  private readonly working: HTMLElement;
  private since = 0;

  constructor(private readonly tell: (message: FromPanel) => void) {
    this.working = row(this.work, this.clock, this.does("Stop", { kind: "cancel" }), this.share);
    setInterval(() => {
      this.clock.textContent = `${Math.floor((Date.now() - this.since) / SECOND)} s`;
    }, SECOND);
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
        this.since = Date.now();
        this.clock.textContent = "";
        this.element.replaceChildren(this.working);
      }
      return;
    }
    const told = notice === "" ? [] : [row(paragraph(notice, notice.startsWith(UNDONE) ? "busy" : "busy problem"), this.does("Close", { kind: "dismiss" }))];
    const written = proposal !== null || undo === null || !["", view].includes(undo.view) ? [] : [row(paragraph(`${WRITTEN[undo.command] ?? "Corrected"} ${undo.what}.`, "busy"), this.does("Undo", { kind: "undo" }))];
    this.element.replaceChildren(...told, ...written);
  }

  private does(label: string, message: FromPanel): HTMLElement {
    return button(label, this.tell.bind(null, message), "quiet");
  }
}
