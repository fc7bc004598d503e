/**
 * Every HTTP call of the product except the raw ones: method, path, shapes, and who may ask. Paths are under `/api`.
 *
 * Raw calls, because their bodies are no JSON objects: `/api/uploads` (tus 1.0), `/api/visualizations/{id}/slice` (one
 * binary slice, `pack/slice-wire`), `/api/visualizations/{id}/original` (the uploaded file), `/api/events`
 * (server-sent events), `/api/activity.csv` (the audit log as a table), and `/api/forceDeleteUser`, whose answers the
 * specification words (`force-delete.ts`). They are listed in {@link rawRoutes} so that the authorization matrix
 * sees them too.
 */
import { oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { activityKinds, activityResults } from './activity.ts';
import { limits } from './limits.ts';
import { defaultDepths, refreshIntervals } from './settings.ts';

/** Who may call. The server enforces it before the handler runs; `status` alone is open to pending and denied people. */
export type Who = 'anyone' | 'signed-in' | 'approved' | 'admin';

const refusal = z.object({
  code: z.string(),
  params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
});

/** One shape for every refusal; the HTTP status is its kind. Faults carry a code too, never a stack or a raw text. */
const api = oc.$meta<{ who: Who }>({ who: 'admin' }).errors({
  INVALID: { status: 422, data: refusal },
  UNAUTHENTICATED: { status: 401, data: refusal },
  REFUSED: { status: 403, data: refusal },
  MISSING: { status: 404, data: refusal },
  CONFLICT: { status: 409, data: refusal },
  TOO_MANY: { status: 429, data: refusal },
  FAULT: { status: 500, data: refusal },
});

const id = z.string().check(z.minLength(1), z.maxLength(64));
const role = z.enum(['admin', 'user']);
const status = z.enum(['pending', 'approved', 'denied']);
/** Milliseconds since 1970, UTC. */
const time = z.number();
const row = z.coerce.number().check(z.int(), z.gte(0));

const session = z.object({
  isAuthenticated: z.boolean(),
  status: z.optional(status),
  isAdmin: z.boolean(),
  redirectPath: z.optional(z.string()),
  shouldRedirect: z.boolean(),
  account: z.optional(
    z.object({
      id,
      email: z.string(),
      emailProven: z.boolean(),
      displayName: z.string(),
      createdAt: time,
      /** Whether their own email is a built-in admin's; it gives nothing until it is proven. */
      inAdminList: z.boolean(),
    }),
  ),
  /** What the sign-in screen needs to know of the server. */
  server: z.object({ version: z.string(), google: z.boolean(), supportEmail: z.string() }),
});
export type Session = z.infer<typeof session>;

/** An admin who gave a password gets a step-up handle with the session: proof for what asks for it, ten minutes long. */
const begunSession = z.extend(session, { stepUp: z.optional(z.string()) });
export type BegunSession = z.infer<typeof begunSession>;

const account = z.object({
  id,
  uniqueId: z.string(),
  email: z.string(),
  displayName: z.string(),
  role,
  status,
  createdAt: time,
  updatedAt: time,
  lastLogin: z.optional(time),
  createdBy: z.string(),
  /** Whether the asking admin is this person. */
  isYou: z.boolean(),
  /** A built-in admin: status and role cannot be changed. */
  isPrimaryAdmin: z.boolean(),
  /** The sample's own row: no credential, cannot be changed. */
  isSample: z.boolean(),
  presence: z.enum(['online', 'busy', 'offline']),
});
export type ListedAccount = z.infer<typeof account>;

const visualization = z.object({
  id,
  userId: z.string(),
  userEmail: z.string(),
  fileName: z.string(),
  storagePath: z.string(),
  downloadUrl: z.string(),
  uploadDate: time,
  uploadedBy: z.string(),
  isActive: z.boolean(),
  isSample: z.boolean(),
  /** Bytes of the original file. */
  fileSize: z.number(),
  description: z.string(),
  /** Length of the file's `keywords` array, 0 without one. */
  keywords: z.number(),
  /** Nodes of the hierarchy, the root counted. */
  nodes: z.number(),
  /** The hierarchy's root name. */
  rootName: z.string(),
});
export type Visualization = z.infer<typeof visualization>;

/** Means are over known values; `known` says over how many keywords. Absent means unknown, never zero. */
const measure = z.object({ value: z.optional(z.number()), weighted: z.optional(z.number()), known: z.number() });

const nodeDetail = z.object({
  node: z.number(),
  name: z.string(),
  type: z.string(),
  /** 16 hex digits: the node's address in links. */
  address: z.string(),
  /** From the root to the node itself. */
  path: z.array(z.object({ node: z.number(), name: z.string(), address: z.string() })),
  depth: z.number(),
  /** Nodes of the branch, this one counted. */
  branchNodes: z.number(),
  children: z.number(),
  keywords: z.number(),
  /** Further occurrences of keywords that were counted once. */
  repeats: z.number(),
  volume: measure,
  difficulty: measure,
  cpc: measure,
  competition: measure,
  position: measure,
  /** Keywords of the branch with each intent; one keyword may have several. */
  intent: z.object({
    informational: z.number(),
    navigational: z.number(),
    commercial: z.number(),
    transactional: z.number(),
    known: z.number(),
  }),
  /** The keyword with the highest known volume in the branch; ties go to the one that stands first in the file. */
  topKeyword: z.optional(z.object({ node: z.number(), name: z.string(), volume: z.number() })),
  /** Every member of the node but `children`, and of the keyword joined to it, as they stand in the uploaded file. */
  original: z.object({
    node: z.optional(z.record(z.string(), z.unknown())),
    keyword: z.optional(z.record(z.string(), z.unknown())),
  }),
});
export type NodeDetail = z.infer<typeof nodeDetail>;

const hit = z.object({
  node: z.number(),
  name: z.string(),
  type: z.string(),
  keywords: z.number(),
  volume: z.optional(z.number()),
  /** The ancestors, root first, the node itself left out. */
  path: z.array(z.object({ node: z.number(), name: z.string() })),
});
export type SearchHit = z.infer<typeof hit>;

const uploadStatus = z.object({
  id,
  state: z.enum(['receiving', 'received', 'reading', 'saving', 'active', 'failed']),
  /** Share of the current step, 0 to 1. */
  share: z.number(),
  refusal: z.optional(refusal),
  visualizationId: z.optional(z.string()),
  /** What the finished upload says beside its success: activation failed, say. */
  warning: z.optional(refusal),
});
export type UploadStatus = z.infer<typeof uploadStatus>;

const settings = z.strictObject({
  defaultDepth: z.enum(defaultDepths),
  autoExpand: z.boolean(),
  openRegistration: z.boolean(),
  autoApprove: z.boolean(),
  darkMode: z.boolean(),
  dataRefreshInterval: z.enum(refreshIntervals),
});
/** `SavedSettings` of `rules/settings`, which says what each field means. */
const savedSettings = z.object({
  version: z.number(),
  settings,
  themeChosen: z.boolean(),
  policyEnforced: z.boolean(),
});
const screenSettings = z.object({
  defaultDepth: z.enum(defaultDepths),
  autoExpand: z.boolean(),
  dataRefreshInterval: z.enum(refreshIntervals),
  theme: z.optional(z.enum(['light', 'dark'])),
});

/** What to show of the audit log; nothing: all of it. `text` is looked for in emails, ids and details. */
const activityFilter = {
  kind: z.optional(z.enum(activityKinds)),
  text: z.optional(z.string().check(z.maxLength(limits.maxFilterLength))),
};
/** The query of the raw route that answers the filtered activity as CSV. */
export const activityExport = z.object(activityFilter);
export type ActivityFilter = z.infer<typeof activityExport>;

const activityLine = z.object({
  id: z.number(),
  at: time,
  /** Emails where an account of that id is still there, else the id, `system` or `anyone`. */
  actor: z.string(),
  target: z.string(),
  kind: z.enum(activityKinds),
  result: z.enum(activityResults),
  details: z.record(z.string(), z.unknown()),
});
export type ActivityLine = z.infer<typeof activityLine>;

export const contract = {
  session: {
    get: api.route({ method: 'GET', path: '/session' }).meta({ who: 'anyone' }).output(session),
    signIn: api
      .route({ method: 'POST', path: '/session' })
      .meta({ who: 'anyone' })
      .input(z.strictObject({ email: z.string(), password: z.string(), remember: z.boolean() }))
      .output(begunSession),
    /** The password again; a new handle for it. */
    stepUp: api
      .route({ method: 'POST', path: '/session/step-up' })
      .meta({ who: 'admin' })
      .input(z.strictObject({ password: z.string() }))
      .output(z.object({ stepUp: z.string() })),
    /** A token for one deletion within a minute, against a step-up handle of this session. */
    idToken: api
      .route({ method: 'POST', path: '/session/id-token' })
      .meta({ who: 'admin' })
      .input(z.strictObject({ stepUp: z.string() }))
      .output(z.object({ idToken: z.string() })),
    signOut: api.route({ method: 'DELETE', path: '/session' }).meta({ who: 'anyone' }).output(session),
    /** Ends every session of the person, this one too. */
    signOutEverywhere: api.route({ method: 'DELETE', path: '/session/all' }).meta({ who: 'signed-in' }).output(session),
    setName: api
      .route({ method: 'PUT', path: '/session/name' })
      .meta({ who: 'signed-in' })
      .input(z.strictObject({ displayName: z.string() }))
      .output(session),
  },
  people: {
    signUp: api
      .route({ method: 'POST', path: '/sign-up' })
      .meta({ who: 'anyone' })
      .input(z.strictObject({ email: z.string(), password: z.string(), displayName: z.string() }))
      .output(z.object({ email: z.string(), isApproved: z.boolean() })),
    /** The email a claim link is for, while the link is good. A POST, so that the token stands in no URL. */
    readClaim: api
      .route({ method: 'POST', path: '/claim/read' })
      .meta({ who: 'anyone' })
      .input(z.strictObject({ token: z.string() }))
      .output(z.object({ email: z.string() })),
    /** Sets the built-in admin's password, proves the email and signs in. */
    claim: api
      .route({ method: 'POST', path: '/claim' })
      .meta({ who: 'anyone' })
      .input(z.strictObject({ token: z.string(), password: z.string() }))
      .output(begunSession),
    /** Mails a reset link if there is an account with this email; the answer is the same if there is none. */
    requestReset: api
      .route({ method: 'POST', path: '/reset-password/request' })
      .meta({ who: 'anyone' })
      .input(z.strictObject({ email: z.string() }))
      .output(z.object({ email: z.string() })),
    /** Whose password a reset link sets, and how long it has to be, while the link is good. */
    readReset: api
      .route({ method: 'POST', path: '/reset-password/read' })
      .meta({ who: 'anyone' })
      .input(z.strictObject({ token: z.string() }))
      .output(z.object({ email: z.string(), minPasswordLength: z.number() })),
    /** Sets the password and ends every session of the account. Nobody is signed in by it. */
    resetPassword: api
      .route({ method: 'POST', path: '/reset-password' })
      .meta({ who: 'anyone' })
      .input(z.strictObject({ token: z.string(), password: z.string() }))
      .output(z.object({ email: z.string() })),
    /** Mails the person who asks a link that proves their email. */
    requestVerification: api
      .route({ method: 'POST', path: '/verify-email/request' })
      .meta({ who: 'signed-in' })
      .output(z.object({ email: z.string() })),
    /** Proves the email of the person who asks: the link came to their mailbox, and they know the password. */
    verifyEmail: api
      .route({ method: 'POST', path: '/verify-email' })
      .meta({ who: 'signed-in' })
      .input(z.strictObject({ token: z.string() }))
      .output(session),
  },
  accounts: {
    list: api.route({ method: 'GET', path: '/users' }).meta({ who: 'admin' }).output(z.array(account)),
    create: api
      .route({ method: 'POST', path: '/users' })
      .meta({ who: 'admin' })
      .input(z.strictObject({ email: z.string(), password: z.string(), role }))
      .output(account),
    setStatus: api
      .route({ method: 'PUT', path: '/users/{id}/status' })
      .meta({ who: 'admin' })
      .input(z.strictObject({ id, status }))
      .output(account),
    setRole: api
      .route({ method: 'PUT', path: '/users/{id}/role' })
      .meta({ who: 'admin' })
      .input(z.strictObject({ id, role }))
      .output(account),
    /** Whether an account can be made with this email now. */
    availability: api
      .route({ method: 'GET', path: '/users/availability' })
      .meta({ who: 'admin' })
      .input(z.object({ email: z.string() }))
      .output(z.object({ email: z.string(), availability: z.enum(['available', 'in-use', 'invalid']) })),
    /** What deleting falls back to: account and visualizations go, the credential is locked for good. */
    deleteRecords: api
      .route({ method: 'POST', path: '/users/{id}/delete-records' })
      .meta({ who: 'admin' })
      .input(z.strictObject({ id, idToken: z.string() }))
      .output(z.object({ authRemains: z.boolean() })),
    /** Removes the locked credential that {@link deleteRecords} left. */
    deleteUserAuth: api
      .route({ method: 'POST', path: '/deleteUserAuth' })
      .meta({ who: 'admin' })
      .input(z.strictObject({ userId: id }))
      .output(z.object({ success: z.boolean(), error: z.optional(z.string()) })),
    /** Marks all but one account of each email as migrated; says how many. Done twice, the second finds none. */
    cleanDuplicates: api
      .route({ method: 'POST', path: '/users/clean-duplicates' })
      .meta({ who: 'admin' })
      .output(z.object({ marked: z.number() })),
  },
  adminCheck: {
    /** Writes down that the asker is an admin; `updated` only when their email is built-in and proven. */
    fix: api
      .route({ method: 'POST', path: '/admin-check/fix' })
      .meta({ who: 'approved' })
      .output(z.object({ updated: z.boolean() })),
  },
  settings: {
    get: api.route({ method: 'GET', path: '/settings' }).meta({ who: 'admin' }).output(savedSettings),
    /** Refused as a conflict when `version` is not the one that is kept. */
    save: api
      .route({ method: 'PUT', path: '/settings' })
      .meta({ who: 'admin' })
      .input(z.strictObject({ version: z.number(), settings, enforce: z.boolean() }))
      .output(savedSettings),
    /** The part that acts on everybody's screen. */
    screen: api.route({ method: 'GET', path: '/settings/screen' }).meta({ who: 'approved' }).output(screenSettings),
  },
  activity: {
    /** Newest first, a page at a time; `next` is the `before` of the page that follows, absent at the end. */
    list: api
      .route({ method: 'GET', path: '/activity' })
      .meta({ who: 'admin' })
      .input(z.object({ ...activityFilter, before: z.optional(row) }))
      .output(z.object({ lines: z.array(activityLine), next: z.optional(z.number()) })),
  },
  uploads: {
    status: api
      .route({ method: 'GET', path: '/uploads/{id}/status' })
      .meta({ who: 'admin' })
      .input(z.object({ id }))
      .output(uploadStatus),
  },
  visualizations: {
    /** One's own (and the sample, last), newest first, the active one first; an admin may name another user. */
    list: api
      .route({ method: 'GET', path: '/visualizations' })
      .meta({ who: 'approved' })
      .input(z.object({ userId: z.optional(id) }))
      .output(z.array(visualization)),
    get: api
      .route({ method: 'GET', path: '/visualizations/{id}' })
      .meta({ who: 'approved' })
      .input(z.object({ id }))
      .output(visualization),
    activate: api
      .route({ method: 'POST', path: '/visualizations/{id}/activate' })
      .meta({ who: 'approved' })
      .input(z.object({ id }))
      .output(visualization),
    node: api
      .route({ method: 'GET', path: '/visualizations/{id}/nodes/{node}' })
      .meta({ who: 'approved' })
      .input(z.object({ id, node: row }))
      .output(nodeDetail),
    /** The node at an address (16 hex digits), with its ancestors root first, the node itself last. */
    locate: api
      .route({ method: 'GET', path: '/visualizations/{id}/locate' })
      .meta({ who: 'approved' })
      .input(z.object({ id, address: z.string() }))
      .output(z.object({ path: z.array(z.number()) })),
    search: api
      .route({ method: 'GET', path: '/visualizations/{id}/search' })
      .meta({ who: 'approved' })
      .input(z.object({ id, q: z.string(), limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))) }))
      .output(z.object({ total: z.number(), hits: z.array(hit) })),
  },
};

