import { say, sayRefusal } from '@kc/rules/all-messages';
import { secondsFor } from '@kc/rules/clustering-time';
import { limits } from '@kc/rules/limits';
import type { Refusal } from '@kc/rules/result';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { isOverlayOpen } from '../../ui/keys.ts';
import { countText } from '../../ui/number-text.ts';
import { RadioRow } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { useWindowEvent } from '../../ui/use-window-event.ts';
import { isCorrected } from './corrections.ts';
import { counted, estimateText } from './draft-words.ts';
import { GroupingChooser, UrlGroups } from './grouping-chooser.tsx';
import {
  actionText,
  chosenGrouping,
  defaultFolders,
  filterOf,
  type GroupBy,
  groupByOf,
  type ImportFilter,
  isGrouped,
  settingsOf,
} from './import-choices.ts';
import { chosenEndings } from './import-files.ts';
import { ListCard } from './list-card.tsx';
import { nameOfLists } from './list-name.ts';
import { addsText, type Make, MakeSelect, newMap, type Update, updateText } from './make-select.tsx';
import { MoreSettings } from './more-settings.tsx';
import { canSend, type Preview } from './preview-state.ts';
import { Note } from './reading-notes.tsx';
import { marketsText } from './reading-words.ts';
import { recalledAt } from './remembered.ts';
import type { ImportRequest } from './send-import.ts';
import type { ImportForm } from './use-import-form.ts';
import { usePreview } from './use-preview.ts';
import { useRemembered } from './use-remembered.ts';

type Props = {
  readonly form: ImportForm;
  readonly updates: readonly Update[];
  /** Sends the lists. Resolves with a refusal if the draft could not be started. */
  readonly onSend: (request: Omit<ImportRequest, 'userId' | 'description'>) => Promise<Refusal | undefined>;
  readonly onCancel: (hasCorrections: boolean) => void;
};

