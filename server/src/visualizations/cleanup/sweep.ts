import { type Db, inTransaction } from '../../database/open.ts';

import type { Storage } from '../../storage/storage.ts';
import { endGrace, referencedKeys } from '../queries.ts';
import { deleteForgotten, findForgotten, holdCreations } from '../upload/upload-queries.ts';
import { deleteForgottenDrafts } from './forgotten-drafts.ts';
import { deleteForgottenPlanEntries } from './forgotten-plan-entries.ts';

export type SweepDeps = { readonly db: Db; readonly storage: Storage; now(): number };

/** What was removed, or would be. */
export type Swept = { readonly uploads: readonly string[]; readonly objects: readonly string[] };

export const graceMs = 24 * 3_600_000;
const batch = 200;

/**
 * Removes what is no longer needed: uploads without activity for a day, drafts that nobody has touched for long, plan
 * entries that were removed long ago, and objects older than a day that no row refers to.
 *
 * A key is written into a row before its object exists and never afterwards, so an object without a row stays without
 * one. Packs under construction have no row but are younger. Right before an object is removed, both are checked again
 * while no upload can begin.
 *
 * Source: SECURITY.md, REL-07.
 */
export async function sweep(deps: SweepDeps, dryRun = false): Promise<Swept> {
  const before = deps.now() - graceMs;
  if (!dryRun) {
    await deleteForgottenDrafts(deps.db, deps.now());
    await deleteForgottenPlanEntries(deps.db, deps.now());
  }
  const uploads = await sweepUploads(deps, before, dryRun);
  const objects = await sweepObjects(deps, (await deps.storage.now()) - graceMs, dryRun);
  if (!dryRun) await endGrace(deps.db, { before: new Date(deps.now()) });
  return { uploads, objects };
}

async function sweepUploads({ db }: SweepDeps, before: number, dryRun: boolean): Promise<string[]> {
  const forgotten = await findForgotten(db, new Date(before));
  const swept: string[] = [];
  for (const id of forgotten) {
    if (dryRun || (await deleteForgotten(db, id, new Date(before)))) swept.push(id);
  }
  return swept;
}

async function sweepObjects(deps: SweepDeps, before: number, dryRun: boolean): Promise<string[]> {
  const swept: string[] = [];
  let keys: string[] = [];
  const sweepBatch = async (): Promise<void> => {
    swept.push(...(await sweepKeys(deps, keys, before, dryRun)));
    keys = [];
  };
  for await (const key of deps.storage.list()) {
    keys.push(key);
    if (keys.length === batch) await sweepBatch();
  }
  await sweepBatch();
  return swept;
}

async function sweepKeys(
  { db, storage, now }: SweepDeps,
  keys: readonly string[],
  before: number,
  dryRun: boolean,
): Promise<string[]> {
  const old = await oldOnes(storage, keys, before);
  const referenced = await referencedKeys(db, old, new Date(now()));
  const candidates = old.filter((key) => !referenced.has(key));
  if (dryRun || candidates.length === 0) return candidates;
  return inTransaction(db, async (transaction) => {
    await holdCreations(transaction);
    const stillOld = await oldOnes(storage, candidates, before);
    const referenced = await referencedKeys(transaction, stillOld, new Date(now()));
    const gone = stillOld.filter((key) => !referenced.has(key));
    for (const key of gone) await storage.remove(key);
    return gone;
  });
}

async function oldOnes(storage: Storage, keys: readonly string[], before: number): Promise<string[]> {
  const old: string[] = [];
  for (const key of keys) {
    const found = await storage.stat(key);
    if (found && found.modifiedAt < before) old.push(key);
  }
  return old;
}
