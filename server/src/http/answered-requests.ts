import type { FastifyInstance } from 'fastify';

/** Hears of each answered request. `call` is a call of the contract or a route, never an address; `seconds` it took. */
export type OnAnswered = (method: string, call: string, status: number, seconds: number) => void;

/** Tells which call of the contract a request matched, which Fastify knows as one route. */
export type CallNames = WeakMap<object, string>;

/** @param calls by the request's context */
export function reportAnswers(app: FastifyInstance, calls: CallNames, answered: OnAnswered): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, requestContext, routeOptions } = request;
    const call = (requestContext && calls.get(requestContext)) ?? routeOptions.url ?? 'unknown';
    answered(method, call, reply.statusCode, reply.elapsedTime / 1_000);
  });
}
