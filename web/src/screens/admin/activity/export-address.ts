import type { ActivityFilter } from '@kc/rules/admin-shapes';

/** The URL of the CSV export of the filtered activity. */
export function exportAddress({ kind, text }: ActivityFilter): string {
  const query = new URLSearchParams({ ...(kind ? { kind } : {}), ...(text ? { text } : {}) }).toString();
  return `/api/activity.csv${query && `?${query}`}`;
}
