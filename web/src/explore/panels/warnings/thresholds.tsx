import { areThresholds, areUsual, thresholdRanges, usualThresholds, type WarningThresholds } from '@kc/rules/warnings';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useJudge } from './judge.ts';
import { thresholdNames } from './warning-texts.ts';

const names = Object.keys(thresholdRanges) as (keyof WarningThresholds)[];

/** Fields for all thresholds. They are kept for the data when a field is left or Enter is pressed. */
export function Thresholds({ kept }: { readonly kept: WarningThresholds }) {
  const { setThresholds } = useJudge();
  const [texts, setTexts] = useState<Partial<Record<keyof WarningThresholds, string>>>({});
  const id = useId();
  const given = (name: keyof WarningThresholds) => (texts[name] === undefined ? kept[name] : numberIn(texts[name]));
  const save = () => {
    const values = Object.fromEntries(names.map((name) => [name, given(name)])) as WarningThresholds;
    const isChanged = names.some((name) => values[name] !== kept[name]);
    if (!isChanged || !areThresholds(values)) return;
    // What was typed meanwhile stays.
    void setThresholds(values).then(() => setTexts((now) => (now === texts ? {} : now)));
  };
  return (
    <form
      aria-label="Thresholds"
      className="flex flex-col gap-2 rounded-card border border-line p-3"
      onSubmit={(event) => event.preventDefault()}
    >
      {names.map((name) => {
        const [least, most] = thresholdRanges[name];
        const isWrong = !areThresholds({ ...usualThresholds, [name]: given(name) });
        return (
          <div key={name} className="flex flex-wrap items-center justify-between gap-x-3">
            <label htmlFor={`${id}${name}`} className="min-w-0 flex-1 text-small">
              {thresholdNames[name]}
            </label>
            <input
              id={`${id}${name}`}
              inputMode="numeric"
              value={texts[name] ?? String(kept[name])}
              aria-invalid={isWrong}
              aria-describedby={isWrong ? `${id}${name}-wrong` : undefined}
              onChange={({ target }) => setTexts({ ...texts, [name]: target.value.trim() })}
              onBlur={save}
              // A form of several fields is submitted by Enter only if it has a button for that.
              onKeyDown={({ key }) => key === 'Enter' && save()}
              className="h-8 w-20 rounded-control border border-line-strong bg-surface px-2 text-right text-small text-ink aria-invalid:border-bad touch:h-11 touch:text-touch"
            />
            {isWrong && (
              <p id={`${id}${name}-wrong`} role="alert" className="m-0 w-full text-micro text-bad">
                A whole number from {least} to {most}
              </p>
            )}
          </div>
        );
      })}
      <div>
        <Button
          size="dense"
          aria-disabled={areUsual(kept)}
          onClick={() => {
            setTexts({});
            if (!areUsual(kept)) void setThresholds(usualThresholds);
          }}
        >
          Reset
        </Button>
      </div>
    </form>
  );
}

const numberIn = (text: string): number => (text === '' ? Number.NaN : Number(text));
