import { say } from '@kc/rules/all-messages';
import type { DraftSettings } from '@kc/rules/draft-shapes';
import { Button } from '../../ui/button.tsx';
import { RadioRow } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { counted } from './draft-words.ts';

/** A map that the lists may be next month's export of, or have search results for. */
export type Update = { readonly id: string; readonly name: string };

/** What becomes of the lists: `of` is the map that they belong to, empty for a map of their own. */
export type Make = { readonly of: string; readonly adds: DraftSettings['adds'] };
export const newMap: Make = { of: '', adds: undefined };

type MakeProps = {
  /** What the lists are about, by the names of their files. */
  readonly topic: string;
  readonly updates: readonly Update[];
  /** Whether a list has search results. */
  readonly hasResults: boolean;
  readonly value: Make;
  readonly onChange: (make: Make) => void;
};

/** Whether the lists become a new map, the next month of an existing one, or search results for an existing one. */
export function MakeSelect({ topic, updates, hasResults, value, onChange }: MakeProps) {
  const makes: readonly (Make & { readonly label: string })[] = [
    { ...newMap, label: 'A new map' },
    ...updates.map(({ id, name }) => ({ of: id, adds: undefined, label: `An update of ${name}` })),
    ...(hasResults || value.adds
      ? updates.map(({ id, name }) => ({ of: id, adds: 'results' as const, label: `Search results for ${name}` }))
      : []),
  ];
  const chosen = makes.findIndex(
    ({ of, adds }) => of === value.of && (adds === undefined) === (value.adds === undefined),
  );
  // A map has this name if it was made of a list with such a name.
  const former = value.of === '' ? updates.find(({ name }) => name.toLowerCase() === topic.toLowerCase()) : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <Select
        label="What becomes of the list"
        value={String(chosen)}
        options={makes.map(({ label }, at) => ({ value: String(at), label }))}
        onChange={(at) => {
          const { of, adds } = makes[Number(at)]!;
          onChange({ of, adds });
        }}
      />
      {former && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-small">
          {say('list/next-month', { name: former.name })}
          <Button size="dense" onClick={() => onChange({ of: former.id, adds: undefined })}>
            Update {former.name}
          </Button>
        </p>
      )}
      {value.of !== '' && !value.adds && (
        <p className="text-muted text-small">
          Known keywords stay in their clusters, with new figures. New ones join the clusters they resemble; the rest is
          clustered alone. Keywords that are missing leave the map.
        </p>
      )}
      {value.adds && (
        <>
          <RadioRow<NonNullable<Make['adds']>>
            label="Clusters"
            value={value.adds}
            options={[
              { value: 'results', label: 'Keep them', help: 'Warnings say where results disagree with them.' },
              {
                value: 'results-anew',
                label: 'Cluster anew',
                help: 'By shared result URLs. Names and locks are lost.',
              },
            ]}
            onChange={(adds) => onChange({ ...value, adds })}
          />
          <p className="text-muted text-small">
            Keywords of the map get the results of the list. Keywords that the map does not have are counted and left
            out.
          </p>
        </>
      )}
    </div>
  );
}

/** The text of the button for an update. */
export const updateText = (keywords: number | undefined): string =>
  keywords === undefined ? 'Update' : `Update with ${counted(keywords, 'keyword')}`;

/** The text of the button for search results. */
export const addsText = (keywords: number | undefined): string =>
  keywords === undefined ? 'Add search results' : `Add results of ${counted(keywords, 'keyword')}`;
