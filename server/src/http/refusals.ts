import type { Refusal, Result } from '@kc/rules/result';
import { ORPCError } from '@orpc/server';
import type { FastifyReply } from 'fastify';
import { isUnavailable } from '../database/open.ts';
import type { Log } from '../log.ts';
import { currentRequestId, newRequestId } from '../request-times.ts';
import { StorageUnavailable } from '../storage/storage.ts';

type Kind = { readonly code: string; readonly status: number };

const kinds = {
  invalid: { code: 'INVALID', status: 422 },
  unauthenticated: { code: 'UNAUTHENTICATED', status: 401 },
  refused: { code: 'REFUSED', status: 403 },
  missing: { code: 'MISSING', status: 404 },
  conflict: { code: 'CONFLICT', status: 409 },
  tooMany: { code: 'TOO_MANY', status: 429 },
  fault: { code: 'FAULT', status: 500 },
  unavailable: { code: 'FAULT', status: 503 },
} as const satisfies Record<string, Kind>;

/** Codes that are not listed are about the request's content: 422. */
const kindByCode: Readonly<Record<string, Kind>> = {
  'session/required': kinds.unauthenticated,
  'sign-in/not-found': kinds.unauthenticated,
  'sign-in/wrong-password': kinds.unauthenticated,
  'sign-in/disabled': kinds.refused,
  'sign-in/too-many': kinds.tooMany,
  'sign-up/check-needed': kinds.tooMany,
  'sign-up/full': kinds.tooMany,
  'visualization/export-busy': kinds.tooMany,
  'visualization/filter-too-many': kinds.tooMany,
  'session/not-approved': kinds.refused,
  'admin/only': kinds.refused,
  'request/cross-site': kinds.refused,
  'account/own-status': kinds.refused,
  'account/own-role': kinds.refused,
  'account/primary-admin': kinds.refused,
  'account/primary-admin-role': kinds.refused,
  'account/own-delete': kinds.refused,
  'account/primary-admin-delete': kinds.refused,
  'account/sample-delete': kinds.refused,
  'step-up/required': kinds.refused,
  'account/not-found': kinds.missing,
  'account/no-such-id': kinds.missing,
  'visualization/not-found': kinds.missing,
  'visualization/node-not-found': kinds.missing,
  'draft/not-found': kinds.missing,
  'draft/not-ready': kinds.conflict,
  'draft/behind': kinds.conflict,
  'draft/editing': kinds.conflict,
  'draft/taken-over': kinds.conflict,
  'draft/too-many': kinds.conflict,
  'draft/too-often': kinds.tooMany,
  'draft/busy': kinds.unavailable,
  'draft/unreadable': kinds.conflict,
  'draft/keeps-name': kinds.conflict,
  'draft/right-lost': kinds.conflict,
  'list/off': kinds.refused,
  'list/too-many-maps': kinds.conflict,
  'list/quota': kinds.conflict,
  'visualization/view-not-found': kinds.missing,
  'filter/preset-not-found': kinds.missing,
  'score/not-found': kinds.missing,
  'plan/entry-not-found': kinds.missing,
  'plan/full': kinds.conflict,
  'plan/place-taken': kinds.conflict,
  'plan/no-undo': kinds.conflict,
  'plan/not-continued': kinds.conflict,
  'plan/too-many-writes': kinds.tooMany,
  'warnings/not-found': kinds.missing,
  'warnings/full': kinds.conflict,
  'link/ended': kinds.missing,
  'link/not-found': kinds.missing,
  'link/sign-in': kinds.unauthenticated,
  'link/reopen': kinds.unauthenticated,
  'link/other-account': kinds.refused,
  'link/resting': kinds.refused,
  'link/client-off': kinds.refused,
  'link/full': kinds.conflict,
  'link/too-many': kinds.tooMany,
  'request/key-under-way': kinds.conflict,
  'import/no-active': kinds.missing,
  'import/not-active': kinds.conflict,
  'token/invalid': kinds.unauthenticated,
  'token/never': kinds.refused,
  'token/scope': kinds.refused,
  'token/one-visualization': kinds.refused,
  'token/too-many': kinds.tooMany,
  'token/full': kinds.conflict,
  'token/not-found': kinds.missing,
  'webhook/full': kinds.conflict,
  'webhook/not-found': kinds.missing,
  'webhook/delivery-not-found': kinds.missing,
  'request/not-found': kinds.missing,
  'sign-up/in-use': kinds.conflict,
  'create-user/in-use': kinds.conflict,
  'create-user/recently-deleted': kinds.conflict,
  'create-user/taken': kinds.conflict,
  'settings/stale': kinds.conflict,
  'visualization/views-full': kinds.conflict,
  'filter/presets-full': kinds.conflict,
  'score/full': kinds.conflict,
  'sign-up/closed': kinds.refused,
  'sign-in/google-off': kinds.refused,
  'visualization/file-missing': kinds.fault,
  'fault/internal': kinds.fault,
  'fault/unavailable': kinds.unavailable,
  'visualization/being-rebuilt': kinds.unavailable,
};

export const kindOf = (code: string): Kind => kindByCode[code] ?? kinds.invalid;

/** A refusal as the contract's error. Only its code and parameters are sent. */
export function asError(refusal: Refusal): ORPCError<string, Refusal> {
  const { code, status } = kindOf(refusal.code);
  return new ORPCError(code, { status, data: refusal });
}

/** The value of a rule's result. A refusal is thrown as the contract's error. */
export function allowed<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw asError(result.refusal);
}

/** Sends a refusal on a raw route, in the shape of the contract's errors. `status` overrides the usual one. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal, status?: number): FastifyReply {
  const body = refusalBody(refusal, status);
  return reply.code(body.status).type('application/json; charset=utf-8').header('Cache-Control', 'no-store').send(body);
}

/** In the shape of the contract's errors. */
export function refusalBody(refusal: Refusal, status?: number) {
  const kind = kindOf(refusal.code);
  return { defined: false, code: kind.code, status: status ?? kind.status, message: kind.code, data: refusal };
}

/** Responds on a raw route to what a rule throws, see {@link allowed}. */
export async function orRefusal(reply: FastifyReply, work: () => Promise<FastifyReply>): Promise<FastifyReply> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ORPCError && error.data !== undefined) return sendRefusal(reply, error.data);
    throw error;
  }
}

/** Whether the database or the storage does not answer, so that the same request may succeed later. */
export const isOutage = (error: unknown): boolean => isUnavailable(error) || error instanceof StorageUnavailable;

/**
 * What the requester learns about a fault: that it is one, or that the server is not ready, and the request’s ID for finding it in
 * the log.
 *
 * @param where method and route, for the log
 */
export function refusalOfFault(error: unknown, where: string, log: Log): Refusal {
  const id = currentRequestId() ?? newRequestId();
  log.error({ err: error, id, where }, 'A request failed');
  return { code: isOutage(error) ? 'fault/unavailable' : 'fault/internal', params: { id } };
}
