import { shareText } from '@kc/pack/filter-words/share-text';
import { sortableMarks } from '@kc/pack/levels/row-sort';
import { type MarkField, markFields, readStamped } from '@kc/pack/slice/mark-fields';
import type { SliceField } from '@kc/pack/slice/slice';
import { exact, isKnown, unknown } from '../../format/figure-text.ts';

const changeTexts: Readonly<Record<string, { readonly sign: string; readonly word: string }>> = {
  same: { sign: '', word: 'same place' },
  new: { sign: '+', word: 'New' },
  moved: { sign: '→', word: 'Moved' },
  renamed: { sign: '✎', word: 'Renamed' },
};
const statusTexts: Readonly<Record<string, { readonly sign: string; readonly word: string }>> = {
  none: { sign: '', word: 'not planned' },
  idea: { sign: '○', word: 'Idea' },
  planned: { sign: '◔', word: 'Planned' },
  written: { sign: '◑', word: 'Written' },
  live: { sign: '●', word: 'Live' },
};

type CellProps = {
  readonly id: string;
  /** The fields that are here, for row `at`. */
  readonly fieldOf: (field: MarkField) => SliceField | undefined;
  readonly at: number;
  readonly volume: number;
};

/** A cell about the comparison or the plan; empty while that is on its way. */
export function MarkCell({ id, fieldOf, at, volume }: CellProps) {
  switch (id) {
    case 'change':
      return <Named field={fieldOf(markFields.change)} at={at} texts={changeTexts} />;
    case 'plan':
      return <Named field={fieldOf(markFields.status)} at={at} texts={statusTexts} />;
    case 'covered':
      return <Figure field={fieldOf(markFields.covered)} at={at} write={(percent) => shareText(percent / 100, 0)} />;
    case 'volume_before':
      return <Figure field={fieldOf(markFields.volumeBefore)} at={at} write={exact} />;
    case 'volume_change':
      return <Figure field={fieldOf(markFields.volumeChange)} at={at} write={signed} />;
    default:
      return (
        <Figure field={fieldOf(markFields.volumeBefore)} at={at} write={(before) => percentText(before, volume)} />
      );
  }
}

/** Warnings have a cell of their own. */
export const markColumns: readonly string[] = sortableMarks.filter((mark) => mark !== 'warnings');

/** The fields of a slice by what they are, whatever they are about. */
export const markFieldIn = (fields: readonly SliceField[], field: MarkField): SliceField | undefined =>
  fields.find(({ name }) => readStamped(name)?.field === field);

function Named({ field, at, texts }: { field: SliceField | undefined; at: number; texts: typeof changeTexts }) {
  if (field?.kind !== 'category') return null;
  const text = texts[field.values[field.value[at]!]!];
  if (!text) return <span className="text-muted italic">{unknown}</span>;
  return (
    <span className={text.sign === '' ? 'text-muted' : ''}>
      <span aria-hidden="true" className="inline-block w-4">
        {text.sign}
      </span>
      {text.word}
    </span>
  );
}

type FigureProps = {
  readonly field: SliceField | undefined;
  readonly at: number;
  readonly write: (value: number) => string;
};

function Figure({ field, at, write }: FigureProps) {
  if (field?.kind !== 'number') return null;
  const value = field.value[at]!;
  const text = isKnown(value) ? write(value) : unknown;
  return text === unknown ? <span className="text-muted italic">{unknown}</span> : text;
}

/** "+300", "−40", "0" */
export const signed = (value: number): string =>
  value === 0 ? '0' : `${value > 0 ? '+' : '−'}${exact(Math.abs(value))}`;

/** "+25 %"; unknown where nothing was searched before. */
export function percentText(before: number, now: number): string {
  if (!isKnown(before) || !isKnown(now) || before === 0) return unknown;
  return `${signed(Math.round((100 * (now - before)) / before))} %`;
}
