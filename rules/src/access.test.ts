import { describe, expect, test } from 'vitest';
import { type Action, type Actor, can, guard, landingPath, type SessionState } from './access.ts';
import type { Account } from './account.ts';
import { type PathAccess, pathAccess, paths } from './paths.ts';

const builtIn = new Set(['root@example.com']);
const account = (changes: Partial<Account>): Account => ({
  id: 'me',
  email: 'me@example.com',
  displayName: '',
  role: 'user',
  status: 'approved',
  emailProven: false,
  createdAt: 0,
  ...changes,
});

const actors = {
  nobody: undefined,
  pending: account({ status: 'pending' }),
  denied: account({ status: 'denied' }),
  approved: account({}),
  admin: account({ role: 'admin' }),
  'pending admin': account({ role: 'admin', status: 'pending' }),
  'denied admin': account({ role: 'admin', status: 'denied' }),
  'built-in proven': account({ email: 'root@example.com', status: 'denied', emailProven: true }),
  'built-in unproven': account({ email: 'root@example.com', status: 'pending' }),
} satisfies Record<string, Actor>;
type ActorName = keyof typeof actors;

const yes = 'yes';
const stranger = 'session/required';
const unapproved = 'session/not-approved';
const notAdmin = 'admin/only';
const hidden = 'visualization/not-found';
const nothing = 'request/not-found';
const noView = 'visualization/view-not-found';
const noPreset = 'filter/preset-not-found';
const noScore = 'score/not-found';
const noDraft = 'draft/not-found';
const off = 'list/off';
const noClients = 'link/client-off';

/** The expected result for each actor, in the order of `actors`. */
const table: readonly [action: Action, answers: readonly string[]][] = [
  ...(['accounts/list', 'accounts/create', 'accounts/change', 'uploads/create'] as const).map(
    (act): [Action, string[]] => [
      { do: act },
      [stranger, notAdmin, notAdmin, notAdmin, yes, notAdmin, notAdmin, yes, notAdmin],
    ],
  ),
  [{ do: 'name/change' }, [stranger, yes, unapproved, yes, yes, yes, unapproved, yes, yes]],
  [{ do: 'avatars/view', accountId: 'me' }, [stranger, yes, yes, yes, yes, yes, yes, yes, yes]],
  [
    { do: 'avatars/view', accountId: 'other' },
    [stranger, nothing, nothing, nothing, yes, nothing, nothing, yes, nothing],
  ],
  [{ do: 'visualizations/use' }, [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved]],
  [
    { do: 'visualizations/view', ownerId: 'me', sample: false },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'visualizations/view', ownerId: 'other', sample: false },
    [stranger, unapproved, unapproved, hidden, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'visualizations/view', ownerId: 'other', sample: true },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'visualizations/change', ownerId: 'me' },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'visualizations/change', ownerId: 'other' },
    [stranger, unapproved, unapproved, hidden, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'visualizations/compare', ownerId: 'me', otherOwnerId: 'me' },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'visualizations/compare', ownerId: 'me', otherOwnerId: 'other' },
    [stranger, unapproved, unapproved, hidden, hidden, unapproved, unapproved, hidden, unapproved],
  ],
  [
    { do: 'visualizations/compare', ownerId: 'other', otherOwnerId: 'me' },
    [stranger, unapproved, unapproved, hidden, hidden, unapproved, unapproved, hidden, unapproved],
  ],
  [
    { do: 'visualizations/compare', ownerId: 'other', otherOwnerId: 'other' },
    [stranger, unapproved, unapproved, hidden, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'visualizations/delete', ownerId: 'me', uploadedBy: 'me' },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'visualizations/delete', ownerId: 'me', uploadedBy: 'other' },
    [stranger, unapproved, unapproved, notAdmin, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'visualizations/delete', ownerId: 'other', uploadedBy: 'me' },
    [stranger, unapproved, unapproved, hidden, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'lists/import', ownerId: 'me', isAllowed: true },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'lists/import', ownerId: 'me', isAllowed: false },
    [stranger, unapproved, unapproved, off, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'lists/import', ownerId: 'other', isAllowed: true },
    [stranger, unapproved, unapproved, notAdmin, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'drafts/use', ownerId: 'me', begunBy: 'me' },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'drafts/use', ownerId: 'me', begunBy: 'other' },
    [stranger, unapproved, unapproved, noDraft, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'drafts/use', ownerId: 'other', begunBy: 'me' },
    [stranger, unapproved, unapproved, noDraft, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'plans/use', ownerId: 'me', sample: false },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'plans/use', ownerId: 'other', sample: false },
    [stranger, unapproved, unapproved, hidden, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'plans/use', ownerId: 'other', sample: true },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'warnings/judge', ownerId: 'me', sample: false },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'warnings/judge', ownerId: 'other', sample: false },
    [stranger, unapproved, unapproved, hidden, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'warnings/judge', ownerId: 'other', sample: true },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'links/use', ownerId: 'me' },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'links/use', ownerId: 'other' },
    [stranger, unapproved, unapproved, hidden, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'links/make', ownerId: 'me', kind: 'client', clientLinks: true },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'links/make', ownerId: 'me', kind: 'client', clientLinks: false },
    [stranger, unapproved, unapproved, noClients, noClients, unapproved, unapproved, noClients, unapproved],
  ],
  [
    { do: 'links/make', ownerId: 'me', kind: 'colleague', clientLinks: false },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'links/make', ownerId: 'other', kind: 'client', clientLinks: true },
    [stranger, unapproved, unapproved, hidden, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'saved/change', of: 'view', accountId: 'me' },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'saved/change', of: 'view', accountId: 'other' },
    [stranger, unapproved, unapproved, noView, noView, unapproved, unapproved, noView, unapproved],
  ],
  [
    { do: 'saved/change', of: 'filter', accountId: 'me' },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'saved/change', of: 'filter', accountId: 'other' },
    [stranger, unapproved, unapproved, noPreset, noPreset, unapproved, unapproved, noPreset, unapproved],
  ],
  [
    { do: 'saved/change', of: 'score', accountId: 'me' },
    [stranger, unapproved, unapproved, yes, yes, unapproved, unapproved, yes, unapproved],
  ],
  [
    { do: 'saved/change', of: 'score', accountId: 'other' },
    [stranger, unapproved, unapproved, noScore, noScore, unapproved, unapproved, noScore, unapproved],
  ],
];

