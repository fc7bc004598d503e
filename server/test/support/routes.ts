import type { TokenScope } from '@kc/rules/access-token';
import { contract } from '@kc/rules/api';
import type { Who } from '@kc/rules/contract-call';
import type { LinkNeed } from '@kc/rules/link';
import { rawRoutes } from '@kc/rules/raw-routes';
import type { InjectOptions, Response } from 'light-my-request';
import { tokenExpectations } from './access-token-expectations.ts';
import { type Asker, standingOf } from './actors.ts';
import { claimOf, idTokenOf, ownTokenOf, stepUpOf, tokenOf, wayBackOf } from './asker-tokens.ts';
import { draftExpectations } from './draft-expectations.ts';
import { withEarlier } from './earlier-upload.ts';
import { exportExpectations } from './export-expectations.ts';
import { linkExpectations } from './link-expectations.ts';
import { lockedCredential } from './locked-credential.ts';
import { planExpectations } from './plan-expectations.ts';
import {
  type Ask,
  aDescription,
  aHeader,
  aMap,
  aPreset,
  aScore,
  aView,
  base64,
  counted,
  notFound,
  nothing,
  ofPreset,
  ofScore,
  ofUpload,
  ofView,
  ofVisualization,
  tus,
  unlessBuiltIn,
} from './route-parts.ts';
import type { TestServer } from './server.ts';
import { changedSettings } from './settings.ts';
import { warningExpectations } from './warning-expectations.ts';
import { webhookExpectations } from './webhook-expectations.ts';

export type Route = {
  readonly method: string;
  readonly path: string;
  readonly who: Who;
  readonly scope?: TokenScope | undefined;
};

/** Every call of the contract and every raw route, with the access that each declares. */
export const listed: readonly Route[] = [
  ...Object.values(contract).flatMap((group) =>
    Object.values(group).map(({ '~orpc': { route, meta } }) => ({
      method: route.method ?? 'POST',
      path: `/api${route.path}`,
      who: meta.who,
      scope: meta.scope,
    })),
  ),
  ...rawRoutes.map(({ method, path, who, scope }) => ({ method, path, who, scope })),
];

export const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

export const password = 'tulip-Harbor-9';

/** Who owns the object that a request names. */
export type Whose = 'own' | 'foreign' | 'missing';

/** The participants of a request: the asker, another user, and the ID of the target. */
export type Stage = {
  readonly server: TestServer;
  readonly asker: Asker;
  /** A pending user with {@link password}. */
  readonly member: { readonly id: string; readonly email: string };
  /** ID of the object that the route names. */
  readonly thing: string;
};

export type Expectation = {
  /** Who may call it. Repeated here so that an accidental change of the contract fails a test. */
  readonly who: Who;
  /** The kind of object that the path or the body names. */
  readonly names?:
    | 'account'
    | 'avatar'
    | 'visualization'
    | 'view'
    | 'upload'
    | 'draft'
    | 'preset'
    | 'score'
    | 'link'
    | 'token'
    | 'webhook';
  /** A request that succeeds when it is allowed: only the guard can stop it. */
  ask(stage: Stage): Ask | Promise<Ask>;
  /** The status, or the refusal code, for actors who may call it. */
  readonly answer: number | string | ((asker: Asker) => number | string);
  /** The refusal codes for actors who may call it, but not for this object. */
  readonly refused?: { readonly missing?: string; readonly own?: string; readonly builtIn?: string };
  /** For calls of the visitors of a link: what they need of it, and what those get whose link has it. */
  readonly visits?: { readonly needs: LinkNeed; readonly answer: number | string };
  /** Tables that a GET request writes to nevertheless. */
  readonly writes?: readonly string[];
  /** The response does not end by itself. */
  readonly streams?: true;
};

