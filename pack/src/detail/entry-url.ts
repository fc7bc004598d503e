import type { PackReader } from '../format/pack-reader.ts';
import { type Field, fieldOf, nestedFields } from '../upload/fields.ts';
import { numberOfText } from '../upload/numbers.ts';
import { fold } from '../upload/spelling.ts';
import type { OriginalMembers } from './original.ts';

/** The members of an entry, with those of nested objects that count as its own. */
export type Said = readonly (readonly [name: string, value: unknown])[];

/** The address of one entry, and its figures there; NaN where unknown. */
export type EntryUrl = { readonly url: string; readonly position: number; readonly impressions: number };

/** The URL and position of an entry; undefined if it has no URL. Called for every entry of a file, so it copies nothing. */
export function entryUrl(members: OriginalMembers): EntryUrl | undefined {
  const best: Best = { url: undefined, position: undefined, impressions: undefined, page: undefined };
  findBest(members, best);
  const url = best.url ? best.url.value : best.page;
  if (typeof url !== 'string' || url.trim() === '') return undefined;
  const position = numberOf(best.position?.value);
  return {
    url: url.trim(),
    position: position >= 1 ? position : Number.NaN,
    impressions: numberOf(best.impressions?.value),
  };
}

type Ranked = { readonly rank: number; readonly value: unknown };
type Best = Record<'url' | 'position' | 'impressions', Ranked | undefined> & { page: unknown };

function findBest(members: OriginalMembers, best: Best): void {
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value === null || value === '') continue;
    if (typeof value === 'object' && nestedFields.has(name)) {
      findBest(value as OriginalMembers, best);
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
}

/** Adds the members of nested objects that count as members of the entry. */
export function flat(members: OriginalMembers): Said {
  return Object.entries(members).flatMap(([name, value]): Said => {
    const isInner = nestedFields.has(name) && typeof value === 'object' && value !== null;
    return isInner ? flat(value as OriginalMembers) : [[name, value]];
  });
}

/** `page` is a URL in some files and a cluster in others. */
export function urlOf(said: Said): string | undefined {
  const url = preferred(said, 'url') ?? said.find(([name, value]) => isAddress(value) && fold(name) === 'page')?.[1];
  return typeof url === 'string' && url.trim() !== '' ? url.trim() : undefined;
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^https?:/iu.test(value);

export function preferred(said: Said, field: 'url' | 'position' | 'impressions'): unknown {
  let best: { rank: number; value: unknown } | undefined;
  for (const [name, value] of said) {
    const found = fieldNamed(name);
    if (found?.name !== field || value === null || value === '') continue;
    if (!best || found.rank < best.rank) best = { rank: found.rank, value };
  }
  return best?.value;
}

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

export const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' ? numberOfText(value) : Number.NaN;

/** Whether keywords may have URLs, by the names of the members that the pack knows. */
export function mayHaveUrls({ metadata: { fields, withheld } }: PackReader): boolean {
  return [...fields, ...withheld].some(({ name }) => isUrlName(name));
}

export const isUrlName = (name: string): boolean => ['url', 'page'].includes(fieldOf(name)?.name ?? '');
