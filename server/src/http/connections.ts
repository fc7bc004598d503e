import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '@kc/rules/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { networkOf } from './network.ts';

export type ConnectionTimes = {
  /** For the headers of a request, from the first connection or the end of the request before. */
  readonly headersMs: number;
  /** For a body, in addition to its length at {@link limits.minUploadBytesPerSecond}. */
  readonly bodyMs: number;
  /** How often Node looks for connections whose headers are late. */
  readonly checkMs: number;
  /** Without a byte in either direction; event streams send one every 20 s. */
  readonly silenceMs: number;
};

const usual: ConnectionTimes = { headersMs: 10_000, bodyMs: 10_000, checkMs: 4_000, silenceMs: 120_000 };
/** Between two requests. A proxy keeps connections open for later requests, for 60 s by default with nginx and many others. */
const keepAliveMs = { client: 10_000, proxy: 75_000 };
const warnEveryMs = 60_000;

export type ConnectionLimits = {
  /** Whether an address belongs to a trusted proxy: it brings the connections of many people. */
  readonly isProxy: (address: string) => boolean;
  readonly hasProxies: boolean;
  readonly log: Log;
  readonly times?: ConnectionTimes;
  /** Open connections of one network. */
  readonly most?: number;
};

/**
 * Ends connections that occupy a place without using it: headers or a body that drip, silence between requests, and
 * more connections than one network needs.
 *
 * Source: SECURITY.md, REL-24
 */
export function connectionLimits(deps: ConnectionLimits) {
  const times = deps.times ?? usual;
  return {
    /** For the server's constructor. */
    options: {
      keepAliveTimeout: deps.hasProxies ? keepAliveMs.proxy : keepAliveMs.client,
      connectionTimeout: times.silenceMs,
      http: { headersTimeout: times.headersMs, connectionsCheckingInterval: times.checkMs },
    },
    attach(app: FastifyInstance): void {
      countConnections(app, deps);
      endSlowBodies(app, times);
    },
  };
}

function countConnections(
  app: FastifyInstance,
  { isProxy, log, most = limits.maxConnectionsPerNetwork }: ConnectionLimits,
) {
  const open = new Map<string, number>();
  let nextWarning = 0;
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      if (performance.now() < nextWarning) return;
      nextWarning = performance.now() + warnEveryMs;
      const hint = 'More are closed. If it is your proxy, name it in TRUSTED_PROXIES';
      log.warn({ event: 'connections-full', network, open: most }, `One network has ${most} open connections. ${hint}`);
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const remaining = open.get(network)! - 1;
      if (remaining === 0) open.delete(network);
      else open.set(network, remaining);
    });
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route itself ends a body that arrives too slowly. */
    readonly pacesBody?: boolean;
  }
}

/** Before the response: a body that arrives too slowly. After it: a body that nobody reads any more. */
function endSlowBodies(app: FastifyInstance, { bodyMs }: ConnectionTimes): void {
  const endAfter = (milliseconds: number, message: IncomingMessage): void => {
    const timer = setTimeout(() => {
      const late = Object.assign(new Error('The body arrived too slowly'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (isArriving(message)) app.server.emit('clientError', late, message.socket);
    }, milliseconds).unref();
    message.once('close', () => clearTimeout(timer));
  };
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.pacesBody || !hasBody(request)) return;
    endAfter(bodyMs + lengthMs(request), request.raw);
  });
  app.addHook('onResponse', async ({ raw }) => {
    if (isArriving(raw)) endAfter(bodyMs, raw);
  });
}

/** Requests that tests inject have no socket and are never incomplete. */
const isArriving = ({ complete }: IncomingMessage): boolean => complete === false;

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Longer bodies than this are refused before they have arrived, except by the routes of uploads. */
const longestBody = limits.maxExportedRows * 4;

/** How long the body takes at the least rate. */
const lengthMs = ({ headers }: FastifyRequest): number =>
  (Math.min(Number(headers['content-length'] ?? 0), longestBody) / limits.minUploadBytesPerSecond) * 1000;

/** Fires if the connection ends before the response is sent. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  reply.raw.once('close', () => disconnected.abort());
  // It may have ended while something else was waited for.
  if (reply.raw.destroyed) disconnected.abort();
  return disconnected.signal;
}
