import { expect, test } from 'vitest';
import { type ClusterProgress, type ClusterTools, forPart, forwardOnly } from './cluster.ts';

const recorded = () => {
  const heard: ClusterProgress[] = [];
  const tools: ClusterTools = {
    neighbours: () => {
      throw new Error('Nothing is searched');
    },
    onProgress: (progress) => heard.push(progress),
  };
  return { heard, tools };
};

test('progress never goes back, and counts the parts together', () => {
  const { heard, tools } = recorded();
  const forward = forwardOnly(tools);
  for (const [before, own] of [
    [0, 30],
    [30, 70],
  ] as const) {
    const { onProgress } = forPart(forward, before, own, 100);
    onProgress!({ stage: 'variants' });
    // Spelling variants are read once: a part of 30 keywords may be 20 texts.
    for (const done of [0, 10, 20]) onProgress!({ stage: 'meaning', done, total: 20 });
    onProgress!({ stage: 'neighbours' });
  }
  for (const stage of ['neighbours', 'clusters', 'names', 'clusters', 'names'] as const) forward.onProgress!({ stage });
  expect(heard.map(({ stage, done }) => (done === undefined ? stage : `${stage} ${done}`))).toEqual([
    ...['variants', 'meaning 0', 'meaning 15', 'meaning 30', 'meaning 30', 'meaning 65', 'meaning 100'],
    ...['neighbours', 'clusters', 'names'],
  ]);
});

test('tools that nobody listens to stay as they are', () => {
  const { tools } = recorded();
  const { onProgress: _, ...silent } = tools;
  expect(forwardOnly(silent)).toBe(silent);
  expect(forPart(silent, 0, 1, 1)).toBe(silent);
});
