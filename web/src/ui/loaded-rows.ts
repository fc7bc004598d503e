import { useMemo, useRef, useState } from 'react';
import type { RowGestures } from './data-grid.tsx';
import {
  addRow,
  extendRange,
  moveCursor,
  type Picks,
  rangeStart,
  rowAfterChange,
  rowsBetween,
  type Selection,
  toggleRow,
} from './row-selection.ts';

/**
 * The cursor of a list that is completely loaded. It follows its row; if that leaves the list, the next one takes over.
 * @param first where it starts; otherwise at the first row, until it is moved
 */
export function useCursor(keys: readonly string[], first?: string) {
  const [at, setAt] = useState<{ readonly key: string; readonly among: readonly string[] } | undefined>(
    first === undefined ? undefined : { key: first, among: keys },
  );
  const current = (at && rowAfterChange(at.key, at.among, keys)) ?? keys[0];
  const goTo = (key: string) => setAt({ key, among: keys });
  return { current, goTo, at };
}

type KeyPicks = Picks<string, string>;
const noPicks: Pick<Selection<string, KeyPicks>, 'picks' | 'range'> = { picks: { rows: new Map() } };

/**
 * The selection of a list that is completely loaded, by keys. Rows that a filter hides do not count until they are
 * shown again.
 */
export function useLoadedSelection(
  keys: readonly string[],
  current: string | undefined,
  goTo: (key: string) => void,
): {
  /** In the order of the list. */
  readonly picked: readonly string[];
  readonly isPicked: ReadonlySet<string>;
  /** This and the following members keep their identity. */
  readonly gestures: Required<RowGestures>;
  readonly allOrNone: () => void;
  readonly clear: () => void;
} {
  const [kept, setKept] = useState(noPicks);
  const picked = useMemo(() => keys.filter((key) => kept.picks.rows.has(key)), [keys, kept]);
  const isPicked = useMemo(() => new Set(picked), [picked]);
  /** The current values for the gestures, which stay the same, so that they do not cause a re-render. */
  const latest = useRef({ keys, picked, selection: { ...kept, cursor: current }, goTo });
  latest.current = { keys, picked, selection: { ...kept, cursor: current }, goTo };
  const [actions] = useState(() => {
    const clear = () => setKept(noPicks);
    const all = () => setKept({ picks: { rows: new Map(latest.current.keys.map(entryOf)) } });
    const act = (
      rank: number,
      next: (selection: Selection<string, KeyPicks>, key: string) => Selection<string, KeyPicks>,
    ) => {
      const { keys, selection, goTo } = latest.current;
      const key = keys[rank];
      if (key === undefined) return;
      const { cursor, ...rest } = next(selection, key);
      setKept(rest);
      if (cursor !== undefined && cursor !== selection.cursor) goTo(cursor);
    };
    const gestures: Required<RowGestures> = {
      move: (rank) => {
        act(rank, (selection) => moveCursor(selection, selection.cursor));
        const { keys, goTo } = latest.current;
        if (keys[rank] !== undefined) goTo(keys[rank]);
      },
      toggle: (rank) => act(rank, (selection, key) => toggleRow(selection, key, entryOf(key))),
      add: (rank) =>
        act(rank, (selection, key) => {
          const { cursor } = selection;
          return addRow(selection, key, entryOf(key), cursor === undefined ? undefined : entryOf(cursor));
        }),
      extend: (rank) =>
        act(rank, (selection, key) => {
          const range = rowsBetween(latest.current.keys, rangeStart(selection, key), key);
          return extendRange(selection, key, range.map(entryOf));
        }),
      all,
    };
    const allOrNone = () => (latest.current.picked.length === latest.current.keys.length ? clear() : all());
    return { gestures, allOrNone, clear };
  });
  return { picked, isPicked, ...actions };
}

const entryOf = (key: string) => [key, key] as const;
