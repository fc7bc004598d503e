import { codedRefusal, codeOfProblem } from '@kc/cluster/lists/list-refusal';
import type { RowReport } from '@kc/cluster/read/data-rows';
import type { Corrections, Reading } from '@kc/cluster/read/reading';
import { say, sayError, sayRefusal } from '@kc/rules/all-messages';
import type { Refusal } from '@kc/rules/result';
import { useMutation } from '@tanstack/react-query';
import { Check, ChevronDown, Copy, FileSpreadsheet } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useCopied } from '../../ui/copy-text.ts';
import { Field } from '../../ui/field.tsx';
import { bytesText, countText } from '../../ui/number-text.ts';
import { Select } from '../../ui/select.tsx';
import { type Correction, isCorrected } from './corrections.ts';
import { FieldsPanel } from './fields-panel.tsx';
import type { FilePreview } from './preview-state.ts';
import { Note, ReadingNotes } from './reading-notes.tsx';
import {
  dayText,
  delimiterOptions,
  encodingOptions,
  meaningOptions,
  misfitText,
  readingParts,
} from './reading-words.ts';
import type { ChosenList } from './use-preview.ts';

type Props = {
  readonly list: ChosenList;
  readonly preview: FilePreview | undefined;
  readonly onCorrect: (correction: Correction) => void;
  readonly onReset: () => void;
  /** When an earlier list with this header was corrected, in ms since 1970. */
  readonly correctedAt: number | undefined;
  /** Forgets those corrections. */
  readonly onForget: () => Promise<void>;
  readonly onRemove: () => void;
};

/** One list of an import: what it was recognised as, what is wrong with it, and what its columns mean. */
export function ListCard({ list, preview = {}, onCorrect, onReset, correctedAt, onForget, onRemove }: Props) {
  const id = useId();
  const { file, corrections } = list;
  const { reading, refusal, rows } = preview;
  const [isChanging, setIsChanging] = useState(false);
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 py-4 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <FileSpreadsheet size={22} strokeWidth={1.5} className="shrink-0 text-brand" />
        <h4 id={id} className="min-w-0 flex-1 basis-40 font-semibold text-body wrap-anywhere">
          {file.name}
        </h4>
        <span className="text-muted text-small tabular-nums">{bytesText(file.size)}</span>
        <Button size="dense" variant="ghost" onClick={onRemove}>
          Remove<span className="sr-only"> {file.name}</span>
        </Button>
      </div>
      {refusal && <Note tone="bad">{sayRefusal(codedRefusal(refusal) as Refusal)}</Note>}
      {!refusal && !reading && <p className="text-muted text-small">Reading the beginning…</p>}
      {reading && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="min-w-0 flex-1 basis-60 text-small">
              <span className="font-medium text-ink">{readingParts(reading)[0]}</span>
              <span className="text-muted">
                {readingParts(reading)
                  .slice(1)
                  .map((part) => ` · ${part}`)}
              </span>
            </p>
            <Button size="dense" aria-expanded={isChanging} onClick={() => setIsChanging(!isChanging)}>
              Change reading
              <ChevronDown
                size={16}
                className={classNames('motion transition', isChanging ? 'rotate-180' : undefined)}
              />
            </Button>
          </div>
          {isChanging && (
            <ChangeReading reading={reading} corrections={corrections} onCorrect={onCorrect} onReset={onReset} />
          )}
          <RememberedNote
            correctedAt={correctedAt}
            isCorrected={isCorrected(corrections)}
            fileName={file.name}
            onForget={onForget}
          />
          <ReadingNotes reading={reading} preview={preview} onCorrect={onCorrect} />
          {rows && rows.unreadable > 0 && <ProblemList problems={rows.problems} unreadable={rows.unreadable} />}
          <FieldsPanel
            word="Column"
            fields={reading.columns.map(({ name, meaning, sample, currency, known, misfit }, at) => ({
              name,
              meaning,
              sample: currency !== undefined && sample !== undefined ? `${sample} ${currency}` : sample,
              // By the beginning of the file until all of it is read.
              known: rows && rows.rows > 0 ? (rows.known[at] ?? 0) / rows.rows : known,
              warning: misfit === undefined ? undefined : misfitText(meaning, misfit),
            }))}
            meaningsFor={() => meaningOptions}
            onCorrect={(column, meaning) => onCorrect({ what: 'meaning', column, meaning })}
          />
        </>
      )}
    </section>
  );
}

type ChangeProps = {
  readonly reading: Reading;
  readonly corrections: Corrections;
  readonly onCorrect: (correction: Correction) => void;
  /** Forgets all corrections. */
  readonly onReset: () => void;
};

