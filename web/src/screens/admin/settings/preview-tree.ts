import type { Settings } from '@kc/rules/settings';

/** A node of the preview: what stands below it, nothing for a keyword. */
type Branch = readonly Branch[];

/** Twelve nodes: three topics, and one keyword as deep as four levels. */
const tree: Branch = [[[[[]], []], []], [[[]]], [[]]];
const nodes = 12;

export type PreviewNode = {
  /** Levels below the root. */
  readonly level: number;
  /** Between the top (0) and the foot (1). */
  readonly y: number;
  /** The topic it belongs to, from 0; `undefined` for the root. */
  readonly topic: number | undefined;
  /** Whether it has children that are not shown. */
  readonly isClosed: boolean;
  /** Whether it is the topic that somebody has opened. */
  readonly isOpened: boolean;
  readonly parent: PreviewNode | undefined;
};

export type Preview = { readonly shown: readonly PreviewNode[]; readonly nodes: number; readonly levels: number };

/**
 * The nodes that a tree of the explorer shows under these settings, parents first.
 *
 * With auto-expand, the default depth applies to the root and to each branch that somebody opens. Without it, only the
 * next level opens.
 *
 * @param opened the topic that somebody has opened, from 0; absent: as the tree begins
 */
export function previewOf(
  { defaultDepth, autoExpand }: Pick<Settings, 'defaultDepth' | 'autoExpand'>,
  opened?: number,
): Preview {
  const depth = defaultDepth === 'all' ? Number.POSITIVE_INFINITY : Number(defaultDepth);
  const levels = autoExpand ? depth : 1;
  /** Whether the children of a node are shown. */
  const isOpen = (level: number, topic: number | undefined): boolean =>
    level < levels || (topic !== undefined && topic === opened && level < levels + 1);
  /** Lines that a branch takes: its ends. */
  const endsOf = (branch: Branch, level: number, topic: number | undefined): number => {
    if (branch.length === 0 || !isOpen(level, topic)) return 1;
    return branch.reduce((sum, child, index) => sum + endsOf(child, level + 1, topic ?? index), 0);
  };
  const ends = endsOf(tree, 0, undefined);
  const shown: PreviewNode[] = [];
  const add = (branch: Branch, level: number, first: number, at: Pick<PreviewNode, 'topic' | 'parent'>): void => {
    const isClosed = branch.length > 0 && !isOpen(level, at.topic);
    const own = endsOf(branch, level, at.topic);
    const isOpened = level === 1 && at.topic === opened;
    const node = { level, y: (first + own / 2) / ends, isClosed, isOpened, ...at };
    shown.push(node);
    if (isClosed) return;
    let below = first;
    branch.forEach((child, index) => {
      const topic = at.topic ?? index;
      add(child, level + 1, below, { topic, parent: node });
      below += endsOf(child, level + 1, topic);
    });
  };
  add(tree, 0, 0, { topic: undefined, parent: undefined });
  return { shown, nodes, levels: Math.max(...shown.map(({ level }) => level)) };
}
