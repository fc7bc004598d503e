import { figureName } from '@kc/pack/filter-words/figure-name';
import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { type FormEvent, type RefObject, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { choiceName } from '../../model/choices.ts';
import { usualAxes } from '../../model/encodings.ts';
import type { UrlState } from '../../model/url-state.ts';

import { useExplorer, useLook } from '../explorer-context.ts';
import { viewNames } from '../view-names.ts';
import type { SavedViews } from './saved-views.ts';

type Props = { readonly saved: SavedViews; readonly field: RefObject<HTMLInputElement | null> };

/** Saves the current view under a name, which it suggests. */
export function SaveForm({ saved, field }: Props) {
  const explorer = useExplorer();
  const toast = useToast();
  const { views: known } = useStore(saved.store);
  const views = known ?? [];
  const looked = useLook((state) => state);
  const size = looked.size === looked.usualSize ? undefined : looked.size;
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const taken = views.map(({ name }) => name);
  const current = saved.current();
  const same = views.find(({ state }) => state === current);
  const name = typed ?? proposedName(explorer.tree.name(looked.focus), { ...looked, size }, taken);

  const isKnown = known !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the suggestion depends on the loaded names
  useEffect(() => {
    const hasFocus = document.activeElement === field.current || document.activeElement === document.body;
    if (typed === undefined && (!isKnown || hasFocus)) field.current?.select();
  }, [field, isKnown]);

  async function save(): Promise<void> {
    if (current === undefined) return setError(say('explore/view-too-long'));
    setSaving(true);
    try {
      const view = await saved.save(name, current);
      setTyped(undefined);
      setError(undefined);
      toast(say('explore/view-saved', { name: view.name }));
    } catch (failure) {
      setError(explorer.explain(failure));
    } finally {
      setSaving(false);
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) void save();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2">
      <Field
        ref={field}
        label="Save this view as"
        autoComplete="off"
        dir="auto"
        maxLength={limits.maxViewNameLength}
        value={name}
        error={error}
        hint={same && `Saved already as “${same.name}”`}
        onChange={(event) => {
          setTyped(event.target.value);
          setError(undefined);
        }}
      />
      <Button variant="primary" type="submit" className="self-end">
        {isSaving ? 'Saving...' : 'Save view'}
      </Button>
    </form>
  );
}

type Looked = Pick<UrlState, 'view' | 'colour' | 'size' | 'x' | 'y' | 'query' | 'filter'>;

/**
 * Suggests a name for a view: "Trail shoes – Sunburst, colour by difficulty, filtered". Defaults are omitted, and a
 * number is appended to a name that is taken.
 *
 * @param looked its size is undefined if it is the default of the data
 * @param place the name of the focus, truncated so that the whole fits the maximum length
 */
export function proposedName(place: string, looked: Looked, taken: readonly string[]): string {
  const how = saidOf(looked).join(', ');
  for (let number = 1; ; number++) {
    const end = ` – ${how}${number > 1 ? ` (${number})` : ''}`;
    const room = limits.maxViewNameLength - end.length;
    const name = `${place.length > room ? `${place.slice(0, Math.max(0, room - 1)).trimEnd()}…` : place}${end}`;
    if (!taken.includes(name)) return name.slice(0, limits.maxViewNameLength);
  }
}

function saidOf({ view, colour, size, x, y, query, filter }: Looked): string[] {
  const isDrawn = view !== 'table';
  const isPlotted = view === 'opportunity' && (x !== usualAxes.x || y !== usualAxes.y);
  return [
    viewNames[view],
    ...(isPlotted ? [`${small(figureName(x))} against ${small(figureName(y))}`] : []),
    ...(isDrawn && colour !== 'pillar' ? [`colour by ${small(choiceName(colour))}`] : []),
    ...(isDrawn && size !== undefined ? [`size by ${small(choiceName(size))}`] : []),
    ...(query === '' ? [] : [`“${query.slice(0, 40)}”`]),
    ...(filter === '' ? [] : ['filtered']),
  ];
}

/** Lower case for use within a sentence. Acronyms keep their capitals. */
const small = (name: string): string => (/^\p{Lu}\p{Ll}/u.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name);
