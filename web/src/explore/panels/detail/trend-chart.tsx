import { isYearHardlyKnown, peakIn, seasonIndex } from '@kc/pack/season/peak';
import type { NodeDetail } from '@kc/rules/shapes';
import { useContext, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { lazily } from '../../../ui/number-text.ts';
import { compact, decimal, exact, knownFor, unknown } from '../../format/figure-text.ts';
import { ExplorerPartsContext, useNewestMonth } from '../explorer-context.ts';
import { Section } from '../section.tsx';
import { NewestMonthForm } from './newest-month-form.tsx';
import { PublishLine } from './publish-line.tsx';

/** Twelve months of searches as columns, with the largest one marked and labelled. */
export function TrendChart({ trend, of, node }: { trend: Trend; of: TrendOf; node: number }) {
  const { months, unit, known } = trend;
  const { keywords } = of;
  const { newestMonth } = useContext(ExplorerPartsContext);
  const newest = useNewestMonth(trend.newest);
  const [isNaming, setNaming] = useState(false);
  const greatest = Math.max(...months.map((value) => value ?? 0));
  const peak = peakOf(months);
  const season = seasonPeak(trend, of);
  const name = (month: number) => monthName(month, newest);
  return (
    <Section title={unit === 'share' ? 'Trend, share of the best month' : 'Trend, searches a month'}>
      <TrendColumns trend={trend} newest={newest} />
      <div aria-hidden="true" className="mt-1 flex justify-between text-micro text-muted">
        <span>{newest === undefined ? 'oldest' : name(0)}</span>
        <span>{newest === undefined ? 'newest' : name(11)}</span>
      </div>
      <p className="m-0 mt-1 text-small">
        {peak === undefined ? 'The same every month' : `Peak: ${name(peak)}`}
        {peak !== undefined && unit === 'searches' && `, ${compact(greatest)}`}
      </p>
      <p className="m-0 text-small">{seasonText(trend, of)}</p>
      {season !== undefined && newest !== undefined && <PublishLine peak={season} newest={newest} node={node} />}
      <p className="m-0 text-micro text-muted">
        {newest === undefined && 'The file names no months: twelve, oldest first. '}
        {unit === 'searches' && keywords > 1 && `${['Sum', knownFor(known, keywords)].filter(Boolean).join(', ')}.`}
      </p>
      {trend.newest === undefined && newestMonth && !isNaming && (
        <Button size="dense" className="mt-1" onClick={() => setNaming(true)}>
          {newest === undefined ? 'Name the months…' : 'Change the months…'}
        </Button>
      )}
      {isNaming && newestMonth && <NewestMonthForm {...newestMonth} />}
    </Section>
  );
}

/** The columns only, scaled to the largest. */
export function TrendColumns({ trend: { months, unit }, newest }: { trend: Trend; newest: string | undefined }) {
  const write = unit === 'share' ? decimal : exact;
  const greatest = Math.max(...months.map((value) => value ?? 0));
  const peak = peakOf(months);
  const texts = months.map((value, month) => `${monthName(month, newest)}: ${value === null ? unknown : write(value)}`);
  return (
    <svg
      role="img"
      aria-label={texts.join(', ')}
      viewBox={`0 0 ${12 * columnPx} ${heightPx}`}
      preserveAspectRatio="none"
      className="block h-12 w-full text-brand forced-colors:text-[CanvasText]"
    >
      {months.map((value, month) => {
        const height = value === null ? 0 : Math.max(1, greatest > 0 ? (value / greatest) * heightPx : 1);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a month is identified by its index
            key={month}
            x={month * columnPx + 1}
            y={heightPx - height}
            width={columnPx - 2}
            height={height}
            fill="currentColor"
            fillOpacity={month === peak ? 1 : 0.45}
          >
            <title>{texts[month]}</title>
          </rect>
        );
      })}
    </svg>
  );
}

const columnPx = 10;
const heightPx = 40;

const written = lazily(() => new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' }));

/**
 * "Apr 2026", or "month 12 of 12" if nobody knows which months they are.
 *
 * @param month 0 for the oldest of twelve
 * @param newest the last month, as in `2026-04`
 */
export function monthName(month: number, newest: string | undefined): string {
  if (newest === undefined) return `month ${month + 1} of 12`;
  const [year, last] = newest.split('-').map(Number);
  return written().format(new Date(Date.UTC(year!, last! - 12 + month, 1)));
}

/** The month with the largest value, the latest if tied; undefined if all known values are equal. */
export function peakOf(months: readonly (number | null)[]): number | undefined {
  const known = months.filter((value) => value !== null);
  const greatest = Math.max(...known);
  return known.every((value) => value === greatest) ? undefined : months.lastIndexOf(greatest);
}

export type Trend = NonNullable<NodeDetail['trend']>;
/** What the year is the year of. */
type TrendOf = Pick<NodeDetail, 'keywords' | 'volume'>;

/** The month of a clear season, 0 for the oldest of twelve. */
function seasonPeak(trend: Trend, of: TrendOf): number | undefined {
  if (trend.months.includes(null) || isHardlyKnown(trend, of)) return undefined;
  const peak = peakIn(trend.months as readonly number[]);
  return peak < 0 ? undefined : peak;
}

/**
 * "Seasonal: the best month has 1.8 times the searches of an average month", or that there is no clear season, and why. Empty
 * if any month is unknown, or nobody searched.
 */
export function seasonText(trend: Trend, of: TrendOf): string {
  if (trend.months.includes(null)) return '';
  if (isHardlyKnown(trend, of)) return 'No clear season: the trend is known for less than 20 %';
  const index = seasonIndex(trend.months as readonly number[]);
  if (Number.isNaN(index)) return '';
  const times = `the best month has ${decimal(index)} times the searches of an average month`;
  return `${seasonPeak(trend, of) === undefined ? 'No clear season' : 'Seasonal'}: ${times}`;
}

function isHardlyKnown({ months, known, unit }: Trend, { keywords, volume }: TrendOf): boolean {
  const figures = { keywords, volume: volume.value ?? Number.NaN, volumeKnown: volume.known, known };
  return unit === 'searches' && isYearHardlyKnown(months as readonly number[], figures);
}
