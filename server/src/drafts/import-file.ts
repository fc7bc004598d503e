import { encodings, meanings } from '@kc/cluster/read/reading';
import { type HandsOff, importQuestions } from '@kc/rules/draft-shapes';
import {
  acceptedOf,
  correctionsOf,
  type ImportOptions,
  type ImportSettings,
  importOptions,
  optionForms,
  settingsOf,
} from '@kc/rules/import-api';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { cleanFileName } from '@kc/rules/upload';
import { ORPCError } from '@orpc/server';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { api, personOf, type RequestContext, requireRaw } from '../accounts/require.ts';
import type { Db, Queryable, Tx } from '../database/open.ts';
import { asError, sendRefusal } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { changeable } from '../visualizations/access.ts';
import { listVisualizations, type OwnedRecord } from '../visualizations/queries.ts';
import { beginUpload, type ReceiveUploadDeps, sendError } from '../visualizations/upload/receive-upload.ts';
import { createSenders, type Sender } from '../visualizations/upload/sender.ts';
import { UploadBody } from '../visualizations/upload/upload-body.ts';
import { findUpload } from '../visualizations/upload/upload-queries.ts';
import { appendBytes, removeUpload } from '../visualizations/upload/upload-store.ts';
import { createDraft } from './create-draft.ts';
import { demandImport, usableDraft } from './draft-access.ts';
import { listsOfDraft } from './draft-queries.ts';
import { toDraftResponse } from './draft-responses.ts';

export type ImportDeps = Pick<ServerParts, 'db' | 'storage' | 'log' | 'now'> & {
  /** What receives uploads by tus: the same bytes take the same way. */
  readonly uploads: ReceiveUploadDeps;
};

/** A file as it arrives: in a request, or in a watched folder. `modified` in milliseconds since 1970. */
type ArrivingFile = {
  readonly name: string;
  readonly size: number;
  readonly modified?: number | undefined;
  readonly body: UploadBody;
};

/** What an import became: the draft of a list, or the upload of a hierarchy. */
export type Imported = { readonly draft: string } | { readonly upload: string };

/**
 * Imports a file without a person: a keyword list, which becomes a draft, or a hierarchy. Either is created, received and
 * read like one that a person sends with tus. A list for a map is added to it as next month's export.
 *
 * Which rights count is decided as for uploads: before the first byte, at each commit, and when the draft is published.
 *
 * @param map `new`, `active`, or the ID of the active visualization of its owner
 * @param onCreate runs in the transaction that creates the upload
 * @throws the refusal as the contract's error; what `appendBytes` throws
 */
export async function importFile(
  deps: ImportDeps,
  context: RequestContext,
  map: string,
  options: ImportOptions,
  file: ArrivingFile,
  onCreate?: (tx: Tx, uploadId: string) => Promise<void>,
): Promise<Imported> {
  const { db, uploads } = deps;
  const accepts = acceptedOf(options);
  if (!accepts) throw asError(oneOf('accept', importQuestions));
  const base = map === 'new' ? undefined : await baseOf(db, context, map, options);
  const userId = base?.user_id ?? options.userId ?? personOf(context).account.id;
  const kind = options.as ?? (/\.json$/i.test(file.name) ? 'hierarchy' : 'list');
  const publishes = options.publish === undefined ? undefined : options.publish === 'yes';
  const settings = await importSettingsOf(db, personOf(context).account.id);
  const senderOf = createSenders(uploads);

  if (kind === 'hierarchy') {
    if (!(publishes ?? settings.publishes)) throw asError({ code: 'import/hierarchy-published' });
    const sender = senderOf(context);
    const metadata = metadataOf(file, userId, options);
    const uploader = { account: personOf(context).account, isProgram: true };
    const id = await beginUpload(uploads, sender, uploader, file.size, metadata, onCreate);
    await receive(deps, id, sender, file.body);
    return { upload: id };
  }
  const handsOff: HandsOff = { publishes: publishes ?? settings.publishes, accepts };
  const title = base ? base.file_name.replace(/\.json$/i, '') : (options.title ?? file.name.replace(/\.[^.]+$/, ''));
  const input = {
    userId,
    name: title.slice(0, limits.maxDraftNameLength),
    description: options.description ?? '',
    files: [
      {
        name: file.name,
        size: file.size,
        ...(file.modified !== undefined && { modified: file.modified }),
        corrections: correctionsOf(options),
      },
    ],
    settings: settingsOf(options),
    ...(base && { updateOf: base.id }),
  };
  const draft = await createDraft(deps, context, input, handsOff, async (tx, id) => {
    const [list] = await listsOfDraft(tx, id);
    await onCreate?.(tx, list!.id);
  });
  const [list] = await listsOfDraft(db, draft);
  await receive(deps, list!.id, senderOf(context, userId), file.body);
  return { draft };
}

