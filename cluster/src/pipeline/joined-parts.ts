import type { Vectors } from '../features/vectors.ts';
import type { Neighbours } from '../neighbours/neighbours.ts';
import type { KeywordList } from './keyword-list.ts';
import type { PreparedList } from './prepared-list.ts';

/** Some keywords of a list, as rows of it, prepared by themselves. */
export type PreparedPart = { readonly keywords: Int32Array; readonly prepared: PreparedList };

/**
 * Parts of a list as one prepared list, in which no keyword resembles one of another part. Keywords of no part are groups
 * by themselves, and resemble nothing.
 */
export function joinedParts({ texts, volume }: KeywordList, parts: readonly PreparedPart[]): PreparedList {
  const of = new Int32Array(texts.length).fill(-1);
  const groups = { texts: [] as string[], volume: [] as number[], weight: [] as number[] };
  const first: number[] = [];
  for (const { keywords, prepared } of parts) {
    const offset = groups.texts.length;
    first.push(offset);
    keywords.forEach((keyword, row) => {
      of[keyword] = offset + prepared.groups.of[row]!;
    });
    prepared.groups.texts.forEach((text, group) => {
      groups.texts.push(text);
      groups.volume.push(prepared.groups.volume[group]!);
      groups.weight.push(prepared.groups.weight[group]!);
    });
  }
  of.forEach((group, keyword) => {
    if (group >= 0) return;
    of[keyword] = groups.texts.push(texts[keyword]!) - 1;
    groups.volume.push(volume[keyword]!);
    groups.weight.push(1);
  });
  const rows = groups.texts.length;
  const all = parts.map(({ prepared }) => prepared.neighbours);
  return {
    groups: {
      of,
      texts: groups.texts,
      volume: Float64Array.from(groups.volume),
      weight: Float64Array.from(groups.weight),
    },
    neighbours: {
      page: joinedNeighbours(
        rows,
        first,
        all.map(({ page }) => page),
      ),
      topic: joinedNeighbours(
        rows,
        first,
        all.map(({ topic }) => topic),
      ),
      pageVectors: joinedVectors(
        rows,
        first,
        all.map(({ pageVectors }) => pageVectors),
      ),
      topicVectors: joinedVectors(
        rows,
        first,
        all.map(({ topicVectors }) => topicVectors),
      ),
    },
    shared: undefined,
  };
}

function joinedNeighbours(rows: number, first: readonly number[], parts: readonly Neighbours[]): Neighbours {
  const count = parts[0]?.count ?? 0;
  const to = new Int32Array(rows * count).fill(-1);
  const similarity = new Float32Array(rows * count);
  parts.forEach((part, number) => {
    const offset = first[number]!;
    to.set(
      part.to.map((row) => (row < 0 ? -1 : offset + row)),
      offset * count,
    );
    similarity.set(part.similarity, offset * count);
  });
  return { count, to, similarity };
}

/** Vectors of short lists have more dimensions than those of long ones: the others of a row are 0. */
function joinedVectors(
  rows: number,
  first: readonly number[],
  parts: readonly Vectors<Int8Array>[],
): Vectors<Int8Array> {
  const dimensions = Math.max(0, ...parts.map((part) => part.dimensions));
  const values = new Int8Array(rows * dimensions);
  parts.forEach((part, number) => {
    for (let row = 0; row * part.dimensions < part.values.length; row++)
      values.set(
        part.values.subarray(row * part.dimensions, (row + 1) * part.dimensions),
        (first[number]! + row) * dimensions,
      );
  });
  return { values, dimensions };
}
