import { type Marks, markKind } from '../../charts/layout/layout.ts';

/** The distinct rows that have a mark, in drawing order: a branch comes before its content. */
export function shownRows({ count, row, kind }: Marks): number[] {
  const rows = new Set<number>();
  for (let mark = 0; mark < count; mark++) if (kind[mark] !== markKind.tail) rows.add(row[mark]!);
  return [...rows];
}
