import type { Known } from '../filter/filter.ts';
import { type FigureFor, figureOfKnown, intentIn } from '../format/figures.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import type { BranchColumn, FieldColumn, PackField } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { hasMembers } from '../upload/member-sets.ts';
import {
  bestKeywords,
  countIntents,
  countNodes,
  countRepeats,
  type KeptSum,
  meansByImpressions,
  sumKept,
  sumWeighed,
  topCategories,
  weightedMeans,
} from './kept-sums.ts';
import type { KeptTree } from './kept-tree.ts';

/** A column of branches, with the same number type and unknown value as in the pack. */
type KeptColumn = Uint8Array | Uint32Array | Float32Array | Float64Array;

/** The totals of what a filter keeps, by branch. Each column is computed on first use and cached. */
interface KeptColumns {
  column(name: BranchColumn | FieldColumn): Promise<KeptColumn>;
  /** The sum of the known volumes, 0 if none is known. */
  volumes(): Promise<Float64Array>;
  /** By branch: the volume of the keywords for which a figure is known; see {@link sumKnownVolumes}. */
  knownVolumes(of: Known): Promise<Float64Array>;
  /** The memory of the computed columns in bytes. */
  bytes(): number;
}

/** @param pause awaited before each pass */
export function createKeptColumns(kept: KeptTree, pause: Pause): KeptColumns {
  const { pack } = kept;
  const cached = new Map<string, Promise<unknown>>();
  let bytes = 0;
  const once = <T>(name: string, compute: () => Promise<T>): Promise<T> => {
    const found = (cached.get(name) as Promise<T> | undefined) ?? pause().then(compute);
    cached.set(name, found);
    found.catch(() => cached.delete(name));
    return found;
  };
  const track = <T extends KeptColumn>(column: T): T => {
    bytes += column.byteLength;
    return column;
  };
  const sumOf = (name: FigureFor<'filter'>) =>
    once(`sum of ${name}`, async () => trackSum(await sumKept(kept, await pack.column(`own_${name}`), pause)));
  const trackSum = (sum: KeptSum): KeptSum => {
    for (const column of [sum.sum, sum.known, sum.ofChildren]) track(column);
    return sum;
  };
  const intents = () =>
    once('intents', async () => {
      const found = await countIntents(kept, await pack.column('own_intent'), pause);
      for (const column of [...found.of, found.known]) track(column);
      return found;
    });
  const mean = async (name: FigureFor<'filter'>) =>
    once(name, async () => {
      const { sum, known } = await sumOf(name);
      const means = new Float32Array(sum.length);
      for (let branch = 0; branch < sum.length; branch++) means[branch] = sum[branch]! / known[branch]!;
      return track(means);
    });
  const weighted = (name: 'difficulty' | 'cpc') =>
    once(`${name}_weighted`, async () => {
      const [values, volumes] = await Promise.all([pack.column(`own_${name}`), pack.column('own_volume')]);
      return track(new Float32Array(await weightedMeans(kept, values, volumes, pause)));
    });

  /** The means of a column, weighted by impressions if they are known. */
  const byImpressions = async (of: string, values: Float64Array | Float32Array | undefined, plain: KeptSum) =>
    once(`${of} by impressions`, async () => {
      const weight = pack.metadata.fields.find((one) => one.kind === 'number' && one.role === 'weight');
      const impressions = weight && ((await pack.column(`field:${weight.name}`)) as Float64Array);
      const found = await meansByImpressions(kept, values, impressions, plain, pause);
      track(found.means);
      track(found.weighed);
      return found;
    });
  const weighedPosition = async () =>
    byImpressions('position', await pack.column('own_position'), await sumOf('position'));

  async function metric(name: BranchColumn): Promise<KeptColumn> {
    const [known, intent] = [figureOfKnown(name), intentIn(name)];
    if (known) return (await sumOf(known)).known;
    if (intent >= 0) return (await intents()).of[intent]!;
    switch (name) {
      case 'first_child':
        return kept.branches.firstChild;
      case 'child_count':
        return kept.childCount;
      case 'leaves':
        return kept.leaves;
      case 'keywords':
        return kept.keywords;
      case 'child_keywords':
        return kept.childKeywords;
      case 'nodes':
        return once(name, async () => track(await countNodes(kept, pause)));
      case 'repeats':
        return once(name, async () => track(await countRepeats(kept, pause)));
      case 'volume':
        return once(name, async () => track(unknownAtNone(await sumOf('volume'))));
      case 'child_volume':
        return (await sumOf('volume')).ofChildren;
      case 'difficulty':
      case 'cpc':
      case 'competition':
        return mean(name);
      case 'position':
        return once(name, async () => {
          const { means } = await weighedPosition();
          return track(new Float32Array(means));
        });
      case 'position_weighed':
        return (await weighedPosition()).weighed;
      case 'difficulty_weighted':
        return weighted('difficulty');
      case 'cpc_weighted':
        return weighted('cpc');
      case 'intent_known':
        return (await intents()).known;
      case 'top_keyword':
        return once(name, async () => {
          const [volume, place] = await Promise.all([pack.column('own_volume'), pack.column('node_start')]);
          return track(await bestKeywords(kept, volume, (one, other) => place[one]! < place[other]!, pause));
        });
      default:
        throw new Error(`No column ${name}`);
    }
  }

  async function field(name: FieldColumn): Promise<KeptColumn> {
    const at = name.indexOf(':');
    const one = fieldNamed(pack, name.slice(at + 1));
    const values = (await pack.column(`field:${one.name}`))!;
    const totals = () =>
      once(`totals of ${one.name}`, async () => {
        if (one.kind === 'number') return trackSum(await sumKept(kept, values as Float64Array, pause));
        const found = await topCategories(kept, values as Uint8Array | Uint32Array, one.values.length, pause);
        for (const column of Object.values(found)) track(column);
        return found;
      });
    const found = await totals();
    if (name.startsWith('known:')) return found.known;
    if ('sum' in found && (name.startsWith('mean:') || name.startsWith('weighed:'))) {
      const { means, weighed } = await byImpressions(name.slice(at), values as Float64Array, found);
      return name.startsWith('mean:') ? means : weighed;
    }
    if ('sum' in found) return once(name, async () => track(unknownAtNone(found)));
    return name.startsWith('top:') ? found.top : found.topCount;
  }

  return {
    column: (name) => (name.includes(':') ? field(name as FieldColumn) : metric(name as BranchColumn)),
    volumes: async () => (await sumOf('volume')).sum,
    knownVolumes: (of) => once(`known ${of}`, async () => track(await sumKnownVolumes(kept, of, pause))),
    bytes: () => bytes,
  };
}

