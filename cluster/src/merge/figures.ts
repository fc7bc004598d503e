import { signedPercent } from '../../../pack/src/upload/click-rate.ts';
import { competitionOfLevel } from '../../../pack/src/upload/metric-values.ts';
import { hasNoDecimals } from '../read/decimals.ts';
import type { Column, Meaning } from '../read/reading.ts';
import { numberOfCell } from '../read/values.ts';

/** Figures of a keyword. NaN is unknown, never 0. */
export const figureNames = [
  /** Searches per month, ≥ 0. */
  'volume',
  /** 0 to 100. */
  'difficulty',
  /** Cost per click, ≥ 0. */
  'cpc',
  /** Ad competition, 0 to 1. */
  'competition',
  /** In the search results, ≥ 1. */
  'position',
  'previousPosition',
  /** Visits per month. */
  'traffic',
  'trafficPotential',
  'trafficCost',
  'clicks',
  'impressions',
  /** Clicks per impression, 0 to 1. */
  'ctr',
] as const;
export type FigureName = (typeof figureNames)[number];

/** Columns of all entries. Merging overwrites the rows of first entries. */
export type EntryFigures = { [Name in FigureName]?: Float64Array };

/** How to read a figure from a column. A figure is taken from its sources of the lowest order that know it. */
export type FigureSource = {
  readonly figure: FigureName;
  readonly order: number;
  /** Whether the figure is the sum of its columns rather than their mean. */
  readonly adds: boolean;
  /** The value of a cell; NaN if it holds none in range. May be infinite. */
  valueOf(text: string): number;
};

/** The figures of a column; none if it holds none. */
export function figureSources({
  meaning,
  hasDecimalComma,
  hasDecimalPoint,
  isZeroUnknown,
  multiple = 1,
  currency = '',
}: Column): FigureSource[] {
  const withPoint = (text: string) => (hasDecimalComma ? text.replaceAll('.', '').replace(',', '.') : text);
  return (kinds[meaning] ?? []).map(({ figure, order = 0, adds = false, isCount = false, from = 0, to, read }) => {
    // In thousands, there are decimals; amounts of some currencies have none.
    const style = {
      hasDecimalComma,
      hasDecimalPoint,
      isCount: isCount ? multiple === 1 : hasNoDecimals(currency),
    };
    return {
      figure: figure ?? (meaning as FigureName),
      order,
      adds,
      valueOf(text) {
        const number = read ? read(withPoint(text)) : numberOfCell(text, style);
        const value = multiple === 1 ? number : withoutError(multiple * number);
        if (isZeroUnknown && value === 0) return Number.NaN;
        return value >= from && !(to !== undefined && value > to) ? value : Number.NaN;
      },
    };
  });
}

/** A product without the error of its last digits: 1.005 thousand are 1005, not 1004.9999999999999. */
export const withoutError = (product: number): number => Number(product.toPrecision(12));

type Kind = {
  /** The name of the figure, if it differs from that of the meaning. */
  readonly figure?: FigureName;
  readonly order?: number;
  readonly adds?: true;
  readonly isCount?: boolean;
  readonly from?: number;
  readonly to?: number;
  readonly read?: (text: string) => number;
};

/** Until the file ends, a rate whose scale is known is stored below zero: see `click-rate.ts`. */
const rate: Kind = { from: Number.NEGATIVE_INFINITY, read: rateOfCell };

const kinds: { readonly [Of in Meaning]?: readonly Kind[] } = {
  volume: [{ isCount: true }],
  volumePart: [{ figure: 'volume', order: 1, adds: true, isCount: true }],
  volumeBound: [{ figure: 'volume', order: 2, isCount: true }],
  difficulty: [{ to: 100 }],
  cpc: [{}],
  cpcBound: [{ figure: 'cpc', order: 1 }],
  // Words count only where no column has a figure.
  competition: [rate, { ...rate, order: 2, read: (text) => -competitionOfLevel(text) }],
  competitionIndex: [{ ...rate, figure: 'competition', order: 1, read: (text) => rateOfCell(`${text}%`) }],
  position: [{ from: 1, read: positionOfCell }],
  previousPosition: [{ from: 1, read: positionOfCell }],
  traffic: [{ isCount: true }],
  trafficPotential: [{ isCount: true }],
  trafficCost: [{}],
  clicks: [{ isCount: true }],
  impressions: [{ isCount: true }],
  ctr: [rate],
};

const plain = { hasDecimalComma: false, isCount: false } as const;

/** ">100" and "100+" mean that a page was not found among so many results: its position is unknown. */
function positionOfCell(text: string): number {
  return /^\s*>|\+\s*$/u.test(text) ? Number.NaN : numberOfCell(text, plain);
}

/** Reads "0.45", "45" or "45%". A value with a percent sign is stored below zero. */
function rateOfCell(text: string): number {
  const value = numberOfCell(text, plain);
  if (!(value >= 0)) return Number.NaN;
  return /[%\u066a]/u.test(text) ? signedPercent(value) : value;
}
