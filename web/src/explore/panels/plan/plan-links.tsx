import type { PlanLinks as Links, PlanEntry } from '@kc/rules/plan-shapes';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useExplorer } from '../explorer-context.ts';
import { openEntry } from './plan-actions.ts';
import { usePlan, usePlanState } from './use-plan.ts';

/**
 * The links that the page of an entry should have, and those that should lead to it, each with the text to link. Nothing where
 * the file does not say what is similar.
 */
export function PlanLinks({ entry }: { readonly entry: PlanEntry }) {
  const explorer = useExplorer();
  const plan = usePlan();
  const { revision } = usePlanState();
  const { data } = useQuery({
    queryKey: ['plan links', explorer.id, revision, entry.id],
    queryFn: async () => (await plan.calls()).links(entry.id),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  const links = data?.links;
  if (!links) return null;
  return (
    <>
      <LinkList title="Link from here to" links={links.to} />
      <LinkList title="Link to here from" links={links.from} />
    </>
  );
}

/** Each line leads to the other entry. */
function LinkList({ title, links }: { readonly title: string; readonly links: NonNullable<Links['links']>['to'] }) {
  const explorer = useExplorer();
  const { entries } = usePlanState();
  const heading = useId();
  const known = links.flatMap(({ entry, anchor }) => {
    const other = entries.get(entry);
    return other ? [{ other, anchor }] : [];
  });
  if (known.length === 0) return null;
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-1">
      <h4 id={heading} className="m-0 text-small font-medium">
        {title}
      </h4>
      <ul className="m-0 -mx-2 list-none p-0">
        {known.map(({ other, anchor }) => (
          <li key={other.id}>
            <button
              type="button"
              title={other.path.join(' › ')}
              onClick={() => openEntry(explorer, other)}
              className="flex min-h-8 w-full flex-wrap items-baseline gap-x-2 rounded-chip px-2 py-1 text-left text-small hover:bg-sunken touch:min-h-11"
            >
              <bdi className="text-brand-ink wrap-anywhere">{other.path.at(-1)}</bdi>
              <span className="text-micro text-muted wrap-anywhere">
                with the text “<bdi>{anchor}</bdi>”
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
