import { can } from '@kc/rules/access';
import type { BuiltInAdmins } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { checkColleague, checkLink, type Visitor } from '@kc/rules/link';
import { done, type Result, refuse } from '@kc/rules/result';
import type { Person } from '../accounts/require.ts';
import { toAccount } from '../accounts/responses.ts';
import { hashToken } from '../accounts/tokens.ts';
import type { Queryable } from '../database/open.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import { findOpenedLink, type LinkFacts } from './link-queries.ts';

type VisitorDeps = {
  readonly db: Queryable;
  readonly builtInAdmins: BuiltInAdmins;
  /** Milliseconds since 1970, UTC. */
  now(): number;
};

/** What a browser shows of a link: its ID, which is in the path, and the token in its cookie. */
type Shown = { readonly linkId: string; readonly token: string | undefined };

/**
 * The ID of the link in the path of a call below `/api/shared`; undefined for every other path. Paths whose ID is
 * written in any other way belong to no link.
 */
export const linkIn = (url: string): string | undefined => /^\/api\/shared\/([\w-]{1,64})\//.exec(url)?.[1];

/** In a minute, by everybody who has the link. */
const callLimit: Limit = { name: 'link-calls', uses: limits.linkCallsPerMinute, windowMs: 60_000 };

/**
 * The visitor of a link, as the database knows link, visualization, maker, setting and account now; or why they are
 * none. Counts the call.
 *
 * @param person the account that the browser is signed in with, which counts for links to colleagues alone
 */
export async function admitVisitor(
  deps: VisitorDeps,
  shown: Shown,
  person: Person | undefined,
): Promise<Result<Visitor>> {
  const visitor = await readVisitor(deps, shown, person);
  if (!visitor.ok) return visitor;
  const wait = await consume(deps.db, callLimit, shown.linkId, deps.now());
  return wait === 0 ? visitor : refuse('link/too-many', { seconds: wait });
}

/**
 * As {@link admitVisitor}, without counting: for what outlives its call, and for what is written.
 *
 * @param isLocked whether the link stays as it is until the transaction ends
 */
export async function readVisitor(
  deps: VisitorDeps,
  { linkId, token }: Shown,
  person: Person | undefined,
  isLocked = false,
): Promise<Result<Visitor>> {
  if (token === undefined) return refuse('session/required');
  const link = await findOpenedLink(deps.db, linkId, hashToken(token), isLocked);
  if (!link) return refuse('link/ended');
  const visitor = checkVisit(link, person, deps);
  return visitor.ok && link.opened_until.getTime() <= deps.now() ? refuse('link/reopen') : visitor;
}

/** Whether a link admits somebody now. */
export function checkVisit(
  link: LinkFacts,
  person: Person | undefined,
  { builtInAdmins, now }: Pick<VisitorDeps, 'builtInAdmins' | 'now'>,
): Result<Visitor> {
  const works = checkLink(stateOf(link, builtInAdmins), now());
  if (!works.ok) return works;
  if (link.kind === 'colleague') {
    const isApproved = can(person?.account, { do: 'visualizations/use' }, builtInAdmins).ok;
    const named = checkColleague(link.shared_with, person && { email: person.account.email, isApproved });
    if (!named.ok) return named;
  }
  const accountId = link.kind === 'colleague' ? person?.account.id : undefined;
  return done({
    linkId: link.id,
    kind: link.kind,
    visualizationId: link.visualization_id,
    withPlan: link.with_plan,
    mayEditPlan: link.may_edit_plan,
    withDownloads: link.with_downloads,
    columns: link.kind === 'client' ? (link.columns ?? 'impersonal') : undefined,
    accountId,
    dependsOn: [link.owner_id, link.maker_id, ...(accountId === undefined ? [] : [accountId])],
  });
}

/** Whether a link that has not ended waits for its maker or for the setting. */
export const isResting = (link: LinkFacts, builtInAdmins: BuiltInAdmins, now: number): boolean =>
  !checkLink(stateOf(link, builtInAdmins), now).ok;

function stateOf(link: LinkFacts, builtInAdmins: BuiltInAdmins) {
  const view = { do: 'visualizations/view', ownerId: link.owner_id, sample: link.is_sample } as const;
  return {
    kind: link.kind,
    isRevoked: link.revoked_at !== null,
    expiresAt: link.expires_at.getTime(),
    makerSees: link.maker.migrated_to === null && can(toAccount(link.maker), view, builtInAdmins).ok,
    clientLinks: link.client_links,
  };
}
