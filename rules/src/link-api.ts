import { type AnyContractProcedure, ContractProcedure } from '@orpc/contract';
import * as z from 'zod/mini';
import { type About, route } from './contract-call.ts';
import { levelCalls } from './level-api.ts';
import { limits } from './limits.ts';
import type { LinkNeed } from './link.ts';
import { anyShareLink, linkToken, madeLink, newLink, sharedPage, shareLink } from './link-shapes.ts';
import { plans } from './plan-api.ts';
import { batch, entryTarget, planAnswer, revision, writerSet } from './plan-shapes.ts';
import { readingCalls } from './reading-api.ts';
import { id } from './shapes.ts';
import { warnings } from './warning-api.ts';

/** Links to a visualization: for its owner and administrators. */
export const links = {
  /** The response is the only one that ever contains the token. It does not tell whether an email has an account. */
  make: route('POST', '/visualizations/{id}/links', { who: 'approved' }).input(newLink).output(madeLink),
  /** The links that have not ended, the newest first. */
  list: route('GET', '/visualizations/{id}/links', { who: 'approved' })
    .input(z.object({ id }))
    .output(z.array(shareLink)),
  /** Ends a link for good, also on open pages. */
  revoke: route('DELETE', '/links/{id}', { who: 'approved' }).input(z.strictObject({ id })).output(z.object({ id })),
  /** The links that have not ended, of all visualizations. */
  all: route('GET', '/links', { who: 'admin' }).output(z.array(anyShareLink)),
};

/**
 * Exchanges the token of a link for a cookie. A POST, so that the token is in no address. Whoever is signed in with the
 * account that a link names needs only its ID, which mails about the plan contain.
 */
export const sharing = {
  open: route('POST', '/shared/session', { who: 'anyone' })
    .input(z.union([z.strictObject({ token: linkToken }), z.strictObject({ link: id })]))
    .output(z.object({ id })),
  page: route('GET', '/shared/{id}/page', { who: 'link', needs: 'explore' }).input(z.object({ id })).output(sharedPage),
};

/**
 * The reading calls again, for the visitors of a link, and the one that writes. What is not listed does not exist for them:
 * other uploads and comparisons, saved views, drafts, the record and the file, and all that is about accounts.
 */
export const shared = {
  ...byLink({ ...readingCalls, ...levelCalls }, 'explore'),
  ...byLink({ plan: plans.read, planTotals: plans.totals }, 'plan'),
  ...byLink({ planPeople: plans.people }, 'edit-plan'),
  /** As `plans.change`, for the fields and the entries that a colleague may change. */
  changePlan: route('POST', '/shared/{id}/plan/changes', { who: 'link', needs: 'edit-plan' })
    .input(
      z.strictObject({
        id,
        batch,
        base: revision,
        targets: z.array(entryTarget).check(z.minLength(1), z.maxLength(limits.maxPlanTargets)),
        set: writerSet,
      }),
    )
    .output(planAnswer),
  ...byLink(
    {
      warnings: warnings.summary,
      warningsOfKind: warnings.page,
      warningsOfNode: warnings.ofNode,
      warningMarks: warnings.marks,
    },
    'warnings',
  ),
};

/**
 * `{id}` is then the link, and only its cookie counts: the session of an account opens none of these calls, and the
 * link opens no other.
 */
function byLink<Calls extends Readonly<Record<string, AnyContractProcedure>>>(calls: Calls, needs: LinkNeed): Calls {
  const about: About = { who: 'link', needs, scope: undefined };
  const changed = Object.entries(calls).map(([name, call]) => {
    const { route, meta, ...shapes } = call['~orpc'];
    const path = route.path?.replace('/visualizations/', '/shared/') as `/${string}`;
    return [name, new ContractProcedure({ ...shapes, route: { ...route, path }, meta: { ...meta, ...about } })];
  });
  return Object.fromEntries(changed) as Calls;
}
