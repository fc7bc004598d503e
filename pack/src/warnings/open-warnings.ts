import { noPause, type Pause } from '../format/in-pieces.ts';
import { inherit, placesAt } from '../format/locate.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { addressOf, type NodePath } from '../plan/node-paths.ts';
import { type WarningKind, warningKinds } from '../vocabulary/warnings.ts';
import type { AllWarnings } from './find-warnings.ts';
import { firstOccurrences } from './occurrences.ts';
import type { WarningList, WarningsMissing } from './warning-list.ts';

/**
 * A warning that a person has dismissed as no problem: its kind, the paths of its node, newest first, and its subject. The newest path at
 * which the pack has a node counts.
 *
 * It is recognised in another upload by what it is about. `url-clusters`: by the URL, which is the subject. `unplaced`: by the kind.
 * `results-alike`: by the path of the first cluster and the node ID of the second, which is the subject. `repeated`: by the path of any
 * occurrence of the keyword. All others: by the path. In a subject, U+FFFD stands for NUL, which a database does not store.
 */
export type Dismissed = { readonly kind: WarningKind; readonly paths: readonly NodePath[]; readonly subject: string };

/** The indices of a list's warnings that are not dismissed, ascending, and the number of the others. */
export type OpenList = { readonly list: WarningList; readonly open: Uint32Array; readonly dismissed: number };
export type OpenWarnings = Readonly<Record<WarningKind, OpenList | WarningsMissing>>;

/** Cost: one pass over the node IDs, and one over the warnings. */
export async function openWarnings(
  pack: PackReader,
  { lists, urls }: AllWarnings,
  dismissed: readonly Dismissed[],
  pause: Pause = noPause,
): Promise<OpenWarnings> {
  const { rootName } = pack.metadata;
  const addresses = dismissed.map(({ paths }) => paths.map((path) => addressOf(rootName, path)));
  const others = dismissed.flatMap(({ kind, subject }) => (kind === 'results-alike' ? [subject] : []));
  const wanted = [...addresses.flat(), ...others];
  const rowAt = wanted.length > 0 ? await placesAt(pack, wanted, pause) : new Map<string, number>();
  const firsts = await firstOccurrences(pack, pause);
  const judged = new Map(warningKinds.map((kind) => [kind, new Set<number | string>()]));
  for (const [at, { kind, subject }] of dismissed.entries()) {
    const found = addresses[at]!.find((address) => rowAt.has(address));
    const row = found === undefined ? undefined : rowAt.get(found);
    if (kind === 'url-clusters') judged.get(kind)!.add(subject);
    else if (kind === 'unplaced') judged.get(kind)!.add(0);
    else if (kind === 'results-alike') judged.get(kind)!.add(`${row} ${rowAt.get(subject)}`);
    else if (row !== undefined) judged.get(kind)!.add(kind === 'repeated' ? firsts.of(row) : row);
  }
  const isOpen = (list: WarningList, at: number): boolean => {
    const row = list.rows[at]!;
    if (list.kind === 'url-clusters')
      return !judged.get(list.kind)!.has(urls[list.urls![at]!]!.replaceAll('\0', '\ufffd'));
    if (list.kind === 'results-alike') return !judged.get(list.kind)!.has(pairAt(list, at));
    return !judged.get(list.kind)!.has(list.kind === 'repeated' ? firsts.of(row) : row);
  };
  const open = warningKinds.map((kind) => {
    const list = lists[kind];
    if ('missing' in list) return [kind, list] as const;
    const all = list.rows.map((_, at) => at);
    const some = judged.get(kind)!.size === 0 ? all : all.filter((at) => isOpen(list, at));
    return [kind, { list, open: some, dismissed: list.count - some.length }] as const;
  });
  return Object.fromEntries(open) as OpenWarnings;
}

/** A key for the two clusters of a `results-alike` warning, in the order of the warning. */
const pairAt = ({ places }: WarningList, at: number): string => {
  const [first, second] = places!.rows.subarray(places!.starts[at], places!.starts[at + 1]);
  return `${first} ${second}`;
};

/**
 * The nodes that have warnings, and those above them, ascending, without the root. `kinds`: bit `n` is set if the node itself has a warning of
 * the n-th kind; `own`: the number of warnings about the node itself; `within`: the number in its whole branch. A warning about
 * several nodes counts at each.
 */
export type WarningMarks = {
  readonly rows: number[];
  readonly kinds: number[];
  readonly own: number[];
  readonly within: number[];
  /** Whether nodes were left out. The rows that remain are the top of the tree. */
  readonly isCut: boolean;
};

/** The number of warnings of some kinds about each node itself. */
export function ownWarnings(nodes: number, open: OpenWarnings, wanted: readonly WarningKind[]): Uint32Array {
  const own = new Uint32Array(nodes);
  for (const kind of wanted) {
    eachPlace(open, kind, (row) => {
      own[row]! += 1;
    });
  }
  return own;
}

/** Cost: one pass over the nodes. */
export async function warningMarks(
  pack: PackReader,
  open: OpenWarnings,
  wanted: readonly WarningKind[],
  most: number,
  pause: Pause = noPause,
): Promise<WarningMarks> {
  const { nodes } = pack.metadata;
  const [own, kinds] = [ownWarnings(nodes, open, wanted), new Uint16Array(nodes)];
  for (const kind of wanted) {
    await pause();
    eachPlace(open, kind, (row) => {
      kinds[row]! |= 1 << warningKinds.indexOf(kind);
    });
  }
  const parent = await pack.column('parent');
  await pause();
  const within = own.slice();
  for (let row = nodes - 1; row > 0; row--) within[parent[row]!]! += within[row]!;
  const rows: number[] = [];
  let isCut = false;
  for (let row = 1; row < nodes && !isCut; row++) {
    if (within[row] === 0) continue;
    if (rows.length === most) isCut = true;
    else rows.push(row);
  }
  const of = (values: Uint32Array | Uint16Array) => rows.map((row) => values[row]!);
  return { rows, kinds: of(kinds), own: of(own), within: of(within), isCut };
}

/** Calls `work` for every node that an open warning of a kind is about. @param work `at` is the index of the warning in its list */
export function eachPlace(open: OpenWarnings, kind: WarningKind, work: (row: number, at: number) => void): void {
  const found = open[kind];
  if ('missing' in found) return;
  const { rows, places } = found.list;
  for (const at of found.open) {
    if (!places) work(rows[at]!, at);
    else for (let index = places.starts[at]!; index < places.starts[at + 1]!; index++) work(places.rows[index]!, at);
  }
}

/** 1 for each node that an open warning of some kinds is about, and for all its descendants. */
export async function markWarned(
  pack: PackReader,
  open: OpenWarnings,
  kinds: readonly WarningKind[],
  pause: Pause = noPause,
): Promise<Uint8Array> {
  const marked = new Uint8Array(pack.metadata.nodes);
  for (const kind of kinds) {
    eachPlace(open, kind, (row) => {
      marked[row] = 1;
    });
  }
  await inherit(pack, marked, pause);
  return marked;
}
