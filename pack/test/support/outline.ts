/** One node of an outline; `parent` is its index in document order, -1 for the root. */
export type OutlineNode = {
  readonly name: string;
  readonly type: string;
  readonly parent: number;
  readonly children: number[];
  volume: number;
  /** The number of children that the outline only counts. */
  unseen: number;
};

/**
 * Parses a tree written as text, in document order: `shoes (running:cluster (trail 30 road 20) walking 5)`.
 *
 * A name is a word or a "quoted text". It can be followed by a type (`:word`, without a space), a volume (a number
 * after a space; otherwise unknown) and children in parentheses. `+3` among the children means three more that are not
 * shown.
 */
export function parseOutline(text: string): OutlineNode[] {
  const nodes: OutlineNode[] = [];
  const open: number[] = [];
  for (const [, bracket, unseen, quoted, word, type, number] of text.matchAll(token)) {
    const last = nodes.length - 1;
    if (bracket === '(') open.push(last);
    else if (bracket === ')') open.pop();
    else if (unseen !== undefined) nodes[open.at(-1)!]!.unseen += Number(unseen);
    else if (number !== undefined) nodes[last]!.volume = Number(number);
    else {
      const parent = open.at(-1) ?? -1;
      if (parent >= 0) nodes[parent]!.children.push(nodes.length);
      else if (nodes.length > 0) throw new Error(`A second root in "${text}"`);
      nodes.push({ name: quoted ?? word!, type: type ?? '', parent, children: [], volume: Number.NaN, unseen: 0 });
    }
  }
  if (nodes.length === 0 || open.length > 0) throw new Error(`No tree: "${text}"`);
  return nodes;
}

const token = /([()])|\+(\d+)|(?:"([^"]*)"|((?!\d+(?:\.\d+)?(?=[\s()]|$))[^\s()":]+))(?::(\w+))?|(\d+(?:\.\d+)?)/g;

/** The indexes of an outline in breadth-first order, siblings in the order of the text. */
export function breadthFirst(nodes: readonly OutlineNode[]): number[] {
  const order = [0];
  for (let row = 0; row < order.length; row++) order.push(...nodes[order[row]!]!.children);
  return order;
}
