import { codedNote, codedRefusal, openNotes } from '@kc/cluster/lists/list-refusal';
import { whyNoRows } from '@kc/cluster/read/data-rows';
import type { Reading, Note as ReadingNote } from '@kc/cluster/read/reading';
import { say, sayRefusal } from '@kc/rules/all-messages';
import type { Refusal } from '@kc/rules/result';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Checkbox } from '../../ui/checkbox.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countText } from '../../ui/number-text.ts';
import type { Correction } from './corrections.ts';
import { type FilePreview, severityOf } from './preview-state.ts';
import { encodingNames } from './reading-words.ts';

type Props = {
  readonly reading: Reading;
  readonly preview: FilePreview;
  readonly onCorrect: (correction: Correction) => void;
};

/**
 * What a person should know about a file before it is sent, and questions about its values that only they can answer.
 */
export function ReadingNotes({ reading, preview, onCorrect }: Props) {
  const { rows } = preview;
  const severity = severityOf(preview);
  const footers = rows ? footerText(rows) : undefined;
  const isDayFirst = reading.columns.find(({ meaning }) => meaning === 'date')?.isDayFirst ?? true;
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {openNotes(reading, rows).map((note) => (
        <Note
          key={'column' in note ? `${note.code} ${note.column}` : note.code}
          tone={note.code === 'no-keyword-column' ? 'bad' : 'warn'}
        >
          {note.code === 'encoding-guess'
            ? say('list/encoding-guess', { encoding: encodingNames[note.encoding] })
            : sayRefusal(codedNote(note, reading.columns, rows) as Refusal)}
          <Question note={note} reading={reading} isDayFirst={isDayFirst} onCorrect={onCorrect} />
        </Note>
      ))}
      {rows?.rows === 0 && <Note tone="bad">{sayRefusal(codedRefusal(whyNoRows([rows])) as Refusal)}</Note>}
      {rows && rows.rows > 0 && severity !== 'good' && (
        <Note tone={severity === 'refused' ? 'bad' : 'warn'}>
          {say('list/check-reading', {
            count: countText(rows.unreadable),
            rows: countText(rows.rows + rows.unreadable),
          })}
        </Note>
      )}
      {footers && <Note tone="warn">{footers}</Note>}
    </div>
  );
}

type QuestionProps = Omit<Props, 'preview'> & { readonly note: ReadingNote; readonly isDayFirst: boolean };
type Values = Extract<Correction, { what: 'values' }>['value'];

/** How else the values of a note could be read. */
function Question({ note, reading, isDayFirst, onCorrect }: QuestionProps) {
  const { columns, encoding } = reading;
  const box = (label: string, checked: boolean, read: (isOn: boolean) => Values) => (
    <Checkbox label={label} checked={checked} onChange={(isOn) => onCorrect({ what: 'values', value: read(isOn) })} />
  );
  switch (note.code) {
    case 'zero-cpc': {
      const isUnknown = columns.some(({ isZeroUnknown }) => isZeroUnknown);
      return box('0 means unknown', isUnknown, (isZeroCpcUnknown) => ({ isZeroCpcUnknown }));
    }
    case 'ctr-scale': {
      const isInPercent = columns.find(({ name }) => name === note.column)?.isPercent ?? false;
      return box(`${note.sample} means ${note.sample} %`, isInPercent, (isCtrPercent) => ({ isCtrPercent }));
    }
    case 'thousands-guess':
      return box(`${note.sample} means ${note.sample.replaceAll(/\D/gu, '')}`, note.are, (areThousands) => ({
        areThousands,
      }));
    case 'filled-down': {
      const isFilled = columns.some((column) => column.fillsDown);
      return box('Fill empty cells', isFilled, (fillsDown) => ({ fillsDown }));
    }
    case 'group-rows':
      return box('They are groups', reading.groupRows !== undefined, (fillsDown) => ({ fillsDown }));
    case 'group-lines':
      return box('They are groups', reading.outline !== undefined, (fillsDown) => ({ fillsDown }));
    case 'date-order':
      return box('The day comes first', isDayFirst, (next) => ({ isDayFirst: next }));
    case 'month-order':
      return box(`${note.column} is the newest`, note.isNewest, (isFirstMonthNewest) => ({ isFirstMonthNewest }));
    case 'results-guess': {
      const hasResults = columns.some(({ meaning }) => meaning === 'resultUrl');
      return box('They are search results', hasResults, (areResults) => ({ areResults }));
    }
    case 'encoding-guess':
      return <Encodings samples={note.samples} chosen={encoding} onCorrect={onCorrect} />;
    default:
      return null;
  }
}

type EncodingsProps = {
  readonly samples: Extract<ReadingNote, { code: 'encoding-guess' }>['samples'];
  readonly chosen: Reading['encoding'];
  readonly onCorrect: Props['onCorrect'];
};

/** One line of the file in each encoding that is likely. */
function Encodings({ samples, chosen, onCorrect }: EncodingsProps) {
  const name = useId();
  return (
    <fieldset className="mt-1 flex flex-col gap-1">
      <legend className="sr-only">Which line is right?</legend>
      {samples.map(({ encoding, text }) => (
        <label key={encoding} className="flex min-h-6 items-center gap-2">
          <input
            type="radio"
            name={name}
            checked={encoding === chosen}
            onChange={() => onCorrect({ what: 'encoding', value: encoding })}
            className="accent-brand"
          />
          <span className="min-w-36">{encodingNames[encoding]}</span>
          <bdi className="min-w-0 text-ink wrap-anywhere">{text}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

type Footers = Pick<NonNullable<FilePreview['rows']>, 'footers' | 'cutAfter'>;

/** "Lines 2 and 30,002–30,004 are not keywords." and whether the tool has cut the export. */
function footerText({ footers, cutAfter }: Footers): string | undefined {
  if (footers.length === 0) return undefined;
  const runs: { first: number; last: number }[] = [];
  for (const { line } of footers) {
    const run = runs.at(-1);
    if (run && line === run.last + 1) run.last = line;
    else runs.push({ first: line, last: line });
  }
  const parts = runs.map(({ first, last }) =>
    first === last ? countText(first) : `${countText(first)}–${countText(last)}`,
  );
  const lines =
    footers.length === 1
      ? `Line ${parts[0]} is not a keyword`
      : `Lines ${parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts[0]} are not keywords`;
  return cutAfter === undefined ? `${lines}.` : `${lines}. ${say('list/cut', { rows: countText(cutAfter) })}`;
}

export function Note({ tone, children }: { readonly tone: 'warn' | 'bad'; readonly children: ReactNode }) {
  const Icon = tone === 'bad' ? CircleAlert : TriangleAlert;
  return (
    <div
      className={classNames(
        'flex items-start gap-2 rounded-control px-3 py-2 text-small wrap-anywhere',
        tone === 'bad' ? 'bg-bad-soft text-bad' : 'bg-warn-soft text-warn',
      )}
    >
      <Icon size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
