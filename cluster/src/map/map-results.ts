import { resultsMember } from '@kc/pack/shared-urls/results';
import { keywordKey } from '../pipeline/keyword-list.ts';
import type { FieldValue, UploadField } from '../write/upload-json.ts';
import { rangesOf, withMember } from './json-ranges.ts';
import { MapError } from './map-entries.ts';
import { readMap } from './read-map.ts';

/** The search results of keywords among their fields, best first; undefined if there are none. */
export function resultsIn(fields: readonly UploadField[]): readonly (readonly string[])[] | undefined {
  const values = fields.find(({ name }) => name === resultsMember)?.values;
  return values && Array.from(values, textsOf);
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the same array if possible, because drafts are stored with both. */
const textsOf = (value: FieldValue): readonly string[] => {
  if (!Array.isArray(value)) return [];
  return value.every(isText) ? value : value.filter(isText);
};

/** What happened to search results that were added to a map. */
export type AddedResults = {
  /** Keywords of the map that have received some, and those that have none, not even from before. */
  readonly added: number;
  readonly without: number;
  /** Keywords with results that the map does not have. */
  readonly unmatched: number;
};

/**
 * The text of a map with the search results of a list. Everything else stays as it is written; results from before are
 * replaced where the list has newer ones.
 *
 * @param text JSON that is read as a map
 * @param found the keywords of the list, and by keyword its results, best first
 * @throws MapError as `readMap` does
 */
export function withResults(
  text: string,
  found: { readonly texts: readonly string[]; readonly results: readonly (readonly string[])[] },
): AddedResults & { readonly text: string } {
  const map = readMap(text);
  const fresh = new Map(
    found.texts.flatMap((keyword, row) =>
      found.results[row]!.length > 0 ? [[keywordKey(keyword), found.results[row]!] as const] : [],
    ),
  );
  const before = resultsIn(map.fields);
  const { entries } = rangesOf(text);
  // A map with entries needs one for each keyword. If it had none, all are added.
  const isWithout = entries.length === 0;
  const pieces: string[] = [];
  let [from, added, without] = [0, 0, 0];
  map.texts.forEach((keyword, row) => {
    const own = fresh.get(keywordKey(keyword));
    if (own) added++;
    else if ((before?.[row]?.length ?? 0) === 0) without++;
    const range = entries[row];
    if (range && !own) return;
    if (!range && !isWithout) throw new MapError('keyword-missing');
    const entry = range ? text.slice(range.start, range.end) : JSON.stringify({ keyword });
    const object = entry.startsWith('{') ? entry : `{"keyword":${entry}}`;
    pieces.push(
      text.slice(from, range?.start ?? from),
      own ? withMember(object, resultsMember, JSON.stringify(own)) : object,
    );
    from = range?.end ?? from;
  });
  const whole = isWithout
    ? withMember(text, 'keywords', `[${pieces.filter(Boolean).join()}]`)
    : pieces.join('') + text.slice(from);
  return { text: whole, added, without, unmatched: fresh.size - added };
}
