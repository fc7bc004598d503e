/** What every page shows of itself. */
export type Chart = {
  /** Milliseconds from the navigation to the first picture on the screen. */
  readonly painted: Promise<number>;
};

/** A tree as the others want it. */
export type Nested = { readonly name: string; readonly children?: readonly Nested[] };

declare global {
  var picture: Chart;
}

export const hues = ['#8f8bff', '#38bdf8', '#34d399', '#fbbf24', '#fb923c', '#f472b6', '#c084fc', '#2dd4bf'];

export async function fetchTree(): Promise<Nested> {
  return (await fetch('tree.json')).json();
}

/** Leaves of every node that has children, for those who want weights. */
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

/** Something as big as the viewport. */
export function fillViewport<T extends Element & ElementCSSInlineStyle>(element: T): T {
  element.style.cssText = 'position:absolute;inset:0;width:100vw;height:100vh';
  document.body.append(element);
  return element;
}

/** When what was drawn is on the screen: without reading it back a canvas only notes down what to draw. */
export async function onScreen(): Promise<number> {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  for (const canvas of document.querySelectorAll('canvas')) {
    if (canvas.width > 0) canvas.getContext('2d')?.getImageData(0, 0, 1, 1);
  }
  return performance.now();
}
