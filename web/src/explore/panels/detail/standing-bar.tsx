import type { NodeDetail } from '@kc/rules/shapes';
import { exact } from '../../format/numbers.ts';

export type SiblingRank = NonNullable<NonNullable<NodeDetail['siblings']>['standing']['volume']>;

/** How a figure stands among the same of its siblings: a bar as long as the share of those that are not above it. */
export function StandingBar({ known, below, equal }: SiblingRank) {
  const rank = ((below + equal / 2) / known) * 100;
  return (
    <span className="mt-1 block text-micro text-muted">
      <span
        aria-hidden="true"
        className="relative mb-0.5 block h-1 rounded-full border border-line-strong/60 bg-sunken"
      >
        <span
          className="absolute -top-1 h-3 w-0.5 -translate-x-1/2 bg-ink forced-color-adjust-none"
          style={{ left: `${rank}%` }}
        />
      </span>
      {standingText({ known, below, equal })}
    </span>
  );
}

/** "above 9 of 11 siblings", "above none of 3 siblings, level with 2" */
export function standingText({ known, below, equal }: SiblingRank): string {
  const siblings = known === 1 ? 'sibling' : 'siblings';
  const level = equal > 0 ? `, level with ${exact(equal)}` : '';
  return `above ${below === 0 ? 'none' : exact(below)} of ${exact(known)} ${siblings}${level}`;
}
