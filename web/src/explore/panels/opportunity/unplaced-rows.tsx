import { useMedia } from '../../../ui/environment.ts';
import { exact } from '../../format/figure-text.ts';
import { useOpenNode } from './use-open-node.ts';

type Props = {
  readonly title: string;
  readonly rows: readonly { readonly node: number; readonly name: string }[];
  /** How many rows are not named. */
  readonly more: number;
};

/** The rows without a value for one of the axes, the largest first: beside the plot, or folded below a narrow one. */
export function UnplacedRows({ title, rows, more }: Props) {
  const isWide = useMedia('(min-width: 768px)');
  const { select } = useOpenNode();
  if (rows.length === 0) return null;
  const list = (
    <ul className="m-0 list-none p-0">
      {rows.map(({ node, name }) => (
        <li key={node}>
          <button
            type="button"
            dir="auto"
            title={name}
            onClick={() => void select(node)}
            className="block h-7 w-full truncate rounded-chip px-2 text-left text-small text-ink hover:bg-sunken touch:h-11"
          >
            {name}
          </button>
        </li>
      ))}
      {more > 0 && <li className="px-2 py-1 text-small text-muted">+{exact(more)} more</li>}
    </ul>
  );
  if (!isWide) {
    return (
      <details className="shrink-0 border-t border-line bg-surface text-small">
        <summary className="cursor-pointer px-3 py-2.5">{title}</summary>
        <div className="max-h-48 overflow-y-auto px-1 pb-2">{list}</div>
      </details>
    );
  }
  return (
    <section aria-label={title} className="flex w-52 shrink-0 flex-col border-l border-line bg-surface">
      <h2 className="m-0 px-3 py-2 text-small font-semibold">{title}</h2>
      <div className="min-h-0 flex-1 overflow-y-auto px-1 pb-2">{list}</div>
    </section>
  );
}
