import type { PackHead } from '@kc/pack/write/pack-check';
import type { StoragePlace } from '../../storage/storage.ts';

/** Messages to the verifying thread: what it will find, then how many bytes are there, and when that is all. */
export type CheckOrder =
  | { readonly kind: 'head'; readonly head: PackHead }
  | { readonly kind: 'written'; readonly bytes: number; readonly isWhole: boolean };

/** The storage and the object that a pack is written to. Sent to the verifying thread. */
export type CheckedObject = { readonly place: StoragePlace; readonly key: string };
