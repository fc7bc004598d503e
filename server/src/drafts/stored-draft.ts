import { deserialize, serialize } from 'node:v8';
import type { DraftContext } from '@kc/cluster/draft/context';
import { type DraftMap, draftJson } from '@kc/cluster/draft/draft-json';
import type { DraftState } from '@kc/cluster/draft/draft-state';
import type { PlannedMap } from '@kc/cluster/lists/make-map';
import type { FieldMap } from '@kc/rules/upload';
import { loadRowRoom } from '../clustering/clustering-memory.ts';
import type { Storage } from '../storage/storage.ts';
import { storedBlocks, writeBlocks } from '../storage/whole-objects.ts';

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
  /** How these are read, where that was corrected in the map that the draft is made of. */
  readonly fieldMap?: FieldMap | null;
  readonly clustering: DraftMap['clustering'];
  /** Whether it is made of a map, whose branches others may refer to. */
  readonly isOfMap?: boolean;
  /** The text of that map, of which nothing changes by itself. An update writes everything anew. */
  readonly original?: DraftMap['original'];
  /** Before the first operation. */
  readonly state: DraftState;
};

/** @param name of the root */
export function storedDraftOf(
  { list, settings, prepared, isInGroups, update, state, fields, clustering }: Omit<PlannedMap, 'method'>,
  name: string,
  isOfMap = false,
): StoredDraft {
  const context = { list, settings, prepared, isInGroups, update };
  return { format: 1, name, context, fields, clustering, isOfMap, state };
}

/** Writes it durably. @returns its size in bytes */
export function writeStoredDraft(storage: Storage, key: string, draft: StoredDraft): Promise<number> {
  return writeBlocks(storage, key, [serialize(draft)]);
}

/** @throws if the object is missing, broken, or has another format */
export async function readStoredDraft(storage: Storage, key: string): Promise<StoredDraft> {
  const blocks: Uint8Array[] = [];
  for await (const block of storedBlocks(storage, key)) blocks.push(block);
  const draft = deserialize(Buffer.concat(blocks)) as StoredDraft;
  if (draft.format !== 1) throw new Error(`A stored draft has format ${String(draft.format)}`);
  return { ...draft, state: { ...unreviewed(draft.state.topicOf.length), ...draft.state } };
}

/** What states of format 1 did not have at first. */
const unreviewed = (keywords: number): Pick<DraftState, 'goneFrom' | 'reviewed'> => ({
  goneFrom: new Map(),
  reviewed: new Uint8Array(keywords),
});

/** The upload that a state of a draft would publish, in blocks. @param name of the root */
export function jsonOf(draft: StoredDraft, state: DraftState, name = draft.name): Generator<Uint8Array> {
  const { list, prepared } = draft.context;
  const { texts, volume } = list;
  const { fields, clustering, isOfMap, original } = draft;
  const base = isOfMap ? { state: draft.state, name: draft.name } : undefined;
  return draftJson({ name, texts, volume, fields, clustering, state, base, original, prepared, room: loadRowRoom() });
}
