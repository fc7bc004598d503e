import { useMemo } from 'react';
import { keywordsOf } from '../format/kept-text.ts';
import { counted } from '../format/numbers.ts';
import { useExplorer, useLook } from './explorer-context.ts';

/**
 * "27,640 keywords · 17 branches · 116 clusters", under a filter "1,204 of 27,640 keywords · …"; the zoom stands beside it,
 * with its buttons. Clusters are added once all of them are here; what was said before stays.
 */
export function StatusLine() {
  const { tree } = useExplorer();
  const treeVersion = useLook((state) => state.treeVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  const clusters = useMemo(() => (tree.isComplete ? clustersIn(tree) : 0), [tree, treeVersion]);
  if (tree.size === 0) return null;
  // With what a filter leaves out between them, children are not those that are kept.
  const branches = tree.shape === tree ? tree.childCount[0]! : 0;
  const parts = [
    keywordsOf(tree, 0),
    ...(branches > 0 ? [counted(branches, 'branch', 'branches')] : []),
    ...(clusters > 0 && clusters !== branches ? [counted(clusters, 'cluster')] : []),
  ];
  return (
    // A figure that has no room is on a second line, which nobody sees: half a figure would be another one.
    <p className="m-0 flex h-[1lh] flex-wrap justify-end gap-x-1 overflow-hidden text-micro text-muted">
      {parts.map((part, i) => (
        <span key={part} className="max-w-full truncate">
          {i > 0 ? `· ${part}` : part}
        </span>
      ))}
    </p>
  );
}

/** Nodes of the type; exact only once the whole tree is held. */
function clustersIn(tree: ReturnType<typeof useExplorer>['tree']): number {
  const { types, type, size } = tree;
  const cluster = types.indexOf('cluster');
  let count = 0;
  for (let row = 0; row < size; row++) if (type[row] === cluster && !tree.isLeftOut(row)) count++;
  return cluster === -1 ? 0 : count;
}
