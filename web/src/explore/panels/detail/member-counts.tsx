import type { BranchMembers } from '@kc/rules/shapes';
import { useId, useState } from 'react';
import { exact, knownFor, share } from '../../format/numbers.ts';

/** As many as are shown to begin with; one more than that is shown too, for the button would take as much room. */
const shownAtFirst = 5;

/** How many of a branch's keywords have each member of a set, each with a bar of its part of those that are known. */
export function MemberCounts({ members, keywords }: { members: BranchMembers; keywords: number }) {
  const [isWhole, setWhole] = useState(false);
  const listId = useId();
  const { values, known } = members;
  const isLong = values.length > shownAtFirst + 1;
  const shown = isLong && !isWhole ? values.slice(0, shownAtFirst) : values;
  return (
    <>
      <ul id={listId} className="m-0 flex list-none flex-col gap-1 p-0">
        {shown.map(({ value, count }) => (
          <li key={value}>
            <span className="flex gap-2">
              <bdi className="min-w-0 flex-1 break-words text-ink">{value}</bdi>
              <span className="shrink-0 text-muted">{exact(count)}</span>
              <span className="w-14 shrink-0 text-right text-muted">{share(count, known)}</span>
            </span>
            <span
              aria-hidden="true"
              className="block h-1 rounded-full bg-brand forced-colors:bg-[CanvasText]"
              style={{ width: `${Math.max(1, (count / known) * 100)}%` }}
            />
          </li>
        ))}
      </ul>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          aria-controls={listId}
          onClick={() => setWhole(!isWhole)}
          className="mt-1 min-h-6 rounded-chip text-micro font-medium text-brand-ink hover:underline touch:min-h-11"
        >
          {isWhole ? `Only the first ${shownAtFirst}` : `All ${exact(values.length)}`}
        </button>
      )}
      <span className="block text-micro text-muted">{knownFor(known, keywords)}</span>
    </>
  );
}
