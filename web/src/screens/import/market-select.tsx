import { useState } from 'react';
import { Select } from '../../ui/select.tsx';
import { Note } from './reading-notes.tsx';

type Props = {
  /** Of the lists; undefined while they are read. */
  readonly markets: readonly string[] | undefined;
  /** The one whose rows alone are used; all if undefined. */
  readonly value: string | undefined;
  readonly onChange: (market: string | undefined) => void;
};

const all = 'all';

/** Which of several markets are used. Absent if there is one. */
export function MarketSelect({ markets, value, onChange }: Props) {
  // While the lists are read again, for another choice, the markets are those of before.
  const [shown, setShown] = useState(markets ?? []);
  if (markets && markets !== shown) setShown(markets);
  if (shown.length < 2) return null;
  return (
    <div className="flex flex-col gap-2 pb-3">
      <Note tone="warn">{marketsText(shown, value)}</Note>
      <Select
        label="Market"
        value={value ?? all}
        options={[
          { value: all, label: 'All, with volumes added up' },
          ...shown.map((market) => ({ value: market, label: `Only ${market}` })),
        ]}
        onChange={(chosen) => onChange(chosen === all ? undefined : chosen)}
      />
    </div>
  );
}

/** "3 markets: us, uk, de. Volumes are added up." */
export function marketsText(markets: readonly string[], only: string | undefined): string {
  const listed = `${markets.length} markets: ${markets.join(', ')}.`;
  return only === undefined ? `${listed} Volumes are added up.` : `${listed} Only rows of ${only} are used.`;
}
