import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { WarningLine, WarningPlace } from '@kc/rules/warning-shapes';
import { useContext, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import type { Explorer } from '../../model/explorer.ts';
import { rememberPlace } from '../../model/place-names.ts';
import { ExplorerPartsContext, useExplorer, useLook } from '../explorer-context.ts';
import { Section } from '../section.tsx';
import { useJudge } from './judge.ts';
import { useNodeWarnings } from './use-warnings.tsx';
import { kindNames, reasonOf, subjectOf, titleOf } from './warning-texts.ts';

type Props = {
  readonly line: WarningLine;
  /** Its place among the warnings of its kind, from where stepping goes on. Elsewhere the kind is named instead. */
  readonly index?: number;
  readonly isSteppedTo?: boolean;
};

/** A warning: what it is about and why. Opened, it has its places and what can be done. Going on to another closes it. */
export function WarningItem({ line, index, isSteppedTo = false }: Props) {
  const { store } = useExplorer();
  const filter = useLook((state) => state.filter);
  const [isOpen, setOpen] = useState(isSteppedTo);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => setOpen(isSteppedTo), [isSteppedTo]);
  useEffect(() => {
    if (isSteppedTo && isOpen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isSteppedTo, isOpen]);
  const { volume, path } = line;
  const subject = subjectOf(line);
  const isOfPlace = subject === undefined && line.kind !== 'unplaced' && line.kind !== 'results-alike';
  const above = isOfPlace && index !== undefined ? path.slice(0, -1) : [];
  return (
    <li
      ref={item}
      aria-current={isSteppedTo ? 'true' : undefined}
      className="rounded-control border border-transparent aria-[current]:border-brand aria-[current]:bg-brand-soft"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
          if (!isOpen && index !== undefined) store.setState({ warning: { kind: line.kind, index, filter } });
        }}
        className="flex w-full flex-col gap-0.5 rounded-control px-2 py-1.5 text-left hover:bg-sunken touch:min-h-11"
      >
        <span className="flex w-full items-baseline gap-2 text-small font-medium">
          <bdi className="min-w-0 flex-1 wrap-anywhere">
            {index === undefined ? kindNames[line.kind] : titleOf(line)}
          </bdi>
          <span className="shrink-0 text-micro text-muted tabular-nums">
            {volume === undefined ? 'volume unknown' : `volume ${exact(volume)}`}
          </span>
        </span>
        {above.length > 0 && <bdi className="text-micro text-muted">{above.join(' › ')}</bdi>}
        <span className="text-micro text-muted wrap-anywhere">
          {index === undefined && subject !== undefined ? `${subject}: ${reasonOf(line)}` : reasonOf(line)}
        </span>
      </button>
      {isOpen && <Opened line={line} />}
    </li>
  );
}

function Opened({ line }: { readonly line: WarningLine }) {
  const explorer = useExplorer();
  const { dismiss } = useJudge();
  const { WarningActions } = useContext(ExplorerPartsContext);
  const { kind, node, places, morePlaces } = line;
  return (
    <div className="flex flex-col gap-2 px-2 pb-2">
      {places && (
        <ul aria-label="Places" className="m-0 flex list-none flex-col p-0">
          {places.map((place) => (
            <Place key={place.node} place={place} />
          ))}
          {morePlaces !== undefined && (
            <li className="px-1 text-micro text-muted">{counted(morePlaces, 'more place')}</li>
          )}
        </ul>
      )}
      {line.groups && <Groups groups={line.groups} more={line.moreGroups} />}
      <div className="flex flex-wrap gap-1.5">
        {WarningActions && <WarningActions line={line} />}
        {node > 0 && !places && (
          <Button size="dense" onClick={() => void explorer.goToNode(node, 'beside')}>
            Go there
          </Button>
        )}
        <Button size="dense" onClick={() => showKeywords(explorer, line)}>
          {kind === 'unplaced' ? 'Show the list' : 'Show keywords'}
        </Button>
        {explorer.isKept && (
          <Button size="dense" onClick={() => void dismiss(line)}>
            Not a problem
          </Button>
        )}
      </div>
    </div>
  );
}

type GroupsProps = {
  readonly groups: NonNullable<WarningLine['groups']>;
  readonly more: number | undefined;
};

/** The keywords that search engines answer alike, and the pages that do. */
function Groups({ groups, more }: GroupsProps) {
  return (
    <ol aria-label="Keywords that are answered alike" className="m-0 flex list-none flex-col gap-1.5 p-0 px-1">
      {groups.map(({ keywords, count, urls }) => (
        <li key={keywords.join('\n')} className="border-l-2 border-line-strong pl-2 text-small wrap-anywhere">
          <bdi>{keywords.join(', ')}</bdi>
          {count > keywords.length && <span className="text-muted"> and {exact(count - keywords.length)} more</span>}
          {urls.length > 0 && <bdi className="block text-micro text-muted">{urls.join(' · ')}</bdi>}
        </li>
      ))}
      {more !== undefined && <li className="text-micro text-muted">{counted(more, 'more group')}</li>}
    </ol>
  );
}

function Place({ place }: { readonly place: WarningPlace }) {
  const explorer = useExplorer();
  return (
    <li>
      <button
        type="button"
        onClick={() => void explorer.goToNode(place.node, 'beside')}
        className="flex w-full items-baseline gap-2 rounded-chip px-1 py-0.5 text-left text-small text-brand-ink hover:underline touch:min-h-11"
      >
        <bdi className="min-w-0 flex-1 wrap-anywhere">{place.path.join(' › ')}</bdi>
        {place.keywords !== undefined && (
          <span className="shrink-0 text-micro text-muted">{counted(place.keywords, 'keyword')}</span>
        )}
      </button>
    </li>
  );
}

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

/**
 * Shows the keywords of a warning: filters to the branches that it is about, or opens the list of keywords outside the
 * hierarchy. A place that is a keyword is shown with that keyword alone.
 */
function showKeywords(explorer: Explorer, line: WarningLine): void {
  const { store, source, setFilter } = explorer;
  if (line.kind === 'unplaced') {
    store.setState({ unplacedQuery: '' });
    return;
  }
  const { filter, filtering } = store.getState();
  const places = line.places ?? [line];
  for (const { address, path } of places) rememberPlace(source, address, path.at(-1) ?? '');
  const within = places.map(({ address }) => address);
  void setFilter(writeFilter({ ...readFilter(filtering ?? filter)!, within }));
}
