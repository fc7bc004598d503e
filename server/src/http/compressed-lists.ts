import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { timed } from '../request-times.ts';

/**
 * Calls whose responses grow with the number of users. None contains a token, a handle or another secret: the
 * compressed size of a secret next to text that another user chose reveals how similar they are (BREACH).
 */
const lists: ReadonlySet<string> = new Set(['/api/users']);

/** Smaller responses are not worth the time, and their size reveals more. In characters. */
const threshold = 32 * 1024;

const compress = promisify(gzip);

/**
 * Compresses long lists with gzip if the client accepts it. Everything else, including streams, files and slices, is
 * sent unchanged. A random number of random blanks after the list obscures its size.
 *
 * Source: SECURITY.md, T50; https://www.breachattack.com, "Mitigations"
 */
export function compressLists(scope: FastifyInstance): void {
  scope.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || !lists.has(request.url.split('?')[0]!)) return payload;
    if (typeof payload !== 'string' || payload.length < threshold) return payload;
    reply.header('Vary', 'Cookie, Accept-Encoding');
    if (!takesGzip(request.headers['accept-encoding'])) return payload;
    reply.header('Content-Encoding', 'gzip').removeHeader('Content-Length');
    return timed('compression', () => compress(payload + blanks(), { level: 4 }));
  });
}

/** Source: RFC 9110 §12.5.3 */
function takesGzip(accepted: unknown): boolean {
  const codings = String(accepted ?? '').split(',');
  return codings.some((coding) => /^\s*gzip\s*(;\s*q=(1|0\.0*[1-9]\d*|1\.0*)\s*)?$/i.test(coding));
}

/** 0 to 1023 of the four JSON whitespace characters: two bits each that cannot be compressed. */
function blanks(): string {
  const [low = 0, high = 0, ...kinds] = randomBytes(2 + 1023);
  return kinds
    .slice(0, ((high & 3) << 8) | low)
    .map((kind) => ' \n\r\t'[kind & 3])
    .join('');
}
