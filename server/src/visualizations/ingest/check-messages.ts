import type { PackHead } from '@kc/pack/write/pack-check';
import type { StoragePlace } from '../../storage/storage.ts';

/** What the thread that checks is told: what it will find, then how many bytes of it are there, and when that is all. */
export type CheckOrder =
  | { readonly kind: 'head'; readonly head: PackHead }
  | { readonly kind: 'written'; readonly bytes: number; readonly isWhole: boolean };

/** The storage and the object that a pack is being written to. Crosses into the thread that checks. */
export type CheckedObject = { readonly place: StoragePlace; readonly key: string };
