import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Account } from '@kc/rules/account';
import type { DeletedFiles } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { checkUploadFile, cleanDescription, cleanFileName } from '@kc/rules/upload';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { personOf, requireRaw } from '../../accounts/require.ts';
import { type Db, inTransaction, type Tx } from '../../database/open.ts';
import { isOutage, sendRefusal } from '../../http/refusals.ts';
import { newKey, StorageFull } from '../../storage/storage.ts';
import { spareBytes } from '../../storage/writing-limits.ts';
import { createSenders, Refused, type Sender, type SenderDeps, TusError } from './sender.ts';
import { UploadBody } from './upload-body.ts';
import type { UploadLocks } from './upload-locks.ts';
import {
  canOwnVisualizations,
  findUpload,
  holdCreations,
  insertUpload,
  type NewUpload,
  reservedBytes,
  type Upload,
} from './upload-queries.ts';
import { appendBytes, removeUpload, type UploadStoreDeps } from './upload-store.ts';

export type ReceiveUploadDeps = SenderDeps &
  UploadStoreDeps & {
    readonly locks: UploadLocks;
    /** What deleted files still take. */
    deletedFiles(): Promise<DeletedFiles>;
  };

const path = '/api/uploads';
const version = '1.0.0';

/**
 * Resumable uploads: tus 1.0 with creation and termination, for administrators; each upload belongs to the one who
 * began it. Keyword lists are created with their drafts, and arrive here from everybody who may import some.
 *
 * No cross-origin header is sent, and GET and OPTIONS have no route. `tus-conformance.test.ts` compares the answers with those
 * of `@tus/server` (docs/decisions/100-an-own-core-of-tus.md).
 *
 * Source: SECURITY.md, SEC-19, T36–T46; https://tus.io/protocols/resumable-upload
 */
export function receiveUploads(app: FastifyInstance, deps: ReceiveUploadDeps): void {
  const { db } = deps;
  const senderOf = createSenders(deps);
  /** Settles when all are answered and the rest of their bodies has arrived. */
  const underWay = new Map<FastifyRequest, Promise<void>>();

  const answer = async (request: FastifyRequest, reply: FastifyReply, body: UploadBody): Promise<FastifyReply> => {
    reply.header('tus-resumable', version);
    const { account } = personOf(request.requestContext);
    const { id } = request.params as { id?: string };
    const upload = id === undefined ? undefined : await findUpload(db, id);
    if (id !== undefined && upload?.uploader_id !== account.id) {
      return sendRefusal(reply, { code: 'request/not-found' });
    }
    const sender = senderOf(request.requestContext, upload?.kind === 'list' ? upload.user_id : undefined);
    const refusal = upload && (await sender.refusalNow(db));
    if (refusal) {
      await request.requestContext.reportRefused(refusal.code);
      return sendRefusal(reply, refusal);
    }
    try {
      demandProtocol(request);
      if (!upload) return await create(deps, request, reply, sender);
      const { headers } = request;
      return await deps.locks.during(upload.id, async (wanted) => {
        const row = await findUpload(db, upload.id);
        if (!row) throw new TusError(404);
        switch (request.method) {
          case 'PATCH':
            demandFit(headers, row);
            reply.header('upload-offset', await appendBytes(deps, row, { body, sender, wanted }));
            return reply.status(204).header('cache-control', 'no-store').send();
          case 'DELETE':
            if (row.received === row.size) throw new TusError(400);
            await removeUpload(deps, row.id, sender);
            return reply.status(204).header('cache-control', 'no-store').send();
          default:
            return reply.status(200).headers(headersOf(row)).header('cache-control', 'no-store').send();
        }
      });
    } catch (error) {
      return sendError(deps, request, reply, error);
    }
  };
  const handle = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = new UploadBody(request.raw);
    const answered = answer(request, reply, body);
    const isOver = answered
      .then(() => body.drain())
      .catch(() => undefined)
      .finally(() => underWay.delete(request));
    underWay.set(request, isOver);
    return answered;
  };

  app.register(async (scope) => {
    // The body is read as it arrives: nothing may parse or buffer it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    // A stopping server waits for no transfer: each resumes elsewhere, at the offset that is recorded now.
    scope.addHook('preClose', async () => {
      for (const request of underWay.keys()) request.raw.destroy();
      await Promise.all(underWay.values());
    });
    scope.post(path, { preHandler: requireRaw('admin') }, handle);
    const preHandler = requireRaw('approved');
    const url = `${path}/:id`;
    scope.route({ method: ['HEAD', 'DELETE'], url, preHandler, handler: handle });
    scope.patch(url, { preHandler, config: { pacesBody: true } }, handle);
  });
}

