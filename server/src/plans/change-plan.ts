import { randomUUID } from 'node:crypto';
import type { NodeFacts } from '@kc/pack/plan/node-facts';
import { limits } from '@kc/rules/limits';
import { emptyFields, type PlanChange, type PlanField } from '@kc/rules/plan';
import { type FieldMark, mergeChange, undoOf } from '@kc/rules/plan-merge';
import { notify } from '../database/notifications.ts';
import { inTransaction } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { accountWriter, currentPlanData, type PlanData } from './plan-data.ts';
import { type EntryRecord, entriesAtPaths, entriesById, lockPlan, pathHash, planFull } from './plan-queries.ts';
import { type PlanWrite, placeIsFree, type Written } from './plan-write.ts';

/** A node that becomes an entry, or has one already, and the entry that the page sees there. */
type NodeTarget = { readonly facts: NodeFacts; readonly entryId: string | undefined };

/**
 * Changes fields of entries, and adds nodes to the plan, field by field as `mergeChange` says.
 *
 * @param base the revision that the writer has seen
 * @throws the refusal as the contract's error if an entry does not exist, or the plan would have too many
 */
export async function changeEntries(
  write: PlanWrite,
  targets: { readonly entries: readonly string[]; readonly nodes: readonly NodeTarget[] },
  change: PlanChange,
  base: number,
): Promise<Written> {
  const { tx, plan } = write;
  const named = await entriesById(tx, plan.id, [
    ...targets.entries,
    ...targets.nodes.flatMap(({ entryId }) => entryId ?? []),
  ]);
  const byId = new Map(named.map((entry) => [entry.id, entry]));
  if (targets.entries.some((id) => !byId.has(id))) throw asError({ code: 'plan/entry-not-found' });
  const found = new Map(targets.entries.map((id) => [id, byId.get(id)!]));
  const added: PlanChange = { ...change, set: { ...change.set, isPlanned: change.set.isPlanned ?? true } };
  const ofNodes = new Map<string, EntryRecord>();
  for (const entry of await entriesOfNodes(write, targets.nodes, byId)) {
    if (!found.has(entry.id)) ofNodes.set(entry.id, entry);
  }
  const written = mergeAll(write, [...found.values()], change, base);
  return join(written, mergeAll(write, [...ofNodes.values()], added, base));
}

/** Merges a change into entries. */
function mergeAll(
  { plan, stamp }: Pick<PlanWrite, 'plan' | 'stamp'>,
  entries: readonly EntryRecord[],
  change: PlanChange,
  base: number,
  spares: 'others' | 'all' = 'others',
): Written {
  const written: Written = { entries: [], changes: [], conflicts: [], isFull: false, named: [] };
  for (const entry of entries) {
    const { fields, marks, changes, conflicts, isFull } = mergeChange(entry, change, base, stamp, spares);
    written.named.push(entry.id);
    written.conflicts.push(...conflicts.map((field) => ({ entry: entry.id, field })));
    written.isFull ||= isFull;
    if (changes.length === 0) continue;
    const removedAt = fields.isPlanned ? null : (entry.removed_at ?? new Date(stamp.at));
    written.entries.push({
      ...entry,
      fields,
      marks,
      rev: stamp.rev,
      is_planned: fields.isPlanned,
      removed_at: removedAt,
    });
    written.changes.push(...changes.map((one) => ({ ...one, entryId: entry.id, planId: plan.id })));
  }
  return written;
}

const join = (one: Written, other: Written): Written => ({
  entries: [...one.entries, ...other.entries],
  changes: [...one.changes, ...other.changes],
  conflicts: [...one.conflicts, ...other.conflicts],
  isFull: one.isFull || other.isFull,
  named: [...one.named, ...other.named],
});

/** For each node its entry: the one in the plan, the one that was removed last, or a new one. */
async function entriesOfNodes(
  write: PlanWrite,
  nodes: readonly NodeTarget[],
  named: ReadonlyMap<string, EntryRecord>,
): Promise<EntryRecord[]> {
  const hashed = nodes.map(({ facts, entryId }) => ({
    facts,
    hash: pathHash(facts.path),
    own: named.get(entryId ?? ''),
  }));
  const wanted = hashed.flatMap(({ hash, own }) => (own ? [] : [hash]));
  const there = await entriesAtPaths(write.tx, write.plan.id, wanted);
  const atPlace = new Map<string, EntryRecord>();
  for (const entry of there.toReversed()) atPlace.set(entry.path_hashes[0]!, entry);
  const hadPlace = new Set(there.flatMap(({ path_hashes }) => path_hashes));
  return hashed.map(({ facts, hash, own }) => {
    const entry = own ?? atPlace.get(hash);
    if (entry) return entry;
    // An entry that has left this place loses it in earlier uploads, where it was matched by its earlier path.
    if (hadPlace.has(hash)) write.changesMatching();
    return newEntry(write.plan.id, facts, write.stamp);
  });
}

