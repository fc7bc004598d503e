import type { DraftOperation, OperationEffect } from '@kc/cluster/draft/operations';
import type { ReviewPage, ReviewRange } from '@kc/cluster/draft/review';
import type { DraftCounts, DraftMarks } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import type { FaultKind, StoragePlace } from '../storage/storage.ts';
import type { DraftChange } from './edit-history.ts';
import type { WrittenRevision } from './revision.ts';

/** The draft that a process edits, as of one revision. */
export type EditedDraftSource = {
  readonly place: StoragePlace;
  /** Its stored draft. */
  readonly graphKey: string;
  /** Operations up to the revision. */
  readonly operations: readonly DraftOperation[];
  readonly viewId: string;
  /** Memory that reading an upload may use, in bytes. */
  readonly memoryBytes: number;
};

/** Sent to the editing process: first the draft, then one request at a time. */
export type EditingOrder =
  | ({ readonly kind: 'begin' } & EditedDraftSource)
  /** Writes the revision that a change leads to. `base` and `next` are view IDs. */
  | { readonly kind: 'change'; readonly base: string; readonly next: string; readonly change: DraftChange }
  /** Writes the upload of a revision under another root name. */
  | { readonly kind: 'rename-root'; readonly base: string; readonly name: string }
  /** Lists a part of what an update did. */
  | { readonly kind: 'review'; readonly base: string; readonly range: ReviewRange };

/** What a change led to. */
export type ChangedDraft = {
  readonly revision: WrittenRevision;
  readonly effect: OperationEffect;
  readonly counts: DraftCounts;
  readonly marks: DraftMarks;
  readonly stop: number | undefined;
};

/** The answer to each order. `unknown`: the process does not have this revision, and must be started anew. */
export type EditingAnswer =
  | { readonly kind: 'started' }
  | ({ readonly kind: 'changed' } & ChangedDraft)
  | { readonly kind: 'renamed'; readonly file: string; readonly fileBytes: number }
  | { readonly kind: 'listed'; readonly page: ReviewPage }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'fault'; readonly text: string; readonly of: FaultKind };
