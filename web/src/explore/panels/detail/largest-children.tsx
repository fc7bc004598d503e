import { counted, exact, isKnown } from '../../format/figure-text.ts';
import { none } from '../../tree-data/columns.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { useExplorer } from '../explorer-context.ts';
import { useHue } from '../row-look.tsx';
import { Section } from '../section.tsx';

const shown = 8;

/** The largest children of a branch, with bars relative to the largest one. */
export function LargestChildren({ row }: { row: number }) {
  const { tree } = useExplorer();
  const { by, rows } = largestOf(tree, row, shown);
  const first = rows[0];
  if (first === undefined) return null;
  const greatest = tree[by][first]!;
  // If excluded nodes are shown faintly, not all children are kept.
  const of = tree.shape === tree ? `of ${counted(tree.childCount[row]!, 'child', 'children')}` : 'children';
  return (
    <Section title={`Largest ${of}, by ${by}`}>
      <ul className="m-0 -mx-2 list-none p-0">
        {rows.map((child) => (
          <li key={child}>
            <Child row={child} figure={tree[by][child]!} greatest={greatest} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Child({ row, figure, greatest }: { row: number; figure: number; greatest: number }) {
  const explorer = useExplorer();
  const hue = useHue();
  const part = isKnown(figure) && greatest > 0 ? Math.max(1, (figure / greatest) * 100) : 0;
  return (
    <button
      type="button"
      onClick={() => explorer.select(row)}
      onDoubleClick={() => explorer.focusOn(row)}
      onPointerEnter={() => explorer.hover(row)}
      onPointerLeave={() => explorer.hover(none)}
      className="flex min-h-8 w-full flex-col justify-center gap-1 rounded-chip px-2 py-1 text-left text-small hover:bg-sunken touch:min-h-11"
    >
      <span className="flex w-full gap-3">
        <span dir="auto" className="min-w-0 flex-1 truncate text-left">
          {explorer.tree.name(row)}
        </span>
        <span className="shrink-0 text-muted">{exact(figure)}</span>
      </span>
      <span
        aria-hidden="true"
        className="block h-1 rounded-full forced-color-adjust-none"
        style={{ width: `${part}%`, background: hue(row) }}
      />
    </button>
  );
}

/** Children sorted by a figure in descending order, and which figure that is. */
export type Largest = { readonly by: 'keywords' | 'volume'; readonly rows: readonly number[] };

/**
 * The children of a row with the largest figure, unknown ones last, at most `count`.
 *
 * The figure is the keyword count if it tells them apart. If all children are single keywords, or some children are not
 * loaded, it is volume, if any is known: the pack order guarantees only by volume that loaded children come first.
 */
export function largestOf(tree: LoadedTree, row: number, count: number): Largest {
  const children = tree.children(row).filter((child) => !tree.isLeftOut(child));
  const saysNothing = tree.tail(row).nodes > 0 || children.every((child) => tree.keywords[child]! <= 1);
  const by = saysNothing && children.some((child) => isKnown(tree.volume[child])) ? 'volume' : 'keywords';
  const figure = (child: number) => (isKnown(tree[by][child]) ? tree[by][child] : Number.NEGATIVE_INFINITY);
  const rows = Array.from(children).sort((one, other) => {
    const [a, b] = [figure(one), figure(other)];
    return a === b ? 0 : b - a;
  });
  return { by, rows: rows.slice(0, count) };
}
