import { clickRateInPercent } from './click-rate.ts';
import { type CanonicalField, fieldOf, nestedFields } from './fields.ts';
import { fold } from './spelling.ts';
import { isPlace } from './unrecognised.ts';

/** The fields that a user can assign to a member of keywords and nodes, each with the spelling under which the member is then read. */
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
  ctrPercent: clickRateInPercent,
  serpFeatures: 'serp features',
} as const satisfies Partial<Record<CanonicalField | 'ctrPercent', string>>;

/** What a user can assign to a member: a field; `keep`, to keep it under its own name; or `leaveOut`, to ignore it. */
export type MappedMeaning = keyof typeof spellings | 'keep' | 'leaveOut';

export const mappedMeanings = [...Object.keys(spellings), 'keep', 'leaveOut'] as readonly MappedMeaning[];

/** The meanings that a user assigned to members, by member name. Names are compared like the spellings in `fields.ts`. */
export type FieldMap = Readonly<Record<string, MappedMeaning>>;

/** The name under which to read a member; undefined if it is ignored. */
export type NameOf = (name: string) => string | undefined;

/**
 * The names under which a field map lets members be read. A member that is not in the map has the meaning of its name, unless that was assigned
 * to another member; then it is kept under its own name. Members for names, types and lists, and the objects that
 * contain members of an entry, cannot be changed.
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
