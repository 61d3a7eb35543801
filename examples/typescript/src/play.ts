// Seats the AI at a table and plays a game to its end, against moves taken at random.
//
// Usage: npm start [-- BASE_URL [ITERATIONS [SEED]]]
// Without BASE_URL a service is started for the game, by `solstis-ai serve --web-port 0`.

import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

import { type Observation, OpponentService } from "./gen/solstis_ai/v1/opponent_pb";
import { type Program, startSolstis } from "./lines";
import { type Decision, type Result, Table } from "./table";

type Opponent = Client<typeof OpponentService>;

const AI_SEAT = 0;

async function main(baseUrl?: string, iterations = "2000", seed = "1"): Promise<void> {
  const service = baseUrl === undefined ? startSolstis("serve", "--port", "0", "--web-port", "0", "--log-level", "warning") : undefined;
  const table = new Table(Number(seed));
  try {
    const url = baseUrl ?? (await urlOf(service!));
    const opponent = createClient(OpponentService, createConnectTransport({ baseUrl: url }));
    const result = await play(table, opponent, BigInt(iterations), dice(Number(seed)));
    console.log(`AI ${result.totals[AI_SEAT]}, random ${result.totals[1 - AI_SEAT]}`);
    console.log(result.winner === null ? "a draw" : `seat ${result.winner} wins`);
  } finally {
    table.close();
    service?.stop();
  }
}

async function play(
  table: Table,
  opponent: Opponent,
  iterations: bigint,
  random: () => number,
): Promise<Result> {
  for (;;) {
    const now = await table.next();
    if (!isDecision(now)) {
      return now;
    }
    const ai = now.seat === AI_SEAT;
    const words = ai
      ? await recommended(opponent, now.observation, iterations)
      : await anyLegal(opponent, now.observation, random);
    console.log(`${ai ? "AI:    " : "random:"} ${words}`);
    table.play(words);
  }
}

async function recommended(opponent: Opponent, observation: Observation, iterations: bigint): Promise<string> {
  const { analysis } = await opponent.recommendMove({ observation, limits: { iterations } });
  return analysis!.text;
}

async function anyLegal(opponent: Opponent, observation: Observation, random: () => number): Promise<string> {
  const { moves } = await opponent.listLegalMoves({ observation });
  return moves[Math.floor(random() * moves.length)]!.text;
}

function isDecision(line: Decision | Result): line is Decision {
  return "observation" in line;
}

/** The last word of the second line that `serve` prints. */
async function urlOf(service: Program): Promise<string> {
  await service.nextLine();
  return (await service.nextLine()).split(" ").at(-1)!;
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

await main(...process.argv.slice(2));