/** What the lists hold, as the browser reads them before they are sent, and how they will be clustered. */
export function PreviewPanel({ form, updates, onSend, onCancel }: Props) {
  const { lists, choices, notices } = form;
  const chosen = useMemo(() => chosenGrouping(choices), [choices]);
  const filter = useMemo(() => filterOf(choices.filter) ?? {}, [choices.filter]);
  const preview = usePreview(lists, chosen, choices.market, filter);
  const { memories, forget } = useRemembered(form, preview);
  const { groups: recognised, chosenGroups, choices: offered, filtered, isEnded } = preview;
  // Before the lists are read to their end, nothing is filtered.
  const counts = preview.counts && filtered ? { ...preview.counts, keywords: filtered.kept } : preview.counts;
  const groups = chosen ? chosenGroups : recognised;
  const by = groupByOf(choices, offered && { groups: recognised, hasResults: offered.hasResults });
  const [refusal, setRefusal] = useState<Refusal>();
  const [isSending, setIsSending] = useState(false);
  const [make, setMake] = useState<Make>(newMap);
  const hasResults = preview.files.some(({ reading }) =>
    reading?.columns.some(({ meaning }) => meaning === 'resultUrl'),
  );
  const [opened, setOpened] = useState<'columns' | 'more'>();
  const id = useId();
  const topic = nameOfLists(lists.map(({ file }) => file.name)).slice(0, limits.maxDraftNameLength);
  const name = form.name ?? topic;
  const hasCorrections = lists.some(({ corrections }) => isCorrected(corrections));
  useWindowEvent('keydown', (event) => {
    // Unless it closes something that is open.
    if (event.key === 'Escape' && !event.defaultPrevented && !isOverlayOpen()) onCancel(hasCorrections);
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);

  const send = async () => {
    setRefusal(undefined);
    setIsSending(true);
    const why = await onSend({
      name: name.trim(),
      files: lists.map(({ key, file, corrections }) => ({ file, corrections, header: memories.get(key)?.header })),
      settings: { ...settingsOf(choices), ...(make.adds && { adds: make.adds }) },
      ...(make.of !== '' && { updateOf: make.of }),
    });
    setIsSending(false);
    setRefusal(why);
  };
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface p-6 shadow-1 short:p-4 max-sm:p-4"
    >
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <h3 id={id} ref={heading} tabIndex={-1} className="text-h2 outline-none">
            {lists.length === 1 ? 'Your keyword list' : `Your ${lists.length} keyword lists`}
          </h3>
          <CountsLine preview={preview} />
        </div>
        <AddFiles onFiles={form.add} disabled={lists.length >= limits.maxLists} />
      </div>
      <div className="flex flex-col gap-2 empty:hidden [&:not(:empty)]:mb-4">
        {notices.map((notice) => (
          <Note key={notice} tone="warn">
            {notice}
          </Note>
        ))}
        {preview.hasFailed && <Banner tone="error">{say('upload/read-failed')}</Banner>}
      </div>
      <div className="divide-y divide-line">
        {lists.map((list, place) => (
          <ListCard
            key={list.key}
            list={list}
            preview={preview.files[place]}
            onCorrect={(correction) => form.correct(list.key, correction)}
            onReset={() => form.uncorrect(list.key)}
            correctedAt={recalledAt(memories.get(list.key), list)}
            onForget={() => forget(list.key)}
            onRemove={() => form.remove(list.key)}
          />
        ))}
      </div>
      <MarketSelect
        markets={preview.report?.markets}
        value={choices.market}
        onChange={(market) => form.choose({ market })}
      />
      <Repeats preview={preview} />
      <FilterFields filter={choices.filter} preview={preview} onChange={(next) => form.choose({ filter: next })} />
      <div className="mt-4 flex flex-col gap-3 border-line border-t pt-4">
        {updates.length > 0 && (
          <MakeSelect topic={topic} updates={updates} hasResults={hasResults} value={make} onChange={setMake} />
        )}
        {make.of === '' && (
          <>
            <RadioRow<GroupBy>
              label="Group"
              value={by}
              options={[
                { value: 'texts', label: 'By meaning and wording' },
                ...(offered?.hasResults ? [{ value: 'results' as const, label: 'By search results' }] : []),
                { value: 'columns', label: 'By columns of the file', disabled: (offered?.columns.length ?? 0) === 0 },
                ...(offered?.hasUrls
                  ? [
                      { value: 'page' as const, label: 'By page' },
                      { value: 'folder' as const, label: 'By folder' },
                    ]
                  : []),
              ]}
              onChange={(groupBy) => {
                form.choose({ groupBy });
                setOpened(groupBy === 'columns' && !recognised ? 'columns' : undefined);
              }}
            >
              {offered && offered.columns.length > 0 && by !== 'page' && by !== 'folder' && (
                <Button
                  size="dense"
                  aria-expanded={opened === 'columns'}
                  onClick={() => setOpened(opened === 'columns' ? undefined : 'columns')}
                >
                  Choose columns
                </Button>
              )}
            </RadioRow>
            {(by === 'page' || by === 'folder') && (
              <UrlGroups
                folders={by === 'folder' ? (choices.folders ?? defaultFolders) : undefined}
                groups={groups}
                onFolders={(folders) => form.choose({ folders })}
              />
            )}
            {opened === 'columns' && offered && (
              <GroupingChooser
                columns={offered.columns}
                chosen={choices.columns ?? recognised?.levels.map((level) => level.name) ?? []}
                groups={groups}
                splitsOther={choices.more.splitsOther ?? false}
                onChange={(columns) =>
                  form.choose(columns.length > 0 ? { columns, groupBy: 'columns' } : { columns: [], groupBy: 'texts' })
                }
                onSplitsOther={(splitsOther) => form.choose({ more: { ...choices.more, splitsOther } })}
              />
            )}
            <RadioRow
              label="Detail"
              value={choices.preset}
              options={[
                { value: 'page', label: 'Page-level', help: 'One cluster, one page.' },
                { value: 'balanced', label: 'Balanced', help: 'Clusters between a page and a topic.' },
                { value: 'broad', label: 'Broad', help: 'One cluster, one topic.' },
              ]}
              onChange={(preset) => form.choose({ preset })}
            >
              <Button
                size="dense"
                aria-expanded={opened === 'more'}
                onClick={() => setOpened(opened === 'more' ? undefined : 'more')}
              >
                More settings
                <ChevronDown size={16} />
              </Button>
            </RadioRow>
            {opened === 'more' && (
              <MoreSettings by={by} more={choices.more} onChange={(more) => form.choose({ more })} />
            )}
          </>
        )}
        <Field
          label="Name"
          value={name}
          maxLength={limits.maxDraftNameLength}
          onChange={(event) => form.setName(event.target.value)}
          error={name.trim() === '' ? 'Enter a name for the map.' : undefined}
        />
      </div>
      {refusal && (
        <div className="mt-4">
          <Banner tone="error">{sayRefusal(refusal)}</Banner>
        </div>
      )}
      <div className="mt-5 flex flex-wrap items-center justify-end gap-3">
        <TimeNeeded
          keywords={counts?.keywords}
          isGrouped={make.of === '' ? isGrouped(by, choices, groups) : make.adds === 'results'}
        />
        <Button onClick={() => onCancel(hasCorrections)} aria-keyshortcuts="Escape">
          Cancel
        </Button>
        <Button
          variant="primary"
          disabled={!canSend(preview) || filtered?.kept === 0 || name.trim() === '' || isSending}
          onClick={() => void send()}
          className="max-sm:flex-1"
        >
          {make.of === ''
            ? actionText(by, counts, groups)
            : make.adds
              ? addsText(counts?.keywords)
              : updateText(counts?.keywords)}
          {!isEnded && counts ? ' so far' : ''}
        </Button>
      </div>
    </section>
  );
}

