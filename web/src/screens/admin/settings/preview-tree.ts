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
  readonly parent: PreviewNode | undefined;
};

export type Preview = { readonly shown: readonly PreviewNode[]; readonly nodes: number; readonly levels: number };

/** The nodes that a tree of the explorer begins with under these settings, parents first. */
export function previewOf({ defaultDepth, autoExpand }: Pick<Settings, 'defaultDepth' | 'autoExpand'>): Preview {
  const depth = defaultDepth === 'all' ? Number.POSITIVE_INFINITY : Number(defaultDepth);
  const open = autoExpand ? depth : 1;
  const ends = endsOf(tree, open);
  const shown: PreviewNode[] = [];
  const add = (branch: Branch, level: number, first: number, at: Pick<PreviewNode, 'topic' | 'parent'>): void => {
    const isClosed = branch.length > 0 && level >= open;
    const own = endsOf(branch, open - level);
    const node = { level, y: (first + own / 2) / ends, isClosed, ...at };
    shown.push(node);
    if (isClosed) return;
    let below = first;
    branch.forEach((child, index) => {
      add(child, level + 1, below, { topic: at.topic ?? index, parent: node });
      below += endsOf(child, open - level - 1);
    });
  };
  add(tree, 0, 0, { topic: undefined, parent: undefined });
  return { shown, nodes, levels: Math.max(...shown.map(({ level }) => level)) };
}

/** Lines that a branch takes when so many levels of it are open: its ends. */
function endsOf(branch: Branch, open: number): number {
  if (branch.length === 0 || open <= 0) return 1;
  return branch.reduce((sum, child) => sum + endsOf(child, open - 1), 0);
}
