import type { MergedEntries } from '@kc/rules/keyword-shapes';
import { useState } from 'react';
import { counted, exact, isKnown, mean, unknown } from '../../format/figure-text.ts';
import { useLooks } from '../explorer-context.ts';
import { Section } from '../section.tsx';

/** All members of the entry as the file has them, with label and value, complete and unchanged. */
export function OriginalFields({ fields }: { fields: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="m-0 grid grid-cols-[minmax(6rem,2fr)_3fr] gap-x-3 gap-y-1.5 text-small">
      {Object.entries(fields).map(([member, value]) => (
        <div key={member} className="contents">
          <dt className="break-words text-muted">{shownLabel(member)}</dt>
          <dd className="m-0 min-w-0 break-words text-ink">
            <OriginalValue member={member} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** With fewer points, the numbers alone say more than a line. */
const shortestSeries = 6;

/** A value of the uploaded file, which can be any JSON. */
function OriginalValue({ member, value }: { member: string; value: unknown }) {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <span className="text-muted italic">{unknown}</span>;
  if (typeof value === 'string') return <TextOrLink text={value} />;
  if (typeof value === 'number') return <bdi>{plainNumber(value)}</bdi>;
  if (typeof value === 'boolean') return <bdi>{value ? 'yes' : 'no'}</bdi>;
  if (Array.isArray(value)) {
    // A trend, oldest first.
    if (value.length >= shortestSeries && value.every((item) => typeof item === 'number'))
      return <Sparkline values={value} label={shownLabel(member)} />;
    if (value.every((item) => ['string', 'number', 'boolean'].includes(typeof item)))
      return <Chips items={value.map(String)} />;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas need keyboard access (WCAG 2.1.1)
    <pre className="m-0 max-h-48 overflow-auto rounded-chip bg-sunken p-2 font-mono text-micro" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}

/** Links only to web pages: the file may contain anything. */
function TextOrLink({ text }: { text: string }) {
  if (!/^https?:\/\/\S+$/i.test(text)) return <bdi>{text}</bdi>;
  return (
    <a href={text} rel="noreferrer noopener" target="_blank" className="text-brand-ink underline">
      <bdi>{text}</bdi>
    </a>
  );
}

function Chips({ items }: { items: readonly string[] }) {
  return (
    <ul className="m-0 flex list-none flex-wrap gap-1 p-0">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item can be there twice, and its place does not change
        <li key={index} className="rounded-chip bg-sunken px-1.5 py-0.5 text-micro text-ink">
          {item}
        </li>
      ))}
    </ul>
  );
}

/** "search_volume" → "search volume". Otherwise the spelling of the file is kept. */
function shownLabel(member: string): string {
  return member.replaceAll(/[_\s]+/g, ' ').trim() || member;
}

/** Numbers of the file are shown unchanged, with thousands separators only where they cannot be misread. */
function plainNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) >= 10_000 ? value.toLocaleString('en') : String(value);
}

/** A sparkline scaled from its minimum to its maximum, with the last point marked. Oldest value first. */
function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const points = sparklinePoints(values, sparkWidth, sparkHeight);
  const last = points.at(-1);
  return (
    <figure className="m-0 flex items-center gap-3">
      <svg
        role="img"
        aria-label={`${label}: ${values.join(', ')}`}
        width={sparkWidth}
        height={sparkHeight}
        className="shrink-0"
      >
        <polyline
          points={points.map(([x, y]) => `${x},${y}`).join(' ')}
          fill="none"
          stroke="var(--brand)"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
        {last && <circle cx={last[0]} cy={last[1]} r="2.5" fill="var(--brand)" />}
      </svg>
      <figcaption className="text-micro text-muted">
        {Math.min(...values)} to {Math.max(...values)}
      </figcaption>
    </figure>
  );
}

const sparkWidth = 120;
const sparkHeight = 28;
const inset = 3;

/** Points in pixels from the top left. A constant sequence is centred vertically. */
function sparklinePoints(values: readonly number[], w: number, h: number): [x: number, y: number][] {
  const least = Math.min(...values);
  const span = Math.max(...values) - least;
  const step = (w - 2 * inset) / Math.max(1, values.length - 1);
  return values.map((value, i) => [
    inset + i * step,
    span === 0 ? h / 2 : h - inset - ((value - least) / span) * (h - 2 * inset),
  ]);
}

/** Fields of the whole file whose names match no metric: one of them may be misspelled. */
export function UnrecognisedFields() {
  const { fields, withheldFields } = useLooks('fields', 'withheldFields');
  const names = [...(fields ?? []), ...withheldFields].filter(({ isCustom }) => isCustom).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Section title="Not recognised as metrics">
      <p className="m-0 mb-1.5 text-small text-muted">
        These members of the file are kept as custom fields. Check their spelling if one should be a metric.
      </p>
      <ul className="m-0 flex list-none flex-wrap gap-1 p-0">
        {names.map((name) => (
          <li key={name} dir="auto" className="rounded-chip bg-sunken px-1.5 py-0.5 text-micro text-ink wrap-anywhere">
            {name}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** How many URLs are shown initially. */
const shownAtFirst = 10;

/** Notes that a keyword had several entries in the file, and lists every URL in them with its position. */
export function MergedFrom({ merged }: { merged: MergedEntries }) {
  const [isWhole, setWhole] = useState(false);
  const { entries, read, urls } = merged;
  const shown = isWhole ? urls : urls.slice(0, shownAtFirst);
  const hasPositions = urls.some(({ position }) => isKnown(position));
  return (
    <Section title={`Merged from ${counted(entries, 'entry', 'entries')}`}>
      <p className="m-0 text-micro text-muted">
        Clicks, impressions and traffic are added up, positions and rates are means, the rest is the newest that is
        known.
      </p>
      {urls.length > 0 && (
        <table className="mt-2 w-full border-collapse text-small">
          <caption className="sr-only">{hasPositions ? 'Addresses, the best position first' : 'Addresses'}</caption>
          <thead>
            <tr className="border-b border-line text-micro text-muted">
              <th scope="col" className="py-1 text-left font-medium">
                Address
              </th>
              {hasPositions && (
                <th scope="col" className="py-1 pl-3 text-right font-medium">
                  Position
                </th>
              )}
              <th scope="col" className="py-1 pl-3 text-right font-medium">
                Entries
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ url, position, entries: lines }) => (
              <tr key={url} className="border-b border-line last:border-0 align-baseline">
                <td className="py-1 break-all">
                  <TextOrLink text={url} />
                </td>
                {hasPositions && (
                  <td className={`py-1 pl-3 text-right ${isKnown(position) ? '' : 'text-muted italic'}`}>
                    {mean(position)}
                  </td>
                )}
                <td className="py-1 pl-3 text-right text-muted">{exact(lines)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {urls.length > shownAtFirst && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
          className="mt-1 min-h-6 rounded-chip text-micro font-medium text-brand-ink hover:underline touch:min-h-11"
        >
          {isWhole ? `Only the first ${shownAtFirst}` : `All ${exact(urls.length)}`}
        </button>
      )}
      {read < entries && (
        <p className="m-0 mt-1 text-micro text-muted">Addresses of the first {exact(read)} entries.</p>
      )}
    </Section>
  );
}
