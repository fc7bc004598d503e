import { shareText } from '@kc/pack/filter-words/share-text';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useMedia } from '../../ui/environment.ts';
import { Select } from '../../ui/select.tsx';

/** A column of a list, or a member of the entries of a JSON file. */
export type FieldRow<Meaning extends string> = {
  readonly name: string;
  readonly meaning: Meaning;
  /** A value as it is in the file. */
  readonly sample: string | undefined;
  /** Share of the entries with a known value, 0 to 1. */
  readonly known: number;
  /** Why the meaning hardly fits the values. */
  readonly warning?: string | undefined;
};

type Props<Meaning extends string> = {
  /** What a field is called here. */
  readonly word: 'Column' | 'Member';
  readonly fields: readonly FieldRow<Meaning>[];
  /** The meanings that can be chosen for a field. */
  readonly meaningsFor: (field: FieldRow<Meaning>) => readonly { readonly value: Meaning; readonly label: string }[];
  /** @param field its place among the fields */
  readonly onCorrect: (field: number, meaning: Meaning) => void;
  /** Said beside the heading. */
  readonly note?: ReactNode;
};

/** More fields are shown on request. */
const shownFirst = 24;

/** "How we read your fields": the recognised meaning of each column, which a person can correct. */
export function FieldsPanel<Meaning extends string>({ word, fields, meaningsFor, onCorrect, note }: Props<Meaning>) {
  const id = useId();
  const isWide = useMedia('(min-width: 40rem)');
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? fields : fields.slice(0, shownFirst);
  const rows = shown.map((field, at) => ({
    field,
    select: (
      <Select
        showLabel={false}
        size="dense"
        label={`Meaning of ${word.toLowerCase()} ${field.name}`}
        value={field.meaning}
        options={meaningsFor(field)}
        onChange={(meaning) => onCorrect(at, meaning)}
      />
    ),
  }));
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h4 id={id} className="font-semibold text-body">
          How we read your fields
        </h4>
        {note && <p className="text-small text-muted">{note}</p>}
      </div>
      {isWide ? (
        <FieldTable labelledBy={id} word={word} rows={rows} />
      ) : (
        <ul className="mt-2 flex flex-col gap-2">
          {rows.map(({ field, select }) => (
            <li key={field.name} className="rounded-control border border-line p-3">
              <div className="flex items-baseline justify-between gap-3">
                <span className="min-w-0 font-medium text-body wrap-anywhere">{field.name}</span>
                <span className="shrink-0 text-muted text-small tabular-nums">known {shareText(field.known)}</span>
              </div>
              <p className="mt-0.5 truncate text-muted text-small">{field.sample ?? 'No value'}</p>
              <div className="mt-2">{select}</div>
              <Warning text={field.warning} />
            </li>
          ))}
        </ul>
      )}
      {!showsAll && fields.length > shownFirst && (
        <Button size="dense" variant="ghost" className="mt-2" onClick={() => setShowsAll(true)}>
          Show all {fields.length} {word.toLowerCase()}s
        </Button>
      )}
    </div>
  );
}

type Row = { readonly field: FieldRow<string>; readonly select: ReactNode };

type TableProps = { readonly labelledBy: string; readonly word: string; readonly rows: readonly Row[] };

function FieldTable({ labelledBy, word, rows }: TableProps) {
  return (
    <table aria-labelledby={labelledBy} className="mt-2 w-full table-fixed border-collapse text-left text-small">
      <thead>
        <tr className="text-muted">
          <th scope="col" className="w-[26%] py-1.5 pr-3 font-medium">
            {word}
          </th>
          <th scope="col" className="w-[34%] py-1.5 pr-3 font-medium">
            Meaning
          </th>
          <th scope="col" className="py-1.5 pr-3 font-medium">
            Sample
          </th>
          <th scope="col" className="w-20 py-1.5 text-right font-medium">
            Known
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, select }) => (
          <tr key={field.name} className="border-line border-t align-middle">
            <th scope="row" className="truncate py-1.5 pr-3 font-medium text-ink" title={field.name}>
              {field.name}
            </th>
            <td className="py-1.5 pr-3">
              {select}
              <Warning text={field.warning} />
            </td>
            <td className="truncate py-1.5 pr-3 text-muted" title={field.sample}>
              {field.sample ?? 'No value'}
            </td>
            <td className="py-1.5 text-right tabular-nums">{shareText(field.known)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Warning({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p className="mt-1 flex items-start gap-1.5 text-small text-warn">
      <TriangleAlert size={16} className="mt-0.5 shrink-0" />
      {text}
    </p>
  );
}
