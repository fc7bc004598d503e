import { done, type Result, refuse } from '@kc/rules/result';
import type { StepUpWays } from '@kc/rules/shapes';
import { audit } from '../../database/audit.ts';
import { findsRow, inTransaction, type Queryable } from '../../database/open.ts';
import type { AccountDeps } from '../deps.ts';
import { auditRefusal } from '../limits.ts';
import { passwordHash } from '../queries.ts';
import { mayCall, type Person, type RequestContext } from '../require.ts';
import { type Rotated, rotateSession } from '../sessions.ts';
import { holdSession, renewHandle } from '../step-up.ts';
import { consumeToken, insertToken } from '../tokens.ts';
import type { Identity } from './identity-claims.ts';
import type { RoundTrip } from './round-trip.ts';

/** How far the issuer's clock may be behind this one. */
const clockToleranceMs = 30_000;
/** Time from the popup's report to the page's request for its handle. */
const grantMs = 60_000;

/**
 * The step-up for users without a password: the issuer confirms that this person signed in there after this session
 * requested it. `prompt=login` and `max_age=0` pass through the browser and prove nothing; `auth_time` does.
 *
 * The session continues under a new token, and the page that began may fetch its handle: {@link takeStepUp}.
 *
 * Source: SECURITY.md, S6, S16, T9; OpenID Connect Core §3.1.2.1 `max_age`;
 * docs/decisions/015-step-up-at-the-identity-provider.md
 */
export async function stepUpWithIdentity(
  deps: AccountDeps,
  { person, ...context }: RequestContext,
  identity: Identity,
  trip: RoundTrip,
): Promise<Result<Rotated>> {
  if (!person || person.sessionId !== trip.stepUpOf) return refuse('session/required');
  const permission = mayCall('admin', { person, ...context });
  if (!permission.ok) return permission;
  const { db, log } = deps;
  const { id } = person.account;
  const { address } = context;
  const line = { actor: id, action: 'step-up', target: id, details: { by: 'google' } } as const;
  const right = isSince(trip.begunAt, identity) && (await isIdentityOf(db, identity, id));
  log.info(
    { event: 'step-up', by: 'google', result: right ? 'ok' : 'refused', account: id, address },
    'Confirmed with the identity provider',
  );
  if (!right) {
    await auditRefusal(deps, line, address);
    return refuse('google/failed');
  }
  const now = deps.now();
  return inTransaction(db, async (tx) => {
    const rotated = await rotateSession(tx, person.sessionId);
    if (!rotated) return refuse('session/required');
    const token = grantOf(person, trip.pageNonce);
    await tx.deleteFrom('tokens').where('session_id', '=', person.sessionId).where('purpose', '=', 'issuer').execute();
    await insertToken(tx, person, { token, purpose: 'issuer', lifeMs: grantMs }, now);
    await audit(tx, line, now);
    return done(rotated);
  });
}

/**
 * Issues a step-up handle, once, for the session whose user has just come back from the issuer.
 * @param nonce of the page that sent them there
 */
export function takeStepUp(deps: AccountDeps, person: Person, nonce: string): Promise<Result<string>> {
  const now = deps.now();
  return inTransaction(deps.db, async (tx) => {
    // Locked before its tokens, like everywhere that changes both.
    if (!(await holdSession(tx, person))) return refuse('session/required');
    const granted = await consumeToken(tx, 'issuer', grantOf(person, nonce), now, person);
    if (!granted) return refuse('step-up/required');
    // The session is locked, so there is a handle for it.
    return done((await renewHandle(tx, person, now))!);
  });
}

/** The ways in which the requester can prove their identity again. */
export async function stepUpWays(deps: AccountDeps, { account }: Person): Promise<StepUpWays> {
  const { db, config } = deps;
  const password = (await passwordHash(db, account.id)) !== undefined;
  return { password, google: config.google !== undefined && (await hasIdentity(db, account.id)) };
}

/** The nonce is not secret. It identifies the requesting page; without the session's cookie it is useless. */
const grantOf = ({ sessionId }: Person, nonce: string): string => `${sessionId} ${nonce}`;

/** Whether the person signed in at the issuer after that time; false if it does not say. */
function isSince(then: number, { authenticatedAt }: Identity): boolean {
  return authenticatedAt !== undefined && authenticatedAt >= then - clockToleranceMs;
}

async function hasIdentity(db: Queryable, accountId: string): Promise<boolean> {
  return findsRow(db.selectFrom('identities').select('sub').where('account_id', '=', accountId));
}

async function isIdentityOf(db: Queryable, { iss, sub }: Identity, accountId: string): Promise<boolean> {
  return findsRow(
    db
      .selectFrom('identities')
      .select('sub')
      .where('iss', '=', iss)
      .where('sub', '=', sub)
      .where('account_id', '=', accountId),
  );
}
