import { limits } from '@kc/rules/limits';
import { expect, test } from 'vitest';
import { defaultUrlState } from '../../model/url-state.ts';
import { proposedName } from './views-panel.tsx';

test.each([
  [{}, 'Trail shoes – Treemap'],
  [{ view: 'sunburst', colour: 'difficulty' }, 'Trail shoes – Sunburst, colour by difficulty'],
  [{ view: 'bubbles', colour: 'cpc', size: 'volume' }, 'Trail shoes – Bubbles, colour by CPC, size by volume'],
  [{ view: 'table', colour: 'difficulty', size: 'volume' }, 'Trail shoes – Table'],
  [{ view: 'opportunity' }, 'Trail shoes – Opportunity'],
  [{ view: 'opportunity', x: 'cpc', y: 'keywords' }, 'Trail shoes – Opportunity, CPC against keywords'],
  [{ query: 'kids', filter: 'volume-100_' }, 'Trail shoes – Treemap, “kids”, filtered'],
  [{ colour: 'field:SERP Features' }, 'Trail shoes – Treemap, colour by SERP Features'],
] as const)('for %j the name is %j', (looked, name) => {
  expect(proposedName('Trail shoes', { ...defaultUrlState, ...looked }, [])).toBe(name);
});

test('a name that is taken gets the next number', () => {
  const taken = ['Trail shoes – Tree', 'Trail shoes – Tree (2)'];
  expect(proposedName('Trail shoes', { ...defaultUrlState, view: 'tree' }, taken)).toBe('Trail shoes – Tree (3)');
});

test('a name never exceeds the maximum length, and its end is kept', () => {
  const name = proposedName('x'.repeat(500), { ...defaultUrlState, colour: 'intent' }, []);
  expect(name).toHaveLength(limits.maxViewNameLength);
  expect(name.endsWith('x… – Treemap, colour by intent')).toBe(true);
  const field = `field:${'y'.repeat(290)}` as const;
  expect(proposedName('x', { ...defaultUrlState, colour: field }, []).length).toBeLessThanOrEqual(
    limits.maxViewNameLength,
  );
});
