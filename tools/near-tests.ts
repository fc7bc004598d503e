import { dirname } from 'node:path/posix';
import { filesUnder, importTarget, readText, specifiersOf } from './source-files.ts';

/** Test files by Vitest project. */
export type Chosen = Readonly<Record<'unit' | 'component' | 'server' | 'e2e', readonly string[]>>;

const isTest = (file: string): boolean => /\.(test|spec)\.tsx?$/.test(file);
const isComponentTest = (file: string): boolean => file.endsWith('.ui.test.tsx');

/** A test further away than this has other reasons to import a file than to show what it does. */
const maxSteps = 3;

/**
 * The tests that show what some files do: themselves, those that import them by the fewest steps (one list for `server`, one
 * for the other workspaces), and the component tests of the nearest folder that has some. A component test opens the whole
 * application, and many tests of the server start all of it, so what these import says nothing: without a nearer one, the tests
 * in the folders of the server's nearest files are taken. Who imports only types shows nothing of what a file does.
 *
 * @param changed paths in the repository
 */
export function testsNear(changed: readonly string[]): Chosen {
  const files = sources();
  const importers = importersOf(files, changed, true);
  const componentTests = files.filter(isComponentTest);
  const all = changed.flatMap((file) =>
    isTest(file)
      ? files.filter((one) => one === file)
      : [
          ...serverTests(file, importers, files),
          ...nearest(file, importers, (one) => isTest(one) && !/^(server|e2e)\//.test(one) && !isComponentTest(one)),
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

/** Files, those that import them, and so on. @param files paths in the repository, also of files that are gone */
export function withImporters(files: readonly string[]): string[] {
  const importers = importersOf(sources(), files);
  const reached = new Set(files);
  // A set that grows is walked to its end.
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return [...reached];
}

const sources = (): string[] =>
  filesUnder(['rules', 'pack', 'cluster', 'server', 'web', 'tools', 'e2e', 'bench'], /\.tsx?$/);

/**
 * By file, those that import it.
 *
 * @param gone what may still be imported although it is not there
 * @param withoutTypes whether who imports nothing but types does not count
 */
function importersOf(files: readonly string[], gone: readonly string[], withoutTypes = false): Importers {
  const known = new Set([...files, ...gone]);
  const importers = new Map<string, string[]>();
  for (const file of files) {
    const text = readText(file);
    for (const specifier of specifiersOf(withoutTypes ? text.replace(typeImports, '') : text)) {
      const target = importTarget(file, specifier);
      const imported = [target, `${target}.ts`, `${target}.tsx`].find((one) => known.has(one));
      if (imported) importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

const typeImports = /^(import|export) type [^;]* from '[^']*';$/gm;

type Importers = ReadonlyMap<string, readonly string[]>;

function serverTests(file: string, importers: Importers, files: readonly string[]): string[] {
  const found = nearest(file, importers, (one) => isTest(one) && one.startsWith('server/'));
  if (found.length > 0) return found;
  const isOfServer = (one: string) => one.startsWith('server/src/');
  const users = isOfServer(file) ? [file] : nearest(file, importers, isOfServer);
  const folders = new Set(users.map((one) => dirname(one)));
  return files.filter((one) => isTest(one) && folders.has(dirname(one)));
}

function nearest(file: string, importers: Importers, isWanted: (file: string) => boolean): string[] {
  const seen = new Set([file]);
  let reached = [file];
  for (let step = 0; step < maxSteps; step++) {
    reached = [...new Set(reached.flatMap((one) => importers.get(one) ?? []))].filter((one) => !seen.has(one));
    for (const one of reached) seen.add(one);
    const found = reached.filter(isWanted);
    if (found.length > 0) return found;
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
