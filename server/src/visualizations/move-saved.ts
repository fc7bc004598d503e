import { noFilter, parentIn, placesIn } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { MovedAddress } from '@kc/pack/plan/moved-nodes';
import type { Tx } from '../database/open.ts';
import type { VisualizationRecord } from './queries.ts';
import type { PlanQueries } from './query/plan-queries.ts';
import { listPresets, replacePresetText } from './saved.ts';

/**
 * Lets saved views of some data, and the owner's saved filters, follow branches, and the keywords in them, to their addresses
 * in a new map. Filters of others stay: they belong to a person, and may be about other data whose root has the same name.
 */
export async function moveSaved(
  { movedKeywords }: Pick<PlanQueries, 'movedKeywords'>,
  tx: Tx,
  record: Pick<VisualizationRecord, 'user_id' | 'root_name' | 'pack_key'>,
  moves: readonly MovedAddress[],
): Promise<void> {
  const views = await tx
    .selectFrom('saved_views')
    .selectAll()
    .where('owner_id', '=', record.user_id)
    .where('root_name', '=', record.root_name)
    .orderBy('id')
    .forUpdate()
    .execute();
  const filters = await listPresets(tx, record.user_id, 'filter');
  const branches = new Map(moves);
  const named = new Set([
    ...views.flatMap(({ state }) => addressesIn(state)),
    ...filters.flatMap(({ text }) => branchesIn(text)),
  ]);
  const wanted = [...named].filter((address) => !branches.has(address));
  const keywords = wanted.length === 0 ? [] : await movedKeywords({ packKey: record.pack_key, moves, wanted });
  const all = new Map([...keywords, ...branches]);
  for (const { id, state } of views) {
    const now = withMoves(state, all);
    if (now !== state) await tx.updateTable('saved_views').set({ state: now }).where('id', '=', id).execute();
  }
  for (const { id, text } of filters) {
    const now = filterWithMoves(text, all);
    if (now !== text) await replacePresetText(tx, id, text, now);
  }
}

/** An address, wherever a parameter has it: it may be one of several, or part of a filter. */
const address = /(?<![0-9A-Za-z])[0-9a-f]{16}(?![0-9A-Za-z])/g;

const addressesIn = (state: string): string[] =>
  [...new URLSearchParams(state).values()].flatMap((value) => value.match(address) ?? []);

/** The state of a view with other addresses; the same text if it names none of them. */
function withMoves(state: string, moves: ReadonlyMap<string, string>): string {
  if (!addressesIn(state).some((one) => moves.has(one))) return state;
  const parameters = [...new URLSearchParams(state)].map(([name, value]): [string, string] => [
    name,
    value.replaceAll(address, (one) => moves.get(one) ?? one),
  ]);
  return new URLSearchParams(parameters).toString();
}

const branchesIn = (filter: string): readonly string[] => placesIn(readFilter(filter) ?? noFilter);

/** A filter with other branches; the same text if it names none of them. */
function filterWithMoves(text: string, moves: ReadonlyMap<string, string>): string {
  const filter = readFilter(text);
  if (!filter || !branchesIn(text).some((one) => moves.has(one))) return text;
  const moved = (addresses: readonly string[]) => addresses.map((one) => moves.get(one) ?? one);
  const areas = filter.areas.map((part) => {
    const parent = moves.get(parentIn(part.level) ?? '');
    return parent === undefined ? part : { ...part, level: `children.${parent}` as const };
  });
  return writeFilter({ ...filter, within: moved(filter.within), outside: moved(filter.outside), areas });
}
