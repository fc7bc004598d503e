import type { FastifyRequest } from 'fastify';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a state-changing request comes from another site's page. Browsers report the origin in `Origin` and
 * `Sec-Fetch-Site`, which pages cannot forge. Other clients send neither and carry no visitor's cookie.
 *
 * Source: SECURITY.md, T13, SEC-09.
 */
export function isCrossSite(request: FastifyRequest, ownOrigins: ReadonlySet<string>): boolean {
  if (safeMethods.has(request.method)) return false;
  const { origin } = request.headers;
  if (origin !== undefined && !ownOrigins.has(origin)) return true;
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin';
}