const unknownAtNone = ({ sum, known }: KeptSum): Float64Array =>
  sum.map((total, branch) => (known[branch] === 0 ? Number.NaN : total));

function fieldNamed(pack: PackReader, name: string): PackField {
  const found = pack.metadata.fields.find((field) => field.name === name);
  if (!found) throw new RangeError(`No field ${name}`);
  return found;
}

/**
 * By branch: the sum of the known volumes of the kept, distinct keywords for which a figure is known, see `known-share`.
 * Cost: one pass over the keywords.
 */
export async function sumKnownVolumes(kept: KeptTree, of: Known, pause: Pause): Promise<Float64Array> {
  const [values, volumes] = [await knownValues(kept.pack, of, pause), await kept.pack.column('own_volume')];
  if (!values || !volumes) return new Float64Array(kept.branches.count);
  const { weights: sum } = await sumWeighed(kept, values, volumes, pause);
  // Rounding errors of subtracted repeats may leave sums slightly below 0.
  for (let branch = 0; branch < sum.length; branch++) if (sum[branch]! < 0) sum[branch] = 0;
  return sum;
}

/** By row, a number where the figure is known and NaN where it is not; undefined if it is unknown everywhere. */
async function knownValues(
  pack: PackReader,
  of: Known,
  pause: Pause,
): Promise<Float32Array | Float64Array | undefined> {
  if (of === 'intent') {
    const bits = await pack.column('own_intent');
    return bits && marked(bits.length, (row) => bits[row] !== 0, pause);
  }
  if (!of.startsWith('field:')) return pack.column(`own_${of as 'difficulty'}`);
  const field = pack.metadata.fields.find(({ name }) => `field:${name}` === of);
  if (!field) return undefined;
  const column = (await pack.column(of as `field:${string}`))!;
  if (field.kind === 'number') return column as Float64Array;
  const isKnown =
    field.kind === 'set' ? (row: number) => hasMembers(column as Uint32Array, row) : (row: number) => column[row] !== 0;
  return marked(pack.rows, isKnown, pause);
}

async function marked(rows: number, isKnown: (row: number) => boolean, pause: Pause): Promise<Float32Array> {
  const marks = new Float32Array(rows);
  await eachPiece(rows, pause, (from, end) => {
    for (let row = from; row < end; row++) marks[row] = isKnown(row) ? 1 : Number.NaN;
  });
  return marks;
}
