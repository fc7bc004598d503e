import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../test/support/documents.ts';
import { countOfBytes, numberOfBytes, numberOfText } from './numbers.ts';

const cases: readonly (readonly [string, number])[] = [
  ['1300', 1300],
  ['1,300', 1300],
  ['1,234,567', 1234567],
  ['1.234.567', 1234567],
  ['1 300', 1300],
  ['1\u00a0300', 1300],
  ['1\u202f300', 1300],
  ["1'300", 1300],
  ['1,300.5', 1300.5],
  ['1.300,5', 1300.5],
  ['1,5', 1.5],
  ['0.45', 0.45],
  ['33.33%', 33.33],
  ['$1.20', 1.2],
  ['1,20 €', 1.2],
  ['USD 1.20', 1.2],
  ['1.20 USD', 1.2],
  ['usd1.20', 1.2],
  ['R$ 1,20', 1.2],
  ['US$1.20', 1.2],
  ['₹120', 120],
  ['₹ 1,20,000', 120_000],
  ['12,34,567', 1_234_567],
  ['CHF 1’200.50', 1200.5],
  ['1,20 zł', 1.2],
  ['Rs. 12', 12],
  ['12 kr', 12],
  ['USD', Number.NaN],
  ['top 10', Number.NaN],
  ['USD 1.20 EUR', 1.2],
  ['A 4', Number.NaN],
  ['1K – 10K', 5500],
  ['1K-10K', 5500],
  ['0-10', 5],
  ['10 - 100', 55],
  ['10 to 100', 55],
  ['1 тыс. – 10 тыс.', 5500],
  ['1 Tsd. – 10 Tsd.', 5500],
  ['1 mil – 10 mil', 5500],
  ['1 mil. – 10 mil.', 5_500_000],
  ['1 tys. – 10 tys.', 5500],
  ['1 k à 10 k', 5500],
  ['100 bis 1 Tsd.', 550],
  ['1000～1万', 5500],
  ['1万～10万', 55_000],
  ['10만 – 100만', 550_000],
  ['1 Mio. – 10 Mio.', 5_500_000],
  ['1 nghìn – 10 nghìn', 5500],
  ['1 Stück', Number.NaN],
  ['10 apples to 20 pears', Number.NaN],
  ['>1k', 1000],
  ['<10', 10],
  ['1.5M', 1_500_000],
  ['1.5k', 1500],
  ['2B', 2_000_000_000],
  ['1L – 10L', 550_000],
  ['10K – 1L', 55_000],
  ['1.2 lakh', 120_000],
  ['5 L', Number.NaN],
  ['2 Cr', 20_000_000],
  ['45¢', 0.45],
  ['57 ct', 0.57],
  ['45¢ – 95¢', 0.7],
  ['¢', Number.NaN],
  ['5.000 ₫', 5000],
  ['₫5.000', 5000],
  ['1.234.000 đ', 1_234_000],
  ['Rp 1.500', 1500],
  ['₩1.500', 1500],
  ['IDR 1.500', 1500],
  ['€1.500', 1.5],
  ['1.2E+04', 12_000],
  ['1,2E+04', 12_000],
  ['1E+06', 1_000_000],
  ['5e3', Number.NaN],
  ['1E-2', 0.01],
  ['🟢 30', 30],
  ['$1,300.50', 1300.5],
  ['10K%', 10_000],
  ['12,34', 12.34],
  ['1234,567', 1234.567],
  ['1,2345', 1.2345],
  ['0,123', 123],
  ['007', 7],
  ['123,456,789,012,345', 123_456_789_012_345],
  ['1.23456789012345678', Number('1.23456789012345678')],
  ['1K—10K', 5500],
  ['$1 – $2', 1.5],
  ['1,000–9,999', 5499.5],
  ['10 – 20 – 30', Number.NaN],
  ['10 –', Number.NaN],
  ['–10', Number.NaN],
  ['5.', Number.NaN],
  ['$', Number.NaN],
  [',300', 0.3],
  ['1k+', 1000],
  ['-5', -5],
  [' 7 ', 7],
  ['', Number.NaN],
  ['-', Number.NaN],
  ['—', Number.NaN],
  ['n/a', Number.NaN],
  ['null', Number.NaN],
  ['unknown', Number.NaN],
  ['shoes 7', Number.NaN],
  ['1-2-3', Number.NaN],
  ['2026-05-01', Number.NaN],
  ['Infinity', Number.NaN],
];

describe('numbers', () => {
  it.each(cases)('reads %j as %d', (text, value) => {
    expect(numberOfText(text)).toBe(value);
    const bytes = Buffer.from(`"${text}"`);
    expect(numberOfBytes(bytes, 1, bytes.length - 1)).toBe(value);
  });

  it('reads any bytes as it reads text', () => {
    const random = randomFrom(7);
    const pieces = [
      '1',
      '23',
      '456',
      ',789',
      '.5',
      ',',
      '.',
      '$',
      '%',
      'K',
      'm',
      'B',
      ' ',
      ' – ',
      '—',
      '-',
      'to',
      '>',
      '+',
      'n/a',
      'é',
      'USD',
      'R$',
      '₹',
    ];
    for (let round = 0; round < 5_000; round++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 6) },
        () => pieces[Math.floor(random() * pieces.length)],
      ).join('');
      const bytes = Buffer.from(` ${text} `);
      expect([text, numberOfBytes(bytes, 1, bytes.length - 1)]).toEqual([text, numberOfText(text)]);
    }
  });

  it('does not mistake prose for a number, however long', () => {
    const bytes = Buffer.from('1'.repeat(5000));
    expect(numberOfBytes(bytes, 0, bytes.length)).toBeNaN();
  });
});

it.each([
  ['1.300', 1300],
  ['12.345', 12_345],
  ['1.000 – 3.000', 2000],
  ['>1.000', 1000],
  ['1.300,5', 1300.5],
  ['1.234.567', 1_234_567],
  ['1.234.567 – 1.000', 617_783.5],
  ['1,300', 1300],
  ['0.123', 0.123],
  ['1.5', 1.5],
  ['1.3000', 1.3],
  ['1.500K', 1500],
  ['1.200E+04', 12_000],
  ['1.250 m', 1_250_000],
  ['1300', 1300],
  ['n.a.', Number.NaN],
  [`1.300${' '.repeat(80)}`, Number.NaN],
] as const)('counts %j as %d', (text, value) => {
  const bytes = new TextEncoder().encode(`"${text}"`);
  expect(countOfBytes(bytes, 1, bytes.length - 1)).toBe(value);
});
