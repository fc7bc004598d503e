import * as z from 'zod/mini';
import type { TokenScope } from './access-token.ts';
import type { Who } from './contract-call.ts';
import { googleCallback, googleStart } from './google.ts';
import type { Refusal } from './result.ts';
import { fieldText, secretText } from './storable-text.ts';

/**
 * @param summary what it does, for the page that describes the API
 * @param scope what an access token must include; no token may make a call without it
 */
const raw = (method: string, path: string, who: Who, summary: string, scope?: TokenScope) => ({
  method,
  path,
  who,
  summary,
  scope,
});

/** The calls outside the contract, for the authorization matrix and the test that no other path exists. */
export const rawRoutes = [
  raw('POST', '/api/uploads', 'admin', 'Begins an upload (tus 1.0)', 'import'),
  raw('HEAD', '/api/uploads/{id}', 'approved', 'How far an upload is (tus 1.0)', 'import'),
  raw('PATCH', '/api/uploads/{id}', 'approved', 'Brings more bytes of an upload (tus 1.0)', 'import'),
  raw('DELETE', '/api/uploads/{id}', 'approved', 'Gives an upload up (tus 1.0)', 'import'),
  raw(
    'PUT',
    '/api/imports/{id}',
    'approved',
    'Imports the file that is the body, up to 100 MB: a keyword list or a hierarchy. {id}: the active visualization that it is next month’s export of, active for its ID, or new; ?name= and the other options of docs/automation.md',
    'import',
  ),
  raw(
    'PUT',
    '/api/imports/{id}/{file}',
    'approved',
    'The same with the name of the file at the end, as curl -T writes it',
    'import',
  ),
  raw('GET', '/api/visualizations/{id}/slice', 'approved', 'Nodes of a visualization, as one binary body', 'read'),
  raw(
    'GET',
    '/api/visualizations/{id}/rows',
    'approved',
    'A page of the pillars, clusters, subtopics or keywords within a node in the order of ?sort, as one binary body',
    'read',
  ),
  raw(
    'POST',
    '/api/visualizations/{id}/selection-totals',
    'approved',
    'Totals of the nodes of the body, each keyword once: rows as numbers of 32 bits, little end first',
    'read',
  ),
  raw('GET', '/api/visualizations/{id}/original', 'approved', 'The uploaded file, byte for byte', 'read'),
  raw(
    'GET',
    '/api/visualizations/{id}/export.csv',
    'approved',
    'A branch as a table: ?node, everything without it; ?kind=keywords or clusters for those rows alone; ?level and ?sort for a flat list',
    'read',
  ),
  raw(
    'POST',
    '/api/visualizations/{id}/export.csv',
    'approved',
    'The nodes of the body as a table: rows as numbers of 32 bits, little end first',
    'read',
  ),
  raw(
    'GET',
    '/api/visualizations/{id}/export.xlsx',
    'approved',
    'A flat list as a workbook: ?node, ?level and ?sort as for the table, and each ?column that it has, in their order',
    'read',
  ),
  raw(
    'POST',
    '/api/visualizations/{id}/export.xlsx',
    'approved',
    'The nodes of the body as a workbook, with each ?column',
    'read',
  ),
  raw(
    'GET',
    '/api/visualizations/{id}/export.json',
    'approved',
    'A branch in the form of an upload: ?node, everything without it',
    'read',
  ),
  raw(
    'GET',
    '/api/visualizations/{id}/plan.csv',
    'approved',
    'The plan as a table, one line an entry; ?of=clusters for all clusters; ?node and ?rows for a part; ?filter and ?score',
    'read',
  ),
  raw(
    'GET',
    '/api/visualizations/{id}/plan.xlsx',
    'approved',
    'The plan as a workbook, with the keywords of each pillar, with the same parameters',
    'read',
  ),
  raw(
    'GET',
    '/api/visualizations/{id}/outline.md',
    'approved',
    'The plan as an outline in Markdown, with the same parameters; ?top for so many keywords of each entry',
    'read',
  ),
  raw(
    'GET',
    '/api/visualizations/{id}/briefs.md',
    'approved',
    'A brief for each entry in Markdown: the parameters of the outline, and ?nodes for those with these IDs, planned or not',
    'read',
  ),
  raw('GET', '/api/visualizations/{id}/briefs.html', 'approved', 'The same briefs as a page to print', 'read'),
  raw('GET', '/api/visualizations/{id}/briefs.json', 'approved', 'The same briefs as data', 'read'),
  raw(
    'GET',
    '/api/visualizations/{id}/not-in-hierarchy.csv',
    'approved',
    'The keywords that no node names as a table',
    'read',
  ),
  raw(
    'GET',
    '/api/visualizations/{id}/not-in-hierarchy.json',
    'approved',
    'The keywords that no node names in the form of an upload',
    'read',
  ),
  raw('GET', '/api/shared/{id}/slice', 'link', 'Nodes of the visualization of a link, as one binary body'),
  raw(
    'GET',
    '/api/shared/{id}/rows',
    'link',
    'A page of a flat list of the visualization of a link, as one binary body',
  ),
  raw('POST', '/api/shared/{id}/selection-totals', 'link', 'Totals of the nodes of the body, for visitors of a link'),
  raw(
    'GET',
    '/api/shared/{id}/export.csv',
    'link',
    'A branch as a table, for visitors of a link that includes downloads',
  ),
  raw(
    'POST',
    '/api/shared/{id}/export.csv',
    'link',
    'The nodes of the body as a table, for visitors of a link that includes downloads',
  ),
  raw(
    'GET',
    '/api/shared/{id}/export.xlsx',
    'link',
    'A flat list as a workbook, for visitors of a link that includes downloads',
  ),
  raw(
    'POST',
    '/api/shared/{id}/export.xlsx',
    'link',
    'The nodes of the body as a workbook, for visitors of a link that includes downloads',
  ),
  raw(
    'GET',
    '/api/shared/{id}/plan.csv',
    'link',
    'What is planned, or all clusters, as a table, for visitors of a link that includes it and downloads',
  ),
  raw('GET', '/api/shared/{id}/plan.xlsx', 'link', 'The same as a workbook, for visitors of a link'),
  raw('GET', '/api/shared/{id}/outline.md', 'link', 'The same as an outline in Markdown, for visitors of a link'),
  raw('GET', '/api/shared/{id}/briefs.md', 'link', 'A brief for each of the same in Markdown, for visitors of a link'),
  raw('GET', '/api/shared/{id}/briefs.html', 'link', 'The same briefs as a page to print, for visitors of a link'),
  raw('GET', '/api/shared/{id}/briefs.json', 'link', 'The same briefs as data, for visitors of a link'),
  raw('GET', '/api/shared/{id}/events', 'link', 'That a link has ended, as server-sent events'),
  raw('GET', '/api/events', 'signed-in', 'What changes for this person, as server-sent events'),
  raw('POST', '/api/forceDeleteUser', 'admin', 'Deletes an account for good: {userId, idToken} → {ok} or {error}'),
  raw('GET', '/api/avatars/{id}', 'signed-in', 'The picture of a person, for them and for admins', 'read'),
  raw(
    'GET',
    googleStart,
    'anyone',
    'The way to Google, or another OpenID Connect issuer: ?flow=popup or redirect, nonce, remember, origin, purpose',
  ),
  raw('GET', googleCallback, 'anyone', 'Where the issuer sends the browser back to; begins a session'),
  raw('GET', '/api/activity.csv', 'admin', 'The audit log as a table', 'admin'),
  raw(
    'GET',
    '/api/activity.jsonl',
    'admin',
    'The audit log as JSON lines, oldest first: ?after, the ID of the last known line; kind and text',
    'admin',
  ),
  raw('POST', '/mcp', 'approved', 'The tools of an agent: Model Context Protocol over streamable HTTP', 'read'),
  raw('GET', '/mcp', 'approved', 'There are no streams: 405', 'read'),
  raw('DELETE', '/mcp', 'approved', 'There are no sessions: 405', 'read'),
  raw('GET', '/api/openapi.json', 'anyone', 'This description', 'read'),
  raw('GET', '/api/docs', 'anyone', 'The way to the page that shows this description'),
  raw('GET', '/healthz', 'anyone', 'Whether the process answers'),
  raw('GET', '/readyz', 'anyone', 'Whether everything the server needs answers'),
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
