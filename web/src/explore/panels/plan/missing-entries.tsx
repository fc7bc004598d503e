import type { PlanEntry, PlanSuggestions } from '@kc/rules/plan-shapes';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted, exact, share } from '../../format/figure-text.ts';
import { useExplorer } from '../explorer-context.ts';
import { namesAbove, PlacePicker, usePlaceSearch } from '../place-picker.tsx';
import { removeEntries } from './plan-actions.ts';
import { StatusMark, sayPlan } from './plan-texts.tsx';
import { usePlan } from './use-plan.ts';

type Suggestion = PlanSuggestions['suggestions'][number];

type Props = { readonly entries: readonly PlanEntry[]; readonly suggestions: readonly Suggestion[] | undefined };

/** Entries that this upload has no node for, each with a suggestion. Nothing moves without a click. */
export function MissingEntries({ entries, suggestions }: Props) {
  const explorer = useExplorer();
  const plan = usePlan();
  const toast = useToast();
  const [chosen, setChosen] = useState<PlanEntry>();
  const head = useRef<HTMLElement>(null);
  const byEntry = new Map(suggestions?.map((one) => [one.entry, one]));
  const likely = entries.flatMap(({ id }) => {
    const found = byEntry.get(id);
    return found?.isLikely ? [found] : [];
  });
  const move = (entry: PlanEntry, node: string, path: readonly string[]) => {
    plan.move([{ entry: entry.id, node }]);
    // Its line goes away, and the focus with it.
    head.current?.focus();
    toast(sayPlan('plan/moved', { name: entry.path.at(-1)!, place: path.join(' › ') }));
  };
  const moveLikely = () => {
    plan.move(likely.map(({ entry, node }) => ({ entry, node })));
    toast(sayPlan('plan/moved-many', { what: counted(likely.length, 'entry', 'entries') }));
  };
  return (
    <details className="rounded-card border border-warn">
      <summary ref={head} className="cursor-pointer px-3 py-2 text-small font-medium text-warn">
        Not in this upload ({exact(entries.length)})
      </summary>
      <div className="flex flex-col gap-2 px-3 pb-3">
        {likely.length > 1 && (
          <Button size="dense" onClick={moveLikely}>
            {`Apply ${likely.length} likely matches`}
          </Button>
        )}
        <ul aria-label="Not in this upload" className="m-0 flex list-none flex-col gap-3 p-0">
          {entries.map((entry) => (
            <li key={entry.id} className="flex flex-col gap-1.5">
              <MissingLine entry={entry} suggestion={byEntry.get(entry.id)} />
              <div className="flex flex-wrap gap-1.5">
                <MoveHere entry={entry} suggestion={byEntry.get(entry.id)} onMove={move} />
                <Button
                  size="dense"
                  aria-label={`Choose a place for ${entry.path.at(-1)}`}
                  onClick={() => setChosen(entry)}
                >
                  Choose…
                </Button>
                <Button
                  size="dense"
                  variant="danger-ghost"
                  aria-label={`Remove ${entry.path.at(-1)} from the plan`}
                  onClick={() => {
                    removeEntries(explorer, [entry], toast);
                    head.current?.focus();
                  }}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </div>
      {chosen && (
        <ChoosePlace
          entry={chosen}
          onChoose={(node, path) => {
            move(chosen, node, path);
            setChosen(undefined);
          }}
          onClose={() => setChosen(undefined)}
        />
      )}
    </details>
  );
}

type Suggested = { readonly entry: PlanEntry; readonly suggestion: Suggestion | undefined };

function MissingLine({ entry, suggestion }: Suggested) {
  return (
    <div className="text-small">
      <p className="m-0 flex flex-wrap items-baseline gap-x-2 wrap-anywhere">
        <bdi>{entry.path.join(' › ')}</bdi>
        <StatusMark status={entry.status} />
      </p>
      <p className="m-0 text-micro text-muted">Volume when it was last placed: {exact(entry.volume)}</p>
      {suggestion && (
        <p className="m-0 text-muted wrap-anywhere">
          → <bdi>{suggestion.path.join(' › ')}</bdi> (
          {entry.kind === 'keyword' ? 'the same keyword' : `${share(suggestion.overlap, 1)} the same keywords`}
          {suggestion.isLikely && ', likely'})
        </p>
      )}
    </div>
  );
}

type Move = (entry: PlanEntry, node: string, path: readonly string[]) => void;

function MoveHere({ entry, suggestion, onMove }: Suggested & { readonly onMove: Move }) {
  if (!suggestion) return null;
  const { node, path } = suggestion;
  return (
    <Button
      size="dense"
      aria-label={`Move here: ${entry.path.at(-1)} to ${path.join(' › ')}`}
      onClick={() => onMove(entry, node, path)}
    >
      Move here
    </Button>
  );
}

type ChooseProps = {
  readonly entry: PlanEntry;
  readonly onChoose: (node: string, path: readonly string[]) => void;
  readonly onClose: () => void;
};

/** Asks for the node of an entry that has none. */
function ChoosePlace({ entry, onChoose, onClose }: ChooseProps) {
  const explorer = useExplorer();
  const toast = useToast();
  const name = entry.path.at(-1);
  const { typed, setTyped, text, hits, status } = usePlaceSearch('any', name);
  const choose = async (node: number) => {
    try {
      const { path } = await explorer.source.node({ node });
      onChoose(
        path.at(-1)!.address,
        path.slice(1).map((above) => above.name),
      );
    } catch (failure) {
      toast(explorer.explain(failure));
    }
  };
  return (
    <PlacePicker
      title={`Where does ${name} belong?`}
      typed={typed}
      onType={setTyped}
      places={hits.map((hit) => ({ key: hit.node, name: hit.name, above: namesAbove(hit), keywords: hit.keywords }))}
      status={text === '' ? '' : status}
      onChoose={(place) => void choose(place.key)}
      onClose={onClose}
    />
  );
}
