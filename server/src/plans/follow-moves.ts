import { createHash, randomUUID } from 'node:crypto';
import type { NodeFacts } from '@kc/pack/plan/node-facts';
import { type NodePath, pathAddresses } from '@kc/pack/plan/node-paths';
import { rootKeyOf } from '@kc/rules/plan-match';
import type { Transaction } from 'kysely';
import { notify } from '../database/notifications.ts';
import type { Database } from '../database/schema.ts';
import type { VisualizationRecord } from '../visualizations/queries.ts';
import type { PlanQueries } from '../visualizations/query/plan-queries.ts';
import { placeOf } from './change-plan.ts';
import { addChanges, type EntryRecord, entriesOf, pathHash, storeEntries } from './plan-queries.ts';

/** Where the branches of earlier maps are in one that is being activated. */
export type MovesOfMap = {
  readonly record: Pick<VisualizationRecord, 'user_id' | 'uploaded_by' | 'root_name' | 'pack_key'>;
  /** Addresses before and after. */
  readonly moves: readonly (readonly [before: string, after: string])[];
  readonly at: Date;
};

/**
 * Gives entries of moved branches, and of what lies in them, their nodes in the new map. An entry whose new place has an
 * entry stays where it was: it is listed without a node, with all that was written about it.
 *
 * Call this while the owner is locked, as every write to a plan does.
 */
export async function followMoves(
  { planFacts }: Pick<PlanQueries, 'planFacts'>,
  tx: Transaction<Database>,
  { record, moves, at }: MovesOfMap,
): Promise<void> {
  const { user_id, uploaded_by, root_name, pack_key: packKey } = record;
  const plan = await tx
    .selectFrom('plans')
    .selectAll()
    .where('owner_id', '=', user_id)
    .where('of_sample', '=', false)
    .where('root_hash', '=', createHash('sha256').update(rootKeyOf(root_name)).digest('hex'))
    .forUpdate()
    .executeTakeFirst();
  if (!plan || moves.length === 0) return;
  const entries = await entriesOf(tx, plan.id);
  const facts = (addresses: Iterable<string>) => planFacts({ packKey, addresses: [...new Set(addresses)] });
  const wanted = await newPlaces(entries, new Map(moves), pathAddresses(root_name), facts);
  const free = withoutTaken(entries, wanted);
  if (free.length === 0) return;
  const rev = plan.revision + 1;
  const moved = free.map(
    ({ entry, facts: node }): EntryRecord => ({ ...entry, ...placeOf(node, entry.paths), kind: node.kind, rev }),
  );
  // Two entries may change places, and a place has one entry at any time.
  await tx
    .updateTable('plan_entries')
    .set({ is_planned: false })
    .where(
      'id',
      'in',
      moved.map(({ id }) => id),
    )
    .execute();
  await storeEntries(tx, moved);
  const batch = randomUUID();
  const names = (path: NodePath) => path.map(([name]) => name);
  await addChanges(
    tx,
    free.map(({ entry, facts: node }) => ({
      plan_id: plan.id,
      entry_id: entry.id,
      revision: rev,
      field: 'path',
      before: names(entry.paths[0]!),
      after: names(node.path),
      by_account: uploaded_by,
      at,
      batch,
    })),
  );
  await tx
    .updateTable('plans')
    .set({ revision: rev, matching: plan.matching + 1 })
    .where('id', '=', plan.id)
    .execute();
  await notify(tx, { about: 'plans', accountId: user_id });
}

type Wanted = { readonly entry: EntryRecord; readonly facts: NodeFacts };

/** The nodes of entries that have moved. What no longer is where its branch has gone has none. */
async function newPlaces(
  entries: readonly EntryRecord[],
  moves: ReadonlyMap<string, string>,
  addressOf: (path: NodePath) => string,
  factsOf: (addresses: Iterable<string>) => Promise<NodeFacts[]>,
): Promise<Wanted[]> {
  const found = entries.flatMap((entry) => {
    const path = entry.paths[0]!;
    for (let length = path.length; length > 0; length--) {
      const branch = moves.get(addressOf(path.slice(0, length)));
      if (branch !== undefined) return [{ entry, branch, rest: path.slice(length) }];
    }
    return [];
  });
  const branches = new Map((await factsOf(found.map(({ branch }) => branch))).map((one) => [one.address, one]));
  const addresses = found.map(({ branch, rest }) => {
    const node = branches.get(branch);
    return node && (rest.length === 0 ? branch : addressOf([...node.path, ...rest]));
  });
  const inside = await factsOf(addresses.flatMap((one) => (one === undefined || branches.has(one) ? [] : [one])));
  const nodes = new Map([...branches, ...inside.map((one) => [one.address, one] as const)]);
  return found.flatMap(({ entry }, at) => {
    const node = addresses[at] === undefined ? undefined : nodes.get(addresses[at]);
    return node && pathHash(node.path) !== entry.path_hashes[0] ? [{ entry, facts: node }] : [];
  });
}

/** Without those whose place is that of an entry that stays, or of an earlier one among them. */
function withoutTaken(entries: readonly EntryRecord[], wanted: readonly Wanted[]): readonly Wanted[] {
  for (let left = wanted; ; ) {
    const going = new Set(left.map(({ entry }) => entry.id));
    const taken = new Set(
      entries.filter(({ id, is_planned }) => is_planned && !going.has(id)).map(({ path_hashes }) => path_hashes[0]!),
    );
    const next = left.filter(({ entry, facts: { path } }) => {
      const place = pathHash(path);
      // Entries that are not in the plan take no place.
      if (!entry.is_planned) return true;
      if (taken.has(place)) return false;
      taken.add(place);
      return true;
    });
    if (next.length === left.length) return next;
    left = next;
  }
}
