// A program that talks in lines, such as `solstis-ai table`.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Program {
  /** The next line that it prints; rejects when there is none. */
  nextLine(): Promise<string>;
  /** Send it a line. */
  send(line: string): void;
  /** Tell it to end. */
  stop(): void;
}

/** Start `solstis-ai` (or what SOLSTIS_AI names) with these arguments. */
export function startSolstis(...args: string[]): Program {
  const command = process.env["SOLSTIS_AI"] ?? "solstis-ai";
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
  });
  failed.catch(() => undefined); // told by nextLine
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

  async function nextLine(): Promise<string> {
    const line = await Promise.race([lines.next(), failed]);
    if (line.done) {
      throw new Error(`${command} ${args.join(" ")} has ended`);
    }
    return line.value;
  }

  return {
    nextLine,
    send: (line) => void child.stdin.write(`${line}\n`),
    stop: () => void child.kill(),
  };
}
