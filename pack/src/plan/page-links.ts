import type { Pause } from '../format/in-pieces.ts';
import { childrenOf } from '../format/locate.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { similarTo } from '../format/similar.ts';
import { pillarOf } from '../levels/topics.ts';

/** The number of links on a page, besides those to pages that nothing else links to. */
const maxLinks = 3;

/** A page of a site, for which links are suggested. */
type Page = {
  readonly pillar: number;
  /** The indices of the pages most similar to it, nearest first. */
  readonly near: readonly number[];
};

/**
 * The indices of the pages that each page should link to, in the order in which to write the links.
 *
 * Each page links to three of the pages similar to it: first those of its pillar, each group nearest first. Then every page without an
 * incoming link gets one from the page most similar to it, again first within its pillar. If none is similar, the other pages of its pillar
 * take turns, or if there are none, all other pages. So every page has an incoming link, unless it is the only page.
 */
export function suggestLinks(pages: readonly Page[]): number[][] {
  const withinFirst = ({ pillar }: Page, some: readonly number[]): number[] => [
    ...some.filter((one) => pages[one]!.pillar === pillar),
    ...some.filter((one) => pages[one]!.pillar !== pillar),
  ];
  const links = pages.map((page) => withinFirst(page, page.near).slice(0, maxLinks));
  const linked = new Uint8Array(pages.length);
  for (const own of links) for (const to of own) linked[to] = 1;
  const pagesOf = new Map<number, number[]>();
  pages.forEach(({ pillar }, page) => {
    const own = pagesOf.get(pillar);
    if (own) own.push(page);
    else pagesOf.set(pillar, [page]);
  });
  const all = [...pages.keys()];
  const turns = new Map<readonly number[], number>();
  const listedBy = pages.map((): number[] => []);
  pages.forEach(({ near }, page) => {
    for (const other of near) listedBy[other]!.push(page);
  });
  pages.forEach((page, at) => {
    if (linked[at] === 1) return;
    const alike = withinFirst(page, [...page.near, ...listedBy[at]!]);
    const from = alike[0] ?? turnOf(pagesOf.get(page.pillar)!, at) ?? turnOf(all, at);
    if (from !== undefined) links[from]!.push(at);
  });
  return links;

  function turnOf(some: readonly number[], except: number): number | undefined {
    if (some.length < 2) return undefined;
    const turn = turns.get(some) ?? 0;
    const isExcepted = some[turn % some.length] === except;
    turns.set(some, turn + (isExcepted ? 2 : 1));
    return some[(turn + Number(isExcepted)) % some.length];
  }
}

/** The rows that each page should link to, by its row. */
export type PageLinks = ReadonlyMap<number, readonly number[]>;

/**
 * The rows that each page should link to; `undefined` if the file does not say which nodes are similar.
 *
 * The pages similar to a page are those to which the nodes similar to its node belong. If there are none, the nodes similar to its children
 * are used instead, and then those similar to its parent. A node belongs to the nearest page at or above it, otherwise
 * to the first page below it.
 *
 * Cost: passes over the pages and their ancestors.
 *
 * @param rows the rows of the pages, each once
 */
export async function pageLinks(pack: PackReader, rows: Uint32Array, pause: Pause): Promise<PageLinks | undefined> {
  if (!pack.metadata.similar) return undefined;
  const pages = rows.toSorted();
  const parent = await pack.column('parent');
  const indexOf = new Map(Array.from(pages, (row, index) => [row, index]));
  const inside = new Map<number, number>();
  // Pages come in pack order, so the first page below a node is the one on the highest level, and there the heaviest.
  for (const [index, row] of pages.entries())
    for (let at = row; at > 0 && !inside.has(parent[at]!); at = parent[at]!) inside.set(parent[at]!, index);
  const pageOf = (row: number): number | undefined => {
    for (let at = row; at > 0; at = parent[at]!) if (indexOf.has(at)) return indexOf.get(at);
    return inside.get(row);
  };
  await pause();
  const near: number[][] = [];
  const own = await similarTo(pack, pages);
  for (const [index, row] of pages.entries()) {
    if (index % 256 === 0) await pause();
    const found = pagesAmong(own[index]!, index);
    near.push(found.length > 0 ? found : await fromAround(row, index));
  }
  return new Map(
    suggestLinks(near.map((some, at) => ({ pillar: pillarOf(parent, pages[at]!), near: some }))).map((to, at) => [
      pages[at]!,
      to.map((one) => pages[one]!),
    ]),
  );

  function pagesAmong(some: readonly number[], except: number): number[] {
    const found = new Set(some.map(pageOf));
    found.delete(except);
    found.delete(undefined);
    return [...found] as number[];
  }

  async function fromAround(row: number, index: number): Promise<number[]> {
    const { start, end } = await childrenOf(pack, row);
    const first = Uint32Array.from({ length: Math.min(maxChildren, end - start) }, (_, nth) => start + nth);
    const below = await similarTo(pack, first);
    const byRank = Array.from({ length: Math.max(0, ...below.map(({ length }) => length)) }, (_, rank) =>
      below.flatMap((list) => list[rank] ?? []),
    );
    const found = pagesAmong(byRank.flat(), index);
    if (found.length > 0 || row === 0) return found;
    const [ofParent] = await similarTo(pack, Uint32Array.of(parent[row]!));
    return pagesAmong(ofParent!, index);
  }
}

/** The number of heaviest children of a branch whose similar nodes are used. */
const maxChildren = 64;
