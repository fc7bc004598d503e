import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import { mapLevelsOf } from './levels.ts';

/** @param types of `root (pillar (outer (inner (keyword))))`, from the root down */
function levelsOf(...types: string[]): readonly string[] {
  const slice = sliceOf('root (pillar (outer (inner (keyword))))');
  return mapLevelsOf(loadTree({ ...slice, types, type: Uint16Array.from(types.keys()) }));
}

// Shows P15.16.
test('levels follow the types of a map, subtopics included', () => {
  expect(levelsOf('root', 'pillar_topic', 'cluster', 'subtopic', 'keyword')).toEqual([
    'pillars',
    'clusters',
    'subtopics',
    'keywords',
  ]);
  expect(levelsOf('root', 'pillar_topic', 'subtopic', 'cluster', 'keyword')).toEqual([
    'pillars',
    'subtopics',
    'clusters',
    'keywords',
  ]);
  expect(levelsOf('root', 'pillar_topic', 'Subtopic', '', 'keyword')).toEqual(['pillars', 'subtopics', 'keywords']);
  expect(levelsOf('root', 'pillar_topic', 'hub', 'cluster', 'keyword')).toEqual(['pillars', 'clusters', 'keywords']);
});