/** What the headers of every request must be. @throws TusError */
function demandProtocol({ method, headers }: FastifyRequest): void {
  if (headers['content-encoding']) throw new TusError(415);
  if (!headers['tus-resumable']) throw new TusError(412);
  const isCount = (value: unknown): boolean =>
    value === undefined || (Number.isInteger(Number(value)) && String(Number(value)) === value && Number(value) >= 0);
  const isValid =
    headers['tus-resumable'] === version &&
    isCount(headers['upload-offset']) &&
    isCount(headers['upload-length']) &&
    readMetadata(headers) !== undefined &&
    (method !== 'PATCH' || [undefined, 'application/offset+octet-stream'].includes(headers['content-type']));
  if (!isValid) throw new TusError(400);
}

/** Whether the bytes of a request continue the upload. @throws TusError */
function demandFit(headers: IncomingHttpHeaders, { received, size }: Upload): void {
  if (headers['upload-offset'] === undefined || headers['content-type'] === undefined) throw new TusError(403);
  if (Number(headers['upload-offset']) !== received) throw new TusError(409);
  // The length was declared when the upload was created.
  if (headers['upload-length'] !== undefined) throw new TusError(400);
  if (received + Number(headers['content-length'] ?? 0) > size) throw new TusError(413);
}

function headersOf({ received, size, file_name, user_id, description }: Upload): Record<string, string> {
  const metadata = Object.entries({ filename: file_name, userId: user_id, description });
  return {
    'upload-offset': String(received),
    'upload-length': String(size),
    'upload-metadata': metadata.map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(','),
  };
}

/** What a request says about its file: comma-separated keys, each with a value in Base64 or none. `undefined` if it is malformed. */
function readMetadata(headers: IncomingHttpHeaders): ReadonlyMap<string, string> | undefined {
  const text = headers['upload-metadata'];
  const found = new Map<string, string>();
  if (text === undefined) return found;
  for (const pair of String(text).split(',')) {
    const [key = '', value = '', ...more] = pair.split(' ');
    const isValid = /^[!-+\--~]+$/.test(key) && value.length % 4 === 0 && /^[\d+/A-Za-z]*={0,2}$/.test(value);
    if (!isValid || more.length > 0 || found.has(key)) return undefined;
    found.set(key, Buffer.from(value, 'base64').toString());
  }
  return found;
}

async function create(
  deps: ReceiveUploadDeps,
  { headers, requestContext }: FastifyRequest,
  reply: FastifyReply,
  sender: Sender,
): Promise<FastifyReply> {
  const isWhole = headers['upload-concat'] === undefined && headers['upload-defer-length'] === undefined;
  if (!isWhole || headers['upload-length'] === undefined) throw new TusError(400);
  const size = Number(headers['upload-length']);
  const { account, accessToken } = personOf(requestContext);
  const uploader = { account, isProgram: accessToken !== undefined };
  const id = await beginUpload(deps, sender, uploader, size, readMetadata(headers)!);
  return reply.status(201).header('location', `${path}/${id}`).header('cache-control', 'no-store').send();
}

/** Who sends an upload, and whether a program of theirs does. */
type Uploader = { readonly account: Account; readonly isProgram: boolean };

/**
 * Begins the upload of a JSON file: its row, before the first byte is sent.
 *
 * @param metadata of the protocol: `filename`, `filetype`, `userId`, `description` and `modified`
 * @param onCreate runs in the transaction that creates it
 * @returns its ID
 * @throws Refused, StorageFull
 */
