import type { NodeDetail } from '@kc/rules/shapes';
import { decimal, exact, isKnown, mean, money, share } from '../../format/figure-text.ts';
import { type ComparedItem, hasFigures, nameOf } from '../../model/compared-nodes.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { plainCell } from '../share/copy-branch.ts';

/** One figure of several nodes, as text. The value is NaN if it is unknown or the filter excludes the node. */
export type ComparedFigure = {
  readonly label: string;
  readonly values: readonly number[];
  readonly texts: readonly string[];
  /** Whether the figure is known for only some of the keywords. */
  readonly isPartly: readonly boolean[];
  /** The index of the best value; undefined if there is a tie or no direction is better. */
  readonly best: number | undefined;
};

type Better = 'higher' | 'lower';

/** The server's details of the compared nodes, in order; undefined until loaded. */
export type ComparedDetails = readonly (NodeDetail | undefined)[];

/** The figures of nodes side by side. A figure that no node has is omitted. */
export function comparedFigures(
  tree: LoadedTree,
  compared: readonly ComparedItem[],
  details: ComparedDetails = [],
): ComparedFigure[] {
  const whole = (row: number) => tree.keywords[row]!;
  const figure = (
    label: string,
    value: (row: number) => number,
    write: (value: number) => string,
    knownOf: (row: number) => number = whole,
    better?: Better,
  ): ComparedFigure => {
    const values = compared.map((one) => (hasFigures(tree, one) ? value(one) : Number.NaN));
    const known = values.filter(isKnown);
    const most = better === 'lower' ? Math.min(...known) : Math.max(...known);
    const texts = compared.map((one, nth) => (hasFigures(tree, one) ? write(values[nth]!) : '–'));
    // Compare formatted values: if two read the same, neither is better.
    const isAlone = texts.filter((text) => text === write(most)).length === 1;
    return {
      label,
      values,
      texts,
      isPartly: compared.map((one) => hasFigures(tree, one) && knownOf(one) > 0 && knownOf(one) < whole(one)),
      best: better && known.length > 1 && isAlone ? values.indexOf(most) : undefined,
    };
  };
  const ofTree = (
    label: string,
    measure: 'volume' | 'difficulty' | 'cpc',
    write: (value: number) => string,
    better: Better,
  ) => {
    const known = tree[`${measure}Known` as const];
    return figure(
      label,
      (row) => tree[measure][row]!,
      write,
      (row) => known[row]!,
      better,
    );
  };
  const ofDetail = (measure: 'competition' | 'position', part: 'value' | 'known') => (row: number) =>
    details[compared.indexOf(row)]?.[measure][part] ?? Number.NaN;
  const intents = ['Informational', 'Navigational', 'Commercial', 'Transactional'].map((label, nth) =>
    figure(
      label,
      (row) => intentShare(tree, row, nth),
      (part) => share(part, 1),
      // Every keyword with known intents has at least one, so there are no more such keywords than intents.
      (row) => intentsOf(tree, row),
    ),
  );
  return [
    figure('Keywords', whole, exact),
    figure(
      'Share of all',
      (row) => whole(row) / whole(0),
      (part) => share(part, 1),
    ),
    ofTree('Volume a month', 'volume', exact, 'higher'),
    ofTree('Difficulty', 'difficulty', mean, 'lower'),
    ofTree('CPC', 'cpc', money, 'higher'),
    figure('Competition', ofDetail('competition', 'value'), decimal, ofDetail('competition', 'known')),
    figure('Position', ofDetail('position', 'value'), mean, ofDetail('position', 'known'), 'lower'),
    ...intents,
    figure('Children', (row) => tree.childCount[row]!, exact),
    figure('Level', (row) => tree.depth[row]!, decimal),
  ].filter(({ values }) => values.some(isKnown));
}

/** Intents of a branch's keywords; NaN if none is known. */
function intentShare(tree: LoadedTree, row: number, nth: number): number {
  const all = intentsOf(tree, row);
  return all > 0 ? tree.intent[row * 4 + nth]! / all : Number.NaN;
}

/** The number of intents of a branch's keywords. A keyword may have several. */
const intentsOf = ({ intent }: LoadedTree, row: number): number =>
  intent.subarray(row * 4, row * 4 + 4).reduce((sum, count) => sum + count, 0);

/** The same as rows of a spreadsheet: one row per node, one column per figure, and an empty cell for unknown values. */
export function comparedLines(
  tree: LoadedTree,
  compared: readonly ComparedItem[],
  details: ComparedDetails = [],
): string[] {
  const figures = comparedFigures(tree, compared, details);
  const head = ['Name', ...figures.map(({ label }) => label)];
  const lines = compared.map((one, nth) => [
    plainCell(nameOf(tree, one)),
    ...figures.map(({ values, texts }) => (isKnown(values[nth]) ? texts[nth]!.replaceAll(',', '') : '')),
  ]);
  return [head, ...lines].map((cells) => cells.join('\t'));
}
