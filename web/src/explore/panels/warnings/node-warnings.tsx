import { exact } from '../../format/figure-text.ts';
import { Section } from '../section.tsx';
import { WarningItem } from './warning-item.tsx';
import { useNodeWarnings } from './warning-queries.ts';

/** The warnings about the node of the details; nothing if there are none. */
export function NodeWarnings({ node }: { readonly node: number }) {
  const { data } = useNodeWarnings(node);
  if (!data || data.length === 0) return null;
  return (
    <Section title={`Warnings (${exact(data.length)})`}>
      <ul className="m-0 flex list-none flex-col gap-1 p-0">
        {data.map((line) => (
          <WarningItem key={`${line.kind} ${line.subject ?? ''}`} line={line} />
        ))}
      </ul>
    </Section>
  );
}
