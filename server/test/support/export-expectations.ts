import { nothing, ofVisualization, taken } from './route-parts.ts';

/** The expectations for the files of visualizations; see `routes.ts`. */
export const exportExpectations = {
  'GET /api/visualizations/{id}/original': { ...taken, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/export.csv': { ...taken, ask: nothing, answer: 200 },
  'POST /api/visualizations/{id}/export.csv': {
    ...ofVisualization,
    ask: () => ({ headers: { 'content-type': 'application/octet-stream' }, payload: '\0\0\0\0' }),
    answer: 200,
  },
  'GET /api/visualizations/{id}/export.xlsx': {
    ...taken,
    ask: () => ({ query: { level: 'keywords', column: 'name' } }),
    answer: 200,
  },
  'POST /api/visualizations/{id}/export.xlsx': {
    ...ofVisualization,
    ask: () => ({
      headers: { 'content-type': 'application/octet-stream' },
      payload: '\0\0\0\0',
      query: { column: 'name' },
    }),
    answer: 200,
  },
  'GET /api/visualizations/{id}/export.json': { ...taken, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/plan.csv': { ...taken, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/plan.xlsx': { ...taken, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/outline.md': { ...taken, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/briefs.md': { ...taken, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/briefs.html': { ...taken, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/briefs.json': { ...taken, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/not-in-hierarchy.csv': { ...taken, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/not-in-hierarchy.json': { ...taken, ask: nothing, answer: 200 },
};
