import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { type FormEvent, type RefObject, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useExplorer, useLook } from '../explorer-context.ts';
import { proposedName } from './proposed-name.ts';
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
