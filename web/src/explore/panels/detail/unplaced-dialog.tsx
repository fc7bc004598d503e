import { useQuery } from '@tanstack/react-query';
import { FileJson, FileSpreadsheet, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { buttonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { counted, exact, knownFor } from '../../format/numbers.ts';
import { queryOf } from '../../model/search.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { MergedFrom } from './merged-from.tsx';
import { OriginalFields } from './original-fields.tsx';
import { UnplacedList } from './unplaced-list.tsx';

/** The keywords of the file that no node names: a list to look through, to search and to take away. */
export function UnplacedDialog() {
  const { id, source, store } = useExplorer();
  const text = useLook((state) => state.unplaced ?? '');
  const match = useLook((state) => state.match);
  const { text: asked } = queryOf({ query: useDeferredValue(text), match });
  const [chosen, setChosen] = useState<number>();
  const first = useQuery({
    queryKey: ['not-in-hierarchy', id, match, asked, 0],
    queryFn: ({ signal }) => source.notInHierarchy({ mode: match, text: asked }, 0, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  const all = first.data?.all;
  return (
    <Dialog
      open
      place="drawer"
      onOpenChange={() => store.setState({ unplaced: undefined })}
      title="Not in the hierarchy"
      description={all && describe(all)}
    >
      <div className="flex flex-col gap-3">
        <label className="relative block">
          <span className="sr-only">Search what is not in the hierarchy</span>
          <Search size={16} aria-hidden="true" className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
          <input
            type="search"
            value={text}
            maxLength={200}
            placeholder="Search this list"
            onChange={(event) => {
              setChosen(undefined);
              store.setState({ unplaced: event.target.value });
            }}
            className="h-9 w-full rounded-control border border-line-strong bg-surface pr-3 pl-8 text-small text-ink placeholder:text-muted touch:h-11 touch:text-touch"
          />
        </label>
        <p role="status" className="m-0 text-micro text-muted">
          {first.data && asked !== '' && counted(first.data.total, 'match', 'matches')}
        </p>
        {first.data && first.data.total > 0 && (
          <UnplacedList
            key={`${match} ${asked}`}
            query={{ mode: match, text: asked }}
            total={first.data.total}
            chosen={chosen}
            onChoose={setChosen}
          />
        )}
        {chosen !== undefined && <Chosen row={chosen} />}
        <div className="flex flex-wrap gap-2">
          <a href={source.notInHierarchyUrl('csv')} download="" className={buttonClass('secondary', 'dense')}>
            <FileSpreadsheet size={16} aria-hidden="true" />
            Export as CSV
          </a>
          <a href={source.notInHierarchyUrl('json')} download="" className={buttonClass('secondary', 'dense')}>
            <FileJson size={16} aria-hidden="true" />
            Export as JSON
          </a>
        </div>
      </div>
    </Dialog>
  );
}

type All = {
  readonly keywords: number;
  readonly volume: { readonly value?: number | undefined; readonly known: number };
};

function describe({ keywords, volume }: All): string {
  const known = volume.known > 0 ? `, ${knownFor(volume.known, keywords)}` : '';
  return `${counted(keywords, 'keyword')} of the file that no node names. Volume a month: ${exact(volume.value)}${known}. No figure of the hierarchy counts them, and no filter leaves any out.`;
}

/** What the file says of one of them. */
function Chosen({ row }: { row: number }) {
  const { id, source } = useExplorer();
  const found = useQuery({
    queryKey: ['not-in-hierarchy-keyword', id, row],
    queryFn: ({ signal }) => source.notInHierarchyKeyword(row, signal),
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