const axes = { level: 'keywords', x: 'cpc', y: 'volume', size: 'keywords' };
const aPlot = () => ({ query: axes });
const aWindow = () => ({ body: { ...axes, edges: { x: [0, 1, 2], y: [0, 1000] } } });
/** The expectations for every route, in the order of {@link routes}. A route without an entry fails the matrix. */
export const expectations: Readonly<Record<string, Expectation>> = {
  'GET /api/session': { who: 'anyone', ask: nothing, answer: 200 },
  'POST /api/session': {
    who: 'anyone',
    ask: ({ member }) => ({ body: { email: member.email, password, remember: false } }),
    answer: 200,
  },
  'POST /api/session/step-up': { who: 'admin', ask: () => ({ body: { password } }), answer: 200 },
  'GET /api/session/step-up': { who: 'admin', ask: nothing, answer: 200 },
  'POST /api/session/step-up/google': {
    who: 'admin',
    ask: async (stage) => ({ body: { nonce: await wayBackOf(stage) } }),
    answer: 200,
  },
  'POST /api/session/id-token': {
    who: 'admin',
    ask: async (stage) => ({ body: { stepUp: await stepUpOf(stage) } }),
    answer: 200,
  },
  'DELETE /api/session': { who: 'anyone', ask: nothing, answer: 200 },
  'DELETE /api/session/all': { who: 'signed-in', ask: nothing, answer: 200 },
  'PUT /api/session/name': {
    who: 'signed-in',
    ask: () => ({ body: { displayName: 'Renamed' } }),
    answer: ({ actor }) => (actor.startsWith('denied') ? 'session/not-approved' : 200),
  },

  'GET /api/sign-up': { who: 'anyone', ask: nothing, answer: 200 },
  'POST /api/sign-up': {
    who: 'anyone',
    ask: () => ({ body: { email: 'fresh@example.org', password, displayName: 'Jo' } }),
    answer: 200,
  },
  'POST /api/sign-up/check': { who: 'anyone', ask: nothing, answer: 200 },
  'POST /api/claim/read': {
    who: 'anyone',
    ask: async (stage) => ({ body: { token: await claimOf(stage) } }),
    answer: 200,
  },
  'POST /api/claim': {
    who: 'anyone',
    ask: async (stage) => ({ body: { token: await claimOf(stage), password: 'violet-Quarry-77-lamp' } }),
    answer: 200,
  },
  'POST /api/reset-password/request': {
    who: 'anyone',
    ask: ({ member }) => ({ body: { email: member.email } }),
    answer: 200,
  },
  'POST /api/reset-password/read': {
    who: 'anyone',
    ask: async (stage) => ({ body: { token: await tokenOf(stage, 'reset', stage.member.id) } }),
    answer: 200,
  },
  'POST /api/reset-password': {
    who: 'anyone',
    ask: async (stage) => ({
      body: { token: await tokenOf(stage, 'reset', stage.member.id), password: `${password}0` },
    }),
    answer: 200,
  },
  'POST /api/verify-email/request': { who: 'signed-in', ask: nothing, answer: 200 },
  'POST /api/verify-email': {
    who: 'signed-in',
    ask: async (stage) => ({ body: { token: await ownTokenOf(stage, 'verify') } }),
    answer: unlessBuiltIn('verify/invalid'),
  },

  'GET /api/users': { who: 'admin', ask: nothing, answer: 200 },
  'POST /api/users': {
    who: 'admin',
    ask: () => ({ body: { email: 'fresh@example.org', password, role: 'admin' } }),
    answer: 200,
  },
  'PUT /api/users/{id}/status': {
    who: 'admin',
    names: 'account',
    ask: () => ({ body: { status: 'denied' } }),
    answer: 200,
    refused: { missing: 'account/no-such-id', own: 'account/own-status', builtIn: 'account/primary-admin' },
  },
  'PUT /api/users/{id}/role': {
    who: 'admin',
    names: 'account',
    ask: ({ asker, thing }) => ({ body: { role: thing === asker.account.id ? 'user' : 'admin' } }),
    answer: 200,
    refused: { missing: 'account/no-such-id', own: 'account/own-role' },
  },
  'GET /api/users/{id}/quota': {
    who: 'admin',
    names: 'account',
    ask: nothing,
    answer: 200,
    refused: { missing: 'account/not-found' },
  },
  'PUT /api/users/{id}/quota': {
    who: 'admin',
    names: 'account',
    ask: () => ({ body: { own: { visualizations: 3, storageMb: null } } }),
    answer: 200,
    refused: { missing: 'account/not-found' },
  },
  'POST /api/users/changes': {
    who: 'admin',
    ask: ({ member }) => ({ body: { changes: [{ id: member.id, status: 'denied' }] } }),
    answer: 200,
  },
  'GET /api/users/availability': {
    who: 'admin',
    ask: ({ member }) => ({ query: { email: member.email } }),
    answer: 200,
  },
  'POST /api/users/{id}/delete-records': {
    who: 'admin',
    names: 'account',
    ask: async (stage) => ({ body: { idToken: await idTokenOf(stage) } }),
    answer: 200,
    refused: { missing: 'account/not-found', own: 'account/own-delete', builtIn: 'account/primary-admin-delete' },
  },
  'POST /api/deleteUserAuth': {
    who: 'admin',
    ask: async (stage) => ({ body: { userId: await lockedCredential(stage) } }),
    answer: 200,
  },
  'GET /api/users/duplicates': { who: 'admin', ask: nothing, answer: 200 },
  'POST /api/users/clean-duplicates': { who: 'admin', ask: nothing, answer: 200 },
  'POST /api/admin-check/fix': { who: 'approved', ask: nothing, answer: 200 },

  'GET /api/settings': { who: 'admin', ask: nothing, answer: 200 },
  'PUT /api/settings': { who: 'admin', ask: async (stage) => ({ body: await changedSettings(stage) }), answer: 200 },
  'GET /api/settings/screen': { who: 'approved', ask: nothing, answer: 200 },
  'GET /api/mail-settings': { who: 'approved', ask: nothing, answer: 200 },
  'PUT /api/mail-settings': {
    who: 'approved',
    ask: () => ({ body: { imports: false, assignments: true } }),
    answer: 200,
  },
  'GET /api/storage': { who: 'admin', ask: nothing, answer: 200 },
  'POST /api/storage/purge': { who: 'admin', ask: nothing, answer: 200 },
  'GET /api/activity': { who: 'admin', ask: nothing, answer: 200 },
  'POST /api/activity/forget': {
    who: 'admin',
    ask: ({ member }) => ({ body: { id: member.id } }),
    answer: 'account/not-found',
  },

  'GET /api/uploads/{id}/status': { who: 'admin', names: 'upload', ask: nothing, answer: 200, refused: notFound },
  'PUT /api/uploads/{id}/field-map': { who: 'admin', names: 'upload', ask: aMap, answer: 200, refused: notFound },
  'GET /api/users/{id}/uploads': {
    who: 'admin',
    names: 'account',
    ask: nothing,
    answer: 200,
    refused: { missing: 'account/not-found' },
  },
  'GET /api/unfinished-uploads': { who: 'admin', ask: nothing, answer: 200 },
  'GET /api/visualizations': { who: 'approved', ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}': { ...ofVisualization, ask: nothing, answer: 200 },
  'POST /api/visualizations/{id}/activate': { ...ofVisualization, ask: nothing, answer: 200 },
  'PUT /api/visualizations/{id}/description': { ...ofVisualization, ask: aDescription, answer: 200 },
  'PUT /api/visualizations/{id}/newest-month': {
    ...ofVisualization,
    ask: () => ({ body: { month: '2026-04' } }),
    answer: 200,
  },
  'PUT /api/visualizations/{id}/field-map': {
    ...ofVisualization,
    // Another map would rebuild the pack in the background.
    ask: () => ({ body: { fieldMap: {} } }),
    answer: 200,
  },
  'DELETE /api/visualizations/{id}': {
    ...ofVisualization,
    ask: nothing,
    // An administrator has uploaded it, so that the owner may not delete it.
    answer: ({ actor }) => (standingOf[actor] === 'admin' ? 200 : 'admin/only'),
  },
  'GET /api/visualizations/{id}/fields': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/nodes/{node}': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/nodes/{node}/keywords': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/nodes/{node}/members': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/not-in-hierarchy': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/not-in-hierarchy/{row}': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/locate': {
    ...ofVisualization,
    ask: () => ({ query: { address: '0'.repeat(16) } }),
    answer: 200,
    // Counts searches through the user's other visualizations.
    writes: ['rate_limits'],
  },
  'GET /api/visualizations/{id}/histogram': {
    ...counted,
    ask: () => ({ query: { of: 'volume', filter: 'has-a' } }),
    answer: 200,
  },
  'POST /api/visualizations/{id}/score-check': {
    ...counted,
    ask: () => ({ body: { score: 'sum.cpc', level: 'keywords' } }),
    answer: 200,
  },
  'GET /api/visualizations/{id}/changes': { ...ofVisualization, ask: withEarlier, answer: 200 },
  'GET /api/visualizations/{id}/nodes/{node}/change': { ...ofVisualization, ask: withEarlier, answer: 200 },
  'GET /api/visualizations/{id}/search': { ...counted, ask: () => ({ query: { q: 'shoes' } }), answer: 200 },
  'GET /api/visualizations/{id}/points': { ...ofVisualization, ask: aPlot, answer: 200 },
  'POST /api/visualizations/{id}/density': { ...ofVisualization, ask: aWindow, answer: 200 },
  'GET /api/visualizations/{id}/views': { ...ofVisualization, ask: nothing, answer: 200 },
  'POST /api/visualizations/{id}/views': { ...ofVisualization, ask: aView, answer: 200 },
  'PUT /api/visualizations/{id}/views/order': { ...ofVisualization, ask: () => ({ body: { ids: [] } }), answer: 200 },
  'PUT /api/views/{id}/name': { ...ofView, ask: () => ({ body: { name: 'Autumn' } }), answer: 200 },
  'DELETE /api/views/{id}': { ...ofView, ask: nothing, answer: 200 },
  'GET /api/me/filter-presets': { who: 'approved', ask: nothing, answer: 200 },
  'POST /api/me/filter-presets': { who: 'approved', ask: aPreset, answer: 200 },
  'PUT /api/me/filter-presets/{id}': { ...ofPreset, ask: aPreset, answer: 200 },
  'DELETE /api/me/filter-presets/{id}': { ...ofPreset, ask: nothing, answer: 200 },
  'GET /api/me/scores': { who: 'approved', ask: nothing, answer: 200 },
  'POST /api/me/scores': { who: 'approved', ask: aScore, answer: 200 },
  'PUT /api/me/scores/{id}': { ...ofScore, ask: aScore, answer: 200 },
  'DELETE /api/me/scores/{id}': { ...ofScore, ask: nothing, answer: 200 },

  ...draftExpectations,

  ...planExpectations,
  ...linkExpectations,

  'GET /api/clustering/rates': { who: 'approved', ask: nothing, answer: 200 },
  ...warningExpectations,
  'POST /api/list-readings/find': { who: 'approved', ask: aHeader, answer: 200 },
  'POST /api/list-readings/forget': { who: 'approved', ask: aHeader, answer: 200 },
  'POST /api/uploads': {
    who: 'admin',
    ask: ({ member }) => ({
      headers: {
        ...tus,
        'upload-length': '10',
        'upload-metadata': `filename ${base64('a.json')},userId ${base64(member.id)}`,
      },
    }),
    answer: 201,
  },
  'HEAD /api/uploads/{id}': {
    who: 'approved',
    names: 'upload',
    ask: () => ({ headers: tus }),
    answer: ofUpload(200),
    refused: notFound,
  },
  'PATCH /api/uploads/{id}': {
    who: 'approved',
    names: 'upload',
    // Fewer bytes than the upload's length, so that no reader starts on the file.
    ask: () => ({
      headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      payload: '{"k',
    }),
    answer: ofUpload(204),
    refused: notFound,
  },
  'DELETE /api/uploads/{id}': {
    who: 'approved',
    names: 'upload',
    ask: () => ({ headers: tus }),
    answer: ofUpload(204),
    refused: notFound,
  },
  'GET /api/visualizations/{id}/slice': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/rows': {
    ...ofVisualization,
    ask: () => ({ query: { level: 'keywords' } }),
    answer: 200,
  },
  'POST /api/visualizations/{id}/selection-totals': {
    ...ofVisualization,
    ask: () => ({ headers: { 'content-type': 'application/octet-stream' }, payload: '\0\0\0\0' }),
    answer: 200,
  },
  ...exportExpectations,
  ...tokenExpectations,
  ...webhookExpectations,
  'GET /api/events': { who: 'signed-in', ask: nothing, answer: 200, streams: true },
  'POST /api/forceDeleteUser': {
    who: 'admin',
    names: 'account',
    ask: async (stage) => ({ body: { userId: stage.thing, idToken: await idTokenOf(stage) } }),
    answer: 200,
    refused: { missing: 'account/not-found', own: 'account/own-delete', builtIn: 'account/primary-admin-delete' },
  },
  'GET /api/avatars/{id}': { who: 'signed-in', names: 'avatar', ask: nothing, answer: 200, refused: notFound },
  // No provider is configured here. The behaviour with a provider has its own tests.
  'GET /api/google/start': { who: 'anyone', ask: nothing, answer: 'sign-in/google-off' },
  'GET /api/google/callback': { who: 'anyone', ask: nothing, answer: 'sign-in/google-off' },
  // Downloading the audit log adds an entry to it.
  'GET /api/activity.csv': { who: 'admin', ask: nothing, answer: 200, writes: ['audit_log'] },
  'GET /api/activity.jsonl': { who: 'admin', ask: nothing, answer: 200, writes: ['audit_log'] },
  'GET /api/openapi.json': { who: 'anyone', ask: nothing, answer: 200 },
  'GET /api/docs': { who: 'anyone', ask: nothing, answer: 302 },
  'GET /healthz': { who: 'anyone', ask: nothing, answer: 200 },
  'GET /readyz': { who: 'anyone', ask: nothing, answer: 200 },
};

