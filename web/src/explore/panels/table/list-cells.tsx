import { typeWord } from '@kc/pack/filter-words/figure-name';
import { knownMark, knownShare } from '@kc/pack/levels/known-share';
import type { ShareFigure } from '@kc/pack/levels/row-sort';
import type { LevelRows } from '@kc/pack/levels/rows-wire';
import type { MarkField } from '@kc/pack/slice/mark-fields';
import { shownName } from '@kc/rules/visible-text';
import type { ReactNode } from 'react';
import { colourAt, intentNames } from '../../charts/paint/colour-scale.ts';
import {
  exact,
  isKnown,
  knownFor,
  mean,
  money,
  namedValue,
  share,
  unknown,
  writeFigure,
} from '../../format/figure-text.ts';
import { type FieldKey, fieldName, isFieldKey } from '../../tree-data/figures.ts';
import { monthName, peakOf } from '../detail/trend-chart.tsx';
import { useLook, useNewestMonth } from '../explorer-context.ts';
import { usePalette } from '../row-look.tsx';
import { useShownMarks } from '../warnings/use-warnings.tsx';
import { kindsIn } from '../warnings/warning-texts.ts';
import { MarkCell, markColumns, markFieldIn } from './mark-cells.tsx';

/** One row of a page. */
export type RowOfPage = { readonly page: LevelRows; readonly at: number };

/** The name of a cluster or pillar that rows are in, as it is shown. */
export function namedIn({ names }: LevelRows, node: number): string | undefined {
  const name = names.get(node);
  return name === undefined ? undefined : shownName(name);
}

/** The content of a cell other than the name. Every column of `list-columns` has a case here. */
export function cellOf(id: string, row: RowOfPage, ofVolume: number): ReactNode {
  const { page, at } = row;
  const { slice } = page;
  if (isFieldKey(id)) return <FieldCell id={id} {...row} />;
  if (markColumns.includes(id)) {
    const fieldOf = (field: MarkField) => markFieldIn(slice.fields, field);
    return <MarkCell id={id} fieldOf={fieldOf} at={at} volume={slice.volume[at]!} />;
  }
  switch (id) {
    case 'cluster':
      return <Words text={namedIn(page, page.cluster[at]!)} />;
    case 'pillar':
      return <Words text={namedIn(page, page.pillar[at]!)} />;
    case 'type':
      return <Words text={typeWord(slice.types[slice.type[at]!] ?? '')} />;
    case 'depth':
      return exact(slice.depth[at]! + 1);
    case 'keywords':
      return exact(slice.keywords[at]);
    case 'volume':
      return <Marked {...row} text={exact(slice.volume[at])} known={slice.volumeKnown[at]!} of="Volume" />;
    case 'share':
      return <Unknown text={share(slice.volume[at], ofVolume)} />;
    case 'trend':
      return <Trend {...row} />;
    case 'difficulty':
      return <Marked {...row} {...sharesOf(row, 'difficulty')} text={mean(slice.difficulty[at])} of="Difficulty" />;
    case 'difficulty_weighted':
      return (
        <Marked {...row} {...sharesOf(row, 'difficulty')} text={mean(page.difficultyWeighted[at])} of="Difficulty" />
      );
    case 'warnings':
      return <WarningsCell node={slice.node[at]!} />;
    case 'similar':
      return page.similar[at]?.length ? <Words text={page.similar[at]!.join(', ')} /> : null;
    case 'cpc':
      return <Marked {...row} {...sharesOf(row, 'cpc')} text={money(slice.cpc[at])} of="CPC" />;
    case 'intent':
      return <Intent {...row} />;
    case 'known:difficulty':
    case 'known:cpc':
    case 'known:intent': {
      const value = knownShare(figuresOf(row, sharesOf(row, id.slice('known:'.length) as ShareFigure)));
      return <Unknown text={isKnown(value) ? share(value, 1) : unknown} />;
    }
    default:
      return null;
  }
}

