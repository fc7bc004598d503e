import { say } from '@kc/rules/all-messages';
import { Field } from '../../ui/field.tsx';
import { countText } from '../../ui/number-text.ts';
import { filterOf, type ImportFilter } from './import-choices.ts';
import type { Preview } from './preview-state.ts';
import { Note } from './reading-notes.tsx';

type Props = {
  readonly filter: ImportFilter;
  readonly preview: Preview;
  readonly onChange: (filter: ImportFilter) => void;
};

/** Which keywords are clustered: not those that hardly anybody searches for, nor those with some words. */
export function FilterFields({ filter, preview, onChange }: Props) {
  const { filtered, counts } = preview;
  const asked = filterOf(filter);
  const leavesOut = asked && (asked.minVolume !== undefined || asked.leaveOut !== undefined);
  return (
    <details className="mt-2 text-small" open={asked !== undefined || undefined}>
      <summary className="cursor-pointer rounded-chip py-1 font-medium">Leave keywords out</summary>
      <div className="mt-2 grid gap-x-4 gap-y-3 rounded-control bg-sunken p-4 sm:grid-cols-3">
        <Field
          label="Minimum volume"
          hint="Keywords without a known volume stay"
          inputMode="numeric"
          value={filter.minVolume}
          onChange={({ target }) => onChange({ ...filter, minVolume: target.value })}
          error={
            filter.minVolume.trim() !== '' && !/^\d{1,9}$/u.test(filter.minVolume.trim())
              ? 'Enter a whole number.'
              : undefined
          }
        />
        <Field
          label="Words to leave out"
          hint="Words or phrases, with commas between them"
          value={filter.leaveOut}
          onChange={({ target }) => onChange({ ...filter, leaveOut: target.value })}
        />
        <Field
          label="Brand words"
          hint="Marked in a column “Branded”"
          value={filter.brands}
          onChange={({ target }) => onChange({ ...filter, brands: target.value })}
        />
      </div>
      {filtered && counts && leavesOut && (
        <p role="status" className="mt-2 text-muted tabular-nums">
          {say('list/filtered', {
            kept: countText(filtered.kept),
            volume: countText(filtered.belowVolume),
            words: countText(filtered.withWords),
          })}
        </p>
      )}
      {filtered && asked?.brands && (
        <p className="mt-1 text-muted tabular-nums">{countText(filtered.branded)} of them name a brand.</p>
      )}
      {filtered?.kept === 0 && (
        <div className="mt-2">
          <Note tone="bad">{say('list/all-left-out')}</Note>
        </div>
      )}
    </details>
  );
}
