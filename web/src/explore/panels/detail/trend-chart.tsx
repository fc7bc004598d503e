import { hardlyKnownBelow, knownShare } from '@kc/pack/levels/known-share';
import { peakIn, seasonIndex } from '@kc/pack/season/peak';
import type { NodeDetail } from '@kc/rules/shapes';
import { lazily } from '../../../ui/lazily.ts';
import { compact, decimal, exact, knownFor, unknown } from '../../format/numbers.ts';
import { Section } from '../section.tsx';

type Trend = NonNullable<NodeDetail['trend']>;

/** Twelve months of searches as columns, with the largest one marked and labelled. */
export function TrendChart({ trend, of }: { trend: Trend; of: TrendOf }) {
  const { months, unit, newest, known } = trend;
  const { keywords } = of;
  const greatest = Math.max(...months.map((value) => value ?? 0));
  const peak = peakOf(months);
  const name = (month: number) => monthName(month, newest);
  return (
    <Section title={unit === 'share' ? 'Trend, share of the best month' : 'Trend, searches a month'}>
      <TrendColumns trend={trend} />
      <div aria-hidden="true" className="mt-1 flex justify-between text-micro text-muted">
        <span>{newest === undefined ? 'oldest' : name(0)}</span>
        <span>{newest === undefined ? 'newest' : name(11)}</span>
      </div>
      <p className="m-0 mt-1 text-small">
        {peak === undefined ? 'The same every month' : `Peak: ${name(peak)}`}
        {peak !== undefined && unit === 'searches' && `, ${compact(greatest)}`}
      </p>
      <p className="m-0 text-small">{seasonText(trend, of)}</p>
      <p className="m-0 text-micro text-muted">
        {newest === undefined && 'The file names no months: twelve, oldest first. '}
        {unit === 'searches' && keywords > 1 && `Sum, ${knownFor(known, keywords)}.`}
      </p>
    </Section>
  );
}

/** What the year is the year of. */
export type TrendOf = Pick<NodeDetail, 'keywords' | 'volume'>;

/**
 * "Seasonal: 1.8 times an average month", or that there is no clear season, and why. Empty if any month is unknown.
 */
export function seasonText({ months, known, unit }: Trend, { keywords, volume }: TrendOf): string {
  if (months.includes(null)) return '';
  const year = months as readonly number[];
  const mean = year.reduce((sum, searches) => sum + searches, 0) / year.length;
  const share = knownShare({
    keywords,
    volume: volume.value ?? Number.NaN,
    volumeKnown: volume.known,
    known,
    knownVolume: mean,
  });
  if (keywords > 1 && unit === 'searches' && share < hardlyKnownBelow)
    return 'No clear season: the trend is hardly known';
  const index = seasonIndex(year);
  if (Number.isNaN(index)) return '';
  const times = `${decimal(index)} times an average month`;
  return peakIn(year) < 0 ? `No clear season: the best month has ${times}` : `Seasonal: the best month has ${times}`;
}

/** The columns only, scaled to the largest. */
export function TrendColumns({ trend: { months, unit, newest } }: { trend: Trend }) {
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
 * "Apr 2026", or "month 12" if the file has no dates.
 *
 * @param month 0 for the oldest of twelve
 * @param newest the last month, as in `2026-04`
 */
export function monthName(month: number, newest: string | undefined): string {
  if (newest === undefined) return `month ${month + 1}`;
  const [year, last] = newest.split('-').map(Number);
  return written().format(new Date(Date.UTC(year!, last! - 12 + month, 1)));
}

/** The month with the largest value, the latest if tied; undefined if all known values are equal. */
export function peakOf(months: readonly (number | null)[]): number | undefined {
  const known = months.filter((value) => value !== null);
  const greatest = Math.max(...known);
  return known.every((value) => value === greatest) ? undefined : months.lastIndexOf(greatest);
}
