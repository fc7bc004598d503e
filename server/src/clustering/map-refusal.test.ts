import { MapError } from '@kc/cluster/map/map-entries';
import { sayRefusal } from '@kc/rules/all-messages';
import { expect, test } from 'vitest';
import { refusalOfMap } from './list-warnings.ts';

test.each([
  ['not-json', 'This file is not valid JSON, so it cannot be adjusted or updated.'],
  ['no-keywords', 'This file has no topics with keywords, so it cannot be adjusted or updated.'],
  [
    'keyword-twice',
    'A keyword is in several places of this map, and a draft has each keyword once. So the map cannot be adjusted or updated.',
  ],
  [
    'keyword-missing',
    'This map has an entry without a keyword, or a keyword without an entry, which a draft would lose. So it cannot be adjusted or updated.',
  ],
  [
    'topic-figures',
    'A topic of this map has figures of its own, which a draft would lose. So the map cannot be adjusted or updated.',
  ],
  [
    'topic-twice',
    'This map has two topics of the same name side by side. Rename one in the file and upload it again to adjust or update it.',
  ],
] as const)('a map with the problem %s says "%s"', (what, text) => {
  expect(sayRefusal(refusalOfMap(new MapError(what)))).toBe(text);
});

test('a map that is too large says how large it may be', () => {
  expect(sayRefusal({ code: 'draft/map-too-large', params: { mb: 512, max: 400 } })).toBe(
    'This map has 512 MB. Maps of up to 400 MB can be adjusted or updated.',
  );
});