/** The map that a list updates as next month's export. It has to be the active one. */
async function baseOf(db: Db, context: RequestContext, map: string, options: ImportOptions): Promise<OwnedRecord> {
  if (map !== 'active') {
    const named = await changeable(db, context, map);
    await demandImport(db, context, named.user_id);
    if (!named.is_active) throw asError({ code: 'import/not-active' });
    return named;
  }
  const ownerId = options.userId ?? personOf(context).account.id;
  await demandImport(db, context, ownerId);
  const [active] = await listVisualizations(db, ownerId, false);
  if (!active?.is_active) throw asError({ code: 'import/no-active' });
  return changeable(db, context, active.id);
}

/** Receives the bytes. An incomplete upload is removed, because nobody would continue it. */
async function receive(deps: ImportDeps, id: string, sender: Sender, body: UploadBody): Promise<void> {
  const { db, uploads, log } = deps;
  try {
    await uploads.locks.during(id, async (wanted) => {
      const upload = (await findUpload(db, id))!;
      const reached = await appendBytes(uploads, upload, { body, sender, wanted });
      // Another request took over this upload before it was complete.
      if (reached < upload.size) throw asError({ code: 'fault/unavailable' });
    });
  } catch (error) {
    await removeUpload(uploads, id, sender).catch((fault: unknown) => {
      log.warn({ err: fault, upload: id }, 'What is left of an import could not be removed; the sweep will');
    });
    throw error;
  }
}

function metadataOf(file: ArrivingFile, userId: string, options: ImportOptions): ReadonlyMap<string, string> {
  return new Map([
    ['filename', file.name],
    ['filetype', 'application/json'],
    ['userId', userId],
    ['description', options.description ?? ''],
    ['modified', file.modified === undefined ? '' : String(file.modified)],
  ]);
}

/** What an account has set for lists that programs import: by default they become drafts. */
async function importSettingsOf(db: Queryable, accountId: string): Promise<ImportSettings> {
  const row = await db
    .selectFrom('import_settings')
    .select('publishes')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return { publishes: row?.publishes ?? false };
}

/** @throws the refusal as the contract's error, which names the invalid option and lists its valid values */
export function readOptions(input: unknown): ImportOptions {
  const read = importOptions.safeParse(input);
  if (!read.success) throw asError(refusalOf(read.error.issues[0]!));
  const { encoding, columns } = read.data;
  if (encoding !== undefined && !isOneOf(encodings, encoding)) throw asError(oneOf('encoding', encodings));
  const named = columns?.split(',').map((pair) => pair.split(':') as [string, string]) ?? [];
  if (!named.every(([, meaning]) => isOneOf(meanings, meaning))) throw asError(oneOf('columns', meanings));
  const numbers = named.map(([number]) => Number(number));
  if (numbers.includes(0) || new Set(numbers).size < numbers.length) throw asError(wrongForm('columns'));
  return read.data;
}

type Issue = NonNullable<ReturnType<typeof importOptions.safeParse>['error']>['issues'][number];

