import type { NodeFacts } from '@kc/pack/plan/node-facts';
import { asError } from '../http/refusals.ts';
import { placeOf } from './change-plan.ts';
import { type EntryRecord, entriesById } from './plan-queries.ts';
import { type PlanWrite, placeIsFree, type Written } from './plan-write.ts';

/** An entry, and the node that it is given. */
export type Move = { readonly entry: string; readonly facts: NodeFacts };

/**
 * Gives entries other nodes. The path that they had stays as an earlier one, so older uploads match as before. An entry that
 * gets the node that it has is confirmed: what the node holds now is what it is recognised by.
 *
 * @throws the refusal as the contract's error if an entry does not exist or a place belongs to another one
 */
export async function moveEntries(write: PlanWrite, moves: readonly Move[]): Promise<Written> {
  const { tx, plan, stamp } = write;
  const named = new Map(
    (
      await entriesById(
        tx,
        plan.id,
        moves.map(({ entry }) => entry),
      )
    ).map((entry) => [entry.id, entry]),
  );
  const written: Written = { entries: [], changes: [], conflicts: [], isFull: false, named: [] };
  for (const { entry: id, facts } of moves) {
    const entry = named.get(id);
    if (!entry) throw asError({ code: 'plan/entry-not-found' });
    written.named.push(id);
    const moved: EntryRecord = { ...entry, ...placeOf(facts, entry.paths), kind: facts.kind, rev: stamp.rev };
    const isConfirmed = moved.path_hashes[0] === entry.path_hashes[0];
    if (isConfirmed && moved.fingerprint.equals(entry.fingerprint)) continue;
    written.entries.push(moved);
    if (isConfirmed) continue;
    const [before, after] = [entry.paths[0]!.map(([name]) => name), facts.path.map(([name]) => name)];
    written.changes.push({ entryId: id, planId: plan.id, field: 'path', before, after });
  }
  if (!(await placeIsFree(write, written.entries))) throw asError({ code: 'plan/place-taken' });
  if (written.changes.length > 0) write.changesMatching();
  return written;
}
