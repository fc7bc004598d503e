import { isClusterType } from '@kc/pack/levels/level';
import { useMemo } from 'react';
import { counted, keywordsOf } from '../format/figure-text.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { useExplorer, useLooks } from './explorer-context.ts';

/**
 * Summarises the focus: "27,640 keywords · 17 branches · 116 clusters", under a filter "1,204 of 27,640 keywords · …",
 * and below the root after its name. The zoom level and its buttons are beside it. Clusters are included once the whole
 * tree has loaded.
 */
export function StatusLine() {
  const { tree } = useExplorer();
  const { treeVersion, focus } = useLooks('treeVersion', 'focus');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  const clusters = useMemo(() => (tree.isComplete ? clustersIn(tree, focus) : 0), [tree, treeVersion, focus]);
  if (tree.size === 0) return null;
  // If excluded nodes are shown faintly, the children are not only the kept ones.
  const branches = tree.shape === tree ? tree.childCount[focus]! : 0;
  const parts = [
    ...(focus === 0 ? [] : [tree.name(focus)]),
    keywordsOf(tree, focus),
    ...(branches > 0 ? [counted(branches, 'branch', 'branches')] : []),
    ...(clusters > 0 && clusters !== branches ? [counted(clusters, 'cluster')] : []),
  ];
  return (
    // A figure without space wraps to a hidden second line: a truncated number would read as a different one.
    <p className="m-0 flex h-[1lh] flex-wrap justify-end gap-x-1 overflow-hidden text-micro text-muted">
      {parts.map((part, i) => (
        <span key={part} dir={i === 0 && focus !== 0 ? 'auto' : undefined} className="max-w-48 truncate">
          {i > 0 ? `· ${part}` : part}
        </span>
      ))}
    </p>
  );
}

/**
 * The number of clusters below a row that the filter keeps, as the list of clusters has them (`pack/src/levels/level-rows.ts`): nodes
 * of that type, and other branches with keywords of their own that are in none. 0 for a map without the type. Exact only if the
 * whole tree is loaded.
 */
export function clustersIn(tree: LoadedTree, branch: number): number {
  const { types, type, size, parent, childCount, childKeywords } = tree;
  const isCluster = types.map(isClusterType);
  if (!isCluster.includes(true)) return 0;
  /** By row below the branch: whether its keywords are in a cluster, or in none because they are strays. */
  const [isWithin, isSettled, isCounted] = [new Uint8Array(size), new Uint8Array(size), new Uint8Array(size)];
  isWithin[branch] = 1;
  for (let above = branch; above > 0 && isSettled[branch] === 0; above = parent[above]!)
    isSettled[branch] = Number(isCluster[type[above]!] === true || tree.isStrays(above));
  // Parents have lower row numbers than their children.
  for (let row = branch + 1; row < size; row++) {
    const above = parent[row]!;
    if (isWithin[above] === 0) continue;
    isWithin[row] = 1;
    const isOne = isCluster[type[row]!] === true && childCount[row]! > 0;
    isSettled[row] = Number(isOne || isSettled[above] === 1 || tree.isStrays(row));
    if (tree.isLeftOut(row)) continue;
    if (isOne) isCounted[row] = Number(childKeywords[row]! > 0);
    else if (childCount[row] === 0 && isSettled[row] === 0 && above !== branch) isCounted[above] = 1;
  }
  return isCounted.reduce((sum, one) => sum + one, 0);
}
