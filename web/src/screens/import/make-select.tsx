import { countText } from '../../ui/number-text.ts';
import { Select } from '../../ui/select.tsx';

/** A map that the lists may be next month's export of. */
export type Update = { readonly id: string; readonly name: string };

type MakeProps = {
  readonly updates: readonly Update[];
  readonly value: string;
  readonly onChange: (id: string) => void;
};

/** Whether the lists become a map of their own, or next month's state of another one. */
export function MakeSelect({ updates, value, onChange }: MakeProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <Select
        label="What becomes of the list"
        value={value === '' ? newMap : value}
        options={[
          { value: newMap, label: 'A new map' },
          ...updates.map(({ id, name }) => ({ value: id, label: `An update of ${name}` })),
        ]}
        onChange={(chosen) => onChange(chosen === newMap ? '' : chosen)}
      />
      {value !== '' && (
        <p className="text-muted text-small">
          Known keywords stay in their clusters, with new figures. New ones join the clusters they resemble; the rest is
          clustered alone. Keywords that are missing leave the map.
        </p>
      )}
    </div>
  );
}

const newMap = 'new';

/** What the button says for an update. */
export const updateText = (keywords: number | undefined): string =>
  keywords === undefined ? 'Update' : `Update with ${countText(keywords)} keywords`;
