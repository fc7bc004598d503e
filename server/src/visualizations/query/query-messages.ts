import type { PackQueries } from './pack-queries.ts';

export type Question = Exclude<keyof PackQueries, 'close'>;

/** A call of {@link PackQueries} on its way into the thread. */
export type QueryCall =
  | { readonly call: number; readonly question: Question; readonly args: readonly unknown[] }
  /** Nobody waits for the answer to this call any more. */
  | { readonly giveUp: number };

export type QueryAnswer =
  | { readonly call: number; readonly value: unknown }
  /** The key of a stored object that a record speaks of and that is not there. */
  | { readonly call: number; readonly missing: string }
  | { readonly call: number; readonly error: Error };
