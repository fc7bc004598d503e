import { can } from '@kc/rules/access';
import { type AccessToken, tokenAllows } from '@kc/rules/access-token';
import type { Account, BuiltInAdmins } from '@kc/rules/account';
import { contract } from '@kc/rules/api';
import type { Who } from '@kc/rules/contract-call';
import { type LinkNeed, linkAllows, type Visitor } from '@kc/rules/link';
import { done, type Result, refuse } from '@kc/rules/result';
import { implement } from '@orpc/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Queryable } from '../database/open.ts';
import { allowed, asError, sendRefusal } from '../http/refusals.ts';

/** A signed-in user, as the database knew them when this request began. */
export type Person = {
  readonly account: Account;
  /** The ID of the session, or of the access token, which is no session's: what belongs to a session is closed to it. */
  readonly sessionId: string;
  /** The access token that the request was made with, instead of a session. */
  readonly accessToken?: AccessToken | undefined;
  /** Whether this server stores a picture of theirs. */
  readonly hasPhoto: boolean;
};

/** The requester, and what a response may do to their browser. Created for every request. */
export type RequestContext = {
  readonly person: Person | undefined;
  readonly builtInAdmins: BuiltInAdmins;
  /**
   * The link that a request below `/api/shared` was made with, as the database knows it now, or why it does not count;
   * undefined for every other request. Such a request has no {@link person}: only handlers that use the visitor serve it.
   */
  readonly visitor: Result<Visitor> | undefined;
  /**
   * The part of the peer's address, or of the one given by a trusted proxy, that counts as one place: see
   * `http/network`.
   */
  readonly address: string;
  /** The session token that the browser sent, valid or not. */
  readonly token: string | undefined;
  /** The browser's cookie about an earlier sign-in; see `known-devices`. */
  readonly device: string | undefined;
  /**
   * The same user as the database knows them now; `undefined` if their session has ended.
   *
   * @param through a transaction, if the answer decides something in it
   */
  readAgain(through?: Queryable): Promise<Person | undefined>;
  /**
   * The same visitor as the database knows them now, or why they are none any more.
   *
   * @param through a transaction, if the answer decides something in it: the link then stays as it is until it ends
   */
  readVisitorAgain(through?: Queryable): Promise<Result<Visitor>>;
  /** Logs that a signed-in user requested something that they may not. */
  reportRefused(code: string): Promise<void>;
  setSession(token: string, remembered: boolean): void;
  /** Lets this browser use a link that it has opened. */
  setLink(linkId: string, token: string): void;
  /** Marks the browser as known. */
  setDevice(mark: string): void;
  clearSession(): void;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every request under `/api`. */
    requestContext: RequestContext;
  }
}

/**
 * Whether this user, or this visitor of a link, may make calls of this class now. Source: the contract's `who`;
 * SECURITY.md, SEC-04.
 */
export function mayCall(who: Who, context: RequestContext, needs?: LinkNeed): Result<true> {
  const actor = context.person?.account;
  switch (who) {
    case 'link':
      return visitorMay(context, needs);
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

/** A call that a link does not include does not exist for its visitors. */
function visitorMay({ visitor }: RequestContext, needs: LinkNeed | undefined): Result<true> {
  if (!visitor) return refuse('session/required');
  if (!visitor.ok) return visitor;
  return needs !== undefined && linkAllows(visitor.value, needs) ? done(true) : refuse('request/not-found');
}

/**
 * The contract, ready for handlers: `api.accounts.list.handler(…)`. Each call is guarded by its `who` before its input
 * is validated. Handlers call {@link can} for the particular object.
 */
export const api = implement(contract)
  .$context<RequestContext>()
  .use(async ({ context, procedure, next }) => {
    const { meta, route } = procedure['~orpc'];
    const token = context.person?.accessToken;
    if (token) allowed(tokenAllows(token, { scope: meta.scope, path: route.path ?? '' }));
    const answer = mayCall(meta.who, context, meta.needs);
    if (!answer.ok) await context.reportRefused(answer.refusal.code);
    allowed(answer);
    return next();
  });

/** The user of a call that is not for `anyone`. */
export function personOf(context: RequestContext): Person {
  if (!context.person) throw asError({ code: 'session/required' });
  return context.person;
}

/** The only visualization that may be named, if the request was made with an access token for one. */
export const onlyVisualization = ({ person }: RequestContext): string | undefined =>
  person?.accessToken?.visualizationId;

/** The visitor of a call of a link; undefined for a call of an account. */
export function visitorOf({ visitor }: RequestContext): Visitor | undefined {
  return visitor?.ok ? visitor.value : undefined;
}

/** Whom limits count: the account, or the link. @throws the refusal for somebody who is neither */
export function countedFor(context: RequestContext): string {
  const visitor = visitorOf(context);
  return visitor ? `link ${visitor.linkId}` : personOf(context).account.id;
}

/** The guard of a raw Fastify route, as its `preHandler`. */
export function requireRaw(who: Exclude<Who, 'link'>) {
  return guardOf(who);
}

/** Like {@link requireRaw}, for a call of visitors of a link. */
export function requireLink(needs: LinkNeed) {
  return guardOf('link', needs);
}

function guardOf(who: Who, needs?: LinkNeed) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const answer = mayCall(who, request.requestContext, needs);
    if (answer.ok) return;
    await request.requestContext.reportRefused(answer.refusal.code);
    await sendRefusal(reply, answer.refusal);
  };
}
