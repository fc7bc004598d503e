import { planStatuses } from '@kc/pack/vocabulary/choices';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { useEffect, useId, useRef } from 'react';
import { Skeleton } from '../../../ui/progress.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { useExplorer } from '../explorer-context.ts';
import { BriefMenu } from '../handover/brief-menu.tsx';
import { JustChanged, WriterFields } from './plan-editor.tsx';
import { usePlanUpdates } from './plan-elsewhere.tsx';
import { NotSent, PlanFailure, StatusMark, valueText } from './plan-texts.tsx';
import { usePlannedEntries, usePlannedNode, usePlanState } from './use-plan.ts';

/**
 * The plan as the visitors of a link see it: the entries by status, to read and to go to. For whoever may edit it, the fields
 * of the selected entry are above them.
 */
export function GuestPlan() {
  const { guest } = useExplorer();
  const { isLoaded, failure } = usePlanState();
  const entries = usePlannedEntries();
  const { entry: selected } = usePlannedNode();
  usePlanUpdates();
  if (!isLoaded) return failure === undefined ? <Skeleton className="m-4 h-40" /> : <PlanFailure failure={failure} />;
  if (entries.length === 0) return <p className="m-0 p-4 text-small text-muted">Nothing planned yet.</p>;
  return (
    <div className="flex flex-col gap-4 p-4">
      <NotSent />
      <div className="flex items-center gap-2">
        <h2 className="m-0 min-w-0 flex-1 text-small font-semibold">{counted(entries.length, 'entry', 'entries')}</h2>
        <BriefMenu nodes={(selected ? [selected] : entries).flatMap(({ node }) => node ?? [])} />
      </div>
      {guest?.mayEditPlan &&
        (selected ? (
          <WriterEditor key={selected.id} entry={selected} />
        ) : (
          <p className="m-0 -mt-2 text-small text-muted">Choose an entry to change its status, owner or note.</p>
        ))}
      {planStatuses.toReversed().map((status) => {
        const some = entries.filter((entry) => entry.status === status);
        if (some.length === 0) return null;
        return (
          <section key={status} className="flex flex-col gap-1">
            <h3 className="m-0 flex items-center gap-2 text-small font-medium">
              <StatusMark status={status} />
              <span className="text-micro font-normal text-muted tabular-nums">{exact(some.length)}</span>
            </h3>
            <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
              {some.map((entry) => (
                <Entry key={entry.id} entry={entry} isSelected={entry.id === selected?.id} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function WriterEditor({ entry }: { readonly entry: PlanEntry }) {
  const title = useId();
  const place = useRef<HTMLElement>(null);
  // It was chosen in the list below, which may be scrolled.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section
      ref={place}
      aria-labelledby={title}
      className="flex scroll-mt-4 flex-col gap-3 rounded-card border border-line p-3"
    >
      <h3 id={title} dir="auto" className="m-0 text-body font-semibold wrap-anywhere">
        {entry.path.at(-1)}
      </h3>
      <JustChanged entry={entry} />
      <WriterFields entry={entry} />
    </section>
  );
}

function Entry({ entry, isSelected }: { readonly entry: PlanEntry; readonly isSelected: boolean }) {
  const explorer = useExplorer();
  const { node, path, volume, contentType, url, due, assignee, tags, note } = entry;
  const goThere = () => void explorer.source.locate(node!, '').then((place) => explorer.goTo(place.path), report);
  const report = (failure: unknown) => explorer.store.setState({ notice: explorer.explain(failure) });
  const facts = [contentType, due && `due ${valueText('due', due)}`, assignee, ...tags].filter((text) => text !== '');
  return (
    <li className="flex flex-col gap-0.5 py-2">
      <button
        type="button"
        aria-current={isSelected ? 'true' : undefined}
        onClick={goThere}
        className="flex w-full items-baseline gap-2 rounded-chip text-left text-small font-medium hover:underline aria-[current]:text-brand-ink touch:min-h-11 touch:items-center"
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
