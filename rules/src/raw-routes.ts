import * as z from 'zod/mini';
import type { Who } from './contract-call.ts';
import { googleCallback, googleStart } from './google.ts';
import type { Refusal } from './result.ts';
import { fieldText, secretText } from './storable-text.ts';

type RawRoute = {
  readonly method: string;
  readonly path: string;
  readonly who: Who;
  /** What it does, for the page that describes the API. */
  readonly summary?: string;
};

/** The calls outside the contract, for the authorization matrix and the test that no other path exists. */
export const rawRoutes: readonly RawRoute[] = [
  { method: 'POST', path: '/api/uploads', who: 'admin', summary: 'Begins an upload (tus 1.0)' },
  { method: 'HEAD', path: '/api/uploads/{id}', who: 'approved', summary: 'How far an upload is (tus 1.0)' },
  { method: 'PATCH', path: '/api/uploads/{id}', who: 'approved', summary: 'Brings more bytes of an upload (tus 1.0)' },
  { method: 'DELETE', path: '/api/uploads/{id}', who: 'approved', summary: 'Gives an upload up (tus 1.0)' },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/slice',
    who: 'approved',
    summary: 'Nodes of a visualization, as one binary body',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/rows',
    who: 'approved',
    summary:
      'A page of the pillars, clusters, subtopics or keywords within a node in the order of ?sort, as one binary body',
  },
  {
    method: 'POST',
    path: '/api/visualizations/{id}/selection-totals',
    who: 'approved',
    summary: 'Totals of the nodes of the body, each keyword once: rows as numbers of 32 bits, little end first',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/original',
    who: 'approved',
    summary: 'The uploaded file, byte for byte',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/export.csv',
    who: 'approved',
    summary:
      'A branch as a table: ?node, everything without it; ?kind=keywords or clusters for those rows alone; ?level and ?sort for a flat list',
  },
  {
    method: 'POST',
    path: '/api/visualizations/{id}/export.csv',
    who: 'approved',
    summary: 'The nodes of the body as a table: rows as numbers of 32 bits, little end first',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/export.xlsx',
    who: 'approved',
    summary:
      'A flat list as a workbook: ?node, ?level and ?sort as for the table, and each ?column that it has, in their order',
  },
  {
    method: 'POST',
    path: '/api/visualizations/{id}/export.xlsx',
    who: 'approved',
    summary: 'The nodes of the body as a workbook, with each ?column',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/export.json',
    who: 'approved',
    summary: 'A branch in the form of an upload: ?node, everything without it',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/plan.csv',
    who: 'approved',
    summary:
      'The plan as a table, one line an entry; ?of=clusters for all clusters; ?node and ?rows for a part; ?filter and ?score',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/plan.xlsx',
    who: 'approved',
    summary: 'The plan as a workbook, with the keywords of each pillar, with the same parameters',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/outline.md',
    who: 'approved',
    summary: 'The plan as an outline in Markdown, with the same parameters',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/not-in-hierarchy.csv',
    who: 'approved',
    summary: 'The keywords that no node names as a table',
  },
  {
    method: 'GET',
    path: '/api/visualizations/{id}/not-in-hierarchy.json',
    who: 'approved',
    summary: 'The keywords that no node names in the form of an upload',
  },
  {
    method: 'GET',
    path: '/api/shared/{id}/slice',
    who: 'link',
    summary: 'Nodes of the visualization of a link, as one binary body',
  },
  {
    method: 'GET',
    path: '/api/shared/{id}/rows',
    who: 'link',
    summary: 'A page of a flat list of the visualization of a link, as one binary body',
  },
  {
    method: 'POST',
    path: '/api/shared/{id}/selection-totals',
    who: 'link',
    summary: 'Totals of the nodes of the body, for visitors of a link',
  },
  {
    method: 'GET',
    path: '/api/shared/{id}/export.csv',
    who: 'link',
    summary: 'A branch as a table, for visitors of a link that includes downloads',
  },
  {
    method: 'POST',
    path: '/api/shared/{id}/export.csv',
    who: 'link',
    summary: 'The nodes of the body as a table, for visitors of a link that includes downloads',
  },
  {
    method: 'GET',
    path: '/api/shared/{id}/export.xlsx',
    who: 'link',
    summary: 'A flat list as a workbook, for visitors of a link that includes downloads',
  },
  {
    method: 'POST',
    path: '/api/shared/{id}/export.xlsx',
    who: 'link',
    summary: 'The nodes of the body as a workbook, for visitors of a link that includes downloads',
  },
  {
    method: 'GET',
    path: '/api/shared/{id}/plan.csv',
    who: 'link',
    summary: 'What is planned, or all clusters, as a table, for visitors of a link that includes it and downloads',
  },
  {
    method: 'GET',
    path: '/api/shared/{id}/plan.xlsx',
    who: 'link',
    summary: 'The same as a workbook, for visitors of a link',
  },
  {
    method: 'GET',
    path: '/api/shared/{id}/outline.md',
    who: 'link',
    summary: 'The same as an outline in Markdown, for visitors of a link',
  },
  {
    method: 'GET',
    path: '/api/shared/{id}/events',
    who: 'link',
    summary: 'That a link has ended, as server-sent events',
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
  {
    method: 'GET',
    path: '/api/avatars/{id}',
    who: 'signed-in',
    summary: 'The picture of a person, for them and for admins',
  },
  {
    method: 'GET',
    path: googleStart,
    who: 'anyone',
    summary:
      'The way to Google, or another OpenID Connect issuer: ?flow=popup or redirect, nonce, remember, origin, purpose',
  },
  {
    method: 'GET',
    path: googleCallback,
    who: 'anyone',
    summary: 'Where the issuer sends the browser back to; begins a session',
  },
  { method: 'GET', path: '/api/activity.csv', who: 'admin', summary: 'The audit log as a table' },
  {
    method: 'GET',
    path: '/api/activity.jsonl',
    who: 'admin',
    summary: 'The audit log as JSON lines, oldest first: ?after, the ID of the last known line; kind and text',
  },
  { method: 'GET', path: '/api/openapi.json', who: 'anyone', summary: 'This description' },
  { method: 'GET', path: '/api/docs', who: 'anyone', summary: 'The way to the page that shows this description' },
  { method: 'GET', path: '/healthz', who: 'anyone', summary: 'Whether the process answers' },
  { method: 'GET', path: '/readyz', who: 'anyone', summary: 'Whether everything the server needs answers' },
];

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
