import type { NodeDetail } from '@kc/rules/shapes';
import type { ReactNode } from 'react';
import { useExplorer } from '../explorer-context.ts';
import { Section } from '../section.tsx';

/**
 * The nodes that clustering found most similar. Where the file says nothing about that, the siblings that share words with the
 * name; nothing if there are none of these either.
 */
export function Similar({ detail: { similar, siblings } }: { detail: NodeDetail }) {
  if (similar) {
    const lines = similar.map(({ node, name, above }) => ({ node, name, note: <bdi>{above}</bdi> }));
    return <Lines title="Similar" lines={lines} />;
  }
  if (!siblings || siblings.similar.length === 0) return null;
  const lines = siblings.similar.map(({ node, name, shared }) => {
    const note = (
      <>
        shares <bdi>{shared}</bdi>
      </>
    );
    return { node, name, note };
  });
  return <Lines title="Similar siblings" lines={lines} />;
}

type Line = { readonly node: number; readonly name: string; readonly note: ReactNode };

/** Each line leads to its node. */
function Lines({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) {
  const explorer = useExplorer();
  return (
    <Section title={title}>
      <ul className="m-0 -mx-2 list-none p-0">
        {lines.map(({ node, name, note }) => (
          <li key={node}>
            <button
              type="button"
              onClick={() => void explorer.goToNode(node)}
              className="flex min-h-8 w-full items-baseline gap-3 rounded-chip px-2 py-1 text-left text-small hover:bg-sunken touch:min-h-11"
            >
              <span dir="auto" className="min-w-0 flex-1 truncate text-left text-brand-ink">
                {name}
              </span>
              <span className="max-w-1/2 shrink-0 truncate text-micro text-muted">{note}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
