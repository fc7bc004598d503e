import { useMemo, useState } from 'react';
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

/** The cursor of a list that is held whole. It follows its row; if that leaves the list, the next one takes over. */
export function useCursor(keys: readonly string[], initial?: string) {
  const [at, setAt] = useState<{ readonly key: string; readonly among: readonly string[] } | undefined>(
    initial === undefined ? undefined : { key: initial, among: keys },
  );
  const current = (at && rowAfterChange(at.key, at.among, keys)) ?? keys[0];
  const goTo = (key: string) => setAt({ key, among: keys });
  return { current, goTo, at };
}

type Held = Picks<string, string>;
const nothing: Pick<Selection<string, Held>, 'picks' | 'range'> = { picks: { rows: new Map() } };

/**
 * The selection of a list that is held whole, by keys. Rows that a filter hides count no longer, and again once they are
 * shown.
 */
export function useHeldSelection(
  keys: readonly string[],
  current: string | undefined,
  goTo: (key: string) => void,
): {
  /** In the order of the list. */
  readonly picked: readonly string[];
  readonly isPicked: ReadonlySet<string>;
  readonly gestures: Required<RowGestures>;
  readonly allOrNone: () => void;
  readonly clear: () => void;
} {
  const [kept, setKept] = useState(nothing);
  const picked = useMemo(() => keys.filter((key) => kept.picks.rows.has(key)), [keys, kept]);
  const isPicked = useMemo(() => new Set(picked), [picked]);
  const selection: Selection<string, Held> = { ...kept, cursor: current };
  const entry = (key: string) => [key, key] as const;
  const to = ({ cursor, ...next }: Selection<string, Held>) => {
    setKept(next);
    if (cursor !== undefined && cursor !== current) goTo(cursor);
  };
  const all = () => setKept({ picks: { rows: new Map(keys.map(entry)) } });
  const clear = () => setKept(nothing);
  return {
    picked,
    isPicked,
    gestures: {
      move: (rank) => {
        setKept(moveCursor(selection, undefined));
        if (keys[rank] !== undefined) goTo(keys[rank]);
      },
      toggle: (rank) => to(toggleRow(selection, keys[rank]!, entry(keys[rank]!))),
      add: (rank) =>
        to(addRow(selection, keys[rank]!, entry(keys[rank]!), current === undefined ? undefined : entry(current))),
      extend: (rank) => {
        const key = keys[rank]!;
        to(extendRange(selection, key, rowsBetween(keys, rangeStart(selection, key), key).map(entry)));
      },
      all,
    },
    allOrNone: () => (picked.length === keys.length ? clear() : all()),
    clear,
  };
}