/** Rows, keywords, repeats and unreadable rows; announced once, when reading ends. */
function CountsLine({ preview }: { readonly preview: Preview }) {
  const { counts, isEnded, report, files, totals } = preview;
  const unreadable = files.reduce((sum, { rows }) => sum + (rows?.unreadable ?? 0), 0);
  const left = unreadable + files.reduce((sum, { rows }) => sum + (rows?.footers.length ?? 0), 0);
  const parts = counts && [
    counted(counts.rows, 'row'),
    counts.isOver
      ? `more than ${countText(counts.keywords)} different keywords; the server counts the rest`
      : counted(counts.keywords, 'keyword'),
    ...(report ? [`${countText(report.repeats)} repeated`] : []),
    ...(isEnded ? [`${countText(unreadable)} unreadable`] : []),
  ];
  const sums = Object.entries(totals ?? {}).map(([figure, sum]) => `${figure} ${countText(sum)}`);
  return (
    <>
      <p className="mt-0.5 min-h-5 text-muted text-small tabular-nums">
        {parts ? `${parts.join(' · ')}${isEnded ? '' : ' so far'}` : 'The files have not been sent.'}
      </p>
      {sums.length > 0 && <p className="min-h-5 text-muted text-small tabular-nums">Totals: {sums.join(' · ')}</p>}
      <p role="status" className="sr-only">
        {isEnded && counts && `${counted(counts.keywords, 'keyword')}, ${counted(left, 'line')} left out`}
      </p>
    </>
  );
}