/** The fields of "Change reading": how a file is split into lines and cells, and where it comes from. */
function ChangeReading({ reading, corrections, onCorrect, onReset }: ChangeProps) {
  const { format, encoding, delimiter, columnsAt, figureAt, sheet, sheets, header, market } = reading;
  return (
    <div className="grid gap-x-4 gap-y-3 rounded-control bg-sunken p-4 sm:grid-cols-2">
      {format === 'text' ? (
        <>
          <Select
            label="Encoding"
            value={encoding}
            options={encodingOptions}
            onChange={(value) => onCorrect({ what: 'encoding', value })}
          />
          <Select
            label="Delimiter"
            value={delimiter ?? (columnsAt ? 'columns' : figureAt ? 'figures' : 'lines')}
            options={delimiterOptions}
            onChange={(value) => onCorrect({ what: 'delimiter', value })}
          />
        </>
      ) : format === 'workbook' ? (
        <Select
          label="Sheet"
          value={sheet ?? ''}
          options={(sheets ?? []).map((name) => ({ value: name, label: name }))}
          onChange={(value) => onCorrect({ what: 'sheet', value })}
        />
      ) : null}
      {format !== 'json' && (
        <CommittedField
          label="Header line"
          hint="0 if the file has no header"
          inputMode="numeric"
          value={String(header?.line ?? 0)}
          onCommit={(text) => /^\d{1,7}$/.test(text) && onCorrect({ what: 'header', value: Number(text) })}
        />
      )}
      <CommittedField
        label="Market"
        hint="A country, such as us or de"
        value={market ?? ''}
        maxLength={16}
        onCommit={(text) => onCorrect({ what: 'market', value: text.toLowerCase() })}
      />
      {Object.keys(corrections).length > 0 && (
        <div className="sm:col-span-2">
          <Button size="dense" variant="ghost" onClick={onReset}>
            Read again without corrections
          </Button>
        </div>
      )}
    </div>
  );
}

type CommittedProps = {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly inputMode?: 'numeric';
  readonly maxLength?: number;
  readonly onCommit: (text: string) => void;
};

/** A field whose value is applied on blur or by Enter, because each change reads the file again. */
function CommittedField({ value, onCommit, ...field }: CommittedProps) {
  const [text, setText] = useState(value);
  const [saved, setSaved] = useState(value);
  // The file was read in another way: the field stays mounted and keeps the focus.
  if (saved !== value) {
    setSaved(value);
    setText(value);
  }
  const commit = () => text.trim() !== value && onCommit(text.trim());
  return (
    <Field
      {...field}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}

type RememberedProps = {
  /** Absent if the list is not read as an earlier one. */
  readonly correctedAt: number | undefined;
  readonly isCorrected: boolean;
  readonly fileName: string;
  readonly onForget: () => Promise<void>;
};

/** Says that a list is read as an earlier one was corrected, and lets that be forgotten. */
function RememberedNote({ correctedAt, isCorrected, fileName, onForget }: RememberedProps) {
  const line = useRef<HTMLParagraphElement>(null);
  const forgetting = useMutation({
    mutationFn: onForget,
    networkMode: 'always',
    // The button that had the focus disappears.
    onSuccess: () => line.current?.focus(),
  });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small empty:hidden">
      <p ref={line} role="status" tabIndex={-1} className="text-muted outline-none empty:hidden">
        {correctedAt !== undefined && say('list/remembered', { day: dayText(correctedAt) })}
        {!isCorrected && forgetting.isSuccess && say('list/forgotten')}
      </p>
      {correctedAt !== undefined && (
        <Button size="dense" variant="ghost" onClick={() => forgetting.mutate()}>
          Forget<span className="sr-only"> the corrections of {fileName}</span>
        </Button>
      )}
      {correctedAt !== undefined && forgetting.error && (
        <p role="alert" className="basis-full text-bad">
          {say('list/not-forgotten', { reason: sayError(forgetting.error) })}
        </p>
      )}
    </div>
  );
}

const shownProblems = 20;

/** The rows that could not be read, with line, reason and beginning. All listed ones can be copied. */
function ProblemList({ problems, unreadable }: Pick<RowReport, 'problems' | 'unreadable'>) {
  const [copied, copy] = useCopied(say('account/copy-refused'));
  const copyAll = () =>
    copy(problems.map(({ line, reason, text }) => `${line}\t${reasonText(reason)}\t${text}`).join('\n'));
  const Icon = copied ? Check : Copy;
  return (
    <details className="text-small">
      <summary className="cursor-pointer rounded-chip py-1 font-medium text-ink">
        {countText(unreadable)} unreadable {unreadable === 1 ? 'row' : 'rows'}
      </summary>
      <ol className="mt-1 flex flex-col gap-1 rounded-control bg-sunken p-3">
        {problems.slice(0, shownProblems).map(({ line, reason, text }) => (
          <li key={`${line} ${reason}`} className="wrap-anywhere">
            <span className="font-medium tabular-nums">Line {countText(line)}</span>: {reasonText(reason)}
            {text !== '' && <code className="block font-mono text-micro text-muted">{text}</code>}
          </li>
        ))}
        {unreadable > shownProblems && <li className="text-muted">and {countText(unreadable - shownProblems)} more</li>}
      </ol>
      <Button size="dense" className="mt-2" icon={<Icon size={16} />} onClick={copyAll}>
        {copied ? 'Copied' : problems.length < unreadable ? `Copy the first ${countText(problems.length)}` : 'Copy'}
      </Button>
    </details>
  );
}

const reasonText = (reason: Parameters<typeof codeOfProblem>[0]): string =>
  sayRefusal({ code: codeOfProblem(reason) } as Refusal);
