import { seasonOfField } from '@kc/pack/season/season-name';
import { useLook } from './explorer-context.ts';

/**
 * The newest of the twelve months of the trends, as the file or a person named it: `2026-04`. Undefined if nobody did, and until
 * the fields are loaded.
 */
export const useNewestMonth = (): string | undefined =>
  useLook(({ fields }) => fields?.flatMap(({ name }) => seasonOfField(name)?.newest ?? [])[0]);
