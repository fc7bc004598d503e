import type { ShownColumns } from './link-columns.ts';
import { done, type Result, refuse } from './result.ts';

/**
 * A link to one visualization: for one account (`colleague`), or for whoever has it (`client`), without an account.
 * Both read. A colleague, whose edits carry a name, may be allowed to edit the plan; see `writerFields`.
 */
export const linkKinds = ['colleague', 'client'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** The longest life of a link in days, and what the form suggests. */
export const linkDays: Readonly<Record<LinkKind, { readonly usual: number; readonly most: number }>> = {
  colleague: { usual: 30, most: 365 },
  client: { usual: 30, most: 90 },
};

/**
 * What a call needs of the link that makes it. `explore`: the figures of the visualization. `warnings`: what the owner
 * judges about them, which clients never see. `plan`, `edit-plan` and `downloads`: only if the link includes them.
 */
export type LinkNeed = 'explore' | 'warnings' | 'plan' | 'edit-plan' | 'downloads';

/** A link as its visitor uses it: what a request may do is decided from this alone. */
export type Visitor = {
  readonly linkId: string;
  readonly kind: LinkKind;
  readonly visualizationId: string;
  readonly withPlan: boolean;
  readonly mayEditPlan: boolean;
  readonly withDownloads: boolean;
  /** The file's own columns that it shows; undefined for all of them, which colleagues see. */
  readonly columns: ShownColumns | undefined;
  /** The account of a colleague; undefined for clients, who have none. */
  readonly accountId: string | undefined;
  /** The accounts on whose rights the link depends: of the owner, of its maker, and of a colleague. */
  readonly dependsOn: readonly string[];
};

/** Whether a call with this need exists for a visitor. */
export function linkAllows(
  visitor: Pick<Visitor, 'kind' | 'withPlan' | 'mayEditPlan' | 'withDownloads'>,
  need: LinkNeed,
): boolean {
  switch (need) {
    case 'explore':
      return true;
    case 'warnings':
      return visitor.kind === 'colleague';
    case 'plan':
      return visitor.withPlan;
    case 'edit-plan':
      return visitor.kind === 'colleague' && visitor.withPlan && visitor.mayEditPlan;
    case 'downloads':
      return visitor.withDownloads;
  }
}

/** Visitors see no email of anybody, not even of a person who is called by it. */
export const nameWithoutEmail = (name: string): string => (name.includes('@') ? '' : name);

/** What is known about a link when a request arrives with it. */
type LinkState = {
  readonly kind: LinkKind;
  readonly isRevoked: boolean;
  readonly expiresAt: number;
  /** Whether the account that made it may still see the visualization. */
  readonly makerSees: boolean;
  /** The setting "Client links". */
  readonly clientLinks: boolean;
};

/**
 * Whether a link works now. A link that rests works again when its reason is gone; one that has ended never does.
 */
export function checkLink(link: LinkState, now: number): Result<true> {
  if (link.isRevoked || link.expiresAt <= now) return refuse('link/ended');
  if (!link.makerSees || (link.kind === 'client' && !link.clientLinks)) return refuse('link/resting');
  return done(true);
}

/** A visitor's standing for a link that names an account; `isApproved`: undefined for somebody who is not signed in. */
export function checkColleague(
  email: string,
  requester: { readonly email: string; readonly isApproved: boolean } | undefined,
): Result<true> {
  if (!requester) return refuse('link/sign-in');
  // The same answer whether the account is another one or not approved: it tells nothing about accounts.
  return requester.email === email && requester.isApproved ? done(true) : refuse('link/other-account');
}
