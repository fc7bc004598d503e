import { type CanonicalField, fieldOf, nestedFields } from './fields.ts';
import { fold } from './spelling.ts';
import { isPlace } from './unrecognised.ts';

/** What a member of keywords and nodes can be said to be, and the spelling that stands for it. */
const spellings = {
  volume: 'search volume',
  difficulty: 'keyword difficulty',
  cpc: 'cpc',
  competition: 'competition',
  intent: 'intent',
  traffic: 'traffic',
  trafficPotential: 'traffic potential',
  trafficCost: 'traffic cost',
  clicks: 'clicks',
  impressions: 'impressions',
  ctr: 'ctr',
  serpFeatures: 'serp features',
} as const satisfies Partial<Record<CanonicalField, string>>;

/** Beside the fields: a field of the file's own, or nothing at all. */
export type MappedMeaning = keyof typeof spellings | 'keep' | 'leaveOut';

export const mappedMeanings = [...Object.keys(spellings), 'keep', 'leaveOut'] as readonly MappedMeaning[];

/** What a person said that members are, by their names. Names are compared like the spellings in `fields.ts`. */
export type FieldMap = Readonly<Record<string, MappedMeaning>>;

/** The name to read a member under; undefined if it is left out. */
export type NameOf = (name: string) => string | undefined;

/**
 * How a field map changes the names of members. A member without an entry has the meaning of its name, unless another
 * member was given that meaning: then it is kept as a field of the file. The names, types and lists of entries, and what
 * they are nested in, cannot be changed.
 */
export function namesBy(map: FieldMap): NameOf {
  const meanings = new Map(Object.entries(map).map(([name, meaning]) => [fold(name), meaning]));
  const given = new Set<string>(meanings.values());
  return (name) => {
    const field = fieldOf(name)?.name;
    if (isPlace(name) || nestedFields.has(name) || field === 'keyword') return name;
    const meaning = meanings.get(fold(name)) ?? (field !== undefined && given.has(field) ? 'keep' : undefined);
    if (meaning === undefined || meaning === field) return name;
    if (meaning === 'leaveOut') return undefined;
    if (meaning === 'keep') return field === undefined ? name : `${name} as it is`;
    return spellings[meaning];
  };
}
