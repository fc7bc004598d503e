import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/**
 * Calls whose answers grow with the number of people. None of them holds a token, a handle or anything else that opens
 * something: what is compressed beside text that somebody else chose tells by its length how alike they are (BREACH).
 */
const lists: ReadonlySet<string> = new Set(['/api/users']);

/** Less is hardly worth the time, and a short answer tells more by its length. In characters. */
const threshold = 32 * 1024;

const compress = promisify(gzip);

/**
 * Sends long lists as gzip to whoever takes it; everything else, streams, files and slices among them, goes out as it is.
 * Blanks of a random number and kind after the list blur how long it is.
 *
 * Source: security T50; https://www.breachattack.com, "Mitigations"
 */
export function compressLists(scope: FastifyInstance): void {
  scope.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || !lists.has(request.url.split('?')[0]!)) return payload;
    if (typeof payload !== 'string' || payload.length < threshold) return payload;
    reply.header('Vary', 'Cookie, Accept-Encoding');
    if (!takesGzip(request.headers['accept-encoding'])) return payload;
    reply.header('Content-Encoding', 'gzip').removeHeader('Content-Length');
    return compress(payload + blanks(), { level: 4 });
  });
}

/** Source: RFC 9110 §12.5.3 */
function takesGzip(accepted: unknown): boolean {
  const codings = String(accepted ?? '').split(',');
  return codings.some((coding) => /^\s*gzip\s*(;\s*q=(1|0\.\d*[1-9]\d*|1\.0*)\s*)?$/i.test(coding));
}

/** 0 to 1023 of the four blanks of JSON: two bits each that nothing compresses. */
function blanks(): string {
  const [low = 0, high = 0, ...kinds] = randomBytes(2 + 1023);
  return kinds
    .slice(0, ((high & 3) << 8) | low)
    .map((kind) => ' \n\r\t'[kind & 3])
    .join('');
}
