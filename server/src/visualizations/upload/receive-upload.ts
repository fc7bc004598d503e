import { randomBytes } from 'node:crypto';
import type { Account } from '@kc/rules/account';
import type { KeptFiles } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import type { MessageCode } from '@kc/rules/messages';
import type { Refusal } from '@kc/rules/result';
import { checkUploadFile, cleanDescription, cleanFileName } from '@kc/rules/upload';
import { ERRORS, type Locker, Server, type Upload as TusUpload } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import { personOf, requireRaw } from '../../accounts/require.ts';
import { type Db, inTransaction } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import { isOutage, sendRefusal } from '../../http/refusals.ts';
import { newKey, type Storage, StorageFull } from '../../storage/storage.ts';
import { spareBytes } from '../../storage/writing-limits.ts';
import { createSenders, currentRequest, duringRequest, Refused, type Sender, type SenderDeps } from './sender.ts';
import { UploadBody } from './upload-body.ts';
import { canOwnVisualizations, findUpload, holdCreations, insertUpload, reservedBytes } from './upload-queries.ts';
import { UploadStore } from './upload-store.ts';

type ReceiveUploadDeps = SenderDeps & {
  readonly storage: Storage;
  readonly locks: Locker;
  queueIngest(transaction: Transaction<Database>, uploadId: string): Promise<void>;
  /** Goes on with the draft of a list that is complete. */
  listKept(transaction: Transaction<Database>, uploadId: string): Promise<void>;
  listRemoved(transaction: Transaction<Database>, draftId: string): Promise<void>;
  /** What deleted files still take. */
  keptFiles(): Promise<KeptFiles>;
  readonly rateWindowMs: number;
  /** Milliseconds since 1970. */
  now(): number;
};

const path = '/api/uploads';

/**
 * Resumable uploads: tus 1.0 with creation and termination, for administrators; each upload belongs to the one who
 * began it. Keyword lists are created with their drafts, and arrive here from everybody who may import some.
 *
 * `@tus/server` implements the protocol. Its additions are left out: its responses are copied header by header from an
 * allow list, so no cross-origin header is sent, and GET and OPTIONS have no route.
 *
 * Source: SECURITY.md, SEC-19, T36–T46; https://tus.io/protocols/resumable-upload
 */
