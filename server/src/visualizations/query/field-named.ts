import { seasonOfField } from '@kc/pack/season/season-name';
import type { Field, WithheldField } from '@kc/rules/shapes';

/**
 * The field of a file that a request names; undefined for a name it does not know, and for a field that is withheld. The
 * peak month has a name for each newest month, and every one can be requested.
 *
 * @param known what the file has
 */
export function fieldNamed(known: readonly (Field | WithheldField)[], name: string): Field | undefined {
  const isSeason = seasonOfField(name) !== undefined;
  const found = known.find((field) => field.name === name || (isSeason && seasonOfField(field.name) !== undefined));
  return found?.kind === 'none' ? undefined : found;
}
