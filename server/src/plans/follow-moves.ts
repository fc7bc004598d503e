import { randomUUID } from 'node:crypto';
import type { MovedAddress } from '@kc/pack/plan/moved-nodes';
import { movedNodes } from '@kc/pack/plan/moved-nodes';
import type { NodeFacts } from '@kc/pack/plan/node-facts';
import type { NodePath } from '@kc/pack/plan/node-paths';
import { notify } from '../database/notifications.ts';
import type { Tx } from '../database/open.ts';
import { dataSetOf } from '../visualizations/data-sets.ts';
import type { VisualizationRecord } from '../visualizations/queries.ts';
import type { PlanQueries } from '../visualizations/query/plan-queries.ts';
import { placeOf } from './change-plan.ts';
import { addChanges, type EntryRecord, entriesOf, findLockedPlan, pathHash, storeEntries } from './plan-queries.ts';

/** Where the branches of earlier maps are in one that is being activated. */
type MovesOfMap = {
  readonly record: Pick<VisualizationRecord, 'user_id' | 'uploaded_by' | 'root_name' | 'pack_key'>;
  readonly moves: readonly MovedAddress[];
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
  tx: Tx,
  { record, moves, at }: MovesOfMap,
): Promise<void> {
  const { user_id, uploaded_by, root_name, pack_key: packKey } = record;
  const root_hash = await dataSetOf(tx, user_id, false, root_name);
  const plan = await findLockedPlan(tx, { owner_id: user_id, of_sample: false, root_hash });
  if (!plan || moves.length === 0) return;
  const entries = await entriesOf(tx, plan.id);
  const nodes = await movedNodes(
    entries.map(({ paths }) => paths[0]!),
    moves,
    root_name,
    (addresses) => planFacts({ packKey, addresses }),
  );
  const wanted = entries.flatMap((entry, at): Wanted[] => {
    const facts = nodes[at];
    return facts && pathHash(facts.path) !== entry.path_hashes[0] ? [{ entry, facts }] : [];
  });
  const free = withoutOccupied(entries, wanted);
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

/** Without those whose place is that of an entry that stays, or of an earlier one among them. */
function withoutOccupied(entries: readonly EntryRecord[], wanted: readonly Wanted[]): readonly Wanted[] {
  for (let remaining = wanted; ; ) {
    const moving = new Set(remaining.map(({ entry }) => entry.id));
    const occupied = new Set(
      entries.filter(({ id, is_planned }) => is_planned && !moving.has(id)).map(({ path_hashes }) => path_hashes[0]!),
    );
    const next = remaining.filter(({ entry, facts: { path } }) => {
      const place = pathHash(path);
      // Entries that are not in the plan take no place.
      if (!entry.is_planned) return true;
      if (occupied.has(place)) return false;
      occupied.add(place);
      return true;
    });
    if (next.length === remaining.length) return next;
    remaining = next;
  }
}
