import type { MergedEntries } from '@kc/rules/keyword-shapes';
import { useState } from 'react';
import { counted, exact, isKnown, mean } from '../../format/figure-text.ts';
import { Section } from '../section.tsx';

/** How many URLs are shown initially. */
const shownAtFirst = 10;

/** Notes that a keyword had several entries in the file, and lists every URL in them with its position. */
export function MergedFrom({ merged }: { merged: MergedEntries }) {
  const [isWhole, setWhole] = useState(false);
  const { entries, read, urls } = merged;
  const shown = isWhole ? urls : urls.slice(0, shownAtFirst);
  return (
    <Section title={`Merged from ${counted(entries, 'entry', 'entries')}`}>
      <p className="m-0 text-micro text-muted">
        Clicks, impressions and traffic are added up, positions and rates are means, the rest is the newest that is
        known.
      </p>
      {urls.length > 0 && (
        <table className="mt-2 w-full border-collapse text-small">
          <caption className="sr-only">Addresses, the best position first</caption>
          <thead>
            <tr className="border-b border-line text-micro text-muted">
              <th scope="col" className="py-1 text-left font-medium">
                Address
              </th>
              <th scope="col" className="py-1 pl-3 text-right font-medium">
                Position
              </th>
              <th scope="col" className="py-1 pl-3 text-right font-medium">
                Entries
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ url, position, entries: lines }) => (
              <tr key={url} className="border-b border-line last:border-0 align-baseline">
                <td className="py-1 break-all">
                  <Address url={url} />
                </td>
                <td className={`py-1 pl-3 text-right ${isKnown(position) ? '' : 'text-muted italic'}`}>
                  {mean(position)}
                </td>
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

/** Links only to web pages: the file may contain anything. */
function Address({ url }: { url: string }) {
  if (!/^https?:\/\//iu.test(url)) return <bdi>{url}</bdi>;
  return (
    <a href={url} rel="noreferrer noopener" target="_blank" className="text-brand-ink underline">
      <bdi>{url}</bdi>
    </a>
  );
}
