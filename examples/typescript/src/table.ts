// A table to play at: `solstis-ai table`, in lines of JSON.

import { fromJson, type JsonValue } from "@bufbuild/protobuf";

import { type Observation, ObservationSchema } from "./gen/solstis_ai/v1/opponent_pb";
import { type Program, startSolstis } from "./lines";

/** What the seat to decide sees. */
export interface Decision {
  seat: 0 | 1;
  observation: Observation;
}

/** How the game ended; no winner is a draw. */
export interface Result {
  winner: 0 | 1 | null;
  totals: [number, number];
}

export class Table {
  private readonly program: Program;

  constructor(seed: number) {
    this.program = startSolstis("table", "--seed", String(seed));
  }

  /** The next decision, or the result once the game is over. */
  async next(): Promise<Decision | Result> {
    const line = JSON.parse(await this.program.nextLine());
    if (line.error !== undefined) {
      throw new Error(line.error);
    }
    if (line.over) {
      const [one, other] = line.scores;
      return { winner: line.winner, totals: [one.total, other.total] };
    }
    const observation = fromJson(ObservationSchema, line.observation as JsonValue);
    return { seat: line.seat, observation };
  }

  /** Decide; `words` as in "play g5". */
  play(words: string): void {
    this.program.send(words);
  }

  close(): void {
    this.program.stop();
  }
}
