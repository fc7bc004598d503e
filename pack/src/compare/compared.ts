import type { FilteredPack } from '../filter/filtered-pack.ts';
import type { PackReader } from '../format/pack-reader.ts';
import type { MatchedPacks } from './match-packs.ts';

/** What is compared: two packs, or what a filter keeps of them; see `filterComparison`. */
export type Compared = {
  readonly match: MatchedPacks;
  readonly after: PackReader | FilteredPack;
  readonly before: PackReader | FilteredPack;
};
