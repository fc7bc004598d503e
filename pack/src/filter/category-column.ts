import type { Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { ownSeasons } from '../season/own-peaks.ts';
import { seasonOfField } from '../season/season-name.ts';

/** The values of a category, the empty one first, and for each row the index of its own. */
export type CategoryColumn = { readonly values: readonly string[]; readonly column: Uint8Array };

/** A category of the file, or the peak month, by name; undefined if the pack has no such category. */
export async function categoryColumn(
  pack: PackReader,
  name: string,
  pause: Pause,
): Promise<CategoryColumn | undefined> {
  const season = seasonOfField(name);
  const seasons = season && (await ownSeasons(pack, season.newest, pause));
  if (seasons) return seasons;
  const field = pack.metadata.fields.find((one) => one.name === name);
  if (field?.kind !== 'category') return undefined;
  return { values: field.values, column: (await pack.column(`field:${name}`)) as Uint8Array };
}