type RawRoute = {
  readonly method: string;
  readonly path: string;
  readonly who: Who;
  /** What it does, for the page that describes the API. */
  readonly summary?: string;
};

/** The calls outside the contract, for the authorization matrix and the "no unlisted path" test. */
export const rawRoutes: readonly RawRoute[] = [
  { method: 'POST', path: '/api/uploads', who: 'admin', summary: 'Begins an upload (tus 1.0)' },
  { method: 'HEAD', path: '/api/uploads/{id}', who: 'admin', summary: 'How far an upload is (tus 1.0)' },
  { method: 'PATCH', path: '/api/uploads/{id}', who: 'admin', summary: 'Brings more bytes of an upload (tus 1.0)' },
  { method: 'DELETE', path: '/api/uploads/{id}', who: 'admin', summary: 'Gives an upload up (tus 1.0)' },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/slice',
    who: 'approved',
    summary: 'Nodes of a visualization, as one binary body',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/original',
    who: 'approved',
    summary: 'The uploaded file, byte for byte',
  },
  {
    method: 'GET',
    path: '/api/events',
    who: 'signed-in',
    summary: 'What changes for this person, as server-sent events',
  },
  {
    method: 'POST',
    path: '/api/forceDeleteUser',
    who: 'admin',
    summary: 'Deletes an account for good: {userId, idToken} → {ok} or {error}',
  },
  { method: 'GET', path: '/api/activity.csv', who: 'admin', summary: 'The audit log as a table' },
  { method: 'GET', path: '/api/openapi.json', who: 'anyone', summary: 'This description' },
  { method: 'GET', path: '/api/docs', who: 'anyone', summary: 'The way to the page that shows this description' },
  { method: 'GET', path: '/healthz', who: 'anyone', summary: 'Whether the process answers' },
  { method: 'GET', path: '/readyz', who: 'anyone', summary: 'Whether everything the server needs answers' },
];