/** An entry that is not in the plan yet, so that adding it is a change like any other. */
function newEntry(planId: string, facts: NodeFacts, stamp: FieldMark): EntryRecord {
  return {
    id: randomUUID(),
    plan_id: planId,
    kind: facts.kind,
    is_planned: false,
    ...placeOf(facts, []),
    fields: { ...emptyFields, isPlanned: false },
    marks: {},
    rev: stamp.rev,
    added_by: stamp.by,
    added_at: new Date(stamp.at),
    removed_at: null,
  };
}

/** What an entry keeps of its node. @param before the paths that it had, newest first */
export function placeOf(
  { path, keywords, volume, fingerprint }: NodeFacts,
  before: EntryRecord['paths'],
): Pick<EntryRecord, 'paths' | 'path_hashes' | 'keywords' | 'volume' | 'fingerprint'> {
  const own = pathHash(path);
  const earlier = before.filter((one) => pathHash(one) !== own).slice(0, maxEarlierPaths);
  return {
    paths: [path, ...earlier],
    path_hashes: [own, ...earlier.map(pathHash)],
    keywords,
    volume: volume ?? null,
    fingerprint: Buffer.from(fingerprint.join(''), 'hex'),
  };
}

/** Uploads older than so many moves may show an entry as missing. */
const maxEarlierPaths = 20;

/** Refuses entries that come back to a place that another one has taken meanwhile. */
export async function checkPlaces(write: PlanWrite, { entries }: Written): Promise<void> {
  const back = entries.filter((entry) => entry.is_planned && entry.marks.isPlanned?.rev === write.stamp.rev);
  if (!(await placeIsFree(write, back))) throw asError({ code: 'plan/place-taken' });
  if (back.length > 0 && (await write.count()) + back.length > limits.maxPlanEntries) {
    throw planFull();
  }
}

/**
 * Sets how many months before a peak to publish. It is no field of an entry: the last write holds.
 *
 * @throws the refusal as the contract's error if the data were deleted or the right to them was lost meanwhile
 */
export async function setLead(
  { db, mayDo, now }: Pick<ServerParts, 'db' | 'mayDo' | 'now'>,
  data: PlanData,
  by: string,
  lead: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { set } = await currentPlanData(tx, await accountWriter(mayDo, by, data).hold(tx), data);
    const { id } = await lockPlan(tx, set, new Date(now()));
    await tx.updateTable('plans').set({ lead_months: lead }).where('id', '=', id).execute();
    await notify(tx, { about: 'plans', accountId: set.owner_id });
  });
}

/**
 * Takes back what the same person's write did to fields, except fields that somebody has changed since.
 *
 * @throws the refusal as the contract's error if there was no such write, or it is too old
 */
export async function undoBatch(write: PlanWrite, undone: string): Promise<Written> {
  const { tx, plan, stamp } = write;
  const changes = await tx
    .selectFrom('plan_changes')
    .selectAll()
    .where('plan_id', '=', plan.id)
    .where('batch', '=', undone)
    .orderBy('id')
    .execute();
  const first = changes[0];
  const isOld = first && stamp.at - first.at.getTime() > limits.planUndoMs;
  if (!first || isOld || first.by_account !== stamp.by) throw asError({ code: 'plan/no-undo' });
  const entries = await entriesById(
    tx,
    plan.id,
    changes.map(({ entry_id }) => entry_id),
  );
  const written: Written = { entries: [], changes: [], conflicts: [], isFull: false, named: [] };
  const byEntry = Map.groupBy(changes, ({ entry_id }) => entry_id);
  for (const entry of entries) {
    const own = byEntry.get(entry.id)!.filter(({ field }) => field !== 'path');
    const change = undoOf(own.map(({ field, before, after }) => ({ field: field as PlanField, before, after })));
    const merged = mergeAll(write, [entry], change, first.revision, 'all');
    written.entries.push(...merged.entries);
    written.changes.push(...merged.changes);
    written.conflicts.push(...merged.conflicts);
    written.named.push(...merged.named);
  }
  return written;
}

/** An entry, and the node that it is given. */
type Move = { readonly entry: string; readonly facts: NodeFacts };

/**
 * Gives entries other nodes. The path that they had stays as an earlier one, so older uploads match as before. An entry that
 * gets the node that it has is confirmed: what the node holds now is what it is recognised by.
 *
 * @throws the refusal as the contract's error if an entry does not exist or a place belongs to another one
 */
export async function moveEntries(write: PlanWrite, moves: readonly Move[]): Promise<Written> {
  const { tx, plan, stamp } = write;
  const ids = moves.map(({ entry }) => entry);
  const named = new Map((await entriesById(tx, plan.id, ids)).map((entry) => [entry.id, entry]));
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
