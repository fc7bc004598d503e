import { standingOf } from './actors.ts';
import { late, nothing, ofDraft, ofVisualization } from './route-parts.ts';
import type { Expectation } from './routes.ts';

/** A list for a visualization that is not the active one, which whoever may import is told. */
const anImport = (query: Readonly<Record<string, string>>): Expectation => ({
  ...ofVisualization,
  ask: () => ({ query, headers: { 'content-type': 'text/csv' }, payload: 'Keyword\nred hose\n' }),
  answer: ({ actor }) => (standingOf[actor] === 'admin' ? 'import/not-active' : 'list/off'),
});

/** The expectations for the calls about drafts; see `routes.ts`. */
export const draftExpectations: Readonly<Record<string, Expectation>> = {
  'GET /api/drafts': { who: 'approved', ask: nothing, answer: 200 },
  'GET /api/drafts/{id}': { ...ofDraft, ask: nothing, answer: 200 },
  'POST /api/drafts': {
    who: 'approved',
    ask: ({ asker }) => ({
      body: {
        userId: asker.account.id,
        name: 'Garden',
        description: '',
        files: [{ name: 'list.csv', size: 10, corrections: {} }],
        settings: { preset: 'balanced', grouping: 'columns' },
      },
    }),
    answer: ({ actor }) => (standingOf[actor] === 'admin' ? 200 : 'list/off'),
  },
  'GET /api/import-settings': { who: 'approved', ask: nothing, answer: 200 },
  'PUT /api/import-settings': { who: 'approved', ask: () => ({ body: { publishes: true } }), answer: 200 },
  'PUT /api/imports/{id}': anImport({ name: 'list.csv' }),
  'PUT /api/imports/{id}/{file}': anImport({}),
  'POST /api/visualizations/{id}/draft': {
    ...ofVisualization,
    ask: nothing,
    answer: ({ actor }) => (standingOf[actor] === 'admin' ? 200 : 'list/off'),
  },
  'POST /api/drafts/{id}/stop': { ...ofDraft, ask: nothing, answer: 'draft/not-ready' },
  'POST /api/drafts/{id}/start': { ...ofDraft, ask: nothing, answer: 'draft/not-ready' },
  'DELETE /api/drafts/{id}': { ...ofDraft, ask: nothing, answer: 200 },
  'PUT /api/drafts/{id}/lease': { ...ofDraft, ask: () => ({ body: { takeOver: false } }), answer: 200 },
  'POST /api/drafts/{id}/operations': {
    ...ofDraft,
    ask: () => ({ body: { after: late, operation: { kind: 'lock', nodes: ['0'.repeat(16)] } } }),
    answer: 'draft/behind',
  },
  'POST /api/drafts/{id}/undo': { ...ofDraft, ask: () => ({ body: { after: late } }), answer: 'draft/behind' },
  'POST /api/drafts/{id}/redo': { ...ofDraft, ask: () => ({ body: { after: late } }), answer: 'draft/behind' },
  'GET /api/drafts/{id}/marks': { ...ofDraft, ask: nothing, answer: 200 },
  'GET /api/drafts/{id}/review/{tab}': { ...ofDraft, ask: nothing, answer: 'draft/not-ready' },
  'GET /api/drafts/{id}/report': { ...ofDraft, ask: nothing, answer: 200 },
  'POST /api/drafts/{id}/publish': {
    ...ofDraft,
    ask: () => ({ body: { after: late, name: 'Garden', description: '' } }),
    answer: 'draft/behind',
  },
};