/** The keywords that occur in several rows, and what happens to their figures. */
function Repeats({ preview: { report } }: { readonly preview: Preview }) {
  if (!report) return null;
  const { repeats, mostRepeated } = report;
  return (
    <div className="flex flex-col gap-2 empty:hidden">
      {repeats > 0 && (
        <details className="text-small">
          <summary className="cursor-pointer rounded-chip py-1 font-medium">
            {countText(repeats)} {repeats === 1 ? 'row repeats' : 'rows repeat'} a keyword. They are merged.
          </summary>
          <p className="mt-1 text-muted">
            Clicks, impressions and traffic are added up. Volume, difficulty, CPC, competition and trend are those of
            the newest row that knows them. Intents and SERP features are united. Upper and lower case and blanks make
            no difference, accents do.
          </p>
          <ul className="mt-1 list-disc pl-5">
            {mostRepeated.map(({ keyword, rows }) => (
              <li key={keyword} className="wrap-anywhere">
                {keyword} <span className="text-muted tabular-nums">· {counted(rows, 'row')}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

type AddProps = { readonly onFiles: (files: readonly File[]) => void; readonly disabled: boolean };

function AddFiles({ onFiles, disabled }: AddProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="More keyword lists"
        accept={chosenEndings.join(',')}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <Button size="dense" disabled={disabled} onClick={() => input.current?.click()}>
        Add files
      </Button>
    </>
  );
}

type TimeProps = {
  /** Undefined until some are counted. */
  readonly keywords: number | undefined;
  /** Whether the lists have all their groups. */
  readonly isGrouped: boolean;
};

/** "About 15 s on this server": how long clustering takes, judging by the last runs. Absent until that is known. */
function TimeNeeded({ keywords, isGrouped }: TimeProps) {
  const { data: rates } = useQuery({
    queryKey: ['clustering rates'],
    queryFn: ({ signal }) => client.clustering.rates(undefined, { signal }),
  });
  if (!rates || !keywords) return null;
  const seconds = secondsFor(rates, keywords, isGrouped);
  return <p className="mr-auto text-muted text-small tabular-nums">About {estimateText(seconds)} on this server</p>;
}

type FilterProps = {
  readonly filter: ImportFilter;
  readonly preview: Preview;
  readonly onChange: (filter: ImportFilter) => void;
};

/** Which keywords are clustered: not those that hardly anybody searches for, nor those with some words. */
function FilterFields({ filter, preview, onChange }: FilterProps) {
  const { filtered, counts } = preview;
  const active = filterOf(filter);
  // While the user types, the filter may be empty for a moment: the fields must not close then.
  const [isOpen, setOpen] = useState(active !== undefined);
  const leavesOut = active && (active.minVolume !== undefined || active.leaveOut !== undefined);
  return (
    <details className="mt-2 text-small" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer rounded-chip py-1 font-medium">Leave keywords out</summary>
      <div className="mt-2 grid gap-x-4 gap-y-3 rounded-control bg-sunken p-4 sm:grid-cols-3">
        <Field
          label="Minimum volume"
          hint="Keywords without a known volume stay"
          inputMode="numeric"
          value={filter.minVolume}
          onChange={({ target }) => onChange({ ...filter, minVolume: target.value })}
          error={
            filter.minVolume.trim() !== '' && !/^\d{1,9}$/u.test(filter.minVolume.trim())
              ? 'Enter a whole number.'
              : undefined
          }
        />
        <Field
          label="Words to leave out"
          hint="Words or phrases, with commas between them"
          value={filter.leaveOut}
          onChange={({ target }) => onChange({ ...filter, leaveOut: target.value })}
        />
        <Field
          label="Brand words"
          hint="Marked in a column “Branded”"
          value={filter.brands}
          onChange={({ target }) => onChange({ ...filter, brands: target.value })}
        />
      </div>
      {filtered && counts && leavesOut && (
        <p role="status" className="mt-2 text-muted tabular-nums">
          {say('list/filtered', {
            kept: countText(filtered.kept),
            volume: countText(filtered.belowVolume),
            words: countText(filtered.withWords),
          })}
        </p>
      )}
      {filtered && active?.brands && (
        <p className="mt-1 text-muted tabular-nums">
          {countText(filtered.branded)} of them {filtered.branded === 1 ? 'names' : 'name'} a brand.
        </p>
      )}
      {filtered?.kept === 0 && (
        <div className="mt-2">
          <Note tone="bad">{say('list/all-left-out')}</Note>
        </div>
      )}
    </details>
  );
}

type MarketProps = {
  /** Of the lists; undefined while they are read. */
  readonly markets: readonly string[] | undefined;
  /** Only the rows of this one are used; all rows if undefined. */
  readonly value: string | undefined;
  readonly onChange: (market: string | undefined) => void;
};

const all = 'all';

/** Which of several markets are used. Absent if there is one. */
function MarketSelect({ markets, value, onChange }: MarketProps) {
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
