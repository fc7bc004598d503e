import { Check } from 'lucide-react';
import { type ScoreUse, scoreUses } from '../../model/score.ts';

const labels: Readonly<Record<ScoreUse, string>> = { sort: 'Sort', colour: 'Colour', size: 'Size', axis: 'Axis' };

/** "colour and size" */
export const usesText = (uses: ReadonlySet<ScoreUse>): string =>
  new Intl.ListFormat('en').format(scoreUses.filter((use) => uses.has(use)).map((use) => labels[use].toLowerCase()));

type Props = { readonly uses: ReadonlySet<ScoreUse>; readonly onChange: (uses: ReadonlySet<ScoreUse>) => void };

/** What the score is used for when it is applied: the order of the table, colour, size, or an axis of Opportunity. */
export function UseAs({ uses, onChange }: Props) {
  return (
    <fieldset className="m-0 flex min-w-0 flex-wrap items-center gap-2 border-0 p-0">
      <legend className="float-left mr-1 p-0 text-small text-muted">Use as</legend>
      {scoreUses.map((use) => (
        <button
          key={use}
          type="button"
          aria-pressed={uses.has(use)}
          onClick={() => onChange(new Set(scoreUses.filter((one) => uses.has(one) !== (one === use))))}
          className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line-strong bg-surface px-3 text-small font-medium text-ink hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink touch:h-11"
        >
          {uses.has(use) && <Check size={14} strokeWidth={2.5} aria-hidden="true" />}
          {labels[use]}
        </button>
      ))}
    </fieldset>
  );
}
