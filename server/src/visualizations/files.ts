import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { isRanking, rankedField } from '@kc/pack/slice/child-ranking';
import type { SliceQuery } from '@kc/pack/slice/slice';
import { originalName } from '@kc/rules/download-name';
import { limits } from '@kc/rules/limits';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { requireRaw } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { orRefusal, sendRefusal } from '../http/refusals.ts';
import { ObjectMissing, type Storage, type StoredBytes } from '../storage/storage.ts';
import { openable, visible } from './access.ts';
import { attachmentHeader } from './export/attachment.ts';
import type { Downloads } from './export/downloads.ts';
import type { FilterCache } from './query/filter-cache.ts';
import type { PackQueries } from './query/pack-queries.ts';

export type FileDeps = {
  readonly db: Db;
  readonly storage: Storage;
  readonly packQueries: PackQueries;
  readonly downloads: Downloads;
  readonly filterOf: FilterCache;
};

type ById = { Params: { id: string } };

/** The routes that send bytes: slices of a pack, and the uploaded file. */
export function fileRoutes(deps: FileDeps): FastifyPluginAsync {
  return async (scope) => {
    const preHandler = requireRaw('approved');
    scope.get<ById>('/api/visualizations/:id/slice', { preHandler }, (request, reply) =>
      orRefusal(reply, () => sendSlice(deps, request, reply)),
    );
    scope.get<ById>('/api/visualizations/:id/original', { preHandler }, (request, reply) =>
      orRefusal(reply, () => sendOriginal(deps, request, reply)),
    );
  };
}

/**
 * The binary slice of `node`: up to `budget` rows, after `skip` children or starting at `child`, with each `field`.
 * `rest=1` includes what a filter excludes; `by`, `descending=1` and `after` order the children differently. Access is
 * checked first.
 */
async function sendSlice(
  { db, packQueries, filterOf }: FileDeps,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const record = await openable(db, request.requestContext, request.params.id);
  const asked = request.query as Record<string, unknown>;
  const query = readQuery(asked);
  if (!query) return sendRefusal(reply, { code: 'visualization/query-invalid' });
  if (query.node >= record.nodes) return sendRefusal(reply, { code: 'visualization/node-not-found' });
  const filter = await filterOf(request.requestContext, record, asked.filter);
  const encoding = preferredEncoding(request.headers['accept-encoding']);
  const tag = tagOf([
    record.pack_key,
    query.node,
    query.budget,
    query.skip,
    query.child ?? '',
    filter,
    query.rest ? 'rest' : '',
    query.ranked ? JSON.stringify(query.ranked) : '',
    encoding ?? '',
    ...query.fields,
  ]);
  reply.headers({ 'Cache-Control': 'private, no-cache', Vary: 'Cookie, Accept-Encoding', ETag: tag });
  if (request.headers['if-none-match']?.split(/,\s*/).includes(tag)) return reply.code(304).send();
  const byField = query.ranked && rankedField(query.ranked.by);
  const named = byField === undefined ? query.fields : [...query.fields, byField];
  const known = named.length > 0 ? await packQueries.fields({ packKey: record.pack_key }) : [];
  if (!named.every((name) => known.some((field) => field.name === name && field.kind !== 'none'))) {
    return sendRefusal(reply, { code: 'visualization/query-invalid' });
  }
  const body = await packQueries.slice({
    packKey: record.pack_key,
    query: { ...query, filter },
    signal: signalOf(reply),
  });
  if (!body) return sendRefusal(reply, { code: 'visualization/node-not-found' });
  // The size for progress display: `Content-Length` is the compressed size, and the page sees only decompressed bytes.
  reply.header('X-Slice-Bytes', body.length);
  if (encoding) reply.header('Content-Encoding', encoding);
  return reply
    .type('application/octet-stream')
    .send(encoding ? await compressors[encoding](body) : Buffer.from(body.buffer));
}

/** Fires if the connection ends before the response is sent. */
function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

type AskedSlice = SliceQuery & { readonly fields: readonly string[] };

function readQuery(query: Record<string, unknown>): AskedSlice | undefined {
  const node = whole(query.node, 0);
  const budget = whole(query.budget, limits.firstSliceRows);
  const skip = whole(query.skip, 0);
  const child = whole(query.child, 0);
  const after = whole(query.after, 0);
  const fields = texts(query.field);
  const rest = query.rest === '1';
  if (node === undefined || skip === undefined || child === undefined || after === undefined || !fields)
    return undefined;
  if (!budget || budget > limits.maxSliceRows) return undefined;
  const plain = { node, budget, skip, ...(query.child !== undefined && { child }), rest, fields };
  const { by } = query;
  if (by === undefined) return plain;
  // Sorting by text blocks other requests, so the number of children is limited.
  if (rest || budget > limits.firstSliceRows || typeof by !== 'string' || !isRanking(by)) return undefined;
  const ranked = { by, descending: query.descending === '1', ...(query.after !== undefined && { after }) };
  return { ...plain, ranked };
}

/** A parameter that can occur several times, each time with a different value. */
function texts(parameter: unknown): string[] | undefined {
  const list: unknown[] = parameter === undefined ? [] : [parameter].flat();
  const found = list.filter((text) => typeof text === 'string');
  return found.length === list.length && new Set(found).size === found.length ? found : undefined;
}

function whole(text: unknown, otherwise: number): number | undefined {
  if (text === undefined) return otherwise;
  return typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
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

/** The original byte for byte, as a download that no browser displays. */
async function sendOriginal(
  { db, storage, downloads }: FileDeps,
  request: FastifyRequest<ById>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const record = await visible(db, request.requestContext, request.params.id);
  let bytes: StoredBytes;
  try {
    bytes = await storage.open(record.file_key);
  } catch (error) {
    const isMissing = error instanceof ObjectMissing;
    const event = isMissing ? 'file-missing' : 'file-unreadable';
    request.log.error({ event, err: error, visualization: record.id }, 'An original cannot be opened');
    return sendRefusal(reply, { code: isMissing ? 'visualization/file-missing' : 'upload/unreadable' }, 500);
  }
  try {
    if (request.method === 'GET') await downloads.begin(request.requestContext, reply, record, { form: 'original' });
  } catch (error) {
    await bytes.close();
    throw error;
  }
  // A file may have been accepted as JSON by its type alone. Saved as `x.json.html`, it would open as a page.
  const name = originalName(record.file_name);
  return reply
    .headers({ 'Content-Disposition': attachmentHeader(name), 'Content-Length': bytes.size })
    .type('application/json; charset=utf-8')
    .send(Readable.from(blocksOf(bytes), { objectMode: false }));
}

const blockBytes = 256 * 1024;

async function* blocksOf(bytes: StoredBytes): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < bytes.size; at += blockBytes) {
      yield await bytes.read(at, Math.min(blockBytes, bytes.size - at));
    }
  } finally {
    await bytes.close();
  }
}
