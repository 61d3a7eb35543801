// What a page or a Node program sees of the service; the same checks run in both.

import { type Transport, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { fromJson, type JsonValue } from "@bufbuild/protobuf";

import { BadRequestSchema, RetryInfoSchema } from "../src/gen/google/rpc/error_details_pb";
import { type Observation, ObservationSchema, OpponentService } from "../src/gen/solstis_ai/v1/opponent_pb";

/** What was found; compared on the other side. */
export interface Findings {
  move: string;
  iterations: string;
  growing: number[];
  finals: boolean[];
  badField: string;
  badFieldInStream: string;
  truncated: boolean;
  cancelled: string;
  cancelledStream: string;
  overloaded: string;
  retryMilliseconds: number;
}

const PROTOCOLS: Record<string, (baseUrl: string) => Transport> = {
  connect: (baseUrl) => createConnectTransport({ baseUrl }),
  "connect-binary": (baseUrl) => createConnectTransport({ baseUrl, useBinaryFormat: true }),
  "grpc-web": (baseUrl) => createGrpcWebTransport({ baseUrl }),
};

const LONG = { timeSeconds: 30 };

/** Call the service in every way over one protocol; it has one slot and no queue. */
export async function check(protocol: string, baseUrl: string, seen: JsonValue): Promise<Findings> {
  const client = createClient(OpponentService, PROTOCOLS[protocol]!(baseUrl));
  const observation = fromJson(ObservationSchema, seen);
  const bad: Observation = { ...observation, yourHand: ["r1", "x9", "k4"] };

  const whole = await client.recommendMove({ observation, limits: { iterations: 100n } });
  const growing: number[] = [];
  const finals: boolean[] = [];
  const stream = client.analyzePosition({ observation, limits: { timeSeconds: 0.5 }, intervalSeconds: 0.05 });
  for await (const answer of stream) {
    growing.push(Number(answer.analysis!.iterations));
    finals.push(answer.final);
  }
  const inTime = await client.recommendMove({ observation, limits: LONG }, { timeoutMs: 4000 });

  const cancelled = await cancel(async (signal) => {
    await drained(
      untilFree(async function* () {
        yield await client.recommendMove({ observation, limits: LONG }, { signal });
      }),
    );
  });
  const overloaded: ConnectError[] = [];
  const cancelledStream = await cancel(async (signal, abort) => {
    const limits = { observation, limits: LONG, intervalSeconds: 0.05 };
    for await (const _ of untilFree(() => client.analyzePosition(limits, { signal }))) {
      overloaded.push(await failure(client.recommendMove({ observation, limits: LONG })));
      abort();
    }
  });

  return {
    move: whole.analysis!.text,
    iterations: String(whole.analysis!.iterations),
    growing,
    finals,
    badField: fieldOf(await failure(client.recommendMove({ observation: bad }))),
    badFieldInStream: fieldOf(await failure(drained(client.analyzePosition({ observation: bad })))),
    truncated: inTime.analysis!.truncated,
    cancelled,
    cancelledStream,
    overloaded: Code[overloaded[0]!.code],
    retryMilliseconds: retryOf(overloaded[0]!),
  };
}

/** The slot of a call that ended before its limits is free a moment later. */
async function* untilFree<T>(begin: () => AsyncIterable<T>): AsyncGenerator<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      yield* begin();
      return;
    } catch (error) {
      if (ConnectError.from(error).code !== Code.ResourceExhausted || attempt === 50) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Run a call and abort it after a while, or when it says so; the code that it ends with. */
async function cancel(call: (signal: AbortSignal, abort: () => void) => Promise<void>): Promise<string> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, 3000);
  const error = await failure(call(controller.signal, abort));
  clearTimeout(timer);
  return Code[error.code];
}

async function failure(call: Promise<unknown>): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new Error("it should have failed");
}

async function drained(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream) {
    // only the end counts
  }
}

function fieldOf(error: ConnectError): string {
  const [details] = error.findDetails(BadRequestSchema);
  return `${Code[error.code]} ${details!.fieldViolations[0]!.field}`;
}

function retryOf(error: ConnectError): number {
  const [details] = error.findDetails(RetryInfoSchema);
  return Number(details!.retryDelay!.seconds) * 1000 + details!.retryDelay!.nanos / 1e6;
}
