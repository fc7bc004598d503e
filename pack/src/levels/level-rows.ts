import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { checkNode, type Level, levelsOf } from '../format/locate.ts';
import { branchesOf, type PackBranches } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';
import { fates } from '../sums/kept-tree.ts';
import type { PointLevel } from '../vocabulary/choices.ts';
import { isClusterType, isStrayType, isSubtopicType, type TopicLevel } from './level.ts';
import { topicsOf } from './topics.ts';

/**
 * The rows of a level within a focus, ascending, which is the order of the pack.
 *
 * - `pillars`: the children of the root; none below another focus.
 * - `clusters`: the nodes of type `cluster` with a keyword below them, and the parents of keywords that are in no such
 *   node. The focus itself is not among them.
 * - `subtopics`: the nodes of type `subtopic` with a keyword below them, and the clusters that are in none and have none.
 * - `keywords`: the nodes that are keywords, including repeated ones and the focus itself.
 * - `children`: the children of the focus, whatever they are.
 *
 * A node of type `stray` with children holds what is in no topic: it is neither a pillar nor a cluster nor a subtopic.
 *
 * Under a filter, only what it keeps: keywords that match, pillars and clusters that hold any.
 * Cost: one pass over the nodes within the focus for keywords, over its branches for clusters. 4 bytes per row.
 *
 * @throws RangeError if the focus is not a node
 */
export async function levelRows(
  pack: View,
  level: PointLevel,
  within: number,
  pause: Pause = noPause,
): Promise<Uint32Array> {
  const { whole } = pack;
  checkNode(whole, within);
  const everything = { start: 0, end: whole.metadata.nodes };
  if (level === 'keywords' && within === 0) return keywordRows(pack, [everything], pause);
  const branches = await branchesOf(whole, pause);
  if (level === 'children' || (level === 'pillars' && within === 0)) return childRows(pack, branches, within);
  if (level === 'pillars') return new Uint32Array(0);
  const spans = within === 0 ? [everything] : await levelsOf(whole, within);
  return level === 'keywords' ? keywordRows(pack, spans, pause) : topicRows(pack, level, branches, spans, pause);
}

async function childRows(
  pack: View,
  { starts, firstChild, childCount }: PackBranches,
  of: number,
): Promise<Uint32Array> {
  const branch = starts[of]!;
  if (branch === starts[of + 1]) return new Uint32Array(0);
  const { whole } = pack;
  const isStray = whole.metadata.types.map(isStrayType);
  const all = Uint32Array.from({ length: childCount[branch]! }, (_, nth) => firstChild[branch]! + nth);
  const type = isStray.includes(true) ? await whole.column('type') : undefined;
  const rows = type ? all.filter((row) => !isStray[type[row]!] || starts[row] === starts[row + 1]) : all;
  return 'kept' in pack ? rows.filter(pack.keeps) : rows;
}

/**
 * Which rows are keywords that count. `marks`: a number for each row, which is its fate under a filter and otherwise `is_keyword`. `isMarked`: 1
 * for each such number that stands for a keyword that counts.
 */
export type Marks = { readonly marks: Uint8Array; readonly isMarked: Uint8Array };

export async function keywordMarks(pack: View): Promise<Marks> {
  const isMarked = new Uint8Array(256);
  if (!('kept' in pack)) {
    isMarked[1] = 1;
    return { marks: await pack.column('is_keyword'), isMarked };
  }
  isMarked[fates.leafKeyword] = 1;
  isMarked[fates.branchKeyword] = 1;
  return { marks: pack.kept.fate, isMarked };
}

/** Whether a row is a keyword that counts. */
export async function countsOf(pack: View): Promise<(row: number) => boolean> {
  const { marks, isMarked } = await keywordMarks(pack);
  return (row) => isMarked[marks[row]!] === 1;
}

/** Whether one of the children of a branch is a keyword that counts. */
export async function keywordChildren(
  pack: View,
  { firstChild, childCount }: PackBranches,
): Promise<(branch: number) => boolean> {
  const { marks, isMarked } = await keywordMarks(pack);
  return (branch) => {
    const end = firstChild[branch]! + childCount[branch]!;
    for (let row = firstChild[branch]!; row < end; row++) if (isMarked[marks[row]!] === 1) return true;
    return false;
  };
}

async function keywordRows(pack: View, spans: readonly Level[], pause: Pause): Promise<Uint32Array> {
  const found = await keywordMarks(pack);
  let count = 0;
  await eachSpan(spans, pause, (from, end) => {
    count += countMarked(found, from, end);
  });
  // One extra element, because a row that is not marked is also written.
  const rows = new Uint32Array(count + 1);
  let next = 0;
  await eachSpan(spans, pause, (from, end) => {
    next = takeMarked(found, rows, next, from, end);
  });
  return rows.subarray(0, count);
}

function countMarked({ marks, isMarked }: Marks, from: number, end: number): number {
  let count = 0;
  for (let row = from; row < end; row++) count += isMarked[marks[row]!]!;
  return count;
}

/** Branchless, because under a filter it is hard to predict which rows are marked. */
function takeMarked({ marks, isMarked }: Marks, rows: Uint32Array, from: number, row: number, end: number): number {
  let next = from;
  for (let at = row; at < end; at++) {
    rows[next] = at;
    next += isMarked[marks[at]!]!;
  }
  return next;
}

/**
 * A branch is a topic if it is the topic of its own children and has a keyword: anywhere below it if its type is one for topics, otherwise
 * among its children.
 */
async function topicRows(
  pack: View,
  level: TopicLevel,
  branches: PackBranches,
  spans: readonly Level[],
  pause: Pause,
): Promise<Uint32Array> {
  const { whole } = pack;
  const [{ ofChildren }, type, belowKeywords, hasKeywordChild] = [
    await topicsOf(whole, level, pause),
    await whole.column('type'),
    await pack.column('child_keywords'),
    await keywordChildren(pack, branches),
  ];
  const isTopic = whole.metadata.types.map(
    (name) => isClusterType(name) || (level === 'subtopics' && isSubtopicType(name)),
  );
  const { starts, rows } = branches;
  const focus = spans[0]!.start;
  const found: number[] = [];
  for (const { start, end } of spans) {
    const first = starts[start]!;
    await eachPiece(starts[end]! - first, pause, (from, until) => {
      for (let branch = first + from; branch < first + until; branch++) {
        const row = rows[branch]!;
        if (row === focus || ofChildren[branch] !== row || belowKeywords[branch] === 0) continue;
        if (isTopic[type[row]!] || hasKeywordChild(branch)) found.push(row);
      }
    });
  }
  return Uint32Array.from(found);
}

async function eachSpan(
  spans: readonly Level[],
  pause: Pause,
  work: (from: number, end: number) => void,
): Promise<void> {
  for (const { start, end } of spans)
    await eachPiece(end - start, pause, (from, until) => work(start + from, start + until));
}
