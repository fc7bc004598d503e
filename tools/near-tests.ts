import { dirname } from 'node:path/posix';
import { filesUnder, importTarget, readText, specifiersOf } from './source-files.ts';

/** Test files by Vitest project. */
export type Chosen = Readonly<Record<'unit' | 'component' | 'server' | 'e2e', readonly string[]>>;

const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file);
const isComponentTest = (file: string): boolean => file.endsWith('.ui.test.tsx');

/** A test further away than this has other reasons to import a file than to show what it does. */
const mostSteps = 3;

/**
 * The tests that show what some files do: themselves, those that import them by the fewest steps (one list for `server`, one
 * for the other workspaces), and the component tests of the nearest folder that has some. A component test opens the whole
 * application, so what it imports says nothing.
 *
 * @param changed paths in the repository
 */
export function testsNear(changed: readonly string[]): Chosen {
  const files = filesUnder(['rules', 'pack', 'cluster', 'server', 'web', 'tools', 'e2e'], /\.tsx?$/);
  const importers = importersOf(files);
  const componentTests = files.filter(isComponentTest);
  const all = changed.flatMap((file) =>
    isTest(file)
      ? files.filter((one) => one === file)
      : [
          ...nearest(file, importers, (test) => test.startsWith('server/')),
          ...nearest(file, importers, (test) => !/^(server|e2e)\//.test(test) && !isComponentTest(test)),
          ...inNearestFolder(file, componentTests),
        ],
  );
  const of = (isOf: (file: string) => boolean) => [...new Set(all.filter(isOf))].sort();
  return {
    unit: of((file) => !/^(server|e2e)\//.test(file) && !isComponentTest(file)),
    component: of(isComponentTest),
    server: of((file) => file.startsWith('server/')),
    e2e: of((file) => file.startsWith('e2e/')),
  };
}

/** By file, those that import it. */
function importersOf(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const known = new Set(files);
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const specifier of specifiersOf(readText(file))) {
      const target = importTarget(file, specifier);
      const imported = [target, `${target}.ts`, `${target}.tsx`].find((one) => known.has(one));
      if (imported) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

function nearest(
  file: string,
  importers: ReadonlyMap<string, readonly string[]>,
  isWanted: (test: string) => boolean,
): string[] {
  const seen = new Set([file]);
  let reached = [file];
  for (let step = 0; step < mostSteps; step++) {
    reached = [...new Set(reached.flatMap((one) => importers.get(one) ?? []))].filter((one) => !seen.has(one));
    for (const one of reached) seen.add(one);
    const tests = reached.filter((one) => isTest(one) && isWanted(one));
    if (tests.length > 0) return tests;
  }
  return [];
}

/** Everything below `web/src` is no neighbourhood. */
function inNearestFolder(file: string, tests: readonly string[]): string[] {
  for (let folder = dirname(file); folder.startsWith('web/src/'); folder = dirname(folder)) {
    const found = tests.filter((test) => test.startsWith(`${folder}/`));
    if (found.length > 0) return found;
  }
  return [];
}
