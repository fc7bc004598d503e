import type { TextQuery } from '@kc/pack/find/text-query';
import { apostropheNote } from '@kc/rules/spreadsheet-cell';
import { useQueries, useQuery } from '@tanstack/react-query';
import { FileJson, FileSpreadsheet, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { buttonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { counted, exact, knownFor } from '../../format/figure-text.ts';
import { queryOf } from '../../model/search.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { PartFailure } from '../failure.tsx';
import { MergedFrom, OriginalFields } from './fields-of-file.tsx';
import { KeywordListbox, useLines } from './keyword-listbox.tsx';

/** Keywords of a page. */
const unplacedAtATime = 200;
const pageOf = ({ mode, text }: TextQuery, page: number) => ({
  skip: page * unplacedAtATime,
  limit: unplacedAtATime,
  ...(text !== '' && { q: text, match: mode }),
});

/** The keywords outside the hierarchy: a list to browse, search and download. */
export function UnplacedDialog() {
  const { id, source, store, guest, explain } = useExplorer();
  const text = useLook((state) => state.unplacedQuery ?? '');
  const match = useLook((state) => state.match);
  const { text: searched } = queryOf({ query: useDeferredValue(text), match });
  const [chosen, setChosen] = useState<number>();
  const first = useQuery({
    queryKey: ['not-in-hierarchy', id, match, searched, 0],
    queryFn: ({ signal }) => source.notInHierarchy(pageOf({ mode: match, text: searched }, 0), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  const all = first.data?.all;
  return (
    <Dialog
      open
      place="drawer"
      onOpenChange={() => store.setState({ unplacedQuery: undefined })}
      title="Not in the hierarchy"
      description={all && describe(all)}
    >
      <div className="flex flex-col gap-3">
        <label className="relative block">
          <span className="sr-only">Search what is not in the hierarchy</span>
          <Search size={16} strokeWidth={2} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
          <input
            type="search"
            value={text}
            maxLength={200}
            placeholder="Search this list"
            onChange={(event) => {
              setChosen(undefined);
              store.setState({ unplacedQuery: event.target.value });
            }}
            className="h-9 w-full rounded-control border border-line-strong bg-surface pr-3 pl-8 text-small text-ink placeholder:text-muted touch:h-11 touch:text-touch"
          />
        </label>
        <p role="status" className="m-0 text-micro text-muted">
          {first.data && searched !== '' && counted(first.data.total, 'match', 'matches')}
        </p>
        {first.isError && <PartFailure onRetry={() => void first.refetch()}>{explain(first.error)}</PartFailure>}
        {first.data && first.data.total > 0 && (
          <UnplacedList
            key={`${match} ${searched}`}
            query={{ mode: match, text: searched }}
            total={first.data.total}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
        {chosen !== undefined && <Chosen row={chosen} />}
        {/* The visitors of a link have tables of the hierarchy alone. */}
        {guest === undefined && (
          <div className="flex flex-wrap gap-2">
            <a href={source.notInHierarchyUrl('csv')} download="" className={buttonClass('secondary', 'dense')}>
              <FileSpreadsheet size={16} strokeWidth={2} />
              Export as CSV
            </a>
            <a href={source.notInHierarchyUrl('json')} download="" className={buttonClass('secondary', 'dense')}>
              <FileJson size={16} strokeWidth={2} />
              Export as JSON
            </a>
            <p className="m-0 basis-full text-micro text-muted">{apostropheNote}</p>
          </div>
        )}
      </div>
    </Dialog>
  );
}

type All = {
  readonly keywords: number;
  readonly volume: { readonly value?: number | undefined; readonly known: number };
};

function describe({ keywords, volume }: All): string {
  const part = volume.known > 0 ? knownFor(volume.known, keywords) : undefined;
  const known = part ? `, ${part}` : '';
  return `${counted(keywords, 'keyword')} of the file that no node names. Volume a month: ${exact(volume.value)}${known}. No figure of the hierarchy counts them, and no filter leaves any out.`;
}

/** The entry of one of them in the file. */
function Chosen({ row }: { row: number }) {
  const { id, source } = useExplorer();
  const found = useQuery({
    queryKey: ['not-in-hierarchy-keyword', id, row],
    queryFn: ({ signal }) => source.notInHierarchyKeyword({ row }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!found.data) return null;
  const { name, original, merged } = found.data;
  return (
    <section aria-label={name} className="flex flex-col gap-4 rounded-control border border-line p-3">
      <h3 dir="auto" className="m-0 text-left text-body font-semibold break-words">
        {name}
      </h3>
      {merged && <MergedFrom merged={merged} />}
      {original && <OriginalFields fields={original} />}
    </section>
  );
}

type ListProps = {
  readonly query: TextQuery;
  /** The length of the list. Pages load as the user scrolls to them. */
  readonly total: number;
  readonly chosen: number | undefined;
  readonly onChoose: (row: number) => void;
};

/** Keywords, heaviest first, in a list of any length. */
function UnplacedList({ query, total, chosen, onChoose }: ListProps) {
  const { id, source } = useExplorer();
  const lines = useLines(total);
  const pages = [...new Set(lines.list.lines.map((line) => Math.floor(line / unplacedAtATime)))];
  const found = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['not-in-hierarchy', id, query.mode, query.text, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.notInHierarchy(pageOf(query, page), { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const keywordAt = (line: number) => {
    const page = Math.floor(line / unplacedAtATime);
    return found[pages.indexOf(page)]?.data?.keywords[line % unplacedAtATime];
  };
  const failed = found.find((page) => page.isError);
  return (
    <KeywordListbox
      label="Keywords that are not in the hierarchy, the heaviest first"
      className="h-80 max-h-[50dvh] [&_[aria-selected=true]]:bg-brand-soft"
      lines={lines}
      setSize={total}
      keywordAt={keywordAt}
      isSelected={(keyword) => keyword !== undefined && keyword.row === chosen}
      onChoose={({ row }) => onChoose(row)}
      isBusy={found.some((page) => page.isFetching)}
      onRetry={failed && (() => void failed.refetch())}
    />
  );
}
