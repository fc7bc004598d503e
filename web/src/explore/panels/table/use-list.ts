import { useMemo, useSyncExternalStore } from 'react';
import type { LevelListState } from '../../model/level-list.ts';
import { levelOf } from '../../model/levels.ts';
import { shownColumns } from '../../model/list-columns.ts';
import { isRankedLevel } from '../../model/list-query.ts';
import { tableListOf } from '../../model/table-list.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';

/** The flat list of the table. */
export const useTableList = () => tableListOf(useExplorer());

/** Selects a value from the state of the flat list. */
export function useList<T>(pick: (state: LevelListState) => T): T {
  const { store } = useTableList().list;
  return useSyncExternalStore(store.subscribe, () => pick(store.getState()));
}

const noFields: readonly never[] = [];

/** The columns of the flat list, and where they come from. */
export function useColumns() {
  const { tree } = useExplorer();
  const level = useLook(levelOf);
  const cols = useLook((state) => state.cols);
  const fields = useLook((state) => state.fields) ?? noFields;
  const treeVersion = useLook((state) => state.treeVersion);
  const hasTrends = useList((state) => state.pages.values().next().value?.hasTrends ?? true);
  const hasSimilar = useList((state) => state.pages.values().next().value?.hasSimilar ?? false);
  const { vs, planStamp } = useLooks('vs', 'planStamp');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  return useMemo(() => {
    const source = {
      tree,
      fields,
      level: isRankedLevel(level) ? level : 'clusters',
      hasTrends,
      hasSimilar,
      vs,
      planStamp,
    } as const;
    return { source, columns: shownColumns(source, cols) };
  }, [tree, treeVersion, fields, level, hasTrends, hasSimilar, vs, planStamp, cols]);
}
