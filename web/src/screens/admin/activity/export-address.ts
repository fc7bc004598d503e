import type { ActivityFilter } from '@kc/rules/shapes';

/** Where the filtered activity is as a CSV file. */
export function exportAddress({ kind, text }: ActivityFilter): string {
  const query = new URLSearchParams({ ...(kind ? { kind } : {}), ...(text ? { text } : {}) }).toString();
  return `/api/activity.csv${query && `?${query}`}`;
}