function refusalOf(issue: Issue): Refusal {
  if (issue.code === 'unrecognized_keys') {
    const options = Object.keys(importOptions.shape).join(', ');
    return { code: 'import/unknown-option', params: { name: issue.keys[0]!, options } };
  }
  const name = String(issue.path[0]);
  if (issue.code === 'invalid_value') return oneOf(name, issue.values.map(String));
  return wrongForm(name);
}

function wrongForm(name: string): Refusal {
  const isNamed = isOneOf(Object.keys(optionForms), name);
  const form = isNamed ? optionForms[name as keyof typeof optionForms] : 'a shorter text, and not empty';
  return { code: 'import/option-form', params: { name, form } };
}

const oneOf = (name: string, values: readonly string[]): Refusal => ({
  code: 'import/option',
  params: { name, values: values.join(', ') },
});
const isOneOf = (values: readonly string[], value: string): boolean => values.includes(value);

const maxBytes = limits.maxImportMb * 1024 * 1024;

/**
 * `PUT /api/imports/{id}`, with the file as its body. The answer says where its progress can be read: the address of its
 * draft, or of its upload's status.
 */
export function importRoutes(deps: ImportDeps): FastifyPluginAsync {
  return async (scope) => {
    // The body is read as it arrives: nothing may parse or buffer it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const receive = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const body = new UploadBody(request.raw, request.bodyHash);
      try {
        const imported = await importFile(deps, request.requestContext, ...readRequest(request, body));
        const progress =
          'draft' in imported ? `/api/drafts/${imported.draft}` : `/api/uploads/${imported.upload}/status`;
        const about = await shown(deps, request, imported);
        return await reply
          .status(201)
          .headers({ location: progress, 'cache-control': 'no-store' })
          .send({ progress, ...about });
      } catch (error) {
        // Unread, the rest of the body would block the next request of the connection.
        void body.drain();
        if (error instanceof ORPCError && error.data !== undefined) {
          await request.requestContext.reportRefused(error.data.code);
          return sendRefusal(reply, error.data, error.status);
        }
        return sendError(deps.uploads, request, reply, error);
      }
    };
    const guarded = { preHandler: requireRaw('approved'), config: { pacesBody: true, streamsBody: true } };
    scope.put('/api/imports/:id', guarded, receive);
    scope.put('/api/imports/:id/:file', guarded, receive);
  };
}

/** The parameters of a request. @throws the refusal as the contract's error */
function readRequest(
  request: FastifyRequest,
  body: UploadBody,
): [string, ImportOptions, Parameters<typeof importFile>[4]] {
  const { id, file } = request.params as { readonly id: string; readonly file?: string };
  const options = readOptions(request.query);
  const name = options.name ?? file;
  if (name === undefined) throw asError({ code: 'import/no-name' });
  const length = request.headers['content-length'];
  if (length === undefined || request.headers['content-encoding'] !== undefined)
    throw asError({ code: 'import/no-length' });
  const size = Number(length);
  if (size > maxBytes) throw asError({ code: 'import/too-large', params: { max: limits.maxImportMb } });
  if (size === 0) throw asError({ code: 'list/no-rows' });
  return [id, options, { name: cleanFileName(name), size, body }];
}

async function shown({ db, now }: ImportDeps, { requestContext }: FastifyRequest, imported: Imported): Promise<object> {
  if ('upload' in imported) {
    const upload = await findUpload(db, imported.upload);
    return { upload: { id: imported.upload, state: upload?.state } };
  }
  const draft = await usableDraft(db, requestContext, imported.draft);
  return { draft: toDraftResponse(draft, personOf(requestContext).account.id, now()) };
}

/** The contract's calls about imports by programs. */
export function importSettingsRoutes({ db }: Pick<ImportDeps, 'db'>) {
  return {
    settings: api.imports.settings.handler(({ context }) => importSettingsOf(db, personOf(context).account.id)),
    changeSettings: api.imports.changeSettings.handler(async ({ input: { publishes }, context }) => {
      const account_id = personOf(context).account.id;
      await db
        .insertInto('import_settings')
        .values({ account_id, publishes })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ publishes }))
        .execute();
      return { publishes };
    }),
  };
}