export async function beginUpload(
  { db, storage, now }: Pick<ReceiveUploadDeps, 'db' | 'storage' | 'now'>,
  sender: Sender,
  uploader: Uploader,
  size: number,
  metadata: ReadonlyMap<string, string>,
  onCreate?: (tx: Tx, id: string) => Promise<void>,
): Promise<string> {
  const upload = await checkCreation(db, uploader, size, metadata);
  await inTransaction(db, async (transaction) => {
    await holdCreations(transaction);
    await sender.demand(transaction);
    const free = (await storage.freeBytes()) - (await reservedBytes(transaction));
    if (size + spareBytes > free) throw new StorageFull();
    await insertUpload(transaction, upload, new Date(now()));
    await onCreate?.(transaction, upload.id);
  });
  return upload.id;
}

/** Validates the metadata of a new upload and returns what to store. Nothing is stored before this passes. */
async function checkCreation(
  db: Db,
  { account, isProgram }: Uploader,
  size: number,
  metadata: ReadonlyMap<string, string>,
): Promise<NewUpload> {
  const textOf = (key: string): string => metadata.get(key) ?? '';
  const userId = metadata.get('userId') || undefined;
  const checked = checkUploadFile({ name: textOf('filename'), type: textOf('filetype'), size }, userId);
  if (!checked.ok) throw new Refused(checked.refusal.code === 'upload/too-large' ? 413 : 422, checked.refusal);
  if (size < 1) throw new Refused(422, emptyFile);
  if (textOf('description').length > limits.maxDescriptionLength) throw new Refused(422, { code: 'request/invalid' });
  if (!(await canOwnVisualizations(db, userId!))) throw new Refused(404, { code: 'account/not-found' });
  const modified = textOf('modified');
  return {
    id: randomBytes(16).toString('hex'),
    uploader_id: account.id,
    by_program: isProgram,
    user_id: userId!,
    file_name: cleanFileName(textOf('filename')),
    description: cleanDescription(textOf('description')),
    size,
    file_modified: /^\d{1,15}$/.test(modified) ? new Date(Number(modified)) : null,
    file_key: newKey('file'),
    pack_key: newKey('pack'),
  };
}

const emptyFile: Refusal = {
  code: 'upload/invalid-json',
  params: { what: 'the file is empty', byte: 0, line: 1, column: 1, excerpt: '' },
};

/** Responds to what was thrown while bytes arrived: with the refusal, or with a code for the fault, which is logged. */
export async function sendError(
  deps: Pick<ReceiveUploadDeps, 'log' | 'storage' | 'deletedFiles'>,
  { method, requestContext }: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<FastifyReply> {
  const { status, refusal } = error instanceof Refused ? error : await answerToFault(deps, method, error);
  if ([401, 403].includes(status)) await requestContext.reportRefused(refusal.code);
  // Close the connection: slow senders, or those who lost their rights, must not hold it open.
  if ([401, 403, 503].includes(status)) reply.header('connection', 'close');
  if (status === 412) reply.header('tus-version', version);
  return sendRefusal(reply, refusal, status);
}

async function answerToFault(
  deps: Pick<ReceiveUploadDeps, 'log' | 'storage' | 'deletedFiles'>,
  method: string,
  error: unknown,
): Promise<{ readonly status: number; readonly refusal: Refusal }> {
  const { log } = deps;
  if (error instanceof StorageFull) {
    log.warn({ event: 'storage-full', method }, 'The storage is full: an upload was refused');
    const params = await roomNow(deps).catch((fault: unknown) => {
      log.warn({ event: 'storage-full', err: fault }, 'How much room there is could not be read');
      return undefined;
    });
    return { status: 507, refusal: { code: 'upload/storage-refused', ...(params && { params }) } };
  }
  if (isOutage(error)) {
    log.warn({ event: 'storage-unavailable', err: error, method }, 'An upload has to wait');
    return { status: 503, refusal: { code: 'fault/unavailable' } };
  }
  log.error({ err: error, method }, 'An upload request failed');
  return { status: 500, refusal: { code: 'upload/failed' } };
}

/** What would help: megabytes that are free, and those that purging deleted files would free. */
async function roomNow({
  storage,
  deletedFiles,
}: Pick<ReceiveUploadDeps, 'storage' | 'deletedFiles'>): Promise<Refusal['params']> {
  const [free, deleted] = await Promise.all([storage.freeBytes(), deletedFiles()]);
  const megabytes = (bytes: number): number => Math.floor(bytes / 1e6);
  return { kept: megabytes(deleted.bytes), ...(Number.isFinite(free) ? { free: megabytes(free) } : {}) };
}
