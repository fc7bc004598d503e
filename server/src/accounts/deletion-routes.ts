import { sayRefusal } from '@kc/rules/messages';
import { type ForceDeleteAnswer, forceDeleteRequest } from '@kc/rules/raw-routes';
import { type Refusal, type Result, refuse } from '@kc/rules/result';
import type { FastifyError, FastifyPluginAsync, FastifyReply } from 'fastify';
import { refusalOfRequest } from '../http/json-bodies.ts';
import { allowed, kindOf, refusalOfFault } from '../http/refusals.ts';
import { emailAvailability } from './availability.ts';
import { deleteRecords, deleteUserAuth, forceDelete } from './delete-account.ts';
import type { AccountDeps } from './deps.ts';
import { api, mayCall, type Person, personOf } from './require.ts';
import { mintIdToken } from './step-up.ts';

/** The contract's calls for deletion other than {@link forceDeleteRoute}. */
export function deletionCalls(deps: AccountDeps) {
  const { db, now } = deps;
  return {
    session: {
      idToken: api.session.idToken.handler(async ({ input, context }) => ({
        idToken: allowed(await mintIdToken(db, personOf(context), input.stepUp, now())),
      })),
    },
    accounts: {
      availability: api.accounts.availability.handler(({ input }) => emailAvailability(db, input.email, now())),
      deleteRecords: api.accounts.deleteRecords.handler(async ({ input, context }) =>
        allowed(await deleteRecords(deps, personOf(context), { userId: input.id, idToken: input.idToken })),
      ),
      deleteUserAuth: api.accounts.deleteUserAuth.handler(({ input, context }) =>
        deleteUserAuth(deps, personOf(context), input.userId),
      ),
    },
  };
}

/**
 * `POST /api/forceDeleteUser {userId, idToken}`: `{ok: true}`, or a status with the text in `error`. The specification
 * fixes the format of this one call.
 */
export function forceDeleteRoute(deps: AccountDeps): FastifyPluginAsync {
  return async (scope) => {
    scope.removeContentTypeParser('text/plain');
    scope.setErrorHandler((error: FastifyError, _request, reply) => {
      const asked = refusalOfRequest(error);
      if (asked) return sendError(reply, asked.refusal, asked.status);
      return sendError(reply, refusalOfFault(error, 'POST /api/forceDeleteUser', deps.log));
    });
    scope.post('/api/forceDeleteUser', async (request, reply) => {
      const permission = mayCall('admin', request.requestContext);
      if (!permission.ok) await request.requestContext.reportRefused(permission.refusal.code);
      const answer = permission.ok
        ? await deleteAsked(deps, personOf(request.requestContext), request.body)
        : permission;
      if (!answer.ok) return sendError(reply, answer.refusal);
      return reply.header('Cache-Control', 'no-store').send({ ok: true } satisfies ForceDeleteAnswer);
    });
  };
}

async function deleteAsked(deps: AccountDeps, person: Person, body: unknown): Promise<Result<true>> {
  const asked = forceDeleteRequest.safeParse(body ?? {});
  if (!asked.success) return refuse('request/invalid');
  const { userId, idToken = '' } = asked.data;
  if (!userId) return refuse('account/delete-missing');
  if (userId === person.account.id) return refuse('account/own-delete');
  return forceDelete(deps, person, { userId, idToken });
}

function sendError(reply: FastifyReply, refusal: Refusal, status = kindOf(refusal.code).status): FastifyReply {
  const answer: ForceDeleteAnswer = { error: sayRefusal(refusal), data: refusal };
  return reply.code(status).type('application/json; charset=utf-8').header('Cache-Control', 'no-store').send(answer);
}
