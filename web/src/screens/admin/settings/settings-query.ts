import type { SavedSettings } from '@kc/rules/settings';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';

/** All settings, as an admin sees them. */
export const settingsQuery = queryOptions({
  queryKey: ['settings', 'all'],
  queryFn: ({ signal }): Promise<SavedSettings> => client.settings.get(undefined, { signal }),
});
