import { unknown } from '../../format/numbers.ts';
import { shownLabel, shownValue } from './original-value.ts';
import { Sparkline } from './sparkline.tsx';

/** Every member as the file has it, label and value. Nothing is left out and nothing is made up. */
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

function OriginalValue({ member, value }: { member: string; value: unknown }) {
  const shown = shownValue(value);
  switch (shown.kind) {
    case 'unknown':
      return <span className="text-muted italic">{unknown}</span>;
    case 'text':
      return <bdi>{shown.text}</bdi>;
    case 'link':
      return (
        <a href={shown.href} rel="noreferrer noopener" target="_blank" className="text-brand-ink underline">
          {shown.text}
        </a>
      );
    case 'series':
      return <Sparkline values={shown.values} label={shownLabel(member)} />;
    case 'list':
      return <Chips items={shown.items} />;
    case 'json':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
        <pre className="m-0 max-h-48 overflow-auto rounded-chip bg-sunken p-2 font-mono text-micro" tabIndex={0}>
          {shown.text}
        </pre>
      );
  }
}

function Chips({ items }: { items: readonly string[] }) {
  const seen = new Map<string, number>();
  return (
    <ul className="m-0 flex list-none flex-wrap gap-1 p-0">
      {items.map((item) => {
        const nth = (seen.get(item) ?? 0) + 1;
        seen.set(item, nth);
        return (
          <li key={`${item} ${nth}`} className="rounded-chip bg-sunken px-1.5 py-0.5 text-micro text-ink">
            {item}
          </li>
        );
      })}
    </ul>
  );
}
