import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { newRequestId, type RequestTimes, runTimed, spent, type TimePart, timeParts } from '../request-times.ts';

/** Called for each completed request. `call` is a call of the contract or a route, never an address; `seconds` is its duration. */
export type OnRequestCompleted = (method: string, call: string, status: number, seconds: number) => void;

/** The call of the contract that each request matched. Fastify knows all of them as one route. */
export type CallNames = WeakMap<object, string>;

type AnswerReports = {
  readonly log: Log;
  /** `SLOW_REQUEST`, in milliseconds: requests that take longer are logged. */
  readonly slowMs: number;
  /** For the metrics. */
  readonly onRequestCompleted?: OnRequestCompleted | undefined;
};

declare module 'fastify' {
  interface FastifyRequest {
    times: RequestTimes;
  }
}

/** When something of a request happened, in milliseconds of `performance.now()`. */
type Marks = { body?: number; answer?: number; compressed?: number };

/**
 * Gives each request an ID, which its answer and its lines in the log carry, and logs those that were slow with what they
 * spent their time on, also if their client did not wait for the answer. Register this before all other hooks.
 *
 * The log names people and maps by their IDs. What an answer takes because of its client is no reason to log it: uploads,
 * downloads and event streams take as long as the connection does.
 *
 * Source: SECURITY.md, REL-62
 *
 * @param calls by the request's context
 */
export function reportAnswers(
  app: FastifyInstance,
  calls: CallNames,
  { log, slowMs, onRequestCompleted }: AnswerReports,
): void {
  const marks = new WeakMap<FastifyRequest, Marks>();
  const callOf = ({ requestContext, routeOptions }: FastifyRequest): string =>
    (requestContext && calls.get(requestContext)) ?? routeOptions.url ?? 'unknown';
  /** @param outcome the status, or that nobody waited for it */
  const report = (request: FastifyRequest, reply: FastifyReply, outcome: object): void => {
    const { method, times } = request;
    const { answer, compressed = 0 } = marks.get(request)!;
    if (answer !== undefined) {
      const compressing = (times.parts.get('compression') ?? 0) - compressed;
      spent('sending', performance.now() - answer - compressing, times);
    }
    const ms = reply.elapsedTime;
    const isStream = answer === undefined && reply.sent;
    const isSlow = !isStream && ms - waitedForClient(request, reply) >= slowMs;
    if (!isSlow && !log.isLevelEnabled('debug')) return;
    const line = { id: times.id, call: callOf(request), ...outcome, ...named(request), ms: Math.round(ms) };
    const parts = partsOf(times.parts);
    if (isSlow) log.warn({ event: 'slow-request', ...line, parts }, 'A request took long');
    else log.debug({ event: 'request', method, ...line, parts }, 'Answered a request');
  };
  app.decorateRequest('times');
  app.addHook('onRequest', (request, reply, done) => {
    request.times = { id: newRequestId(), parts: new Map() };
    marks.set(request, {});
    reply.header('X-Request-Id', request.times.id);
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) report(request, reply, { abandoned: true });
    });
    runTimed(request.times, done);
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    marks.get(request)!.body = performance.now();
    done();
  });
  // The body arrives on behalf of the connection.
  app.addHook('preValidation', (request, _reply, done) => {
    const { body } = marks.get(request)!;
    if (body !== undefined) spent('receiving', performance.now() - body, request.times);
    runTimed(request.times, done);
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    const mark = marks.get(request)!;
    mark.answer = performance.now();
    mark.compressed = request.times.parts.get('compression') ?? 0;
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    onRequestCompleted?.(request.method, callOf(request), reply.statusCode, reply.elapsedTime / 1_000);
    // What broke off was reported when it did.
    if (reply.raw.writableFinished) report(request, reply, { status: reply.statusCode });
  });
}

/** Uploads and downloads may take any time. */
function waitedForClient({ routeOptions, times }: FastifyRequest, reply: FastifyReply): number {
  if (routeOptions.config?.pacesBody) return Number.POSITIVE_INFINITY;
  const isDownload = reply.hasHeader('Content-Disposition');
  return isDownload ? (times.parts.get('receiving') ?? 0) + (times.parts.get('sending') ?? 0) : 0;
}

const kinds: Readonly<Record<string, string>> = {
  visualizations: 'map',
  drafts: 'draft',
  shared: 'link',
  users: 'account',
};

/** The account that sent the request, and its object, by their IDs. */
function named({ url, requestContext }: FastifyRequest): Readonly<Record<string, string>> {
  const [, kind = '', id = ''] = /^\/api\/(\w+)\/([\w-]{1,64})/.exec(url) ?? [];
  const person = requestContext?.person?.account.id;
  const about = kinds[kind];
  return { ...(about === undefined ? {} : { [about]: id }), ...(person === undefined ? {} : { person }) };
}

/** In milliseconds, without what took none. */
function partsOf(parts: ReadonlyMap<TimePart, number>): Readonly<Partial<Record<TimePart, number>>> {
  const known = timeParts.flatMap((part): [TimePart, number][] => {
    const ms = Math.round(parts.get(part) ?? 0);
    return ms > 0 ? [[part, ms]] : [];
  });
  return Object.fromEntries(known);
}
