import type { Corrections } from '@kc/cluster/read/reading';
import type { ListCorrectionsShape } from '@kc/rules/draft-shapes';
import type { Preview } from './preview-state.ts';
import { meaningOptions } from './reading-words.ts';
import type { ChosenList } from './use-preview.ts';

/** What is remembered about a list's header. */
export type Memory = {
  /** The hash of the header, as the list has it without corrections. */
  readonly header: string;
  /** When it was corrected, in ms since 1970; absent if nothing is remembered. */
  readonly correctedAt?: number | undefined;
  /** How it was corrected. */
  readonly corrections?: Corrections | undefined;
};

/** By the key of the list. Absent until the server has responded. */
export type Memories = ReadonlyMap<number, Memory>;

/**
 * When a list's corrections were made, if they are the remembered ones; a list that was corrected again, or is read
 * without corrections again, has none of these.
 */
export const recalledAt = (memory: Memory | undefined, { corrections }: Pick<ChosenList, 'corrections'>) =>
  memory?.corrections === corrections ? memory.correctedAt : undefined;

/**
 * Lists whose header was not requested yet, with the header. Only those without corrections: the relevant header is
 * the one that the next list will have, before anything is corrected.
 */
export function unknownHeaders(
  lists: readonly Pick<ChosenList, 'key' | 'corrections'>[],
  { keys, files }: Pick<Preview, 'keys' | 'files'>,
  requested: ReadonlySet<number>,
): { readonly key: number; readonly header: readonly string[] }[] {
  return lists.flatMap(({ key, corrections }) => {
    const header = files[keys.indexOf(key)]?.reading?.header?.names;
    if (!header || requested.has(key) || Object.keys(corrections).length > 0) return [];
    return [{ key, header }];
  });
}

/**
 * The hash that identifies a header at the server: the SHA-256 of its names as a JSON array, as hex. Undefined where
 * the browser has none, because the page is neither encrypted nor on this machine.
 */
export async function hashOf(header: readonly string[]): Promise<string | undefined> {
  if (!globalThis.isSecureContext) return undefined;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(header)));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const meanings = new Set<string>(meaningOptions.map(({ value }) => value));

/** Corrections as this version of the product knows them. */
export function knownCorrections({ meanings: stored, ...rest }: ListCorrectionsShape): Corrections {
  const valid = Object.entries(stored ?? {}).filter(([, meaning]) => meanings.has(meaning));
  return { ...rest, ...(valid.length > 0 && { meanings: Object.fromEntries(valid) }) } as Corrections;
}
