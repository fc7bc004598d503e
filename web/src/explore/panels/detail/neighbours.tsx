import type { NodeDetail } from '@kc/rules/shapes';
import { useExplorer } from '../explorer-context.ts';
import { Section } from '../section.tsx';

type Similar = NonNullable<NodeDetail['siblings']>['similar'];

/** Siblings whose names share words with this node's name. Renders nothing if there are none. */
export function Neighbours({ similar }: { similar: Similar }) {
  const explorer = useExplorer();
  if (similar.length === 0) return null;
  return (
    <Section title="Similar siblings">
      <ul className="m-0 -mx-2 list-none p-0">
        {similar.map(({ node, name, shared }) => (
          <li key={node}>
            <button
              type="button"
              onClick={() => void explorer.goToNode(node)}
              className="flex min-h-8 w-full items-baseline gap-3 rounded-chip px-2 py-1 text-left text-small hover:bg-sunken touch:min-h-11"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate text-left text-brand-ink">
                {name}
              </span>
              <span className="shrink-0 text-micro text-muted">
                shares <bdi>{shared}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