/** "2: Mixed intent, Oversized cluster"; nothing for a row without warnings of its own. */
function WarningsCell({ node }: { readonly node: number }) {
  const marks = useShownMarks();
  const mark = useLook((state) => state.warningMarks?.get(node));
  // Only the first nodes are marked if there are very many.
  if (marks?.isCut && node > (marks.rows.at(-1) ?? 0)) return <Unknown text={unknown} />;
  if (!mark || mark.own === 0) return null;
  const kinds = kindsIn(mark.kinds).join(', ');
  return (
    <span title={kinds}>
      <span aria-hidden="true">⚠ </span>
      {exact(mark.own)}: {kinds}
    </span>
  );
}

type Shares = { readonly known: number; readonly knownVolume?: number };

function sharesOf({ page, at }: RowOfPage, figure: ShareFigure): Shares {
  const { slice, intentKnown } = page;
  const known = { difficulty: slice.difficultyKnown, cpc: slice.cpcKnown, intent: intentKnown };
  const column = figure in known ? known[figure as keyof typeof known] : undefined;
  return { known: column?.[at] ?? 0, knownVolume: page.knownVolume[figure][at]! };
}

const figuresOf = ({ page: { slice }, at }: RowOfPage, { known, knownVolume }: Shares) => ({
  keywords: slice.keywords[at]!,
  volume: slice.volume[at]!,
  volumeKnown: slice.volumeKnown[at]!,
  known,
  // A volume is known for the whole of itself.
  knownVolume: knownVolume ?? slice.volume[at]!,
});

/** "Difficulty 31.3 · known for 13 of 168 keywords (39 % of volume)". */
function knownText(of: string, text: string, figures: ReturnType<typeof figuresOf>): string {
  const { known, keywords, volume, volumeKnown } = figures;
  const isByVolume = 2 * volumeKnown >= keywords && volume > 0;
  const part = isByVolume && of !== 'Volume' ? ` (${share(knownShare(figures), 1)} of volume)` : '';
  const note = knownFor(known, keywords);
  return note ? `${of} ${text} · ${note} keywords${part}` : `${of} ${text}`;
}

/** A figure with its mark: partly known, hardly known, or unknown. */
function Marked({ page, at, text, of, ...shares }: RowOfPage & Shares & { text: string; of: string }) {
  const figures = figuresOf({ page, at }, shares);
  const mark = knownMark(figures);
  if (text === unknown || mark === 'none')
    return (
      <span className="pr-3.5">
        <Unknown text={unknown} />
      </span>
    );
  // As wide as with a mark, so that the digits of a column stay below each other.
  if (mark === 'fully') return <span className="pr-3.5">{text}</span>;
  const note = knownText(of, text, figures);
  return (
    <span title={note} className={mark === 'hardly' ? 'text-muted' : ''}>
      {text}
      <span aria-hidden="true" className="inline-block w-3.5 text-center text-muted">
        {mark === 'hardly' ? '◌' : '*'}
      </span>
      <span className="sr-only">
        , {mark === 'hardly' ? 'known for less than 20 %' : 'known for a part'}, {note}
      </span>
    </span>
  );
}

function Unknown({ text }: { text: string }) {
  return text === unknown ? <span className="text-muted italic">{unknown}</span> : text;
}

function Words({ text }: { text: string | undefined }) {
  if (text === undefined || text === '') return <span className="text-muted italic">{unknown}</span>;
  return (
    <bdi className="block truncate text-muted" title={text}>
      {text}
    </bdi>
  );
}

function FieldCell({ id, page, at }: RowOfPage & { id: FieldKey }) {
  const field = page.slice.fields.find(({ name }) => name === fieldName(id));
  // The column was added, and its page is on the way.
  if (!field) return null;
  if (field.kind !== 'number') return <Words text={field.known[at] === 0 ? '' : namedValue(field, at)} />;
  const figure = { known: field.known[at]!, text: writeFigure(id, field.value[at]) };
  if (figure.text === unknown) return <Unknown text={unknown} />;
  const keywords = page.slice.keywords[at]!;
  if (figure.known >= keywords) return figure.text;
  return (
    <span title={`${knownFor(figure.known, keywords)} keywords`}>
      {figure.text}
      <span aria-hidden="true" className="inline-block w-3.5 text-center text-muted">
        *
      </span>
      <span className="sr-only">, known for a part</span>
    </span>
  );
}

