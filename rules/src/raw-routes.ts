import * as z from 'zod/mini';
import type { TokenScope } from './access-token.ts';
import type { Who } from './contract-call.ts';
import { googleCallback, googleStart } from './google.ts';
import type { Refusal } from './result.ts';
import { fieldText, secretText } from './text-shapes.ts';

type Group = {
  readonly who: Who;
  /** What an access token must include; no token may make a call without it. */
  readonly scope?: TokenScope;
  /** The beginning of every path. */
  readonly under?: string;
};

/** @param calls method and path of each, with what it does, for the page that describes the API */
const raw = ({ who, scope, under = '' }: Group, calls: Readonly<Record<string, string>>) =>
  Object.entries(calls).map(([call, summary]) => {
    const [method, path] = call.split(' ') as [string, string];
    return { method, path: under + path, who, summary, scope };
  });

/** The calls outside the contract, for the authorization matrix and the test that no other path exists. */
export const rawRoutes = [
  ...raw({ who: 'admin', scope: 'import' }, { 'POST /api/uploads': 'Starts an upload (tus 1.0)' }),
  ...raw(
    { who: 'approved', scope: 'import', under: '/api' },
    {
      'HEAD /uploads/{id}': 'The offset of an upload (tus 1.0)',
      'PATCH /uploads/{id}': 'Sends more bytes of an upload (tus 1.0)',
      'DELETE /uploads/{id}': 'Cancels an upload (tus 1.0)',
      'PUT /imports/{id}':
        'Imports the file in the body, up to 100 MB: a keyword list or a hierarchy. {id}: the ID of the active visualization to update, or active, or new; ?name= and the other options of docs/automation.md',
      'PUT /imports/{id}/{file}': 'The same with the file name at the end, as curl -T sends it',
    },
  ),
  ...raw(
    { who: 'approved', scope: 'read', under: '/api/visualizations/{id}' },
    {
      'GET /slice': 'Nodes of a visualization, as a binary body',
      'GET /rows':
        'A page of the pillars, clusters, subtopics or keywords within a node, in the order of ?sort, as a binary body',
      'POST /selection-totals':
        'Totals of the nodes in the body, each keyword counted once: rows as 32-bit little-endian integers',
      'GET /original': 'The uploaded file, byte for byte',
      'GET /export.csv':
        'A branch as CSV: ?node, default everything; ?kind=keywords or clusters for only those rows; ?level and ?sort for a flat list',
      'POST /export.csv': 'The nodes in the body as CSV: rows as 32-bit little-endian integers',
      'GET /export.xlsx':
        'A flat list as a workbook: ?node, ?level and ?sort as for CSV, and one ?column for each column, in order',
      'POST /export.xlsx': 'The nodes in the body as a workbook, with one ?column for each column',
      'GET /export.json': 'A branch in the format of an upload: ?node, default everything',
      'GET /plan.csv':
        'The plan as CSV, one line per entry; ?of=clusters for all clusters; ?node and ?rows for a part; ?filter and ?score',
      'GET /plan.xlsx': 'The plan as a workbook, with the keywords of each pillar, with the same parameters',
      'GET /outline.md':
        'The plan as a Markdown outline, with the same parameters; ?top limits the keywords of each entry',
      'GET /briefs.md':
        'A brief for each entry in Markdown: the parameters of the outline, and ?nodes for the nodes with these IDs, planned or not',
      'GET /briefs.html': 'The same briefs as a printable page',
      'GET /briefs.json': 'The same briefs as data',
      'GET /not-in-hierarchy.csv': 'The keywords that are in no node, as CSV',
      'GET /not-in-hierarchy.json': 'The keywords that are in no node, in the format of an upload',
    },
  ),
  ...raw(
    { who: 'link', under: '/api/shared/{id}' },
    {
      'GET /slice': 'Nodes of the visualization of a link, as a binary body',
      'GET /rows': 'A page of a flat list of the visualization of a link, as a binary body',
      'POST /selection-totals': 'Totals of the nodes in the body, for visitors of a link',
      'GET /export.csv': 'A branch as CSV, for visitors of a link that includes downloads',
      'POST /export.csv': 'The nodes in the body as CSV, for visitors of a link that includes downloads',
      'GET /export.xlsx': 'A flat list as a workbook, for visitors of a link that includes downloads',
      'POST /export.xlsx': 'The nodes in the body as a workbook, for visitors of a link that includes downloads',
      'GET /plan.csv': 'The plan, or all clusters, as CSV, for visitors of a link that includes the plan and downloads',
      'GET /plan.xlsx': 'The same as a workbook, for visitors of a link',
      'GET /outline.md': 'The same as a Markdown outline, for visitors of a link',
      'GET /briefs.md': 'A brief for each entry in Markdown, for visitors of a link',
      'GET /briefs.html': 'The same briefs as a printable page, for visitors of a link',
      'GET /briefs.json': 'The same briefs as data, for visitors of a link',
      'GET /events': 'Server-sent event when the link ends',
    },
  ),
  ...raw({ who: 'signed-in' }, { 'GET /api/events': 'Changes that concern the caller, as server-sent events' }),
  ...raw(
    { who: 'admin' },
    { 'POST /api/forceDeleteUser': 'Deletes an account permanently: {userId, idToken} → {ok} or {error}' },
  ),
  ...raw(
    { who: 'signed-in', scope: 'read' },
    { 'GET /api/avatars/{id}': 'The picture of a person, for that person and admins' },
  ),
  ...raw(
    { who: 'anyone' },
    {
      [`GET ${googleStart}`]:
        'Redirects to Google or another OpenID Connect issuer: ?flow=popup or redirect, nonce, remember, origin, purpose',
      [`GET ${googleCallback}`]: 'The redirect URI for the issuer; starts a session',
    },
  ),
  ...raw(
    { who: 'admin', scope: 'admin' },
    {
      'GET /api/activity.csv': 'The audit log as CSV',
      'GET /api/activity.jsonl':
        'The audit log as JSON lines, oldest first: ?after, the ID of the last known line; kind and text',
    },
  ),
  ...raw(
    { who: 'approved', scope: 'read' },
    {
      'POST /mcp': 'The tools for agents: Model Context Protocol over streamable HTTP',
      'GET /mcp': 'Streams are not supported: 405',
      'DELETE /mcp': 'Sessions are not supported: 405',
    },
  ),
  ...raw({ who: 'anyone', scope: 'read' }, { 'GET /api/openapi.json': 'This description' }),
  ...raw(
    { who: 'anyone' },
    {
      'GET /api/docs': 'Redirects to the page that shows this description',
      'GET /healthz': 'Whether the process is running',
      'GET /readyz': 'Whether the server is ready, with everything it needs',
    },
  ),
];

/**
 * What an access token must include for a raw route; undefined if no token may make this call. A HEAD request is one for what
 * GET answers, if nothing else is listed.
 */
export function scopeOfRaw(method: string, path: string): TokenScope | undefined {
  const listed = rawRoutes.filter((route) => route.path === path);
  return (listed.find((route) => route.method === method) ?? listed.find((route) => route.method === 'GET'))?.scope;
}

/**
 * The body of `POST /api/forceDeleteUser`. `idToken` is the one-time token that confirms this deletion; the call
 * `session.idToken` exchanges a step-up handle for it.
 *
 * Both are optional here, so that a missing one is refused with its own message instead of a schema error.
 */
export const forceDeleteRequest = z.strictObject({
  userId: z.optional(fieldText),
  idToken: z.optional(secretText),
});

/** The response: `error` is the text of the refusal, `data` the refusal in the form of every other call. */
export type ForceDeleteAnswer = { readonly ok: true } | { readonly error: string; readonly data: Refusal };
