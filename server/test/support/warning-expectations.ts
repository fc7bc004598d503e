import { defaultThresholds } from '@kc/pack/vocabulary/warnings';
import { nothing, ofVisualization } from './route-parts.ts';

/** The expectations for the calls about warnings. */
export const warningExpectations = {
  'GET /api/visualizations/{id}/warnings': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/warnings/{kind}': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/nodes/{node}/warnings': { ...ofVisualization, ask: nothing, answer: 200 },
  'GET /api/visualizations/{id}/warning-marks': { ...ofVisualization, ask: nothing, answer: 200 },
  'PUT /api/visualizations/{id}/warning-thresholds': {
    ...ofVisualization,
    ask: () => ({ body: { thresholds: defaultThresholds } }),
    answer: 200,
  },
  'GET /api/visualizations/{id}/dismissed': { ...ofVisualization, ask: nothing, answer: 200 },
  'PUT /api/visualizations/{id}/dismissed': {
    ...ofVisualization,
    ask: () => ({ body: { kind: 'single', node: '0'.repeat(16) } }),
    answer: 'visualization/node-not-found',
  },
  'DELETE /api/visualizations/{id}/dismissed': {
    ...ofVisualization,
    ask: () => ({ body: { dismissed: 'none' } }),
    answer: 'warnings/not-found',
  },
} as const;
