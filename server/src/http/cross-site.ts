import type { FastifyRequest } from 'fastify';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request that changes state comes from a page of another site. Browsers say where a request comes from in
 * `Origin` and `Sec-Fetch-Site`, which pages cannot forge; a program that is no browser says neither and carries no
 * visitor's cookie.
 *
 * Source: security T13, SEC-09.
 */
export function isCrossSite(request: FastifyRequest, ownOrigins: ReadonlySet<string>): boolean {
  if (safeMethods.has(request.method)) return false;
  const { origin } = request.headers;
  if (origin !== undefined && !ownOrigins.has(origin)) return true;
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin';
}
