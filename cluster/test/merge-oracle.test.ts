import { expect, test } from 'vitest';
import { keywordsOf, type NamedFile, utf8 } from './support/lists.ts';
import { randomNumbers } from './support/random-numbers.ts';

// Random lists of few keywords with many rows, and every merged value recomputed from the rows, one keyword at a time.

type Row = {
  readonly keyword: string;
  readonly market: string;
  readonly volume: number;
  readonly difficulty: number;
  readonly clicks: number;
  readonly impressions: number;
  readonly position: number;
  readonly url: string;
  readonly features: string;
  readonly group: string;
  readonly updated: string;
};
type File = { readonly day: string | undefined; readonly rows: readonly Row[] };
/** With the place of a row among all rows, and how new it is. */
type Entry = Row & { readonly at: number; readonly age: string };

const unknown = Number.NaN;
const cell = (value: number | string): string => (Number.isNaN(value) ? '' : String(value));

function randomFiles(seed: number): File[] {
  const below = randomNumbers(seed);
  const oneOf = <Value>(...values: Value[]): Value => values[below(values.length)]!;
  const maybe = (value: number): number => (below(3) === 0 ? unknown : value);
  const hasDays = below(2) === 0;
  const hasUpdates = below(2) === 0;
  return Array.from({ length: 1 + below(3) }, (_, file) => ({
    day: hasDays ? `2026-0${1 + ((file * 2) % 5)}-01` : undefined,
    rows: Array.from({ length: 30 + below(40) }, () => ({
      keyword: `word ${oneOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')}`,
      market: seed % 2 === 0 ? 'us' : oneOf('us', 'de', 'fr'),
      volume: maybe(below(50)),
      difficulty: maybe(below(100)),
      clicks: maybe(below(9)),
      impressions: maybe(below(3) * 10),
      position: maybe(1 + below(40)),
      url: oneOf('', 'https://x.com/1', 'https://x.com/2', 'https://x.com/3'),
      features: oneOf('', 'Video', 'Sitelinks', 'video, Images'),
      group: oneOf('', 'One', 'Two', 'Three'),
      updated: hasUpdates ? oneOf('', '2026-02-01', '2026-02-03') : '',
    })),
  }));
}

const header = 'Keyword,Country,Volume,Difficulty,Clicks,Impressions,Position,URL,SERP Features,Group,Updated';

function asList({ day, rows }: File, number: number): NamedFile {
  const lines = rows.map((row) => {
    const { keyword, market, volume, difficulty, clicks, impressions, position, url, features, group, updated } = row;
    const figures = [volume, difficulty, clicks, impressions, position].map(cell);
    return [keyword, market, ...figures, url, `"${features}"`, group, updated].join(',');
  });
  return { name: `list${number}${day ? `_${day}` : ''}.csv`, bytes: utf8(`${header}\n${lines.join('\n')}\n`) };
}

const known = (values: readonly number[]): number[] => values.filter((value) => !Number.isNaN(value));
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const sumOfKnown = (values: readonly number[]): number => (known(values).length > 0 ? total(known(values)) : unknown);
const oldest = (entries: readonly Entry[]): Entry[] =>
  entries.toSorted((one, other) => (one.age < other.age ? -1 : one.age > other.age ? 1 : one.at - other.at));
const newestOf = (entries: readonly Entry[], name: 'volume' | 'difficulty'): number =>
  oldest(entries).findLast((entry) => !Number.isNaN(entry[name]))?.[name] ?? unknown;

function positionOf(entries: readonly Entry[]): number {
  const ranked = entries.filter(({ position }) => position >= 1);
  const weights = ranked.map(({ impressions }) => impressions || 0);
  if (total(weights) === 0) return ranked.length > 0 ? Math.min(...ranked.map(({ position }) => position)) : Number.NaN;
  return total(ranked.map(({ position }, at) => position * weights[at]!)) / total(weights);
}

function expected(entries: readonly Entry[]) {
  const markets = [...Map.groupBy(entries, ({ market }) => market).values()];
  const volumes = markets.map((own) => newestOf(own, 'volume'));
  const difficulties = markets.map((own) => newestOf(own, 'difficulty'));
  const weighed = difficulties.flatMap((value, at) =>
    Number.isNaN(value) ? [] : [{ value, weight: volumes[at] || 0 }],
  );
  const weight = total(weighed.map((one) => one.weight));
  const features = oldest(entries).flatMap((entry) => entry.features.split(', ').filter(Boolean));
  const urls = Map.groupBy(
    entries.filter(({ url }) => url !== ''),
    ({ url }) => url,
  );
  return {
    rows: entries.length,
    volume: sumOfKnown(volumes),
    difficulty:
      weight > 0
        ? total(weighed.map((one) => one.weight * one.value)) / weight
        : total(weighed.map(({ value }) => value)) / weighed.length,
    clicks: sumOfKnown(entries.map(({ clicks }) => clicks)),
    position: positionOf(entries),
    features: new Set(features.map((feature) => feature.toLowerCase())),
    group: oldest(entries).findLast(({ group }) => group !== '')?.group,
    urls: [...urls].map(([url, own]) => [url, positionOf(own), sumOfKnown(own.map(({ clicks }) => clicks))]),
  };
}

const rounded = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'number' ? Number(one.toPrecision(12)) : one)));

test.each(Array.from({ length: 200 }, (_, seed) => seed + 1))('random lists are merged by the rules (%i)', (seed) => {
  const files = randomFiles(seed);
  const { keywords, report } = keywordsOf(files.map(asList));
  const entries: Entry[] = files.flatMap(({ day, rows }) =>
    rows.map((row) => ({ ...row, at: 0, age: `${day ?? row.updated} ${row.updated}` })),
  );
  const byKeyword = Map.groupBy(
    entries.map((entry, at) => ({ ...entry, at })),
    ({ keyword }) => keyword,
  );
  expect(keywords.text).toEqual([...byKeyword.keys()]);
  expect([report.rows, report.keywords]).toEqual([entries.length, byKeyword.size]);
  const texts = keywords.texts.find(({ name }) => name === 'Group')!;
  for (const [row, own] of [...byKeyword.values()].entries()) {
    const { volume, difficulty, clicks, position } = keywords.figures;
    const { start, url, names, ...of } = keywords.urls!;
    const { values, codes } = keywords.serpFeatures!;
    const list = (values[codes[row]!] ?? '').split(/, ?/u).filter(Boolean);
    const places = Array.from({ length: start[row + 1]! - start[row]! }, (_, at) => start[row]! + at);
    const found = {
      rows: keywords.entries[row]!,
      volume: volume![row]!,
      difficulty: difficulty![row]!,
      clicks: clicks![row]!,
      position: position![row]!,
      group: texts.values[texts.codes[row]!],
      urls: places.map((at) => [names[url[at]!], of.position[at], of.clicks[at]]),
    };
    const { features, ...others } = expected(own);
    expect(rounded(found), own[0]!.keyword).toEqual(rounded(others));
    expect(new Set(list.map((feature) => feature.toLowerCase()))).toEqual(features);
  }
});
