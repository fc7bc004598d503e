import { type Figure, type Filter, filterMetrics, intents, type Known } from './filter.ts';
import { isField, nameOf } from './filter-text.ts';
import type { TextFinder } from './find-plainly.ts';
import type { PackReader } from './pack-reader.ts';
import { findHits, type SearchParts } from './search.ts';
import { foldForSearch } from './search-fold.ts';

/** Lets others be answered; rejects when nobody waits any more. */
export type Pause = () => Promise<void>;

/**
 * Of every node, 1 where all parts of the filter hold and 0 where not: what they mean is said at {@link Filter}.
 *
 * Cost: a pass over the nodes for each part, over the bytes of all names for each text.
 */
export async function matchRows(
  pack: PackReader,
  filter: Filter,
  pause: Pause,
  find?: TextFinder,
): Promise<Uint8Array> {
  const matches = await askedRows(pack, filter);
  for (const narrow of await partsOf(pack, filter)) {
    await pause();
    narrow(matches);
  }
  for (const { text, isIn } of [
    ...filter.contains.map((text) => ({ text, isIn: true })),
    ...filter.excludes.map((text) => ({ text, isIn: false })),
  ]) {
    await pause();
    await matchName(pack, matches, { text, isIn }, { find, pause });
  }
  return matches;
}

type Narrow = (matches: Uint8Array) => void;

/** Keywords, and where nothing is asked of their figures, what has no children as well. */
async function askedRows(pack: PackReader, filter: Filter): Promise<Uint8Array> {
  const { intents: wanted, categories, ranges, known } = filter;
  const ofFigures = wanted.length + categories.length + ranges.length + known.length > 0;
  const isKeyword = await pack.column('is_keyword');
  const matches = isKeyword.slice(0, pack.metadata.nodes);
  if (ofFigures) return matches;
  const starts = await pack.column('branch');
  for (let row = 0; row < matches.length; row++) if (starts[row] === starts[row + 1]) matches[row] = 1;
  return matches;
}

async function partsOf(pack: PackReader, filter: Filter): Promise<Narrow[]> {
  const { ranges, known, depth, hasChildren } = filter;
  const parts: Narrow[] = [];
  if (depth) parts.push(within(await pack.column('depth'), depth.from, depth.to));
  if (hasChildren !== undefined) parts.push(haveChildren(await pack.column('branch'), hasChildren));
  for (const { of, from, to } of ranges) parts.push(within(await figuresOf(pack, of), from, to));
  for (const of of known) parts.push(await isKnown(pack, of));
  if (filter.intents.length > 0) {
    const bits = filter.intents.reduce((all, intent) => all | (1 << intents.indexOf(intent)), 0);
    parts.push(oneOf(await pack.column('own_intent'), (value) => (value & bits) !== 0));
  }
  for (const { field, values } of filter.categories) {
    const found = pack.metadata.fields.find(({ name }) => name === field);
    const all = found?.kind === 'category' ? found.values : [];
    const column = all.length > 0 ? await pack.column(`field:${field}`) : undefined;
    parts.push(oneOf(column, (value) => values.includes(all[value]!)));
  }
  if (filter.types.length > 0) parts.push(await inTypes(pack, filter.types));
  return parts;
}

/** A figure of every row, as the pack has it; undefined where it knows nothing of it. */
async function figuresOf(pack: PackReader, of: Figure): Promise<Float32Array | Float64Array | undefined> {
  if (!isField(of)) return pack.column(`own_${of}`);
  const found = pack.metadata.fields.find(({ name }) => name === nameOf(of));
  return found?.kind === 'number' ? ((await pack.column(`field:${found.name}`)) as Float64Array) : undefined;
}

/** Inclusive. A bound is rounded as the values are, so that 0.3 is 0.3 where values have 32 bits. */
function within(values: Float32Array | Float64Array | Uint16Array | undefined, from?: number, to?: number): Narrow {
  if (!values) return (matches) => matches.fill(0);
  const round = values instanceof Float32Array ? Math.fround : (end: number) => end;
  const low = from === undefined ? Number.NEGATIVE_INFINITY : round(from);
  const high = to === undefined ? Number.POSITIVE_INFINITY : round(to);
  return (matches) => {
    for (let row = 0; row < matches.length; row++) if (!(values[row]! >= low && values[row]! <= high)) matches[row] = 0;
  };
}

async function isKnown(pack: PackReader, of: Known): Promise<Narrow> {
  if (of === 'intent') return oneOf(await pack.column('own_intent'), (value) => value > 0);
  const figures =
    (filterMetrics as readonly Known[]).includes(of) || isField(of) ? await figuresOf(pack, of) : undefined;
  if (figures) return within(figures);
  const category = pack.metadata.fields.find(({ name }) => isField(of) && name === nameOf(of));
  if (category?.kind !== 'category') return within(undefined);
  return oneOf(await pack.column(`field:${category.name}`), (value) => value > 0);
}

/** By what is said of each of 256 values. */
function oneOf(values: ArrayLike<number> | undefined, isWanted: (value: number) => boolean): Narrow {
  if (!values) return (matches) => matches.fill(0);
  const wanted = Uint8Array.from({ length: 256 }, (_, value) => Number(isWanted(value)));
  return (matches) => {
    for (let row = 0; row < matches.length; row++) matches[row]! &= wanted[values[row]!]!;
  };
}

function haveChildren(starts: Uint32Array, wanted: boolean): Narrow {
  return (matches) => {
    for (let row = 0; row < matches.length; row++) {
      if ((starts[row] !== starts[row + 1]) !== wanted) matches[row] = 0;
    }
  };
}

/** A parent's row is smaller than its children's: what it stands in is settled before. */
async function inTypes(pack: PackReader, types: readonly string[]): Promise<Narrow> {
  const [type, parent] = await Promise.all([pack.column('type'), pack.column('parent')]);
  const isWanted = Uint8Array.from(pack.metadata.types, (name) => Number(types.includes(name)));
  return (matches) => {
    const isIn = new Uint8Array(matches.length);
    for (let row = 0; row < matches.length; row++) {
      isIn[row] = isWanted[type[row]!]! | isIn[parent[row]!]!;
      matches[row]! &= isIn[row]!;
    }
  };
}

/** As search looks for a text: in a name as it is folded. A text of which folding leaves nothing is in every name. */
async function matchName(
  pack: PackReader,
  matches: Uint8Array,
  { text, isIn }: { readonly text: string; readonly isIn: boolean },
  parts: SearchParts,
): Promise<void> {
  if (foldForSearch(text) === '') return;
  const { nodes } = pack.metadata;
  const found = new Uint8Array(nodes);
  for (const row of (await findHits(pack, text, parts)).rows) found[row] = 1;
  for (let row = 0; row < nodes; row++) if ((found[row] === 1) !== isIn) matches[row] = 0;
}
