import { say } from '@kc/rules/messages';
import { describeRow } from './describe-row.ts';
import type { Explorer } from './explorer.ts';
import { none } from './explorer-state.ts';
import { mostCompared } from './url-state.ts';

type Compares = Pick<Explorer, 'tree' | 'store' | 'select'>;

/**
 * Takes a row among those that are compared, or out of them; what is taken in is selected. The first one brings what was
 * selected before along. What a filter leaves out has nothing to compare, and is only selected.
 */
export function toggleCompared({ tree, store, select }: Compares, row: number): void {
  const { compared, selected } = store.getState();
  if (compared.includes(row)) {
    store.setState({
      compared: compared.filter((one) => one !== row),
      spoken: say('explore/compare-out', { name: tree.name(row), count: compared.length - 1 }),
    });
    return;
  }
  if (tree.isLeftOut(row)) {
    select(row);
    return;
  }
  const isBegun = selected !== none && selected !== row && !tree.isLeftOut(selected);
  const begun = compared.length === 0 && isBegun ? [selected] : compared;
  if (begun.length >= mostCompared) {
    store.setState({ notice: say('explore/compare-full', { most: mostCompared }) });
    return;
  }
  const next = [...begun, row];
  select(row, { compared: next, spoken: spokenOf(tree, row, next.length) });
}

/** Compares a range of lines, the first of them as many as can be, and selects the last that was asked for. */
export function compareRange({ tree, select }: Omit<Compares, 'store'>, all: readonly number[], last: number): void {
  const rows = all.filter((row) => !tree.isLeftOut(row));
  const isCut = rows.length > mostCompared;
  const compared = rows.slice(0, mostCompared);
  select(last, {
    compared,
    spoken: spokenOf(tree, last, compared.length),
    ...(isCut && { notice: say('explore/compare-full', { most: mostCompared }) }),
  });
}

const spokenOf = (tree: Compares['tree'], row: number, count: number): string =>
  say('explore/compare-in', { what: describeRow(tree, row), count, most: mostCompared });
