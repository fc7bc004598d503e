import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { timed } from '../request-times.ts';

const zstd = promisify(zstdCompress);
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

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

/**
 * What a slice can be compressed with, the cheapest first. Levels are low: a slice is computed for one requester and sent
 * once. For 4,000 rows, 479 kB: zstd 1.3 ms of processor time and 141 kB, Brotli 1.7 ms and 146 kB, gzip 4 ms and 153 kB.
 */
const compressors = {
  zstd: (body: Uint8Array) => zstd(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (body: Uint8Array) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body: Uint8Array) => deflate(body, { level: 1 }),
} as const;

type Encoding = keyof typeof compressors;

function preferredEncoding(accepted: string | undefined): Encoding | undefined {
  const names = new Set(
    (accepted ?? '')
      .split(',')
      .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
      .map((part) => part.split(';')[0]!.trim().toLowerCase()),
  );
  return (['zstd', 'br', 'gzip'] as const).find((name) => names.has(name));
}

/** A strong validator: the same parts mean the same bytes. The hash hides the storage key. */
const tagOf = (deps: readonly (string | number)[]): string =>
  `"${createHash('sha256').update(JSON.stringify(deps)).digest('base64url').slice(0, 27)}"`;
