/** What the server asks the author: which of some actions, or whether something may be sent. One question at a time. */

import type { Question, Reply, Sending } from "./messages.js";

export class Questions {
  shown: Question | null = null;
  private number = 0; // counts down: proposals count up
  private resolve: (reply: Reply) => void = () => undefined;

  constructor(private readonly update: () => void) {}

  async choose(params: Record<string, unknown>): Promise<{ title: string } | null> {
    const actions = ((params["actions"] ?? []) as { title: string }[]).map(({ title }) => title);
    const { action } = await this.ask(String(params["message"]), actions, null);
    return actions.includes(action) ? { title: action } : null;
  }

  async maySend(sending: Sending): Promise<{ send: boolean; limit: number | null }> {
    const { action, limit } = await this.ask("", [], sending);
    return { send: action !== "", limit };
  }

  reply(number: number, reply: Reply): void {
    if (this.shown?.number === number) {
      this.shown = null;
      this.update();
      this.resolve(reply);
    }
  }

  private ask(message: string, actions: string[], sending: Sending | null): Promise<Reply> {
    this.number -= 1;
    this.shown = { number: this.number, message, actions, sending };
    return new Promise((resolve) => {
      this.resolve = resolve;
      this.update();
    });
  }
}
