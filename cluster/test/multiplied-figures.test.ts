import { expect, test } from 'vitest';
import { readList as read } from './support/lists.ts';

// Figures in multiples that the names of their columns say, and in words beside numbers.

test.each([
  ...['Volume (k)', 'Search Volume (in thousands)', 'Volume (000s)', 'Volume in thousands', 'Volume (x1,000)'],
  ...['Volume, thousands', 'Volume k', 'Suchvolumen in Tsd.', 'Suchvolumen (Tausend)', 'Частота, тыс.'],
])('figures in thousands are multiplied: %s', (name) => {
  expect(read(`Keyword,"${name}"\noak desk,1.005\npine desk,12.5\n`).figures).toEqual({ volume: [1005, 12_500] });
});

test.each(['Volume (millions)', 'Volume in Mio.', 'Volume (mn)'])('figures in millions are multiplied: %s', (name) => {
  expect(read(`Keyword,${name}\noak desk,1.5\npine desk,0.2\n`).figures).toEqual({ volume: [1_500_000, 200_000] });
});

test('figures are not multiplied by the name of a place: Volume (MN)', () => {
  expect(read('Keyword,Volume (MN)\noak desk,15\npine desk,20\n').figures).toEqual({ volume: [15, 20] });
});

test('an "M" behind a volume stands for millions if it has decimals, which is said, and for a month otherwise', () => {
  const of = (name: string, ...values: string[]) => {
    const { figures, notes } = read(`Keyword;${name}\n${values.map((value, at) => `desk ${at};${value}\n`).join('')}`);
    return [figures.volume, notes];
  };
  const said = [[1_200_000, 50_000], ['in-millions']];
  for (const name of ['Volume (M)', 'Search volume (in M)', 'Volume, M', 'Volume in M'])
    expect(of(name, '1.2', '0.05')).toEqual(said);
  expect(of('Suchvolumen (M)', '1,2', '0,05')).toEqual(said);
  expect(of('Volume (M)', '1300', '90')).toEqual([[1300, 90], []]);
  expect(of('Volume (M)', '1.2M', '50K')).toEqual([[1_200_000, 50_000], []]);
  // A month of visits has decimals, too.
  expect(read('Keyword,Traffic (M)\noak desk,1.5\n').figures.traffic).toEqual([1.5]);
});

test('figures that have their multiple behind them are not multiplied again', () => {
  expect(read('Keyword,Volume (k),CPC (cents)\noak desk,1.2K,45 ct\npine desk,0.5K,5 ct\n').figures).toEqual({
    volume: [1200, 500],
    cpc: [0.45, 0.05],
  });
});

test('of two competition columns, the one with numbers is read, not the one with words', () => {
  const said = { competition: [0.71, 0.25] };
  expect([
    read('Keyword,Competition,Google Ads Competition\noak desk,High,0.71\npine desk,Low,0.25\n').figures,
    read('Keyword,Google Ads Competition,Competition\noak desk,0.71,High\npine desk,0.25,Low\n').figures,
    read('Keyword,Competition Level,Competition\noak desk,High,0.71\npine desk,Low,0.25\n').figures,
  ]).toEqual([said, said, said]);
});

test('volumes of a whole year are divided by 12 if the name says that they are sums, and noted', () => {
  const of = (name: string) => {
    const { figures, notes } = read(`Keyword,"${name}"\noak desk,"12,000"\npine desk,600\n`);
    return [figures.volume, notes];
  };
  expect(of('Search volume (total, 12 months)')).toEqual([[1000, 50], ['volume-of-year-divided']]);
  expect(of('Search volume (last 12 months)')).toEqual([[12_000, 600], ['volume-of-year']]);
  for (const name of ['Search volume (12 months average)', 'Volumen (promedio 12 meses)', 'Ø Suchvolumen (12 Monate)'])
    expect(of(name), name).toEqual([[12_000, 600], []]);
  for (const name of ['Volumen (12 meses)', 'Suchvolumen (12 Monate)', 'Volume (12M)'])
    expect(of(name), name).toEqual([[12_000, 600], ['volume-of-year']]);
});
