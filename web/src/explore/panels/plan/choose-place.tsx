import type { PlanEntry } from '@kc/rules/plan-shapes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useRef, useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted } from '../../format/figure-text.ts';
import { useExplorer } from '../explorer-context.ts';

type Props = {
  readonly entry: PlanEntry;
  readonly onChoose: (node: string, path: readonly string[]) => void;
  readonly onClose: () => void;
};

const mostHits = 100;

/** Asks for the node of an entry that has none: a search. */
export function ChoosePlace({ entry, onChoose, onClose }: Props) {
  const explorer = useExplorer();
  const toast = useToast();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(entry.path.at(-1) ?? '');
  const text = useDeferredValue(typed.trim());
  const { data, isPending } = useQuery({
    queryKey: ['plan places', explorer.id, text],
    queryFn: ({ signal }) => explorer.source.search({ text, mode: 'any', limit: mostHits, skip: 0 }, '', signal),
    enabled: text !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const hits = (data?.hits ?? []).filter(({ path }) => path.length > 0);
  const choose = async (node: number) => {
    try {
      const { path } = await explorer.source.node(node, '', new AbortController().signal);
      onChoose(
        path.at(-1)!.address,
        path.slice(1).map(({ name }) => name),
      );
    } catch (failure) {
      toast(explorer.explain(failure));
    }
  };
  return (
    <Dialog open onOpenChange={onClose} initialFocus={field} title={`Where does ${entry.path.at(-1)} belong?`}>
      <div className="flex flex-col gap-3">
        <Field
          ref={field}
          label="Search"
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
        />
        <ul aria-label="Places" className="m-0 flex max-h-72 list-none flex-col overflow-y-auto p-0">
          {hits.map((hit) => {
            const above = hit.path.slice(1).map(({ name }) => name);
            return (
              <li key={hit.node}>
                <button
                  type="button"
                  onClick={() => void choose(hit.node)}
                  className="flex min-h-11 w-full flex-col justify-center rounded-control px-2 py-1 text-left hover:bg-sunken focus-visible:-outline-offset-2"
                >
                  <bdi className="wrap-anywhere">{hit.name}</bdi>
                  <span className="text-micro text-muted">
                    {[...(above.length > 0 ? [above.join(' › ')] : []), counted(hit.keywords, 'keyword')].join(' · ')}
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
        <p role="status" className="m-0 text-small text-muted empty:hidden">
          {hits.length > 0 || text === '' ? '' : isPending ? 'Searching…' : 'Nothing found'}
        </p>
      </div>
    </Dialog>
  );
}
