import type { ScreenSettings } from '@kc/rules/settings';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { useMe } from './session.ts';

export const screenSettingsQuery = queryOptions({
  queryKey: ['settings', 'screen'],
  queryFn: ({ signal }): Promise<ScreenSettings> => client.settings.screen(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The settings that administrators make for every screen, kept up to date; `undefined` until loaded. */
export function useScreenSettings(): ScreenSettings | undefined {
  const me = useMe();
  const approved = me?.isAdmin || me?.status === 'approved';
  return useQuery({ ...screenSettingsQuery, enabled: approved === true }).data;
}