export function expectationOf(route: Route): Expectation {
  const found = expectations[nameOf(route)];
  if (!found) throw new Error(`What is expected of ${nameOf(route)} is not said`);
  return found;
}

/** The same routes, with the access that {@link expectations} declare. */
export const routes: readonly Route[] = listed.map((route) => ({
  ...route,
  who: expectationOf(route).who,
}));

/** The code that refuses an actor regardless of the object; `undefined` if the actor may call the route. */
export function refusedAtTheDoor(who: Who, { actor }: Asker): string | undefined {
  const standing = standingOf[actor];
  // No session opens the call of a link.
  if (who === 'link') return 'session/required';
  if (who === 'anyone' || standing === 'admin') return undefined;
  if (standing === 'nobody') return 'session/required';
  if (who === 'signed-in') return undefined;
  if (who === 'admin') return 'admin/only';
  return standing === 'approved' ? undefined : 'session/not-approved';
}

/**
 * The responses to a caller who may make this call: for their own object, for that of another user, and for a missing
 * one.
 */
export function answerInside(expectation: Expectation, { asker }: Stage, whose: Whose): number | string {
  const { names, answer, refused } = expectation;
  const granted = typeof answer === 'function' ? answer(asker) : answer;
  if (names === undefined) return granted;
  if (whose === 'missing') return refused!.missing!;
  if (names === 'account') return whose === 'own' ? (refused?.own ?? granted) : granted;
  if (whose === 'own') return granted;
  // Uploads, saved views and saved filters belong to their creator alone. Admins may see every visualization and picture.
  const isPrivate = names === 'upload' || names === 'view' || names === 'preset' || names === 'score';
  return !isPrivate && standingOf[asker.actor] === 'admin' ? granted : refused!.missing!;
}

