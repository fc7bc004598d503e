import type { SearchHit } from '@kc/rules/shapes';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useDeferredValue, useId, useRef, useState } from 'react';
import { counted } from '../../../explore/format/figure-text.ts';
import { useExplorer, useLook } from '../../../explore/panels/explorer-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { tickOf, useDraftEditor } from './draft-context.ts';
import { ticksOf } from './select-matches.ts';
import { placeOf, type Tick } from './ticks.ts';

type Props = { readonly kind: 'move' | 'merge'; readonly nodes: readonly Tick[] };
/** Somewhere to go, with the names above it. */
type Place = Tick & { readonly above: string };

const mostHits = 100;

/** Asks where nodes are moved to, or what a cluster is merged with: a list with a search. */
export function PlaceDialog({ kind, nodes }: Props) {
  const editor = useDraftEditor();
  const types = kind === 'merge' ? [nodes[0]!.type] : (placeOf(nodes) ?? []);
  const takesPillar = kind === 'move' && types.includes('pillar_topic');
  const [typed, setTyped] = useState('');
  const { places, isPending } = usePlaces(useDeferredValue(typed.trim()), types, nodes);
  const field = useRef<HTMLInputElement>(null);
  const close = () => editor.open(undefined);
  const choose = (place: Tick) => {
    const addresses = nodes.map(({ address }) => address);
    if (kind === 'merge') editor.operate({ kind, nodes: [...addresses, place.address] });
    else editor.operate({ kind, nodes: addresses, to: place.address });
    close();
  };
  const what = nodes.length === 1 ? nodes[0]!.name : `${nodes.length} selected`;
  return (
    <Dialog
      open
      onOpenChange={close}
      initialFocus={field}
      title={kind === 'merge' ? `Merge ${what} with` : `Move ${what} to`}
    >
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
          {places.map((place) => (
            <li key={place.address}>
              <button
                type="button"
                onClick={() => choose(place)}
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
          {places.length > 0 ? '' : isPending ? 'Searching…' : 'Nothing found'}
        </p>
        {takesPillar && <NewPillar initial={typed.trim()} nodes={nodes} onDone={close} />}
      </div>
    </Dialog>
  );
}

/** Moves the nodes to a pillar topic that is made for them. */
function NewPillar({
  initial,
  nodes,
  onDone,
}: {
  readonly initial: string;
  readonly nodes: readonly Tick[];
  readonly onDone: () => void;
}) {
  const editor = useDraftEditor();
  const [name, setName] = useState('');
  const titleId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const newPillar = name.trim() || initial;
    if (newPillar === '') return;
    editor.operate({ kind: 'move', nodes: nodes.map(({ address }) => address), to: { newPillar } });
    onDone();
  };
  return (
    <form onSubmit={submit} aria-labelledby={titleId} className="flex items-end gap-2 border-t border-line pt-3">
      <span id={titleId} className="sr-only">
        New pillar topic
      </span>
      <Field
        label="New pillar topic"
        className="flex-1"
        value={name}
        placeholder={initial}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
      />
      <Button type="submit" className="h-11" disabled={name.trim() === '' && initial === ''}>
        Move
      </Button>
    </form>
  );
}

/** Nodes of these types: what the search finds, or what is loaded if nothing is searched for. */
function usePlaces(text: string, types: readonly string[], without: readonly Tick[]) {
  const explorer = useExplorer();
  const { tree, source } = explorer;
  useLook((state) => state.treeVersion);
  const found = useQuery({
    queryKey: ['draft places', explorer.id, text],
    queryFn: ({ signal }) => source.search({ text, mode: 'all', limit: mostHits, skip: 0 }, '', signal),
    enabled: text !== '',
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const all = text === '' ? loadedPlaces() : placesIn(found.data?.hits ?? []);
  const excluded = new Set(without.map(({ address }) => address));
  return {
    places: all.filter(({ type, address }) => types.includes(type) && !excluded.has(address)),
    isPending: text !== '' && found.isPending,
  };

  function loadedPlaces(): Place[] {
    const places: Place[] = [];
    for (let row = 1; row < tree.size && places.length < mostHits; row++) {
      const tick = tickOf(tree, row);
      const parent = tree.parent[row]!;
      if (types.includes(tick.type)) places.push({ ...tick, above: parent > 0 ? tree.name(parent) : '' });
    }
    return places;
  }
}

function placesIn(hits: readonly SearchHit[]): Place[] {
  const below = hits.filter(({ path }) => path.length > 0);
  return ticksOf(below).map((tick, at) => ({
    ...tick,
    above: below[at]!.path.slice(1)
      .map(({ name }) => name)
      .join(' › '),
  }));
}
