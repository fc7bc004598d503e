import { rowCount, type Vectors } from '../features/vectors.ts';
import { joinedGroup, rowsPerGroup } from '../hierarchy/join.ts';
import { centresOf } from '../hierarchy/linkage.ts';
import { type Pages, pagesOf } from '../hierarchy/pages.ts';
import type { ClusterSettings } from '../hierarchy/settings.ts';
import { similarityTo } from '../labels/centrality.ts';
import type { NeighbourIndex, NeighbourSearch } from '../neighbours/neighbours.ts';
import type { Leaves } from './places.ts';
import type { TextFeatures } from './text-features.ts';

/** Texts whose vectors are held at a time. */
const block = 16_384;
/** How many heads each text is compared with. */
const neighbours = 15;
/** Mean similarity of wording that is enough without asking what a text means. */
const sameWording = 0.55;

/** What has been clustered in full. */
export type Head = { readonly texts: readonly string[]; readonly features: TextFeatures; readonly leaves: Leaves };

export type AssignedTail = {
  /** A leaf of the head; −1 for a stray; −2 − p for new page p. */
  readonly of: Int32Array;
  /** How close each text is to the centre of its leaf or page; NaN for strays. */
  readonly similarity: Float32Array;
  /** The leaf of the head that is most like each new page. */
  readonly likeness: Int32Array;
};

/**
 * Assigns texts to what their nearest heads are in: by wording where it is much the same, else by meaning and wording. Those
 * that fit nowhere are clustered among themselves.
 *
 * @param weight of each text: how many keywords it stands for
 */
export async function assignTail(
  texts: readonly string[],
  weight: Float64Array,
  head: Head,
  search: NeighbourSearch,
  settings: ClusterSettings,
): Promise<AssignedTail> {
  const of = new Int32Array(texts.length).fill(-1);
  const similarity = new Float32Array(texts.length).fill(Number.NaN);
  const { features, leaves } = head;
  const worded = features.wording(head.texts);
  const byWording = joiner(worded, search.indexOf(worded), leaves, sameWording);
  for (const rows of blocksOf(Int32Array.from(texts, (_, row) => row)))
    byWording(rows, features.wording(pick(texts, rows)), of, similarity);
  const byAll = joiner(features.page, search.indexOf(features.page), leaves, settings.joinSimilarity);
  const rest: Vectors[] = [];
  const outside = Int32Array.from(of, (_, row) => row).filter((row) => of[row]! < 0);
  for (const rows of blocksOf(outside)) {
    const vectors = await features.pageOf(pick(texts, rows));
    byAll(rows, vectors, of, similarity);
    rest.push(only(vectors, (at) => of[rows[at]!]! < 0));
  }
  const alone = outside.filter((row) => of[row]! < 0);
  if (alone.length === 0) return { of, similarity, likeness: new Int32Array(0) };
  const vectors = joined(rest, features.page.dimensions);
  const pages = pagesOf(
    search.among(vectors, neighbours),
    Float64Array.from(alone, (row) => weight[row]!),
    settings,
  );
  const centres = centresOf(vectors, pages.of, pages.count);
  const closeness = similarityTo(centres, vectors, pages.of);
  alone.forEach((row, at) => {
    if (pages.of[at]! < 0) return;
    of[row] = -2 - pages.of[at]!;
    similarity[row] = closeness[at]!;
  });
  return {
    of,
    similarity,
    likeness: mostLike(centres, pages, centresOf(features.page, leaves.of, leaves.count), leaves),
  };
}

type Join = (rows: Int32Array, vectors: Vectors, of: Int32Array, similarity: Float32Array) => void;

function joiner(heads: Vectors, index: NeighbourIndex, leaves: Leaves, least: number): Join {
  const sizes = rowsPerGroup(leaves.of, leaves.count);
  const centres = centresOf(heads, leaves.of, leaves.count);
  return (rows, vectors, of, similarity) => {
    const found = index(vectors, neighbours);
    const joined = Int32Array.from(rows, (_, at) => joinedGroup(found, at, (other) => leaves.of[other]!, sizes, least));
    const closeness = similarityTo(centres, vectors, joined);
    rows.forEach((row, at) => {
      of[row] = joined[at]!;
      similarity[row] = closeness[at]!;
    });
  };
}

/** The leaf with the centre most like each page's. Leaves without rows are like none. */
function mostLike(pages: Vectors, { count }: Pages, leaves: Vectors, { of }: Leaves): Int32Array {
  const used = Int32Array.from(new Set(of.filter((leaf) => leaf >= 0)));
  return Int32Array.from({ length: count }, (_, page) => {
    let best = used[0]!;
    let most = Number.NEGATIVE_INFINITY;
    for (const leaf of used) {
      let sum = 0;
      for (let at = 0; at < leaves.dimensions; at++)
        sum += pages.values[page * leaves.dimensions + at]! * leaves.values[leaf * leaves.dimensions + at]!;
      if (sum <= most) continue;
      most = sum;
      best = leaf;
    }
    return best;
  });
}

const blocksOf = (rows: Int32Array): Int32Array[] =>
  Array.from({ length: Math.ceil(rows.length / block) }, (_, at) => rows.subarray(at * block, (at + 1) * block));

const pick = (texts: readonly string[], rows: Int32Array): string[] => Array.from(rows, (row) => texts[row]!);

function only({ values, dimensions }: Vectors, isKept: (row: number) => boolean): Vectors {
  return { values: values.filter((_, at) => isKept(Math.floor(at / dimensions))), dimensions };
}

function joined(parts: readonly Vectors[], dimensions: number): Vectors {
  const values = new Float32Array(dimensions * parts.reduce((sum, part) => sum + rowCount(part), 0));
  let end = 0;
  for (const part of parts) {
    values.set(part.values, end);
    end += part.values.length;
  }
  return { values, dimensions };
}
