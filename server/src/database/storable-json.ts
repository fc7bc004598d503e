import { toStorable } from '@kc/rules/storable-text';

/**
 * A value as JSON that PostgreSQL can store: {@link toStorable} is applied to every text within it. For what comes from
 * uploaded files; the files themselves, and packs, keep every character.
 */
export const storableJson = (value: object): string =>
  JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'string' ? toStorable(inner) : inner));
