import type { NameOf } from './field-map.ts';

/**
 * `maxDepth`: open containers in the file; `maxNodes`: rows in each of the two tables; `nameOf`: the names that members
 * are read under, if not their own.
 */
export type EntryLimits = {
  readonly maxDepth: number;
  readonly maxNameBytes: number;
  readonly maxNodes: number;
  readonly nameOf?: NameOf | undefined;
};