const monthCount = 12;
const trend = { width: 72, height: 20 };

/** Twelve columns, the peak in the brand colour; nothing where no whole year is known. */
function Trend({ page, at }: RowOfPage) {
  const newest = useNewestMonth(page.newest);
  const months = Array.from(page.months.subarray(monthCount * at, monthCount * (at + 1)));
  if (months.length === 0 || months.some(Number.isNaN)) return null;
  const peak = peakOf(months);
  const greatest = Math.max(...months);
  return (
    <svg
      role="img"
      aria-label={trendText(months, peak, newest)}
      viewBox={`0 0 ${trend.width} ${trend.height}`}
      width={trend.width}
      height={trend.height}
      className="inline-block align-middle text-brand forced-colors:text-[CanvasText]"
    >
      <title>{trendText(months, peak, newest)}</title>
      {months.map((value, month) => {
        const height = Math.max(1, greatest > 0 ? (value / greatest) * trend.height : 1);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a month is identified by its index
            key={month}
            x={month * 6 + 0.5}
            y={trend.height - height}
            width={5}
            height={height}
            fill="currentColor"
            fillOpacity={month === peak ? 1 : 0.4}
          />
        );
      })}
    </svg>
  );
}

/**
 * "rising, peak in Aug 2025", or "rising, peak in month 5 of 12, oldest first": the second half of the year against the first,
 * from a tenth on.
 */
function trendText(months: readonly number[], peak: number | undefined, newest: string | undefined): string {
  const sum = (from: number, end: number) => months.slice(from, end).reduce((total, value) => total + value, 0);
  const [first, second] = [sum(0, monthCount / 2), sum(monthCount / 2, monthCount)];
  const change = first > 0 ? second / first - 1 : second > 0 ? 1 : 0;
  const way = change >= 0.1 ? 'rising' : change <= -0.1 ? 'falling' : 'steady';
  const order = newest === undefined ? ', oldest first' : '';
  return peak === undefined ? 'the same every month' : `${way}, peak in ${monthName(peak, newest)}${order}`;
}

/** The intents as parts of a bar, whose text says how many keywords it covers; nothing where none is known. */
function Intent({ page, at }: RowOfPage) {
  const palette = usePalette();
  const known = page.intentKnown[at]!;
  if (known === 0) return null;
  const counts = intentNames.map((name, nth) => ({
    name,
    count: page.slice.intent[4 * at + nth]!,
    colour: colourAt(palette, nth),
  }));
  const there = counts.filter(({ count }) => count > 0);
  const keywords = page.slice.keywords[at]!;
  const note = there
    .toSorted((one, other) => other.count - one.count)
    .map(({ name, count }) => `${name} ${share(count, known)}`)
    .join(', ');
  const part = knownFor(known, keywords);
  const text = part ? `${note} · ${part} keywords` : note;
  return (
    <span role="img" aria-label={text} title={text} className="inline-block w-18 align-middle">
      <span className="flex h-2.5 gap-px overflow-hidden rounded-chip">
        {there.map(({ name, count, colour }, nth) => (
          <span
            key={name}
            className="forced-color-adjust-none"
            // Slanted lines of growing density tell parts apart without colour.
            style={{ flexGrow: count, backgroundColor: colour, backgroundImage: stripes[nth] }}
          />
        ))}
      </span>
    </span>
  );
}

const line = 'rgb(0 0 0 / 0.28)';
const stripes = [
  undefined,
  `repeating-linear-gradient(45deg, ${line} 0 1.5px, transparent 1.5px 6px)`,
  `repeating-linear-gradient(-45deg, ${line} 0 1.5px, transparent 1.5px 4px)`,
  `repeating-linear-gradient(90deg, ${line} 0 1.5px, transparent 1.5px 3px)`,
];
