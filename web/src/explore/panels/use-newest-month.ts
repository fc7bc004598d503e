import { seasonOfField } from '@kc/pack/season/season-name';
import { useLook } from './explorer-context.ts';

/**
 * The newest of the twelve months of the trends: `2026-04`. Undefined if neither the file nor a person names it.
 *
 * @param ofFile as the file names it. What a person said is known once the fields are loaded
 */
export function useNewestMonth(ofFile: string | undefined): string | undefined {
  const said = useLook(({ fields }) => fields?.flatMap(({ name }) => seasonOfField(name)?.newest ?? [])[0]);
  return ofFile ?? said;
}
