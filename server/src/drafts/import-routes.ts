import type { ImportOptions } from '@kc/rules/import-api';
import { limits } from '@kc/rules/limits';
import { cleanFileName } from '@kc/rules/upload';
import { ORPCError } from '@orpc/server';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { api, personOf, requireRaw } from '../accounts/require.ts';
import { asError, sendRefusal } from '../http/refusals.ts';
import { sendError } from '../visualizations/upload/receive-upload.ts';
import { UploadBody } from '../visualizations/upload/upload-body.ts';
import { findUpload } from '../visualizations/upload/upload-queries.ts';
import { usableDraft } from './draft-access.ts';
import { toDraftResponse } from './draft-responses.ts';
import { type ImportDeps, type Imported, importFile, importSettingsOf, readOptions } from './import-file.ts';

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
        const imported = await importFile(deps, request.requestContext, ...askedOf(request, body));
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

/** What a request asks for. @throws the refusal as the contract's error */
function askedOf(request: FastifyRequest, body: UploadBody): [string, ImportOptions, Parameters<typeof importFile>[4]] {
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
