/** What every page reports. */
export type Chart = {
  /** Milliseconds from the navigation to the first paint of the chart. */
  readonly painted: Promise<number>;
};

/** A tree as the others need it. */
export type Nested = { readonly name: string; readonly children?: readonly Nested[] };

declare global {
  var picture: Chart;
}

export const hues = ['#8f8bff', '#38bdf8', '#34d399', '#fbbf24', '#fb923c', '#f472b6', '#c084fc', '#2dd4bf'];

export async function fetchTree(): Promise<Nested> {
  return (await fetch('tree.json')).json();
}

/** Number of leaves of every node that has children, for libraries that need weights. */
export function countLeaves(tree: Nested): Map<Nested, number> {
  const counts = new Map<Nested, number>();
  const count = (node: Nested): number => {
    if (!node.children) return 1;
    let sum = 0;
    for (const child of node.children) sum += count(child);
    counts.set(node, sum);
    return sum;
  };
  count(tree);
  return counts;
}

/** Makes an element as large as the viewport. */
export function fillViewport<T extends Element & ElementCSSInlineStyle>(element: T): T {
  element.style.cssText = 'position:absolute;inset:0;width:100vw;height:100vh';
  document.body.append(element);
  return element;
}

/** The time when the drawing is on screen: a canvas only records draw calls until it is read back. */
export async function onScreen(): Promise<number> {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  for (const canvas of document.querySelectorAll('canvas')) {
    if (canvas.width > 0) canvas.getContext('2d')?.getImageData(0, 0, 1, 1);
  }
  return performance.now();
}
