import type { LinkNeed } from '@kc/rules/link';
import type { Ask } from './route-parts.ts';
import { nothing, ofVisualization } from './route-parts.ts';
import type { Expectation } from './routes.ts';
import { giveLinkOfAny } from './share-links.ts';

const rows = () => ({ headers: { 'content-type': 'application/octet-stream' }, payload: '\0\0\0\0' });
const axes = { level: 'keywords', x: 'cpc', y: 'volume', size: 'keywords' };
const aPlot = () => ({ query: axes });
const aWindow = () => ({ body: { ...axes, edges: { x: [0, 1, 2], y: [0, 1000] } } });

/**
 * A call for the visitors of a link: whoever only has a session is refused, whatever it allows.
 *
 * @param visited the status or the refusal for visitors whose link has what the call needs
 */
function ofLink(needs: LinkNeed, ask: () => Ask = nothing, visited: number | string = 200): Expectation {
  const code = 'session/required';
  return {
    who: 'link',
    names: 'link',
    ask,
    answer: code,
    refused: { missing: code },
    visits: { needs, answer: visited },
  };
}

/** The expectations for the calls about links, and for the calls of their visitors. */
export const linkExpectations: Readonly<Record<string, Expectation>> = {
  'POST /api/visualizations/{id}/links': {
    ...ofVisualization,
    ask: () => ({
      body: { kind: 'colleague', email: 'ana@example.org', days: 30, withPlan: true, withDownloads: false },
    }),
    answer: 200,
  },
  'GET /api/visualizations/{id}/links': { ...ofVisualization, ask: nothing, answer: 200 },
  'DELETE /api/links/{id}': {
    who: 'approved',
    names: 'link',
    ask: nothing,
    answer: 200,
    refused: { missing: 'link/not-found' },
  },
  'GET /api/links': { who: 'admin', ask: nothing, answer: 200 },
  'POST /api/shared/session': {
    who: 'anyone',
    ask: async ({ server }) => ({ body: { token: (await giveLinkOfAny(server)).token } }),
    answer: 200,
  },
  'GET /api/shared/{id}/page': ofLink('explore'),
  'GET /api/shared/{id}/fields': ofLink('explore'),
  'GET /api/shared/{id}/nodes/{node}': ofLink('explore'),
  'GET /api/shared/{id}/nodes/{node}/keywords': ofLink('explore'),
  'GET /api/shared/{id}/nodes/{node}/members': ofLink('explore'),
  'GET /api/shared/{id}/not-in-hierarchy': ofLink('explore'),
  'GET /api/shared/{id}/not-in-hierarchy/{row}': ofLink('explore'),
  'GET /api/shared/{id}/locate': ofLink('explore', () => ({ query: { address: '0'.repeat(16) } })),
  'GET /api/shared/{id}/histogram': ofLink('explore', () => ({ query: { of: 'volume' } })),
  'POST /api/shared/{id}/score-check': ofLink('explore', () => ({ body: { score: 'sum.cpc', level: 'keywords' } })),
  'GET /api/shared/{id}/search': ofLink('explore', () => ({ query: { q: 'shoes' } })),
  'GET /api/shared/{id}/points': ofLink('explore', aPlot),
  'POST /api/shared/{id}/density': ofLink('explore', aWindow),
  'GET /api/shared/{id}/plan': ofLink('plan'),
  'GET /api/shared/{id}/plan/people': ofLink('edit-plan'),
  'POST /api/shared/{id}/plan/changes': ofLink(
    'edit-plan',
    () => ({ body: { batch: 'a'.repeat(16), base: 0, targets: [{ entry: 'none' }], set: { status: 'live' } } }),
    'plan/entry-not-found',
  ),
  'GET /api/shared/{id}/plan/totals': ofLink('plan'),
  'GET /api/shared/{id}/warnings': ofLink('warnings'),
  'GET /api/shared/{id}/warnings/{kind}': ofLink('warnings'),
  'GET /api/shared/{id}/nodes/{node}/warnings': ofLink('warnings'),
  'GET /api/shared/{id}/warning-marks': ofLink('warnings'),
  'GET /api/shared/{id}/slice': ofLink('explore'),
  'GET /api/shared/{id}/rows': ofLink('explore', () => ({ query: { level: 'keywords' } })),
  'POST /api/shared/{id}/selection-totals': ofLink('explore', rows),
  'GET /api/shared/{id}/export.csv': ofLink('downloads'),
  'POST /api/shared/{id}/export.csv': ofLink('downloads', rows),
  'GET /api/shared/{id}/export.xlsx': ofLink('downloads', () => ({ query: { level: 'keywords', column: 'name' } })),
  'POST /api/shared/{id}/export.xlsx': ofLink('downloads', () => ({ ...rows(), query: { column: 'name' } })),
  ...Object.fromEntries(
    ['plan.csv', 'plan.xlsx', 'outline.md', 'briefs.md', 'briefs.html', 'briefs.json'].map((file) => [
      `GET /api/shared/{id}/${file}`,
      ofLink('downloads', () => ({ query: { of: 'clusters' } })),
    ]),
  ),
  'GET /api/shared/{id}/events': { ...ofLink('explore'), streams: true },
};
