import { namesAt } from '../format/names-at.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { formatAddress } from '../names/path-hash.ts';
import type { ChangedRow, ChangeName } from './change-lists.ts';
import type { Changes } from './changes.ts';
import type { RowFigures } from './row-figures.ts';

/** The figures of a node on one side; an unknown one is absent. Same shape as in the HTTP contract. */
export type ChangedFigures = { keywords: number; volume?: number; difficulty?: number; position?: number };

/** A node of a list of changes. Same shape as in the HTTP contract. */
export type ChangedNode = {
  changes: ChangeName[];
  name: string;
  /** The names from below the root to its parent: those of the later upload, or of the earlier one for a gone node. */
  path: string[];
  /** Its row in the later upload; absent for a gone node. */
  node?: number;
  /** Its node ID, 16 hex digits: that of the earlier upload for a gone node. */
  address: string;
  /** Of a moved or renamed node: the names from below the root to itself in the earlier upload. */
  from?: string[];
  before?: ChangedFigures;
  after?: ChangedFigures;
};

/** Cost: reads the rows and those above them. */
export async function describeChanges(changes: Changes, rows: readonly ChangedRow[]): Promise<ChangedNode[]> {
  const { match, after, before } = changes.compared;
  const now = await readPlaces(
    after,
    rows.flatMap(({ row, isGone }) => (isGone ? [] : [row])),
  );
  const then = await readPlaces(
    before,
    rows.flatMap(({ row, isGone }) => {
      if (isGone) return [row];
      return match.before[row] === noRow ? [] : [match.before[row]!];
    }),
  );
  return rows.map(({ row, isGone }) => {
    if (isGone) {
      return { changes: ['gone'], ...placeOf(then, row), before: figuresOf(changes.figuresBefore, row) };
    }
    const names = [...changes.namesAt(row)];
    const rowBefore = match.before[row]!;
    const isElsewhere = names.includes('moved') || names.includes('renamed');
    return {
      changes: names,
      ...placeOf(now, row),
      node: row,
      after: figuresOf(changes.figures, row),
      ...(rowBefore !== noRow && { before: figuresOf(changes.figuresBefore, rowBefore) }),
      ...(isElsewhere && { from: then.pathOf(rowBefore) }),
    };
  });
}

type Places = { pathOf(row: number): string[]; addressOf(row: number): string };

async function readPlaces(pack: PackReader, rows: readonly number[]): Promise<Places> {
  const parent = await pack.column('parent');
  const all = new Set<number>();
  for (const row of rows) for (let at = row; at > 0 && !all.has(at); at = parent[at]!) all.add(at);
  for (const row of rows) all.add(row);
  const rising = Uint32Array.from(all).sort();
  const names = await namesAt(pack, rising);
  const nameOf = new Map(names.map((name, at) => [rising[at]!, name]));
  const halves = await pack.column('address');
  return {
    pathOf(row) {
      const path: string[] = [];
      for (let at = row; at > 0; at = parent[at]!) path.unshift(nameOf.get(at)!);
      return row === 0 ? [nameOf.get(0)!] : path;
    },
    addressOf: (row) => formatAddress(halves[2 * row + 1]!, halves[2 * row]!),
  };
}

function placeOf({ pathOf, addressOf }: Places, row: number) {
  const path = pathOf(row);
  return { name: path.at(-1)!, path: path.slice(0, -1), address: addressOf(row) };
}

function figuresOf(figures: RowFigures, row: number): ChangedFigures {
  const known = (of: 'volume' | 'difficulty' | 'position') => {
    const value = figures[of](row);
    return Number.isNaN(value) ? {} : { [of]: value };
  };
  return { keywords: figures.keywords(row), ...known('volume'), ...known('difficulty'), ...known('position') };
}
