import { say } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { useId, useState } from 'react';
import { useExplorer, useLook } from '../../../explore/panels/explorer-context.ts';
import { maxPlaces, namesAbove, PlacePicker, usePlaceSearch } from '../../../explore/panels/place-picker.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, Form } from '../../../ui/field.tsx';
import { tickOf, useDraftEditor } from './draft-context.ts';
import { type GivenName, isSaving } from './draft-editor.ts';
import { ticksOf } from './select-matches.ts';
import { placeOf, type Tick } from './ticks.ts';

type Props = {
  readonly kind: 'move' | 'merge';
  readonly nodes: readonly Tick[];
  /** For a new pillar topic. */
  readonly given: GivenName | undefined;
};

/** Asks where nodes are moved to, or what a cluster is merged with: a list with a search. */
export function PlaceDialog({ kind, nodes, given }: Props) {
  const editor = useDraftEditor();
  const types = kind === 'merge' ? [nodes[0]!.type] : (placeOf(nodes) ?? []);
  const takesPillar = kind === 'move' && types.includes('pillar_topic');
  const { typed, setTyped, places, status } = usePlaces(types, nodes);
  const close = () => editor.open(undefined);
  const choose = (place: Tick) => {
    const addresses = nodes.map(({ address }) => address);
    if (kind === 'merge') editor.operate({ kind, nodes: [...addresses, place.address] });
    else editor.operate({ kind, nodes: addresses, to: place.address });
    close();
  };
  const what = nodes.length === 1 ? nodes[0]!.name : `${nodes.length} selected`;
  return (
    <PlacePicker
      title={kind === 'merge' ? `Merge ${what} with` : `Move ${what} to`}
      typed={typed}
      onType={setTyped}
      places={places}
      status={status}
      onChoose={choose}
      onClose={close}
    >
      {takesPillar && <NewPillar initial={typed.trim()} nodes={nodes} given={given} />}
    </PlacePicker>
  );
}

type NewPillarProps = Pick<Props, 'nodes' | 'given'> & {
  /** The name if none is typed. */
  readonly initial: string;
};

/** Moves the nodes to a pillar topic that is created for them. */
function NewPillar({ initial, nodes, given }: NewPillarProps) {
  const editor = useDraftEditor();
  const [name, setName] = useState(given?.name ?? '');
  const [isEmpty, setEmpty] = useState(false);
  const titleId = useId();
  const submit = () => {
    const newPillar = name === '' ? initial : name.trim();
    setEmpty(newPillar === '');
    if (newPillar === '' || isSaving(given)) return;
    const addresses = nodes.map(({ address }) => address);
    editor.operateNamed(newPillar, { kind: 'move', nodes: addresses, to: { newPillar } });
  };
  return (
    <Form onSubmit={submit} aria-labelledby={titleId} className="flex items-start gap-2 border-t border-line pt-3">
      <span id={titleId} className="sr-only">
        New pillar topic
      </span>
      <Field
        label="New pillar topic"
        className="flex-1"
        value={name}
        placeholder={initial}
        maxLength={limits.maxDraftNameLength}
        readOnly={isSaving(given)}
        error={isEmpty ? say('draft/name-empty') : given?.problem}
        live
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
      />
      <Button type="submit" className="mt-6.5 h-11">
        {isSaving(given) ? 'Saving...' : 'Move'}
      </Button>
    </Form>
  );
}

/** Nodes of these types: what the search finds, or what is loaded if nothing is searched for. */
function usePlaces(types: readonly string[], without: readonly Tick[]) {
  const { tree } = useExplorer();
  useLook((state) => state.treeVersion);
  const { typed, setTyped, text, hits, status } = usePlaceSearch('all');
  const all = text === '' ? loadedPlaces() : ticksOf(hits).map((tick, at) => placeAt(tick, namesAbove(hits[at]!)));
  const excluded = new Set(without.map(({ address }) => address));
  const places = all.filter(({ type, address }) => types.includes(type) && !excluded.has(address));
  return { typed, setTyped, places, status };

  function loadedPlaces() {
    const loaded = [];
    for (let row = 1; row < tree.size && loaded.length < maxPlaces; row++) {
      const tick = tickOf(tree, row);
      const parent = tree.parent[row]!;
      if (types.includes(tick.type)) loaded.push(placeAt(tick, parent > 0 ? tree.name(parent) : ''));
    }
    return loaded;
  }
}

/** @param above the names above it */
const placeAt = (tick: Tick, above: string) => ({ ...tick, key: tick.address, above });