/** Builds a request. {@link send} adds the headers that identify its origin. */
export async function prepare(route: Route, stage: Stage): Promise<InjectOptions> {
  const { query, body, headers, payload } = await expectationOf(route).ask(stage);
  const parts: Partial<Record<string, string>> = { node: '0', row: '2', tab: 'new', kind: 'single' };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? encodeURIComponent(stage.thing));
  const { cookie } = stage.asker;
  return {
    method: route.method as 'GET',
    url: query ? `${path}?${new URLSearchParams(query)}` : path,
    headers: {
      ...(cookie ? { cookie } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    ...(payload === undefined ? {} : { payload }),
  };
}

export const fromThisSite = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' } as const;

/** Sends a request, by default as a page of this site does. For endless responses, `call` sets `payloadAsStream`. */
export async function send(
  { app }: TestServer,
  call: InjectOptions,
  headers: Readonly<Record<string, string>> = fromThisSite,
): Promise<Response> {
  return app.inject({ ...call, headers: { ...call.headers, ...headers } });
}

/** The code of a refusal, or the status of any other response. A response to HEAD only has a status. */
export function outcomeOf(answer: Response): number | string {
  if (answer.statusCode < 400 || !answer.body) return answer.statusCode;
  return (answer.json() as { data?: { code?: string } }).data?.code ?? answer.statusCode;
}
