import { formatAddress } from '@kc/pack/names/path-hash';
import type { Slice } from '@kc/pack/slice/slice';
import { shownName } from '@kc/rules/visible-text';
import type { ExplorerSource } from './source.ts';

/** The names of the places in a filter. Each is requested once. */
const namesBySource = new WeakMap<ExplorerSource, Map<string, string>>();

/** The name of a place; an ellipsis until it is requested. */
export const placeText = (source: ExplorerSource, address: string): string => namesOf(source).get(address) ?? '…';

/** Stores a name that is already known. */
export const rememberPlace = (source: ExplorerSource, address: string, name: string): void => {
  namesOf(source).set(address, name);
};

/**
 * Requests the unknown names: of places in this visualization, and of places that only an earlier upload had.
 */
export async function fetchPlaceNames(
  source: ExplorerSource,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const unknown = addresses.filter((address) => !namesOf(source).has(address));
  await Promise.all(
    unknown.map(async (address) => rememberPlace(source, address, await fetchPlaceName(source, address, signal))),
  );
}

async function fetchPlaceName(source: ExplorerSource, address: string, signal: AbortSignal): Promise<string> {
  const { path, gone } = await source.locate(address, '');
  if (gone !== undefined) return `${gone} (no longer here)`;
  const node = path.at(-1);
  if (node === undefined) return 'a branch that is no longer here';
  return rowName(await source.slice({ node, budget: 1, skip: 0 }, signal), 0);
}

function namesOf(source: ExplorerSource): Map<string, string> {
  const names = namesBySource.get(source) ?? new Map<string, string>();
  namesBySource.set(source, names);
  return names;
}

/** The name of a row of a slice that is not merged, as it is shown. */
export const rowName = (slice: Slice, row: number): string => shownName(ownRowName(slice, row));

/** The same as it is in the file. */
export const ownRowName = ({ names, nameStart }: Slice, row: number): string =>
  utf8.decode(names.subarray(nameStart[row], nameStart[row + 1]));

/** 16 hex digits. */
export const addressIn = ({ address }: Slice, row: number): string =>
  formatAddress(address[2 * row]!, address[2 * row + 1]!);

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
