import { deserialize, serialize } from 'node:v8';
import type { DraftContext } from '@kc/cluster/draft/context';
import { type DraftMap, draftJson } from '@kc/cluster/draft/draft-json';
import type { DraftState } from '@kc/cluster/draft/draft-state';
import type { PlannedMap } from '@kc/cluster/lists/make-map';
import { newKey, type Storage } from '../storage/storage.ts';
import { storedBlocks, writeBlocks } from './revision.ts';

/**
 * All that editing a draft begins with, stored as one object. It stays the same while the draft is edited: its later
 * states follow from the operations.
 */
export type StoredDraft = {
  /** Of the stored form; another one is not read. */
  readonly format: 1;
  /** The name of the root, from which addresses are computed. */
  readonly name: string;
  readonly context: DraftContext;
  readonly fields: DraftMap['fields'];
  readonly clustering: DraftMap['clustering'];
  /** Before the first operation. */
  readonly state: DraftState;
};

/** @param name of the root */
export function storedDraftOf(
  { list, settings, prepared, state, fields, clustering }: Omit<PlannedMap, 'method'>,
  name: string,
): StoredDraft {
  return { format: 1, name, context: { list, settings, prepared }, fields, clustering, state };
}

/** Writes it durably. @returns its temporary key */
export async function writeStoredDraft(storage: Storage, draft: StoredDraft): Promise<string> {
  const key = newKey('temp');
  await writeBlocks(storage, key, [serialize(draft)]);
  return key;
}

/** @throws if the object is missing, broken, or has another format */
export async function readStoredDraft(storage: Storage, key: string): Promise<StoredDraft> {
  const blocks: Uint8Array[] = [];
  for await (const block of storedBlocks(storage, key)) blocks.push(block);
  const draft = deserialize(Buffer.concat(blocks)) as StoredDraft;
  if (draft.format !== 1) throw new Error(`A stored draft has format ${String(draft.format)}`);
  return draft;
}

/** The upload that a state of a draft would publish, in blocks. @param name of the root */
export function jsonOf(draft: StoredDraft, state: DraftState, name = draft.name): Generator<Uint8Array> {
  const { texts, volume } = draft.context.list;
  return draftJson({ name, texts, volume, fields: draft.fields, clustering: draft.clustering, state });
}
