import { counted, exact, isKnown } from '../../format/numbers.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { none } from '../../tree-data/no-row.ts';
import { useExplorer } from '../explorer-context.ts';
import { useHue } from '../hue.ts';
import { Section } from '../section.tsx';

const shown = 8;

/** The biggest parts of a branch, each with a bar beside that of the biggest. */
export function LargestChildren({ row }: { row: number }) {
  const { tree } = useExplorer();
  const { by, rows } = largestOf(tree, row, shown);
  const first = rows[0];
  if (first === undefined) return null;
  const greatest = tree[by][first]!;
  // With what a filter leaves out between them, they are not all kept.
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

/** Children, the greatest figure first, and which figure that is. */
export type Largest = { readonly by: 'keywords' | 'volume'; readonly rows: readonly number[] };

/**
 * The children of a row with the greatest figure, unknown ones last, `count` at most.
 *
 * The figure is the keywords where that tells them apart. Keywords all have one, and children that are not held are
 * behind the held ones by volume only, the pack's order: then it is the volume, if any is known.
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
