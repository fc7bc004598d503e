import { randomUUID } from 'node:crypto';
import type { NodeFacts } from '@kc/pack/plan/node-facts';
import { limits } from '@kc/rules/limits';
import { emptyFields, type PlanChange } from '@kc/rules/plan';
import { type FieldMark, mergeChange } from '@kc/rules/plan-merge';
import { asError } from '../http/refusals.ts';
import type { EntryRecord } from './plan-queries.ts';
import { entriesAtPaths, entriesById, pathHash } from './plan-queries.ts';
import { type PlanWrite, placeIsFree, type Written } from './plan-write.ts';

/** A node that becomes an entry, or has one already, and the entry that the page sees there. */
export type NodeTarget = { readonly facts: NodeFacts; readonly entryId: string | undefined };

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
export function mergeAll(
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
    throw asError({ code: 'plan/full', params: { max: limits.maxPlanEntries.toLocaleString('en') } });
  }
}
