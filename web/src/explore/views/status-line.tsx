import { useMemo } from 'react';
import { counted, exact } from '../numbers.ts';
import { useExplorer, useLook } from './explorer-context.ts';

/** "27,640 keywords · 116 clusters · zoom 100 %" */
export function StatusLine({ isDrawn }: { isDrawn: boolean }) {
  const { tree } = useExplorer();
  const treeVersion = useLook((state) => state.treeVersion);
  const zoom = useLook((state) => state.zoom);
  const hits = useLook((state) => state.hits.size);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tree is one object that grows; its version says when
  const clusters = useMemo(() => clustersIn(tree), [tree, treeVersion]);
  if (tree.size === 0) return null;
  const parts = [
    counted(tree.keywords[0]!, 'keyword'),
    clusters > 0 ? counted(clusters, 'cluster') : `${exact(tree.childCount[0])} branches`,
    ...(hits > 0 ? [`${exact(hits)} found here`] : []),
    ...(isDrawn ? [`zoom ${zoom} %`] : []),
  ];
  return <p className="m-0 text-micro whitespace-nowrap text-muted">{parts.join(' · ')}</p>;
}

/** Held nodes of the type; clusters are among the first rows that come. */
function clustersIn({ types, type, size }: ReturnType<typeof useExplorer>['tree']): number {
  const cluster = types.indexOf('cluster');
  let count = 0;
  for (let row = 0; row < size; row++) if (type[row] === cluster) count++;
  return cluster === -1 ? 0 : count;
}
