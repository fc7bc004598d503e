import type { TokenScope } from './access-token.ts';
import { type Account, type BuiltInAdmins, effective, isAdmin } from './account.ts';
import type { LinkKind } from './link.ts';
import { type PathAccess, paths } from './paths.ts';
import { done, type Result, refuse } from './result.ts';
import { type SavedKind, savedKinds } from './saved-view.ts';

/** The user who makes a request: an account, or nobody. */
export type Actor = Account | undefined;

/**
 * Every action that needs permission, with its target where the target matters. `visualizations/use` stands for every
 * call that is open to all approved users and decides about its target itself; `sample` is true for the sample, which
 * all of them may see.
 */
export type Action =
  | { readonly do: 'accounts/list' }
  | { readonly do: 'accounts/create' }
  | { readonly do: 'accounts/change' }
  | { readonly do: 'avatars/view'; readonly accountId: string }
  | { readonly do: 'name/change' }
  | { readonly do: 'uploads/create' }
  | { readonly do: 'visualizations/use' }
  | { readonly do: 'visualizations/view'; readonly ownerId: string; readonly sample: boolean }
  | { readonly do: 'visualizations/change'; readonly ownerId: string }
  /** `otherOwnerId`: the owner of the upload that it is compared with. */
  | { readonly do: 'visualizations/compare'; readonly ownerId: string; readonly otherOwnerId: string }
  | { readonly do: 'visualizations/delete'; readonly ownerId: string; readonly uploadedBy: string }
  /** `isAllowed`: the setting by which users may import lists for themselves. */
  | { readonly do: 'lists/import'; readonly ownerId: string; readonly isAllowed: boolean }
  | { readonly do: 'drafts/use'; readonly ownerId: string; readonly begunBy: string }
  | { readonly do: 'saved/change'; readonly of: SavedKind; readonly accountId: string }
  /** Reading and writing the plan of an owner's data; `sample`: the asker's own plan of the sample. */
  | { readonly do: 'plans/use'; readonly ownerId: string; readonly sample: boolean }
  /** Dismissing warnings about an owner's data and setting their thresholds; `sample`: the asker's own for the sample. */
  | { readonly do: 'warnings/judge'; readonly ownerId: string; readonly sample: boolean }
  | { readonly do: 'tokens/make'; readonly scopes: readonly TokenScope[] }
  | { readonly do: 'tokens/revoke'; readonly accountId: string }
  /** Listing and revoking the links of an owner's data. */
  | { readonly do: 'links/use'; readonly ownerId: string }
  /** `clientLinks`: the setting by which people without an account may be given links. */
  | { readonly do: 'links/make'; readonly ownerId: string; readonly kind: LinkKind; readonly clientLinks: boolean };

/**
 * Whether `actor` may do this now, or why not. Both sides use this rule: the server before it acts, the web before it
 * shows a control.
 *
 * Order: not signed in → `session/required`; not approved → `session/not-approved`; an administrator's action by a
 * non-administrator → `admin/only`. Another user's data is reported as missing: visualization or plan →
 * `visualization/not-found`, picture → `request/not-found`, access token → `token/not-found`, what is saved → see
 * {@link savedKinds}: it is private, even from administrators. Every signed-in user may read their own picture; users who are
 * not denied may change their own name.
 */
export function can(actor: Actor, action: Action, builtInAdmins: BuiltInAdmins): Result<true> {
  if (!actor) return refuse('session/required');
  const admin = isAdmin(actor, builtInAdmins);
  const { status } = effective(actor, builtInAdmins);
  switch (action.do) {
    case 'accounts/list':
    case 'accounts/create':
    case 'accounts/change':
    case 'uploads/create':
      return admin ? done(true) : refuse('admin/only');
    case 'avatars/view':
      return admin || action.accountId === actor.id ? done(true) : refuse('request/not-found');
    case 'name/change':
      return status === 'denied' ? refuse('session/not-approved') : done(true);
  }
  if (status !== 'approved') return refuse('session/not-approved');
  switch (action.do) {
    case 'visualizations/use':
      return done(true);
    case 'visualizations/view':
      return admin || action.sample || action.ownerId === actor.id ? done(true) : refuse('visualization/not-found');
    case 'visualizations/change':
      return admin || action.ownerId === actor.id ? done(true) : refuse('visualization/not-found');
    case 'visualizations/compare':
      // Uploads of two owners are not compared, not even by an administrator.
      return (admin || action.ownerId === actor.id) && action.ownerId === action.otherOwnerId
        ? done(true)
        : refuse('visualization/not-found');
    case 'visualizations/delete':
      if (admin) return done(true);
      if (action.ownerId !== actor.id) return refuse('visualization/not-found');
      // Users may delete what they imported themselves, and nothing that an administrator gave them.
      return action.uploadedBy === actor.id ? done(true) : refuse('admin/only');
    case 'lists/import':
      if (admin) return done(true);
      if (action.ownerId !== actor.id) return refuse('admin/only');
      return action.isAllowed ? done(true) : refuse('list/off');
    case 'drafts/use':
      return admin || (action.ownerId === actor.id && action.begunBy === actor.id)
        ? done(true)
        : refuse('draft/not-found');
    case 'plans/use':
    case 'warnings/judge':
      return admin || action.sample || action.ownerId === actor.id ? done(true) : refuse('visualization/not-found');
    case 'links/use':
    case 'links/make':
      if (!admin && action.ownerId !== actor.id) return refuse('visualization/not-found');
      return action.do === 'links/make' && action.kind === 'client' && !action.clientLinks
        ? refuse('link/client-off')
        : done(true);
    case 'tokens/make':
      return action.scopes.includes('admin') && !admin ? refuse('admin/only') : done(true);
    case 'tokens/revoke':
      return admin || action.accountId === actor.id ? done(true) : refuse('token/not-found');
    case 'saved/change':
      return action.accountId === actor.id ? done(true) : refuse(savedKinds[action.of].missing);
  }
}

/** What the browser knows about the current user. Routing depends on nothing else. */
export type SessionState = {
  readonly isAuthenticated: boolean;
  readonly status?: Account['status'] | undefined;
  readonly isAdmin: boolean;
};

/** The page a user lands on after signing in. */
export function landingPath(session: SessionState): (typeof paths)[keyof typeof paths] {
  if (!session.isAuthenticated) return paths.login;
  if (session.isAdmin || session.status === 'approved') return paths.visualization;
  return session.status === 'denied' ? paths.denied : paths.pending;
}

/** The path that a visitor of a page is redirected to, or `undefined` if they may see it. */
export function guard(access: PathAccess, session: SessionState): (typeof paths)[keyof typeof paths] | undefined {
  if (access === 'open') return undefined;
  if (access === 'signed-out') return session.isAuthenticated ? landingPath(session) : undefined;
  if (!session.isAuthenticated) return access === 'approved-or-nobody' ? undefined : paths.login;
  const approved = session.isAdmin || session.status === 'approved';
  if (access === 'unapproved') return approved ? paths.visualization : undefined;
  if (access === 'denied') return session.status === 'denied' && !approved ? undefined : landingPath(session);
  if (!approved) return landingPath(session);
  if (access === 'admin' && !session.isAdmin) return paths.visualization;
  return undefined;
}