export function receiveUploads(app: FastifyInstance, deps: ReceiveUploadDeps): void {
  const { db, log } = deps;
  const admins = new WeakMap<Request, Account>();
  const senderOf = createSenders(deps);
  const store = new UploadStore({
    ...deps,
    create: (upload) => createUpload(deps, upload),
  });
  const tus = new Server({
    path,
    datastore: store,
    locker: deps.locks,
    relativeLocation: true,
    disableTerminationForFinishedUploads: true,
    lockDrainTimeout: 1_000,
    namingFunction: () => randomBytes(16).toString('hex'),
    onUploadCreate: async (request, upload) => ({
      metadata: await checkCreation(db, admins.get(request as Request), upload),
    }),
    onResponseError: (request, error) =>
      answerTo(error, {
        failed: (fault) => log.error({ err: fault, method: request.method }, 'An upload request failed'),
        unavailable: (fault) =>
          log.warn({ event: 'storage-unavailable', err: fault, method: request.method }, 'An upload has to wait'),
        full: async () => {
          log.warn({ event: 'storage-full', method: request.method }, 'The storage is full: an upload was refused');
          return roomNow(deps).catch((fault: unknown) => {
            log.warn({ event: 'storage-full', err: fault }, 'How much room there is could not be read');
            return undefined;
          });
        },
      }),
  });

  /** Settles when all are answered and the rest of their bodies has arrived. */
  const underWay = new Map<FastifyRequest, Promise<void>>();

  const answerTus = async (request: FastifyRequest, reply: FastifyReply, body: UploadBody): Promise<FastifyReply> => {
    const { account } = personOf(request.requestContext);
    const { id } = request.params as { id?: string };
    const upload = id === undefined ? undefined : await findUpload(db, id);
    if (id !== undefined && upload?.uploader_id !== account.id) {
      return sendRefusal(reply, { code: 'request/not-found' });
    }
    const sender = senderOf(request.requestContext, upload?.kind === 'list' ? upload.user_id : undefined);
    const refusal = id === undefined ? undefined : await refusalNow(sender, db);
    if (refusal) {
      await request.requestContext.reportRefused(refusal.code);
      return sendRefusal(reply, refusal);
    }
    if (request.headers['content-encoding']) return sendRefusal(reply, invalid, 415);
    const asked = asWebRequest(request, body);
    admins.set(asked, account);
    const during = { body, sender };
    return send(request, reply, await duringRequest(during, () => tus.handleWeb(asked)));
  };
  const handle = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = new UploadBody(request.raw);
    const answered = answerTus(request, reply, body);
    const isOver = answered
      .then(() => body.drain())
      .catch(() => undefined)
      .finally(() => underWay.delete(request));
    underWay.set(request, isOver);
    return answered;
  };

  app.register(async (scope) => {
    // The body goes to tus as a stream: nothing may parse or buffer it.
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

/** Why a sender may not go on, if so. */
async function refusalNow(sender: Sender, db: Db): Promise<Refusal | undefined> {
  try {
    await sender.demand(db);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

const invalid: Refusal = { code: 'request/invalid' satisfies MessageCode };

/** Validates the metadata of a new upload and returns what to store. Nothing is stored before this passes. */
async function checkCreation(db: Db, admin: Account | undefined, upload: TusUpload): Promise<Record<string, string>> {
  const { filename, filetype, userId, description, modified } = upload.metadata ?? {};
  const size = upload.size ?? 0;
  const checked = checkUploadFile({ name: filename ?? '', type: filetype ?? '', size }, userId ?? undefined);
  if (!checked.ok) throw new Refused(checked.refusal.code === 'upload/too-large' ? 413 : 422, checked.refusal);
  if (size < 1) throw new Refused(422, emptyFile);
  if (!admin || (description ?? '').length > limits.maxDescriptionLength) throw new Refused(422, invalid);
  if (!(await canOwnVisualizations(db, userId!))) throw new Refused(404, { code: 'account/not-found' });
  return {
    uploaderId: admin.id,
    userId: userId!,
    filename: cleanFileName(filename ?? ''),
    description: cleanDescription(description ?? ''),
    ...(modified && /^\d{1,15}$/.test(modified) ? { modified } : {}),
  };
}

const emptyFile: Refusal = {
  code: 'upload/invalid-json',
  params: { what: 'the file is empty', byte: 0, line: 1, column: 1, excerpt: '' },
};

async function createUpload(deps: ReceiveUploadDeps, upload: TusUpload): Promise<void> {
  const { uploaderId, userId, filename, description, modified } = upload.metadata ?? {};
  const size = upload.size ?? 0;
  await inTransaction(deps.db, async (transaction) => {
    await holdCreations(transaction);
    await currentRequest().sender.demand(transaction);
    const free = (await deps.storage.freeBytes()) - (await reservedBytes(transaction));
    if (size + spareBytes > free) throw new StorageFull();
    await insertUpload(
      transaction,
      {
        id: upload.id,
        uploader_id: uploaderId!,
        user_id: userId!,
        file_name: filename!,
        description: description!,
        size,
        file_modified: modified ? new Date(Number(modified)) : null,
        file_key: newKey('file'),
        pack_key: newKey('pack'),
      },
      new Date(deps.now()),
    );
  });
}

/** The response to an error thrown inside tus: a refusal's own, or a code for the logged fault. */
async function answerTo(
  error: unknown,
  report: { failed(fault: unknown): void; unavailable(fault: unknown): void; full(): Promise<Refusal['params']> },
): Promise<{ status_code: number; body: string }> {
  if (error instanceof Refused) return answer(error.status, error.refusal);
  if (error instanceof StorageFull) {
    const params = await report.full();
    return answer(507, { code: 'upload/storage-refused', ...(params && { params }) });
  }
  const status = statusOf(error);
  if (error === ERRORS.ERR_LOCK_TIMEOUT) return answer(423, { code: 'fault/unavailable' });
  if (isOutage(error)) {
    report.unavailable(error);
    return answer(503, { code: 'fault/unavailable' });
  }
  if (status === 501) return answer(400, invalid);
  if (status < 500) return answer(status, status === 404 || status === 410 ? { code: 'request/not-found' } : invalid);
  report.failed(error);
  return answer(500, { code: 'upload/failed' });
}

/** What would help: megabytes that are free, and those that purging deleted files would free. */
async function roomNow({ storage, keptFiles }: ReceiveUploadDeps): Promise<Refusal['params']> {
  const [free, kept] = await Promise.all([storage.freeBytes(), keptFiles()]);
  const megabytes = (bytes: number): number => Math.floor(bytes / 1e6);
  return { kept: megabytes(kept.bytes), ...(Number.isFinite(free) ? { free: megabytes(free) } : {}) };
}

const answer = (status: number, refusal: Refusal) => ({ status_code: status, body: JSON.stringify(refusal) });

const statusOf = (error: unknown): number =>
  typeof error === 'object' && error !== null && 'status_code' in error && typeof error.status_code === 'number'
    ? error.status_code
    : 500;

/** The request in the form that tus takes. */
function asWebRequest({ raw }: FastifyRequest, body: UploadBody): Request {
  const headers = new Headers();
  for (const name of askedHeaders) {
    const value = raw.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const hasBody = raw.method === 'PATCH' || raw.method === 'POST';
  return new Request(new URL(raw.url ?? '/', 'http://localhost'), {
    method: raw.method ?? 'GET',
    headers,
    ...(hasBody ? { body: body.standIn, duplex: 'half' } : {}),
  });
}

const askedHeaders = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-concat',
  'upload-defer-length',
  'upload-length',
  'upload-metadata',
  'upload-offset',
];
const answeredHeaders = ['location', 'tus-resumable', 'upload-length', 'upload-metadata', 'upload-offset'];

async function send(
  { requestContext: context }: FastifyRequest,
  reply: FastifyReply,
  response: Response,
): Promise<FastifyReply> {
  for (const name of answeredHeaders) {
    const value = response.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  // Close the connection: slow senders, or those who lost their rights, must not hold it open.
  if ([401, 403, 503].includes(response.status)) reply.header('connection', 'close');
  if (response.status === 412) reply.header('tus-version', '1.0.0');
  if (response.status < 400) return reply.status(response.status).header('cache-control', 'no-store').send();
  const refusal = refusalIn(await response.text());
  if ([401, 403].includes(response.status)) await context.reportRefused(refusal.code);
  return sendRefusal(reply, refusal, response.status);
}

/** What tus itself refuses before anything is thrown, for example a wrong header, is prose. */
function refusalIn(body: string): Refusal {
  return body.startsWith('{') ? (JSON.parse(body) as Refusal) : invalid;
}
