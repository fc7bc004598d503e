import { nothing, ofVisualization } from './route-parts.ts';

const aBatch = 'a'.repeat(16);
/** The expectations for the calls about plans; see `routes.ts`. */
export const planExpectations = {
  'GET /api/visualizations/{id}/plan': { ...ofVisualization, ask: nothing, answer: 200 },
  'POST /api/visualizations/{id}/plan/changes': {
    ...ofVisualization,
    ask: () => ({ body: { batch: aBatch, base: 0, targets: [{ node: '0'.repeat(16) }] } }),
    answer: 'visualization/node-not-found',
  },
  'POST /api/visualizations/{id}/plan/undo': {
    ...ofVisualization,
    ask: () => ({ body: { batch: aBatch, undone: aBatch } }),
    answer: 'plan/no-undo',
  },
  'POST /api/visualizations/{id}/plan/moves': {
    ...ofVisualization,
    ask: () => ({ body: { batch: aBatch, moves: [{ entry: 'none', node: '0'.repeat(16) }] } }),
    answer: 'visualization/node-not-found',
  },
  'GET /api/visualizations/{id}/plan/history': {
    ...ofVisualization,
    ask: () => ({ query: { entry: 'none' } }),
    answer: 'plan/entry-not-found',
  },
  'GET /api/visualizations/{id}/plan/people': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/plan/totals': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/plan/figures': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/plan/links': {
    ...ofVisualization,
    ask: () => ({ query: { entry: 'none' } }),
    answer: 200,
  },
  'GET /api/visualizations/{id}/plan/suggestions': { ...ofVisualization, ask: nothing, answer: 200 },
  'PUT /api/visualizations/{id}/plan/lead': { ...ofVisualization, ask: () => ({ body: { lead: 3 } }), answer: 200 },
  'GET /api/visualizations/{id}/plan/continuation': { ...ofVisualization, ask: nothing, answer: 200 },
  'POST /api/visualizations/{id}/plan/continuation': {
    ...ofVisualization,
    ask: () => ({ body: { plan: 'none' } }),
    answer: 'plan/not-continued',
  },
};
