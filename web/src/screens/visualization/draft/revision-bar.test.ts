import { createMemoryHistory } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { createRevisionBar } from './revision-bar.ts';

const at = (...entries: string[]) => createMemoryHistory({ initialEntries: entries });

// Shows P22.1.
test('the explorer reads the draft as its visualization, and the page keeps it as a draft', () => {
  const history = at('/visualization?draft=d1&view=tree&sel=0123456789abcdef');
  const bar = createRevisionBar(history, 'd1');
  expect(bar.read()).toBe('?v=d1&view=tree&sel=0123456789abcdef');
  bar.write('?v=d1&view=icicle', 'replace');
  expect(history.location.search).toBe('?draft=d1&view=icicle');
});

test('an address that names no draft, or another one, names nothing that is open', () => {
  for (const path of ['/visualization', '/visualization?v=d1', '/visualization?draft=d2', '/visualization?draft=%2F'])
    expect(createRevisionBar(at(path), 'd1').read()).toBe('?v=-');
});

test('until it goes live, a revision reads and writes a text of its own', () => {
  const history = at('/visualization?draft=d1&view=tree');
  const bar = createRevisionBar(history, 'd1');
  let heard = 0;
  bar.listen(() => heard++);
  bar.hold('?v=d1&view=tree&n=0123456789abcdef');
  bar.write('?v=d1&n=fedcba9876543210', 'push');
  history.push('/visualization?draft=d1&view=table');
  expect([bar.read(), history.location.search, heard]).toEqual(['?v=d1&n=fedcba9876543210', '?draft=d1&view=table', 0]);
  bar.goLive();
  expect([bar.read(), history.location.search]).toEqual(['?v=d1&n=fedcba9876543210', '?draft=d1&n=fedcba9876543210']);
});

test('a live revision hears of Back, and not of its own writes', () => {
  const history = at('/visualization?draft=d1');
  const bar = createRevisionBar(history, 'd1');
  let heard = 0;
  bar.listen(() => heard++);
  bar.write('?v=d1&view=tree', 'push');
  expect(heard).toBe(0);
  history.push('/visualization?draft=d1&view=table');
  expect(heard).toBe(1);
});

test('a revision that goes live after the page has left the draft writes nothing', () => {
  const history = at('/visualization?draft=d1');
  const bar = createRevisionBar(history, 'd1');
  bar.hold('?v=d1&view=tree');
  history.push('/visualization?v=other');
  bar.goLive();
  expect(history.location.search).toBe('?v=other');
});
