import { say, sayError } from '@kc/rules/messages';
import {
  changedSettings,
  defaultSettings,
  type SavedSettings,
  type Settings,
  type SettingsChange,
} from '@kc/rules/settings';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';

/** Unsaved changes, and the saved settings they are based on. */
type Draft = { readonly base: SavedSettings; readonly settings: Settings };

type Notice = { readonly id: number; readonly tone: 'success' | 'error'; readonly text: string };

/**
 * A draft of the settings.
 *
 * What is changed during a save stays in the draft. A save by another administrator does not change the
 * draft: it keeps the version it started from, and the server refuses to overwrite a newer version.
 */
export function useSettingsDraft(saved: SavedSettings) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>();
  const [notice, setNotice] = useState<Notice>();
  const notify = (tone: Notice['tone'], text: string) => setNotice((last) => ({ id: (last?.id ?? 0) + 1, tone, text }));

  const { base, settings } = draft ?? { base: saved, settings: saved.settings };
  const changed = changedSettings(base.settings, settings);
  const saving = useMutation({
    mutationFn: (change: SettingsChange) => client.settings.save(change),
    onSuccess: (now, sent) => {
      queries.setQueryData(settingsQuery.queryKey, now);
      // Without a draft, the form shows what was saved before: everything that was sent is undone.
      setDraft((last) => draftOf(now, rebased(sent.settings, last?.settings ?? saved.settings, now.settings)));
      notify('success', say('settings/saved'));
    },
    onError: (error) => notify('error', say('settings/failed', { message: sayError(error) })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['settings'] }),
  });

  return {
    base,
    settings,
    changed,
    notice,
    saving: saving.isPending,
    dismiss: () => setNotice(undefined),

    /** The saved value of a setting as text, while the draft has another one. */
    was: <Name extends keyof Settings>(name: Name, textOf: (saved: Settings[Name]) => string): string | undefined =>
      changed.includes(name) ? textOf(base.settings[name]) : undefined,

    change(part: Partial<Settings>): void {
      setDraft(draftOf(base, { ...settings, ...part }));
    },

    /** Resets the draft to the defaults; they still have to be saved. */
    reset(): void {
      if (changedSettings(saved.settings, defaultSettings).length > 0) {
        setDraft({ base: saved, settings: defaultSettings });
        return;
      }
      setDraft(undefined);
      notify('success', say('settings/already-default'));
    },

    discard(): void {
      setDraft(undefined);
      notify('success', say('settings/discarded'));
    },

    save(): void {
      if (changed.length > 0 && !saving.isPending) saving.mutate({ version: base.version, settings, enforce: false });
    },

    /** Saves the registration settings unchanged, so that they are enforced. */
    enforce(): void {
      saving.mutate({ version: saved.version, settings: saved.settings, enforce: true });
    },
  };
}

/** A draft of settings; undefined if they are the saved ones. */
const draftOf = (base: SavedSettings, settings: Settings): Draft | undefined =>
  changedSettings(base.settings, settings).length > 0 ? { base, settings } : undefined;

/** Saved settings with what was changed while they were being saved. */
function rebased(sent: Settings, edited: Settings, saved: Settings): Settings {
  const late = changedSettings(sent, edited).map((name) => [name, edited[name]] as const);
  return { ...saved, ...Object.fromEntries(late) };
}

export type SettingsDraft = ReturnType<typeof useSettingsDraft>;

/** All settings, as an administrator sees them. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'],
  queryFn: ({ signal }): Promise<SavedSettings> => client.settings.get(undefined, { signal }),
});
