import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { counted } from '../format/figure-text.ts';
import type { SearchQuery } from '../model/source.ts';
import { useExplorer } from './explorer-context.ts';

export const maxPlaces = 100;

/**
 * What is typed in a picker of places, and what the search of the server finds for it, without the root. `status` is what is said
 * while that is nothing.
 */
export function usePlaceSearch(mode: SearchQuery['mode'], first = '') {
  const explorer = useExplorer();
  const [typed, setTyped] = useState(first);
  const text = useDeferredValue(typed.trim());
  const { data, isPending, error } = useQuery({
    queryKey: ['places', explorer.id, mode, text],
    queryFn: ({ signal }) => explorer.source.search({ text, mode, limit: maxPlaces, skip: 0 }, '', signal),
    enabled: text !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const hits = (data?.hits ?? []).filter(({ path }) => path.length > 0);
  const isSearching = text !== '' && isPending;
  const status = error ? explorer.explain(error) : isSearching ? 'Searching…' : 'Nothing found';
  return { typed, setTyped, text, hits, status };
}

/** The names above a hit, without the root. */
export const namesAbove = ({ path }: { readonly path: readonly { readonly name: string }[] }): string =>
  path
    .slice(1)
    .map(({ name }) => name)
    .join(' › ');

type Place = {
  readonly key: string | number;
  readonly name: string;
  /** The names above it; empty directly below the root. */
  readonly above: string;
  readonly keywords: number;
};

type Props<P extends Place> = {
  readonly title: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly places: readonly P[];
  /** Said while there are no places. */
  readonly status: string;
  readonly onChoose: (place: P) => void;
  readonly onClose: () => void;
  /** Shown below the places. */
  readonly children?: ReactNode;
};

/** Asks for a node: a list of places with a search. */
export function PlacePicker<P extends Place>(props: Props<P>) {
  const { title, typed, onType, places, status, onChoose, onClose, children } = props;
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog open onOpenChange={onClose} initialFocus={field} title={title}>
      <div className="flex flex-col gap-3">
        <Field
          ref={field}
          label="Search"
          type="search"
          value={typed}
          onChange={(event) => onType(event.target.value)}
          autoComplete="off"
        />
        <ul aria-label="Places" className="m-0 flex max-h-72 list-none flex-col overflow-y-auto p-0">
          {places.map((place) => (
            <li key={place.key}>
              <button
                type="button"
                onClick={() => onChoose(place)}
                className="flex min-h-11 w-full flex-col justify-center rounded-control px-2 py-1 text-left hover:bg-sunken focus-visible:-outline-offset-2"
              >
                <bdi className="wrap-anywhere">{place.name}</bdi>
                <span className="text-micro text-muted">
                  {place.above && (
                    <>
                      <bdi>{place.above}</bdi> ·{' '}
                    </>
                  )}
                  {counted(place.keywords, 'keyword')}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <p role="status" className="m-0 text-small text-muted empty:hidden">
          {places.length === 0 && status}
        </p>
        {children}
      </div>
    </Dialog>
  );
}
