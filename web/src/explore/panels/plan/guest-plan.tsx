import { planStatuses } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { counted, exact } from '../../format/numbers.ts';
import { useExplorer } from '../explorer-context.ts';
import { StatusMark, valueText } from './plan-words.tsx';

export const guestPlanKey = (id: string) => ['guest-plan', id] as const;

/** The plan as the visitors of a link see it: the entries by status, to read and to go to. */
export function GuestPlan() {
  const explorer = useExplorer();
  const found = useQuery({ queryKey: guestPlanKey(explorer.id), queryFn: () => readAll(explorer.source.plan()) });
  if (found.isError) {
    return (
      <div
        role="alert"
        className="m-4 flex flex-col items-start gap-2 rounded-control bg-bad-soft p-3 text-small text-bad"
      >
        {explorer.explain(found.error)}
        <Button size="dense" onClick={() => void found.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!found.data) return <Skeleton className="m-4 h-40" />;
  if (found.data.length === 0) return <p className="m-0 p-4 text-small text-muted">Nothing planned yet.</p>;
  return (
    <div className="flex flex-col gap-4 p-4">
      <h2 className="m-0 text-small font-semibold">{counted(found.data.length, 'entry', 'entries')}</h2>
      {planStatuses.toReversed().map((status) => {
        const entries = found.data.filter((entry) => entry.status === status);
        if (entries.length === 0) return null;
        return (
          <section key={status} className="flex flex-col gap-1">
            <h3 className="m-0 flex items-center gap-2 text-small font-medium">
              <StatusMark status={status} />
              <span className="text-micro font-normal text-muted tabular-nums">{exact(entries.length)}</span>
            </h3>
            <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Entry({ entry }: { readonly entry: PlanEntry }) {
  const explorer = useExplorer();
  const { node, path, volume, contentType, url, due, assignee, tags, note } = entry;
  const goThere = () => void explorer.source.locate(node!, '').then((place) => explorer.goTo(place.path), tell);
  const tell = (failure: unknown) => explorer.store.setState({ notice: explorer.explain(failure) });
  const facts = [contentType, due && `due ${valueText('due', due)}`, assignee, ...tags].filter((text) => text !== '');
  return (
    <li className="flex flex-col gap-0.5 py-2">
      <button
        type="button"
        onClick={goThere}
        className="flex w-full items-baseline gap-2 rounded-chip text-left text-small font-medium hover:underline touch:min-h-11"
      >
        <bdi className="min-w-0 flex-1 wrap-anywhere">{path.at(-1)}</bdi>
        <span className="shrink-0 text-micro font-normal text-muted tabular-nums">
          {volume === undefined ? 'volume unknown' : exact(volume)}
        </span>
      </button>
      {path.length > 1 && <bdi className="text-micro text-muted wrap-anywhere">{path.slice(0, -1).join(' › ')}</bdi>}
      {facts.length > 0 && <span className="text-micro text-muted wrap-anywhere">{facts.join(' · ')}</span>}
      {url !== '' && <Target url={url} />}
      {note !== '' && <p className="m-0 text-small whitespace-pre-wrap wrap-anywhere">{note}</p>}
    </li>
  );
}

/** A path without a site leads nowhere from here. */
function Target({ url }: { readonly url: string }) {
  if (!/^https?:\/\//.test(url)) return <span className="text-micro text-muted wrap-anywhere">{url}</span>;
  return (
    <a href={url} target="_blank" rel="noreferrer" className="text-micro text-brand-ink wrap-anywhere">
      {url}
    </a>
  );
}

async function readAll(asked: ReturnType<ReturnType<typeof useExplorer>['source']['plan']>): Promise<PlanEntry[]> {
  const plan = await asked;
  const entries = new Map<string, PlanEntry>();
  for (let since = 0, more = true; more; ) {
    const page = await plan.read(since);
    for (const entry of page.entries) entries.set(entry.id, entry);
    ({ revision: since, more } = page);
  }
  return [...entries.values()].filter(({ isPlanned }) => isPlanned);
}
