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
  ...raw({ who: 'admin', scope: 'import' }, { 'POST /api/uploads': 'Begins an upload (tus 1.0)' }),
  ...raw(
    { who: 'approved', scope: 'import', under: '/api' },
    {
      'HEAD /uploads/{id}': 'How far an upload is (tus 1.0)',
      'PATCH /uploads/{id}': 'Brings more bytes of an upload (tus 1.0)',
      'DELETE /uploads/{id}': 'Gives an upload up (tus 1.0)',
      'PUT /imports/{id}':
        'Imports the file that is the body, up to 100 MB: a keyword list or a hierarchy. {id}: the active visualization that it is next month’s export of, active for its ID, or new; ?name= and the other options of docs/automation.md',
      'PUT /imports/{id}/{file}': 'The same with the name of the file at the end, as curl -T writes it',
    },
  ),
  ...raw(
    { who: 'approved', scope: 'read', under: '/api/visualizations/{id}' },
    {
      'GET /slice': 'Nodes of a visualization, as one binary body',
      'GET /rows':
        'A page of the pillars, clusters, subtopics or keywords within a node in the order of ?sort, as one binary body',
      'POST /selection-totals':
        'Totals of the nodes of the body, each keyword once: rows as numbers of 32 bits, little end first',
      'GET /original': 'The uploaded file, byte for byte',
      'GET /export.csv':
        'A branch as a table: ?node, everything without it; ?kind=keywords or clusters for those rows alone; ?level and ?sort for a flat list',
      'POST /export.csv': 'The nodes of the body as a table: rows as numbers of 32 bits, little end first',
      'GET /export.xlsx':
        'A flat list as a workbook: ?node, ?level and ?sort as for the table, and each ?column that it has, in their order',
      'POST /export.xlsx': 'The nodes of the body as a workbook, with each ?column',
      'GET /export.json': 'A branch in the form of an upload: ?node, everything without it',
      'GET /plan.csv':
        'The plan as a table, one line an entry; ?of=clusters for all clusters; ?node and ?rows for a part; ?filter and ?score',
      'GET /plan.xlsx': 'The plan as a workbook, with the keywords of each pillar, with the same parameters',
      'GET /outline.md':
        'The plan as an outline in Markdown, with the same parameters; ?top for so many keywords of each entry',
      'GET /briefs.md':
        'A brief for each entry in Markdown: the parameters of the outline, and ?nodes for those with these IDs, planned or not',
      'GET /briefs.html': 'The same briefs as a page to print',
      'GET /briefs.json': 'The same briefs as data',
      'GET /not-in-hierarchy.csv': 'The keywords that no node names as a table',
      'GET /not-in-hierarchy.json': 'The keywords that no node names in the form of an upload',
    },
  ),
  ...raw(
    { who: 'link', under: '/api/shared/{id}' },
    {
      'GET /slice': 'Nodes of the visualization of a link, as one binary body',
      'GET /rows': 'A page of a flat list of the visualization of a link, as one binary body',
      'POST /selection-totals': 'Totals of the nodes of the body, for visitors of a link',
      'GET /export.csv': 'A branch as a table, for visitors of a link that includes downloads',
      'POST /export.csv': 'The nodes of the body as a table, for visitors of a link that includes downloads',
      'GET /export.xlsx': 'A flat list as a workbook, for visitors of a link that includes downloads',
      'POST /export.xlsx': 'The nodes of the body as a workbook, for visitors of a link that includes downloads',
      'GET /plan.csv':
        'What is planned, or all clusters, as a table, for visitors of a link that includes it and downloads',
      'GET /plan.xlsx': 'The same as a workbook, for visitors of a link',
      'GET /outline.md': 'The same as an outline in Markdown, for visitors of a link',
      'GET /briefs.md': 'A brief for each of the same in Markdown, for visitors of a link',
      'GET /briefs.html': 'The same briefs as a page to print, for visitors of a link',
      'GET /briefs.json': 'The same briefs as data, for visitors of a link',
      'GET /events': 'That a link has ended, as server-sent events',
    },
  ),
  ...raw({ who: 'signed-in' }, { 'GET /api/events': 'What changes for this person, as server-sent events' }),
  ...raw(
    { who: 'admin' },
    { 'POST /api/forceDeleteUser': 'Deletes an account for good: {userId, idToken} → {ok} or {error}' },
  ),
  ...raw(
    { who: 'signed-in', scope: 'read' },
    { 'GET /api/avatars/{id}': 'The picture of a person, for them and for admins' },
  ),
  ...raw(
    { who: 'anyone' },
    {
      [`GET ${googleStart}`]:
        'The way to Google, or another OpenID Connect issuer: ?flow=popup or redirect, nonce, remember, origin, purpose',
      [`GET ${googleCallback}`]: 'Where the issuer sends the browser back to; begins a session',
    },
  ),
  ...raw(
    { who: 'admin', scope: 'admin' },
    {
      'GET /api/activity.csv': 'The audit log as a table',
      'GET /api/activity.jsonl':
        'The audit log as JSON lines, oldest first: ?after, the ID of the last known line; kind and text',
    },
  ),
  ...raw(
    { who: 'approved', scope: 'read' },
    {
      'POST /mcp': 'The tools of an agent: Model Context Protocol over streamable HTTP',
      'GET /mcp': 'There are no streams: 405',
      'DELETE /mcp': 'There are no sessions: 405',
    },
  ),
  ...raw({ who: 'anyone', scope: 'read' }, { 'GET /api/openapi.json': 'This description' }),
  ...raw(
    { who: 'anyone' },
    {
      'GET /api/docs': 'The way to the page that shows this description',
      'GET /healthz': 'Whether the process answers',
      'GET /readyz': 'Whether everything the server needs answers',
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
