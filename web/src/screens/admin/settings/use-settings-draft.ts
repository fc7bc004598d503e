import { say, sayRefusal } from '@kc/rules/messages';
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
import { toRefusal } from '../../../api/refusal.ts';

/** Changes that are not saved yet, and the settings they were made over. */
type Draft = { readonly base: SavedSettings; readonly settings: Settings };

type Notice = { readonly id: number; readonly tone: 'success' | 'error'; readonly text: string };

/**
 * Settings being changed.
 *
 * What another admin saves meanwhile does not move what is being changed here: the draft keeps the version it began
 * with, and the server refuses to save it over a newer one.
 */
export function useSettingsDraft(saved: SavedSettings) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>();
  const [notice, setNotice] = useState<Notice>();
  const tell = (tone: Notice['tone'], text: string) => setNotice((last) => ({ id: (last?.id ?? 0) + 1, tone, text }));

  const { base, settings } = draft ?? { base: saved, settings: saved.settings };
  const changed = changedSettings(base.settings, settings);
  const saving = useMutation({
    mutationFn: (change: SettingsChange) => client.settings.save(change),
    onSuccess: (now) => {
      queries.setQueryData(settingsQuery.queryKey, now);
      setDraft(undefined);
      tell('success', say('settings/saved'));
    },
    onError: (error) => tell('error', say('settings/failed', { message: sayRefusal(toRefusal(error)) })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['settings'] }),
  });

  return {
    base,
    settings,
    changed,
    notice,
    saving: saving.isPending,
    dismiss: () => setNotice(undefined),

    change(next: Settings): void {
      setDraft(changedSettings(base.settings, next).length > 0 ? { base, settings: next } : undefined);
    },

    /** The defaults become the changes; they need a save like any other. Source: spec §4 "Settings component". */
    reset(): void {
      if (changedSettings(saved.settings, defaultSettings).length > 0) {
        setDraft({ base: saved, settings: defaultSettings });
        return;
      }
      setDraft(undefined);
      tell('success', say('settings/already-default'));
    },

    discard(): void {
      setDraft(undefined);
      tell('success', say('settings/discarded'));
    },

    save(): void {
      if (changed.length > 0 && !saving.isPending) saving.mutate({ version: base.version, settings, enforce: false });
    },

    /** Makes the saved registration settings hold as they are. */
    enforce(): void {
      saving.mutate({ version: saved.version, settings: saved.settings, enforce: true });
    },
  };
}

export type SettingsDraft = ReturnType<typeof useSettingsDraft>;

/** All settings, as an admin sees them. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'],
  queryFn: ({ signal }): Promise<SavedSettings> => client.settings.get(undefined, { signal }),
});
