/** What a running citeplug says on standard error with CITEPLUG_PROGRESS=json: a line of JSON for each step. */

export interface Step {
  stage: string;
  done: number;
  /** null where it is not known */
  total: number | null;
}

/** Steps out of pieces of text that end anywhere. `rest` is what was none. */
export class Lines {
  rest = "";
  private open = "";

  take(some: string): Step[] {
    const lines = (this.open + some).split("\n");
    this.open = lines.pop() ?? "";
    const found: Step[] = [];
    for (const line of lines) {
      const step = readStep(line);
      if (step === undefined) {
        this.rest += `${line}\n`;
      } else {
        found.push(step);
      }
    }
    return found;
  }
}

export function words({ stage, done, total }: Step): string {
  return total !== null && total > 0 ? `${stage} ${Math.floor((100 * Math.min(done, total)) / total)} %` : stage;
}

/** The error and the hint that a program ended with, on one line. */
export function lastWords(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  const error = lines.findLastIndex((line) => line.startsWith("error:"));
  const told = (error >= 0 ? lines.slice(error) : lines.slice(-1)).map((line) => line.trim()).join(" ");
  return told.replace(/[\u0000-\u001f\u007f-\u009f]/g, "") || "it said nothing";
}

function readStep(line: string): Step | undefined {
  if (!line.startsWith("{")) {
    return undefined;
  }
  try {
    const { stage, done, total } = JSON.parse(line) as Partial<Record<string, unknown>>;
    return typeof stage === "string" && typeof done === "number" && (total === null || typeof total === "number")
      ? { stage, done, total }
      : undefined;
  } catch {
    return undefined;
  }
}
