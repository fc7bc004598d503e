import { readSort } from '@kc/pack/levels/row-sort';
import { say } from '@kc/rules/explorer-messages';
import { useEffect, useRef } from 'react';
import { counted } from '../../format/figure-text.ts';
import { sortOf } from '../../model/table-list.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import type { LevelWords } from './level-words.ts';
import { nameOf } from './list-cells.tsx';
import { useColumns, useList, useTableList } from './use-list.ts';

const cursorTexts = {
  same: 'explore/cursor-on',
  around: 'explore/cursor-around',
  inside: 'explore/cursor-inside',
  first: 'explore/cursor-on',
} as const;

/** What the marks mean, how the list is sorted, and how long it is. Says aloud when that changes. */
export function ListFoot({ words }: { words: LevelWords }) {
  const { store } = useExplorer();
  const { list } = useTableList();
  const { columns } = useColumns();
  const sort = useLook(sortOf);
  const total = useList((state) => state.total);
  const keywords = useList((state) => state.keywords);
  const isStale = useList((state) => state.isStale);
  const titles = (readSort(sort) ?? []).map(({ by }) => {
    const title = columns.find((column) => column.sortBy === by)?.title ?? by.replace('field:', '');
    return title.toLowerCase();
  });
  const sortedBy = `Sorted by ${titles.join(', then ')}`;
  const count = total === undefined ? '' : `${words.count(total)} · ${counted(keywords, 'keyword')}`;
  const spoken = useRef('');
  useEffect(() => {
    const { cursor, place } = list.store.getState();
    if (isStale || count === '' || spoken.current === `${count}${sortedBy}`) return;
    spoken.current = `${count}${sortedBy}`;
    const row = list.rowAt(cursor);
    const isSelected = store.getState().selected !== none;
    const on = row && place && isSelected ? say(cursorTexts[place], { name: nameOf(row.page, row.at) }) : '';
    store.setState({ spoken: `${count}. ${sortedBy}. ${on}`.trim() });
  }, [count, sortedBy, isStale, list, store]);
  return (
    <p className="m-0 flex flex-wrap items-center gap-x-4 border-t border-line bg-surface px-3 py-1 text-micro text-muted">
      <span>◌ known for less than 20 %</span>
      <span>* known for a part of the keywords</span>
      <span>{sortedBy}</span>
      <span className="ml-auto tabular-nums">{count}</span>
    </p>
  );
}
