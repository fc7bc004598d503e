import { type ChangeThresholds, readThresholds, usualThresholds, writeThresholds } from '@kc/rules/changes';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useExplorer, useLook } from '../explorer-context.ts';

const fields = [
  { of: 'volumePercent', label: 'Volume, in %' },
  { of: 'volume', label: 'Volume, at least' },
  { of: 'difficulty', label: 'Difficulty, in points' },
  { of: 'position', label: 'Position, in places' },
] as const satisfies readonly { readonly of: keyof ChangeThresholds; readonly label: string }[];

/** From where on a difference is a change. What differs from the usual thresholds is in the link. */
export function Thresholds() {
  const { store } = useExplorer();
  const text = useLook((state) => state.thresholds);
  const now = readThresholds(text) ?? usualThresholds;
  const set = (next: ChangeThresholds) => {
    const written = writeThresholds(next);
    store.setState({ thresholds: written === writeThresholds(usualThresholds) ? '' : written });
  };
  return (
    <details className="rounded-control border border-line px-3 py-1 text-small" open={text !== '' || undefined}>
      <summary className="cursor-pointer py-1 text-muted">Thresholds</summary>
      <p className="mt-1 mb-2 text-micro text-muted">
        A figure has changed if it is known in both uploads and differs by as much. Volume must reach both.
      </p>
      <div className="grid grid-cols-2 gap-2 pb-2">
        {fields.map(({ of, label }) => (
          <Threshold
            key={`${of} ${now[of]}`}
            label={label}
            value={now[of]}
            onChange={(value) => set({ ...now, [of]: value })}
          />
        ))}
      </div>
      {text !== '' && (
        <Button size="dense" onClick={() => set(usualThresholds)}>
          Reset
        </Button>
      )}
    </details>
  );
}

type ThresholdProps = {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
};

/** Applies when the field is left or Enter is pressed. What is no number from 0 on is put back. */
function Threshold({ label, value, onChange }: ThresholdProps) {
  const id = useId();
  const [typed, setTyped] = useState(String(value));
  const apply = () => {
    const given = typed.trim() === '' ? Number.NaN : Number(typed);
    const rounded = Math.round(given * 1000) / 1000;
    if (!(rounded >= 0 && rounded < 1e6)) setTyped(String(value));
    else if (rounded !== value) onChange(rounded);
  };
  return (
    <div className="flex flex-col gap-0.5">
      <label htmlFor={id} className="text-micro text-muted">
        {label}
      </label>
      <input
        id={id}
        inputMode="decimal"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
        className="h-8 w-full rounded-control border border-line-strong bg-surface px-2 text-small text-ink touch:h-11 touch:text-touch"
      />
    </div>
  );
}
