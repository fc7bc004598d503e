import { noPause, type Pause } from '../format/in-pieces.ts';
import { placesAt } from '../format/locate.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { addressOf, type NodePath } from '../plan/node-paths.ts';
import type { AllWarnings } from './find-warnings.ts';
import { firstOccurrences } from './occurrences.ts';
import { type WarningKind, warningKinds } from './warning-kinds.ts';
import type { WarningList, WarningsMissing } from './warning-list.ts';

/**
 * A warning that is no problem: its kind, the paths of its node, newest first, and its URL or keyword. The newest path that
 * the pack has a node at counts.
 *
 * A URL is recognised by itself, wherever it ranks; a repeated keyword by any place that it had; keywords outside the
 * hierarchy by the kind; all others by the path. In a subject, U+FFFD stands for NUL, which a database does not store.
 */
export type Dismissed = { readonly kind: WarningKind; readonly paths: readonly NodePath[]; readonly subject: string };

/** The warnings of a list that nobody dismissed, by index in their order, and the number of the others. */
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
  const rowAt = dismissed.length > 0 ? await placesAt(pack, addresses.flat(), pause) : new Map<string, number>();
  const firsts = await firstOccurrences(pack, pause);
  const judged = new Map(warningKinds.map((kind) => [kind, new Set<number | string>()]));
  for (const [at, { kind, subject }] of dismissed.entries()) {
    const found = addresses[at]!.find((address) => rowAt.has(address));
    const row = found === undefined ? undefined : rowAt.get(found);
    if (kind === 'url-clusters') judged.get(kind)!.add(subject);
    else if (kind === 'unplaced') judged.get(kind)!.add(0);
    else if (row !== undefined) judged.get(kind)!.add(kind === 'repeated' ? firsts.of(row) : row);
  }
  const isOpen = (list: WarningList, at: number): boolean => {
    const row = list.rows[at]!;
    if (list.kind === 'url-clusters')
      return !judged.get(list.kind)!.has(urls[list.urls![at]!]!.replaceAll('\0', '\ufffd'));
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
