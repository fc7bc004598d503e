import { monthText } from '@kc/pack/vocabulary/months';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { type NewestMonth, useExplorer } from '../explorer-context.ts';

/** At least; an earlier month that is known or suggested is offered, too. */
const minMonths = 36;

/** Asks which month the newest is, where the file only numbers them. */
export function NewestMonthForm({ known, fileName, uploadedAt, save }: NewestMonth) {
  const { month: suggested, isFromFileName } = suggestedMonth(fileName, uploadedAt);
  const [chosen, setChosen] = useState(known ?? suggested);
  const saving = useMutation({ mutationFn: () => save(chosen), networkMode: 'always' });
  const { explain } = useExplorer();
  const hint = isFromFileName ? 'from the file name' : 'the month of the upload';
  const options = monthsOffered([suggested, ...(known === undefined ? [] : [known])]).map((month) => {
    const label = monthText(month);
    return { value: month, label: month === suggested ? `${label} – ${hint}` : label };
  });
  return (
    <div className="mt-2 flex flex-wrap items-end gap-2">
      <Select
        label="Which month is the newest?"
        size="dense"
        className="flex-1"
        value={chosen}
        options={options}
        onChange={setChosen}
      />
      <Button size="dense" disabled={saving.isPending || chosen === known} onClick={() => saving.mutate()}>
        Save
      </Button>
      {saving.error && (
        <p role="alert" className="m-0 basis-full text-small text-bad">
          {explain(saving.error)}
        </p>
      )}
    </div>
  );
}

/**
 * The newest first, from this month or a later one of those that are known or suggested.
 *
 * @param named months that are offered in any case, as in `2026-04`
 */
export function monthsOffered(named: readonly string[], now = new Date().toISOString().slice(0, 7)): string[] {
  const [year, month] = [now, ...named].toSorted().at(-1)!.split('-').map(Number) as [number, number];
  const recent = Array.from({ length: minMonths }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  );
  return [...new Set([...recent, ...named])].toSorted().toReversed();
}

/** The newest month that a file name or the day of an upload suggest. */
export function suggestedMonth(fileName: string, uploadedAt: number): { month: string; isFromFileName: boolean } {
  const written = /(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])(?!\d{3})/.exec(fileName);
  if (written) return { month: `${written[1]}-${written[2]}`, isFromFileName: true };
  return { month: new Date(uploadedAt).toISOString().slice(0, 7), isFromFileName: false };
}
