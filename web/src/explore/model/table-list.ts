import { markOf, readSort, topicOf, topicsOf, writeSort } from '@kc/pack/levels/row-sort';
import { none } from '../tree-data/columns.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { Explorer } from './explorer.ts';
import { currentRow, type ExplorerState } from './explorer-state.ts';
import { createLevelList } from './level-list.ts';
import { levelOf } from './levels.ts';
import { fieldsFor, shownColumns } from './list-columns.ts';
import { isRankedLevel, type ListQuery } from './list-query.ts';
import { nothingPicked } from './picked.ts';

/** How long the cursor rests on a node that is not loaded before it is: a held key passes hundreds of them. */
const restMs = 150;

/** The flat list of the table: follows focus, filter, level and sort, and selects what its cursor is on. */
function createTableList(explorer: Explorer) {
  const { tree, store, source, select, loadPath, explain } = explorer;
  const list = createLevelList(source.rows);
  let abort = new AbortController();
  /** The node that is being looked up, and its row. */
  let pendingLookup: { readonly node: number; readonly row: Promise<number> } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The pack row of the selection that the cursor has followed, or led to. */
  let followedNode: number = none;

  const selectedNode = (state: ExplorerState): number => tree.node[currentRow(state)]!;

  function follow(state: ExplorerState): void {
    // Before the first page, nothing is known to be missing.
    const page = list.store.getState().pages.values().next().value;
    const columns = { hasTrends: page?.hasTrends ?? true, hasSimilar: page?.hasSimilar ?? true };
    const query = listQuery(state, tree, columns);
    if (!query) {
      if (state.view !== 'table' || !isRankedLevel(levelOf(state))) list.hide();
      return;
    }
    const { all, filter } = state.picked;
    // "All of this list" says nothing of another one.
    if (all && (all.within !== query.within || filter !== query.filter)) store.setState({ picked: nothingPicked });
    const node = selectedNode(state);
    list.show(query, node);
    if (node === followedNode) return;
    const isFirst = followedNode === none;
    followedNode = node;
    const { cursor } = list.store.getState();
    const here = list.rowAt(cursor);
    if (!isFirst && here && here.page.slice.node[here.at] !== node) list.goToNode(node);
  }

  const watchedFields = [
    'view',
    'level',
    'rowSort',
    'cols',
    'focus',
    'selected',
    'filter',
    'ready',
    'fields',
    'vs',
    'planStamp',
    'warningStamp',
    'isUnknownWarned',
  ] as const;
  const stopWatching = store.subscribe((now, before) => {
    if (watchedFields.some((field) => now[field] !== before[field])) follow(now);
  });
  follow(store.getState());
  explorer.onStop(() => {
    clearTimeout(timer);
    abort.abort();
    stopWatching();
    list.hide();
  });

  /** Loads a node. The newest call wins; a second call for the same node waits for the first one. */
  async function load(node: number): Promise<number> {
    const here = tree.rowOf(node);
    if (here !== none) return here;
    if (pendingLookup?.node === node) return pendingLookup.row;
    abort.abort();
    abort = new AbortController();
    const started = { node, row: lookUp(node, abort.signal) };
    pendingLookup = started;
    try {
      return await started.row;
    } finally {
      if (pendingLookup === started) pendingLookup = undefined;
    }
  }

  async function lookUp(node: number, signal: AbortSignal): Promise<number> {
    const { path } = await source.node({ node, filter: store.getState().filter }, { signal });
    return signal.aborted ? none : loadPath(path.map((place) => place.node));
  }

  async function selectNode(node: number): Promise<void> {
    followedNode = node;
    try {
      const row = await load(node);
      if (row !== none && followedNode === node) select(row);
    } catch (failure) {
      if (followedNode === node && (failure as Error).name !== 'AbortError')
        store.setState({ notice: explain(failure) });
    }
  }

  return {
    list,
    loadNode: load,

    /** Moves the cursor and selects what it is on. */
    moveCursor(rank: number): void {
      clearTimeout(timer);
      list.moveTo(rank);
      const { cursor } = list.store.getState();
      const settle = () => {
        const here = list.rowAt(cursor);
        if (here) void selectNode(here.page.slice.node[here.at]!);
      };
      const here = list.rowAt(cursor);
      if (here && tree.rowOf(here.page.slice.node[here.at]!) !== none) settle();
      else timer = setTimeout(settle, restMs);
    },
  };
}

type TableList = ReturnType<typeof createTableList>;

const lists = new WeakMap<Explorer, TableList>();

/** The flat list of an explorer, created on first use. Most visits never need it. */
export function tableListOf(explorer: Explorer): TableList {
  const list = lists.get(explorer) ?? createTableList(explorer);
  lists.set(explorer, list);
  return list;
}

/** The query for the list of a state; undefined if it shows none, or does not know the fields of the file yet. */
function listQuery(
  state: ExplorerState,
  tree: LoadedTree,
  has: { readonly hasTrends: boolean; readonly hasSimilar: boolean },
): ListQuery | undefined {
  const level = levelOf(state);
  const { view, ready, focus, filter, rowSort, cols, fields } = state;
  if (view !== 'table' || !isRankedLevel(level) || !ready || tree.size === 0) return undefined;
  if (!fields && `${rowSort}${cols}`.includes('field:')) return undefined;
  const { vs, planStamp, warningStamp, isUnknownWarned } = state;
  const sort = sortOf(state);
  const keys = readSort(sort) ?? [];
  const columns = shownColumns({ tree, fields: fields ?? [], level, ...has, vs, planStamp }, cols);
  return {
    level,
    within: tree.node[focus]!,
    filter,
    sort,
    fields: fieldsFor(columns, keys, { vs, planStamp }),
    warningSort: topicsOf(keys).has('warnings') ? { stamp: warningStamp, withUnknown: isUnknownWarned } : undefined,
    withTrends: columns.some(({ id }) => id === 'trend'),
    withSimilar: columns.some(({ id }) => id === 'similar'),
  };
}

/**
 * The chosen sort without what the file lacks, and without what nothing is known of now, such as changes while no uploads are
 * compared. Otherwise by what the size is by, unless the user chooses another one.
 */
export function sortOf({ rowSort, fields, defaultSize, vs, planStamp }: ExplorerState): string {
  const isKnown = { change: vs !== undefined, plan: planStamp !== undefined, warnings: planStamp !== undefined };
  const known = (readSort(rowSort) ?? []).filter(({ by }) => {
    const mark = markOf(by);
    if (mark) return isKnown[topicOf[mark]];
    return !by.startsWith('field:') || fields?.some(({ name, kind }) => by === `field:${name}` && kind !== 'set');
  });
  if (known.length > 0) return writeSort(known);
  return `-${defaultSize}`;
}
