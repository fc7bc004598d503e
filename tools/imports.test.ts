import { expect, test } from 'vitest';
import { exceptions, importMap, vocabulary } from './import-map.ts';
import { filesUnder, importTarget, readText, specifiersOf } from './source-files.ts';

const within = (path: string, place: string) =>
  path === place || path.startsWith(`${place}/`) || path.startsWith(`${place}.`);

/** The imports of a file that its place does not permit, as `file -> target`. */
function trespasses(file: string, text: string): string[] {
  const place = Object.keys(importMap)
    .filter((candidate) => within(file, candidate))
    .sort((a, b) => b.length - a.length)[0];
  const allowed = place === undefined ? [] : [place, vocabulary, ...importMap[place]!];
  const mayReach = (to: string) =>
    allowed.some((entry) => (entry.endsWith(':*') ? to.startsWith(entry.slice(0, -1)) : within(to, entry)));
  return specifiersOf(text)
    .map((specifier) => importTarget(file, specifier))
    .filter((to) => !mayReach(to))
    .map((to) => `${file} -> ${to}`);
}

const sources = filesUnder(['rules/src', 'pack/src', 'cluster/src', 'server/src', 'web/src'], /\.tsx?$/).filter(
  (file) => !/\.(test|conformance|d)\.tsx?$/.test(file),
);

test('every place has sources to check', () => {
  for (const room of ['rules', 'pack', 'cluster', 'server', 'web']) {
    expect(sources.filter((file) => file.startsWith(`${room}/src/`)).length, room).toBeGreaterThan(2);
  }
});

test('the map permits every import', () => {
  const accepted = exceptions.map(({ from, to }) => `${from} -> ${to}`);
  const found = sources.flatMap((file) => trespasses(file, readText(file)));
  expect(found.filter((entry) => !accepted.includes(entry))).toEqual([]);
  expect(
    accepted.filter((entry) => !found.includes(entry)),
    'no longer needed: take them off the list',
  ).toEqual([]);
});

test.each([
  ['rules/src/planted.ts', "import { readFileSync } from 'node:fs';"],
  ['rules/src/planted.ts', "import { slice } from '@kc/pack/slice/slice';"],
  ['pack/src/planted.ts', "import { messages } from '@kc/rules/messages';"],
  ['pack/src/vocabulary/planted.ts', "import { noFilter } from '../filter/filter.ts';"],
  ['rules/src/planted.ts', "import { levelsWith } from '@kc/pack/levels/level';"],
  ['pack/src/planted.ts', "import { tableFromIPC } from 'apache-arrow';"],
  ['cluster/src/planted.ts', "import { readFileSync } from 'node:fs';"],
  ['cluster/src/labels/planted.ts', "import { cluster } from '../pipeline/cluster.ts';"],
  ['server/src/planted.ts', "export { tokens } from '../../web/src/ui/tokens.ts';"],
  ['server/src/storage/planted.ts', "import { routes } from '../accounts/routes.ts';"],
  ['server/src/accounts/planted.ts', "import { activate } from '../visualizations/activate.ts';"],
  ['server/src/visualizations/planted.ts', "export * from '../accounts/routes.ts';"],
  ['web/src/ui/planted.tsx', "import { say } from '@kc/rules/messages';"],
  ['web/src/api/planted.ts', "const app = await import('../../../server/src/app.ts');"],
  ['web/src/explore/charts/layout/planted.ts', "import { useState } from 'react';"],
  ['web/src/explore/charts/treemap/layout.ts', "import { drawTreemapLabels } from './labels.ts';"],
  ['web/src/explore/model/planted.ts', "import type { Marks } from '../charts/layout/layout.ts';"],
  ['web/src/explore/panels/planted.tsx', "import { Explorer } from '../explorer.tsx';"],
  ['web/src/explore/charts/paint/planted.ts', "import { createStage } from '../canvas/stage.ts';"],
  ['web/src/explore/panels/outline/planted.tsx', "import { client } from '../../../api/client.ts';"],
  ['web/src/screens/login/planted.tsx', "import { Explorer } from '../../explore/explorer.tsx';"],
  ['web/src/planted.ts', "new Worker(new URL('../../server/src/main.ts', import.meta.url));"],
  ['attic/src/planted.ts', "import { z } from 'zod';"],
])('%s may not import %s', (file, text) => {
  expect(trespasses(file, text)).toHaveLength(1);
});

test.each([
  ['server/src/visualizations/fine.ts', "import { required } from '../accounts/require.ts';"],
  ['web/src/explore/charts/paint/fine.ts', "import type { Marks } from '../layout/layout.ts';"],
  ['pack/src/format/arrow/frame.ts', "import { tableToIPC } from 'apache-arrow';"],
])('%s may import %s', (file, text) => {
  expect(trespasses(file, text)).toEqual([]);
});

/**
 * Import cycles, each as the files that reach each other. Type-only imports count: readers have to follow them as well.
 */
function circularImports(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(imports.get(start) ?? [])];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      open.push(...(imports.get(file) ?? []));
    }
    return seen;
  };
  const reach = new Map([...imports.keys()].map((file) => [file, reachable(file)]));
  const inCycle = [...imports.keys()].filter((file) => reach.get(file)!.has(file));
  const groups = inCycle.map((file) =>
    inCycle.filter((other) => reach.get(file)!.has(other) && reach.get(other)!.has(file)),
  );
  return [...new Map(groups.map((group) => [group.join(' '), group])).values()];
}

test('there are no import cycles, including type imports', () => {
  const paths = new Set(sources);
  const imports = new Map(
    sources.map((file) => [
      file,
      specifiersOf(readText(file))
        .map((specifier) => importTarget(file, specifier))
        .map((to) => (paths.has(to) ? to : `${to}.ts`))
        .filter((to) => paths.has(to)),
    ]),
  );
  expect(circularImports(imports)).toEqual([]);
});

test('a cycle of three files is found once', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a']],
    ['d', ['a']],
  ]);
  expect(circularImports(imports)).toEqual([['a', 'b', 'c']]);
});
