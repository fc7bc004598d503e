import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { timed } from '../request-times.ts';

/**
 * An answer of bytes that the browser may keep: with a strong validator, and compressed as the request prefers.
 *
 * @param deps all that the bytes depend on
 */
export function binaryAnswer(request: FastifyRequest, reply: FastifyReply, deps: readonly (string | number)[]) {
  const encoding = preferredEncoding(request.headers['accept-encoding']);
  const tag = tagOf([...deps, encoding ?? '']);
  reply.headers({ 'Cache-Control': 'private, no-cache', Vary: 'Cookie, Accept-Encoding', ETag: tag });
  return {
    /** Whether the browser has these bytes already. */
    isUnchanged: request.headers['if-none-match']?.split(/,\s*/).includes(tag) ?? false,
    async send(body: Uint8Array<ArrayBuffer>): Promise<FastifyReply> {
      if (encoding) reply.header('Content-Encoding', encoding);
      return reply
        .type('application/octet-stream')
        .send(encoding ? await timed('compression', () => compressors[encoding](body)) : Buffer.from(body.buffer));
    },
  };
}

type Encoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);
/** Low compression levels: a slice is computed for one requester and sent once. */
const compressors: Readonly<Record<Encoding, (body: Uint8Array) => Promise<Buffer>>> = {
  br: (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  gzip: (body) => deflate(body, { level: 1 }),
};

function preferredEncoding(accepted: string | undefined): Encoding | undefined {
  const names = new Set(
    (accepted ?? '')
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]!.trim().toLowerCase()),
  );
  return (['br', 'gzip'] as const).find((name) => names.has(name));
}

/** A strong validator: the same parts mean the same bytes. The hash hides the storage key. */
const tagOf = (deps: readonly (string | number)[]): string =>
  `"${createHash('sha256').update(JSON.stringify(deps)).digest('base64url').slice(0, 27)}"`;
