/**
 * Faults that a person would notice, chosen over rules, the server, the data engine, models and screens. `npm run mutate`
 * puts each into the sources in turn and asks whether a short test notices it: all but the browser stories.
 *
 * They were chosen while many promises were shown by stories alone, so that no shorter test takes the place of a story
 * and sees less. `story` names the one that was read to notice a fault. Once a short test does, `story` goes.
 */
import { posix } from 'node:path';
import { filesUnder, importTarget, readText, specifiersOf } from '../source-files.ts';
import { clusterMutants } from './cluster.ts';
import { modelMutants } from './models.ts';
import type { Change } from './mutation.ts';
import { packMutants } from './pack.ts';
import { panelMutants } from './panels.ts';
import { ruleMutants } from './rules.ts';
import { screenMutants } from './screens.ts';
import { serverMutants } from './server.ts';

/** A fault: `from` occurs exactly once in the file and becomes `to`. */
export type ChosenMutant = {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** What a person notices. */
  readonly breaks: string;
  /** Short tests that should notice it, if they are not beside the file. */
  readonly tests?: readonly string[];
  /** The story that notices it, as `docs/product.md` cites one. */
  readonly story?: string;
};

export const mutantGroups = ['rules', 'server', 'pack', 'cluster', 'models', 'screens', 'panels'] as const;
export type MutantGroup = (typeof mutantGroups)[number];

export const chosenMutants: Readonly<Record<MutantGroup, readonly ChosenMutant[]>> = {
  rules: ruleMutants,
  server: serverMutants,
  pack: packMutants,
  cluster: clusterMutants,
  models: modelMutants,
  screens: screenMutants,
  panels: panelMutants,
};

/** @throws Error unless the text occurs exactly once */
export function changeOf({ file, from, to }: Pick<ChosenMutant, 'file' | 'from' | 'to'>, source: string): Change {
  const pieces = source.split(from);
  if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} times: ${from}`);
  return { file, at: pieces[0]!.length, from, to };
}

const shortTests: readonly string[] = filesUnder(
  ['rules/src', 'pack', 'cluster', 'server', 'web/src'],
  /\.test\.tsx?$/,
);
const isOfScreen = (test: string): boolean => /\.ui\.test\.tsx$/.test(test);

/**
 * The short tests to ask: those that are named, the file's own, and those that import it; without any, all of its folder. In
 * addition, the tests of screens in its folder and above it, the nearest first.
 */
export function testsOf({ file, tests = [] }: ChosenMutant, all = shortTests, importsOf = knownImportsOf): string[] {
  const folder = posix.dirname(file);
  const stem = withoutEnding(file);
  const own = all.filter((test) => /^(\.ui)?\.test\.tsx?$/.test(test.slice(stem.length)) && test.startsWith(stem));
  const above = all
    .filter((test) => isOfScreen(test) && `${folder}/`.startsWith(`${posix.dirname(test)}/`))
    .sort((one, other) => posix.dirname(other).length - posix.dirname(one).length);
  const importing = tests.length > 0 ? [] : all.filter((test) => !isOfScreen(test) && importsOf(test).includes(stem));
  const found = [...tests, ...own, ...importing];
  const around = all.filter((test) => !isOfScreen(test) && posix.dirname(test) === folder);
  return [...new Set([...(found.length > 0 ? found : around), ...above])];
}

const known = new Map<string, readonly string[]>();

/** What a test imports, without endings. */
function knownImportsOf(test: string): readonly string[] {
  const imports =
    known.get(test) ?? specifiersOf(readText(test)).map((specifier) => withoutEnding(importTarget(test, specifier)));
  known.set(test, imports);
  return imports;
}

const withoutEnding = (file: string): string => file.replace(/\.tsx?$/, '');
