import type { PackReader } from '../format/pack-reader.ts';
import { type Field, fieldOf, nestedFields } from '../upload/fields.ts';
import { numberOfText } from '../upload/numbers.ts';
import { fold } from '../upload/spelling.ts';
import type { OriginalMembers } from './original.ts';

/** The figures by which the values of an entry are ranked; NaN where unknown. */
export type EntryRank = { readonly position: number; readonly impressions: number };

/** The URL of one entry, and its figures there. */
export type EntryUrl = EntryRank & { readonly url: string };

/**
 * The URL of an entry and its figures there; undefined if it has no URL. `page` is a URL in some files and a cluster in others. Called for
 * every entry of a file, so it copies no members.
 */
export function entryUrl(members: OriginalMembers): EntryUrl | undefined {
  const best = bestIn(members);
  const url = best.url ? best.url.value : best.page;
  return typeof url === 'string' && url.trim() !== '' ? { url: url.trim(), ...rankOf(best) } : undefined;
}

/** The figures of an entry, whether or not it has a URL. */
export const entryRank = (members: OriginalMembers): EntryRank => rankOf(bestIn(members));

function rankOf({ position, impressions }: Best): EntryRank {
  const value = numberOf(position?.value);
  return { position: value >= 1 ? value : Number.NaN, impressions: numberOf(impressions?.value) };
}

/** A value, and the rank of its member's name: see {@link Field}. */
type Ranked = { readonly rank: number; readonly value: unknown };
type Best = Record<'url' | 'position' | 'impressions', Ranked | undefined> & { page: unknown };

function bestIn(
  members: OriginalMembers,
  best: Best = { url: undefined, position: undefined, impressions: undefined, page: undefined },
): Best {
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value === null || value === '') continue;
    if (typeof value === 'object' && nestedFields.has(name)) {
      bestIn(value as OriginalMembers, best);
      continue;
    }
    const field = fieldNamed(name);
    switch (field?.name) {
      case 'url':
      case 'position':
      case 'impressions': {
        const known = best[field.name];
        if (!known || field.rank < known.rank) best[field.name] = { rank: field.rank, value };
        break;
      }
      case 'page':
        if (best.page === undefined && isAddress(value) && fold(name) === 'page') best.page = value;
    }
  }
  return best;
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^https?:/iu.test(value);

/** The fields of the last names: entries of a file have the same names, and normalising a name takes long. */
const fields = new Map<string, Field | undefined>();
const maxFields = 256;

function fieldNamed(name: string): Field | undefined {
  if (fields.has(name)) return fields.get(name);
  const found = fieldOf(name);
  if (fields.size >= maxFields) fields.clear();
  fields.set(name, found);
  return found;
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' ? numberOfText(value) : Number.NaN;

/** Whether keywords may have URLs, by the names of the members that the pack knows. */
export function mayHaveUrls({ metadata: { fields, withheld } }: PackReader): boolean {
  return [...fields, ...withheld].some(({ name }) => isUrlName(name));
}

export const isUrlName = (name: string): boolean => ['url', 'page'].includes(fieldOf(name)?.name ?? '');
