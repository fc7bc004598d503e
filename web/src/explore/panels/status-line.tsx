import { useMemo } from 'react';
import { counted, keywordsOf } from '../format/figure-text.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { useExplorer, useLook } from './explorer-context.ts';

/**
 * Summarises the focus: "27,640 keywords · 17 branches · 116 clusters", under a filter "1,204 of 27,640 keywords · …",
 * and below the root after its name. The zoom level and its buttons are beside it. Clusters are included once the whole
 * tree has loaded.
 */
export function StatusLine() {
  const { tree } = useExplorer();
  const treeVersion = useLook((state) => state.treeVersion);
  const focus = useLook((state) => state.focus);
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

/** The number of nodes of type `cluster` below a row that the filter keeps. Exact only if the whole tree is loaded. */
export function clustersIn(tree: LoadedTree, branch: number): number {
  const { types, type, size, parent } = tree;
  const cluster = types.indexOf('cluster');
  if (cluster === -1) return 0;
  // Parents have lower row numbers than their children.
  const isWithin = new Uint8Array(size);
  isWithin[branch] = 1;
  let count = 0;
  for (let row = branch + 1; row < size; row++) {
    if (isWithin[parent[row]!] === 0) continue;
    isWithin[row] = 1;
    if (type[row] === cluster && !tree.isLeftOut(row)) count++;
  }
  return count;
}
