import type { PlainEntry } from './filter-oracle.ts';

/**
 * Merges the entries of each keyword, in the order of the first ones. Computed from plain objects, without any product
 * code.
 *
 * @param keyOf maps texts of the same keyword to the same key
 */
export function mergeNaively(entries: readonly PlainEntry[], keyOf: (text: string) => string): PlainEntry[] {
  const groups = new Map<string, PlainEntry[]>();
  for (const entry of entries) groups.set(keyOf(entry.keyword), [...(groups.get(keyOf(entry.keyword)) ?? []), entry]);
  return [...groups.values()].map(merge);
}

function merge(group: readonly PlainEntry[]): PlainEntry {
  if (group.length === 1) return group[0]!;
  const known = <Name extends keyof PlainEntry>(name: Name) => group.filter((entry) => entry[name] !== undefined);
  const sum = (name: 'Visits' | 'Clicks' | 'Impressions') =>
    known(name).length === 0 ? undefined : known(name).reduce((total, entry) => total + entry[name]!, 0);
  const newest = <Name extends keyof PlainEntry>(name: Name): PlainEntry[Name] | undefined => {
    const dates = known(name).map((entry) => entry.date ?? '');
    const latest = dates.toSorted().at(-1);
    return known(name)[dates.lastIndexOf(latest ?? '')]?.[name];
  };
  const weighted = (name: 'position' | 'CTR') => {
    const all = known(name);
    const weight = all.reduce((total, entry) => total + (entry.Impressions ?? 0), 0);
    if (weight > 0) return all.reduce((total, entry) => total + entry[name]! * (entry.Impressions ?? 0), 0) / weight;
    if (name === 'position') return all.toSorted((one, other) => one.position! - other.position!)[0]?.position;
    return all.length > 0 ? all.reduce((total, entry) => total + entry[name]!, 0) / all.length : undefined;
  };
  const both = group.filter((entry) => entry.Clicks !== undefined && (entry.Impressions ?? 0) > 0);
  const rate =
    both.reduce((total, { Clicks }) => total + Clicks!, 0) /
    both.reduce((total, { Impressions }) => total + Impressions!, 0);
  const hasRate = entriesSay(group, 'CTR');
  const intent = [...new Set(group.flatMap((entry) => entry.intent?.split(', ') ?? []))].join(', ');
  const Tags = [...new Set(group.flatMap((entry) => entry.Tags ?? []))];
  const merged = {
    keyword: group[0]!.keyword,
    volume: newest('volume'),
    difficulty: newest('difficulty'),
    cpc: newest('cpc'),
    competition: newest('competition'),
    position: weighted('position'),
    intent: intent || undefined,
    Visits: sum('Visits'),
    Clicks: sum('Clicks'),
    Impressions: sum('Impressions'),
    CTR: both.length > 0 ? rate : hasRate ? weighted('CTR') : undefined,
    Stage: newest('Stage'),
    Tags: Tags.length > 0 ? Tags : undefined,
    date: newest('date'),
    trend: newest('trend'),
    'YoY change': newest('YoY change'),
    Branded: newest('Branded'),
  };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as unknown as PlainEntry;
}

const entriesSay = (group: readonly PlainEntry[], name: keyof PlainEntry): boolean =>
  group.some((entry) => entry[name] !== undefined);
