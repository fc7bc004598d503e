import type { NodeDetail } from '@kc/rules/shapes';
import { exact } from '../../format/numbers.ts';

export type SiblingRank = NonNullable<NonNullable<NodeDetail['siblings']>['standing']['volume']>;

type Props = SiblingRank & {
  /** Whether a smaller value is the better one, as of a position. */
  readonly isLowBest?: boolean;
};

/** How a figure stands among the same of its siblings: a mark on a scale, the best at its right end. */
export function StandingBar({ known, below, equal, isLowBest = false }: Props) {
  const behind = isLowBest ? known - below - equal : below;
  const rank = ((behind + equal / 2) / known) * 100;
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
      {standingText({ known, below, equal, isLowBest })}
    </span>
  );
}

/**
 * "above 9 of 11 siblings", "below all 3 siblings", "level with 2 of 3 siblings, below the others"; of a position "better than
 * 9 of 11 siblings", "behind all 3 siblings".
 *
 * @param known siblings whose value is known, at least one of them not equal
 */
export function standingText({ known, below, equal, isLowBest = false }: Props): string {
  const worse = isLowBest ? known - below - equal : below;
  const [over, under] = isLowBest ? ['better than', 'behind'] : ['above', 'below'];
  const all = known === 1 ? 'the one sibling that has a value' : `all ${exact(known)} siblings`;
  if (worse === known) return `${over} ${all}`;
  if (worse > 0)
    return `${over} ${exact(worse)} of ${exact(known)} siblings${equal > 0 ? `, level with ${exact(equal)}` : ''}`;
  if (equal === 0) return `${under} ${all}`;
  return `level with ${exact(equal)} of ${exact(known)} siblings, ${under} the others`;
}
