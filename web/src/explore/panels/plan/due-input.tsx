import { leads, leadText } from '@kc/rules/plan';
import { useId } from 'react';
import { exact } from '../../format/figure-text.ts';
import type { DueValue } from '../../model/plan-state.ts';

type DueProps = {
  readonly value: DueValue;
  readonly onChange: (value: DueValue) => void;
  /** How many of the entries have a month to publish by. Undefined if nobody knows which months the trends are of. */
  readonly peaking: number | undefined;
  /** The lead of the plan, in months. */
  readonly lead: number;
  readonly className: string;
};

/** The same month for all, or for each the month to publish by for its next peak. */
export function DueInput({ value, onChange, peaking, lead: usual, className }: DueProps) {
  const note = useId();
  const isEach = value.kind === 'publish';
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-w-0 flex-col gap-2">
        {(peaking !== undefined || isEach) && (
          <select
            aria-label="Due month of"
            value={value.kind}
            onChange={({ target }) =>
              onChange(target.value === 'publish' ? { kind: 'publish', lead: usual } : { kind: 'month', month: '' })
            }
            className={className}
          >
            <option value="month">The same for all</option>
            <option value="publish" disabled={!peaking}>
              Publish-by month of each
            </option>
          </select>
        )}
        {value.kind === 'publish' ? (
          <select
            aria-label="Months before the peak"
            aria-describedby={note}
            value={value.lead}
            onChange={({ target }) => onChange({ kind: 'publish', lead: Number(target.value) })}
            className={className}
          >
            {leads.map((lead) => (
              <option key={lead} value={lead}>
                {leadText(lead)}
              </option>
            ))}
          </select>
        ) : (
          <input
            aria-label="New due"
            type="month"
            // Firefox and Safari on computers have no input for months, and show a field for text.
            placeholder="2026-12"
            pattern="\d{4}-(?:0[1-9]|1[0-2])"
            value={value.month}
            autoComplete="off"
            onChange={({ target }) => onChange({ kind: 'month', month: target.value })}
            className={className}
          />
        )}
      </div>
      {isEach && (
        <p id={note} className="m-0 text-micro text-muted">
          {exact(peaking ?? 0)} of them peak in a month. The others keep their due month.
        </p>
      )}
    </div>
  );
}