describe.each(table)('%j', (action, answers) => {
  const cells = (Object.keys(actors) as ActorName[]).map((name, index) => [name, answers[index]!] as const);
  // Shows P18.10.
  test.each(cells)('asked by %s: %s', (name, answer) => {
    const result = can(actors[name], action, builtIn);
    expect(result.ok ? yes : result.refusal.code).toBe(answer);
  });
});

const sessions = {
  nobody: { isAuthenticated: false, status: undefined, isAdmin: false },
  pending: { isAuthenticated: true, status: 'pending', isAdmin: false },
  denied: { isAuthenticated: true, status: 'denied', isAdmin: false },
  unknown: { isAuthenticated: true, status: undefined, isAdmin: false },
  approved: { isAuthenticated: true, status: 'approved', isAdmin: false },
  admin: { isAuthenticated: true, status: 'approved', isAdmin: true },
} satisfies Record<string, SessionState>;
type SessionName = keyof typeof sessions;

// Shows P1.3.
test.each<[SessionName, string]>([
  ['nobody', '/login'],
  ['pending', '/pending-approval'],
  ['denied', '/access-denied'],
  ['unknown', '/pending-approval'],
  ['approved', '/visualization'],
  ['admin', '/visualization'],
])('after signing in, %s goes to %s', (name, path) => {
  expect(landingPath(sessions[name])).toBe(path);
});

const stay = undefined;
const guards: Record<PathAccess, readonly (string | undefined)[]> = {
  // nobody, pending, denied, unknown, approved, admin
  open: [stay, stay, stay, stay, stay, stay],
  'signed-out': [stay, '/pending-approval', '/access-denied', '/pending-approval', '/visualization', '/visualization'],
  unapproved: ['/login', stay, stay, stay, '/visualization', '/visualization'],
  denied: ['/login', '/pending-approval', stay, '/pending-approval', '/visualization', '/visualization'],
  approved: ['/login', '/pending-approval', '/access-denied', '/pending-approval', stay, stay],
  'approved-or-nobody': [stay, '/pending-approval', '/access-denied', '/pending-approval', stay, stay],
  admin: ['/login', '/pending-approval', '/access-denied', '/pending-approval', '/visualization', stay],
};

describe.each(Object.keys(guards) as PathAccess[])('a path that is %s', (access) => {
  test.each(Object.keys(sessions) as SessionName[])('opened by %s', (name) => {
    const expected = guards[access][Object.keys(sessions).indexOf(name)];
    expect(guard(access, sessions[name])).toBe(expected);
  });
});

// Shows P1.4.
test.each(Object.keys(sessions) as SessionName[])(
  'the guard never redirects %s to a path that redirects again',
  (name) => {
    const session = sessions[name];
    for (const access of Object.keys(guards) as PathAccess[]) {
      const sentTo = guard(access, session);
      if (sentTo === undefined) continue;
      const key = (Object.keys(paths) as (keyof typeof paths)[]).find((candidate) => paths[candidate] === sentTo)!;
      expect(guard(pathAccess[key], session), `${access} → ${sentTo}`).toBeUndefined();
    }
  },
);

/** The path that each kind of visitor is redirected to; `.` admits them. */
const visitors: readonly SessionState[] = [
  { isAuthenticated: false, status: undefined, isAdmin: false },
  { isAuthenticated: true, status: undefined, isAdmin: false },
  { isAuthenticated: true, status: 'pending', isAdmin: false },
  { isAuthenticated: true, status: 'denied', isAdmin: false },
  { isAuthenticated: true, status: 'approved', isAdmin: false },
  { isAuthenticated: true, status: 'approved', isAdmin: true },
  { isAuthenticated: true, status: undefined, isAdmin: true },
];
const here = '.';
const [login, waiting, refused, map] = ['/login', '/pending-approval', '/access-denied', '/visualization'];
const everybody = [here, here, here, here, here, here, here];
const sentTo: Readonly<Record<keyof typeof paths, readonly string[]>> = {
  // stranger, unknown, pending, denied, approved, admin, admin of unknown status
  index: everybody,
  login: [here, waiting, waiting, refused, map, map, map],
  claim: everybody,
  resetPassword: everybody,
  verifyEmail: everybody,
  visualization: [login, waiting, waiting, refused, here, here, here],
  import: [login, waiting, waiting, refused, here, here, here],
  admin: [login, waiting, waiting, refused, map, here, here],
  adminUpload: [login, waiting, waiting, refused, map, here, here],
  adminCheck: [here, waiting, waiting, refused, here, here, here],
  pending: [login, here, here, here, map, map, map],
  denied: [login, waiting, waiting, here, map, map, map],
  test: everybody,
  shared: everybody,
  docs: everybody,
};

test.each(Object.keys(paths) as (keyof typeof paths)[])(
  'SEC-02 the page %s admits or redirects each of seven visitors',
  (page) => {
    expect(visitors.map((visitor) => guard(pathAccess[page], visitor) ?? here)).toEqual(sentTo[page]);
  },
);
