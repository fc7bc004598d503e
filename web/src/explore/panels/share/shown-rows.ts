import { type Marks, markKind } from '../../charts/layout/layout.ts';

/** The rows that have a mark, each once, in the order they are drawn in: a branch before what is in it. */
export function shownRows({ count, row, kind }: Marks): number[] {
  const rows = new Set<number>();
  for (let mark = 0; mark < count; mark++) if (kind[mark] !== markKind.tail) rows.add(row[mark]!);
  return [...rows];
}
