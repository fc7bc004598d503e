import { codedRefusal } from '@kc/cluster/lists/list-refusal';
import { sayRefusal } from '@kc/rules/all-messages';
import type { Refusal } from '@kc/rules/result';
import { ChevronDown, FileSpreadsheet } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { bytesText } from '../../ui/number-text.ts';
import { ChangeReading } from './change-reading.tsx';
import { type Correction, isCorrected } from './corrections.ts';
import { FieldsPanel } from './fields-panel.tsx';
import type { FilePreview } from './preview-state.ts';
import { ProblemList } from './problem-list.tsx';
import { Note, ReadingNotes } from './reading-notes.tsx';
import { meaningOptions, misfitText, readingParts } from './reading-words.ts';
import { RememberedNote } from './remembered-note.tsx';
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
        <FileSpreadsheet size={22} strokeWidth={1.5} className="shrink-0 text-brand" aria-hidden />
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
                strokeWidth={1.75}
                aria-hidden
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
