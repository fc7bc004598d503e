import { can } from '@kc/rules/access';
import type { Account, BuiltInAdmins } from '@kc/rules/account';
import { contract, type Who } from '@kc/rules/api';
import { done, type Result, refuse } from '@kc/rules/result';
import { implement } from '@orpc/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../database/open.ts';
import { allowed, asError, sendRefusal } from '../http/refusals.ts';

/** Somebody signed in, as the database knew them when this request began. */
export type Person = {
  readonly account: Account;
  readonly sessionId: string;
  /** Whether this server holds a picture of theirs. */
  readonly hasPhoto: boolean;
};

/** Who is asking, and what an answer may do to their browser. Made anew for every request. */
export type RequestContext = {
  readonly person: Person | undefined;
  readonly builtInAdmins: BuiltInAdmins;
  /** Of the peer's address, or the one a trusted proxy gave, what counts as one place: `http/network`. */
  readonly address: string;
  /** The session token the browser sent, good or not. */
  readonly token: string | undefined;
  /** What the browser says of an earlier sign-in in it; see `known-devices`. */
  readonly device: string | undefined;
  /**
   * The same person as the database knows them by now; `undefined` when their session has ended.
   *
   * @param through a transaction, where one decides by it
   */
  readAgain(through?: Queryable): Promise<Person | undefined>;
  /** Notes that somebody signed in asked for what they may not. */
  reportRefused(code: string): Promise<void>;
  setSession(token: string, remembered: boolean): void;
  /** The browser is known from now on. */
  setDevice(mark: string): void;
  clearSession(): void;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every request under `/api`. */
    requestContext: RequestContext;
  }
}

/** Whether this person may make calls of this class now. Source: the contract's `who`, security SEC-04. */
export function mayCall(who: Who, context: RequestContext): Result<true> {
  const actor = context.person?.account;
  switch (who) {
    case 'anyone':
      return done(true);
    case 'signed-in':
      return actor ? done(true) : refuse('session/required');
    case 'approved':
      return can(actor, { do: 'visualizations/use' }, context.builtInAdmins);
    case 'admin':
      return can(actor, { do: 'accounts/list' }, context.builtInAdmins);
  }
}

/**
 * The contract, ready to be implemented: `api.accounts.list.handler(…)`. Each call is guarded by its `who` before its
 * input is looked at. Handlers ask {@link can} about the thing itself.
 */
export const api = implement(contract)
  .$context<RequestContext>()
  .use(async ({ context, procedure, next }) => {
    const answer = mayCall(procedure['~orpc'].meta.who, context);
    if (!answer.ok) await context.reportRefused(answer.refusal.code);
    allowed(answer);
    return next();
  });

/** The person behind a call that is not for `anyone`. */
export function personOf(context: RequestContext): Person {
  if (!context.person) throw asError({ code: 'session/required' });
  return context.person;
}

/** The guard of a raw Fastify route, as its `preHandler`. */
export function requireRaw(who: Who) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const answer = mayCall(who, request.requestContext);
    if (answer.ok) return;
    await request.requestContext.reportRefused(answer.refusal.code);
    await sendRefusal(reply, answer.refusal);
  };
}
