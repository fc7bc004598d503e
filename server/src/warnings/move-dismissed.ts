import type { MovedAddress } from '@kc/pack/plan/moved-nodes';
import { movedNodes } from '@kc/pack/plan/moved-nodes';
import type { NodePath } from '@kc/pack/plan/node-paths';
import { sql } from 'kysely';
import type { Tx } from '../database/open.ts';
import { dataSetOf } from '../visualizations/data-sets.ts';
import type { VisualizationRecord } from '../visualizations/queries.ts';
import type { PlanQueries } from '../visualizations/query/plan-queries.ts';
import { type DismissedRecord, subjectHash } from './warning-records.ts';

/** As many paths as an entry of a plan keeps. */
const maxPaths = 21;

/**
 * Lets dismissed warnings follow moved branches, and what lies in them, to a new map. In earlier maps they stay dismissed
 * where they were. One that comes to where an equal one is becomes one with it.
 *
 * Call this while the owner is locked, as every write to these records does.
 */
export async function moveDismissed(
  { planFacts }: Pick<PlanQueries, 'planFacts'>,
  tx: Tx,
  { user_id, root_name, pack_key: packKey }: Pick<VisualizationRecord, 'user_id' | 'root_name' | 'pack_key'>,
  moves: readonly MovedAddress[],
): Promise<void> {
  const records = await tx
    .selectFrom('dismissed_warnings')
    .selectAll()
    .where('owner_id', '=', user_id)
    .where('of_sample', '=', false)
    .where('root_hash', '=', await dataSetOf(tx, user_id, false, root_name))
    .orderBy('dismissed_at')
    .orderBy('id')
    .forUpdate()
    .execute();
  const nodes = await movedNodes(
    records.map(({ paths }) => paths[0]!),
    moves,
    root_name,
    (addresses) => planFacts({ packKey, addresses }),
  );
  const after = new Map<string, DismissedRecord>();
  for (const [at, record] of records.entries()) {
    const path = nodes[at]?.path ?? record.paths[0]!;
    const subject_hash = subjectHash(record.kind, path, record.subject);
    const equal = after.get(subject_hash);
    const paths = distinct([path, ...(equal?.paths ?? []), ...record.paths]);
    after.set(subject_hash, { ...(equal ?? record), subject_hash, paths });
  }
  const before = new Map(records.map((record) => [record.id, record]));
  const changed = [...after.values()].filter(({ id, subject_hash, paths }) => {
    const was = before.get(id)!;
    return was.subject_hash !== subject_hash || was.paths.length !== paths.length;
  });
  for (const { id } of after.values()) before.delete(id);
  if (before.size > 0) {
    await tx
      .deleteFrom('dismissed_warnings')
      .where('id', 'in', [...before.keys()])
      .execute();
  }
  if (changed.length === 0) return;
  // Two records may change places, and a place has one at any time.
  await tx
    .updateTable('dismissed_warnings')
    .set({ subject_hash: sql<string>`encode(sha256(convert_to(id, 'UTF8')), 'hex')` })
    .where(
      'id',
      'in',
      changed.map(({ id }) => id),
    )
    .execute();
  for (const { id, subject_hash, paths } of changed) {
    await tx
      .updateTable('dismissed_warnings')
      .set({ subject_hash, paths: JSON.stringify(paths) })
      .where('id', '=', id)
      .execute();
  }
}

/** Each path once, where it stands first. */
function distinct(paths: readonly NodePath[]): NodePath[] {
  return [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()].slice(0, maxPaths);
}
