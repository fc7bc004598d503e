import { useWarningMarks } from './shown-warnings.ts';

/** Keeps the marks of the map up to date. */
export function WarningUpdates() {
  useWarningMarks();
  return null;
}
