import { say } from '@kc/rules/messages';
import { addRow, type Picks } from '../../ui/row-selection.ts';
import { none } from '../tree-data/columns.ts';
import { type ComparedItem, nameOf } from './compared-nodes.ts';
import type { Explorer } from './explorer.ts';
import { describeRow, siblingsInView } from './navigation.ts';
import { nothingPicked } from './picked.ts';
import { maxCompared } from './url-state.ts';

type CompareParts = Pick<Explorer, 'tree' | 'store' | 'select'>;
type ComparePickedParts = Pick<Explorer, 'tree' | 'store' | 'loadPath' | 'explain'> & {
  readonly source: Pick<Explorer['source'], 'node'>;
};

/**
 * Adds a row to the comparison or removes it; an added row is selected. The first addition also adds the previous
 * selection. A row that the filter excludes has nothing to compare and is only selected.
 */
export function toggleCompared(explorer: CompareParts, row: number): void {
  const { tree, store, select } = explorer;
  const { compared, selected } = store.getState();
  if (compared.includes(row)) {
    removeCompared(explorer, row);
    return;
  }
  if (tree.isLeftOut(row)) {
    select(row);
    return;
  }
  const entry = (one: ComparedItem) => [one, one] as const;
  const current = selected === none || tree.isLeftOut(selected) ? undefined : entry(selected);
  const { picks } = addRow({ cursor: selected, picks: comparedPicks(compared) }, row, entry(row), current);
  if (picks.rows.size > maxCompared) {
    store.setState({ notice: say('explore/compare-full', { most: maxCompared }) });
    return;
  }
  const next = [...picks.rows.keys()];
  select(row, { compared: next, spoken: spokenOf({ tree, store }, row, next.length) });
}

/** The compared nodes as the picks of a list. */
export const comparedPicks = (compared: readonly ComparedItem[]): Picks<ComparedItem, ComparedItem> => ({
  rows: new Map(compared.map((one) => [one, one])),
});

/** Removes a node from the comparison, even if the filter excludes it. */
export function removeCompared({ tree, store }: Omit<CompareParts, 'select'>, item: ComparedItem): void {
  const compared = store.getState().compared.filter((one) => one !== item);
  store.setState({
    compared,
    spoken: say('explore/compare-out', { name: nameOf(tree, item), count: compared.length }),
  });
}

/** Compares a range of rows, as many from its start as fit, and selects the last one of the range. */
export function compareRange(
  { tree, store, select }: CompareParts,
  range: readonly ComparedItem[],
  last: number,
): void {
  const before = store.getState().compared;
  const rows = range.filter((one) => before.includes(one) || (typeof one === 'number' && !tree.isLeftOut(one)));
  const isTruncated = rows.length > maxCompared;
  const compared = rows.slice(0, maxCompared);
  select(last, {
    compared,
    spoken: spokenOf({ tree, store }, last, compared.length),
    ...(isTruncated && { notice: say('explore/compare-full', { most: maxCompared }) }),
  });
}

/**
 * Compares the rows that are picked one by one, in place of what was compared. Those that are not loaded are loaded
 * first. Nothing happens if by then other rows are picked, or another filter has replaced the rows.
 */
export async function comparePicked({ tree, store, source, loadPath, explain }: ComparePickedParts): Promise<void> {
  const { picked, filter } = store.getState();
  const { content } = tree;
  const isOutdated = () => store.getState().picked !== picked || tree.content !== content;
  const compared: number[] = [];
  try {
    for (const node of picked.rows.keys()) {
      const row = tree.rowOf(node) === none ? await load(node) : tree.rowOf(node);
      if (isOutdated()) return;
      if (row !== none) compared.push(row);
    }
    store.setState({ compared, picked: nothingPicked, detailOpen: true });
  } catch (failure) {
    if (!isOutdated()) store.setState({ notice: explain(failure) });
  }

  async function load(node: number): Promise<number> {
    const { path } = await source.node({ node, filter });
    return isOutdated() ? none : loadPath(path.map((place) => place.node));
  }
}

function spokenOf({ tree, store }: Pick<CompareParts, 'tree' | 'store'>, row: number, count: number): string {
  const { index } = siblingsInView(tree, row, store.getState());
  return say('explore/compare-in', { what: describeRow(tree, row, index), count, most: maxCompared });
}
