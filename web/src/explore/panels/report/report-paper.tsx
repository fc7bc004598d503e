import { noFilter } from '@kc/pack/filter/filter';
import { readFilter } from '@kc/pack/filter/filter-text';
import { figureWord } from '@kc/pack/filter-words/figure-name';
import { partsOf } from '@kc/pack/filter-words/filter-parts';
import { intentNames, intentShares } from '@kc/pack/levels/known-share';
import { changeNames } from '@kc/pack/vocabulary/changes';
import { monthText } from '@kc/pack/vocabulary/months';
import { say } from '@kc/rules/explorer-messages';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import type { NodeDetail } from '@kc/rules/shapes';
import { type Ref, useEffect, useRef, useState } from 'react';
import { lazily } from '../../../ui/number-text.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import { counted, exact, knownFor, mean, money, share } from '../../format/figure-text.ts';
import { isInFile } from '../../model/choices.ts';
import { placeText, rowName } from '../../model/place-names.ts';
import { dueOf, monthOf } from '../../model/plan-list.ts';
import { scoreKeyOf, scoreName } from '../../model/score.ts';
import { changeWords, figureChange, figureOfChange, pathText } from '../changes/change-words.ts';
import { uploadMoment, useEarlier } from '../changes/use-uploads.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { CoverageBar } from '../plan/coverage-bar.tsx';
import { loadFailureText, statusWords } from '../plan/plan-texts.tsx';
import { usePlannedEntries, usePlanState } from '../plan/use-plan.ts';
import { cellOf, namedIn } from '../table/list-cells.tsx';
import { levelNames, levelWords } from '../view-names.ts';
import { kindNames, reasonOf, titleOf } from '../warnings/warning-texts.ts';
import { Loaded, type ReportPart, ReportSection, ReportTable } from './report-parts.tsx';
import {
  changesListed,
  type ReportScene,
  sceneOf,
  useChanges,
  useFigures,
  usePicture,
  usePlanProgress,
  useQuadrants,
  useTopClusters,
  useWarningKinds,
} from './use-report.ts';

type Props = {
  readonly ref: Ref<HTMLElement>;
  /** Undefined for the points of a level. */
  readonly stage: Stage | undefined;
  readonly parts: readonly ReportPart[];
};

/** What is printed: light, and as wide as a page. */
export function ReportPaper({ ref, stage, parts }: Props) {
  const explorer = useExplorer();
  const [scene] = useState(() => sceneOf(explorer));
  const has = (part: ReportPart) => parts.includes(part);
  return (
    <article
      ref={ref}
      data-theme="light"
      aria-label="Report"
      className="mx-auto flex max-w-[210mm] flex-col gap-6 bg-surface p-8 text-ink shadow-2 max-md:p-4"
    >
      <Head scene={scene} />
      <Totals scene={scene} />
      {has('picture') && <Picture scene={scene} stage={stage} />}
      {has('opportunities') && <ReportOpportunities scene={scene} />}
      {has('plan') && <ReportPlan scene={scene} />}
      {has('warnings') && <ReportWarnings scene={scene} />}
      {has('changes') && <ReportChanges scene={scene} />}
      {has('method') && <ReportMethod scene={scene} />}
    </article>
  );
}

const day = lazily(() => new Intl.DateTimeFormat('en', { dateStyle: 'long' }));

/** The name of the branch, the date, and the filter in words. */
function Head({ scene }: { readonly scene: ReportScene }) {
  const { tree, store, source, isDraft, guest } = useExplorer();
  const { focus } = store.getState();
  const filter = partsOf(readFilter(scene.filter) ?? noFilter, (address) => placeText(source, address));
  return (
    <header className="flex flex-col gap-1 border-b border-line-strong pb-3">
      <h2 className="m-0 text-display wrap-anywhere">
        <bdi>{tree.name(focus)}</bdi>
      </h2>
      {focus !== 0 && (
        <p className="m-0 text-small text-muted">
          A branch of <bdi>{tree.name(0)}</bdi>
        </p>
      )}
      <p className="m-0 text-small text-muted">
        {isDraft && 'Draft · '}
        {day().format(Date.now())} · Keyword Clustering
      </p>
      {filter.length > 0 && <p className="m-0 text-small">Filter: {filter.map(({ text }) => text).join(' · ')}</p>}
      {guest && <p className="m-0 text-small text-muted">{guest.caption}</p>}
    </header>
  );
}

/** At most eight totals of the branch, with how much of it each is known for. */
function Totals({ scene }: { readonly scene: ReportScene }) {
  const { tree } = useExplorer();
  const fields = useLook((state) => state.fields);
  const figures = useFigures(scene);
  const clusters = useTopClusters(scene);
  return (
    <Loaded query={figures}>
      {(detail) => (
        <dl className="m-0 grid grid-cols-4 gap-x-4 gap-y-3 max-sm:grid-cols-2">
          {totalsOf(detail, levelNames[scene.pages], clusters.data?.total)
            .filter(({ figure }) => figure === undefined || isInFile(tree, fields, figure))
            .map(({ name, text, note }) => (
              <div key={name} className="break-inside-avoid">
                <dt className="text-micro text-muted">{name}</dt>
                <dd className="m-0">
                  <span className="block text-h2 tabular-nums">{text}</span>
                  {note && <span className="block text-micro text-muted">{note}</span>}
                </dd>
              </div>
            ))}
        </dl>
      )}
    </Loaded>
  );
}

type Total = {
  readonly name: string;
  readonly text: string;
  readonly note: string | undefined;
  /** What the file must have for it. */
  readonly figure?: Parameters<typeof isInFile>[2];
};

/** @param topics how many of the smallest topics the branch has, and what they are called; undefined until that is known */
function totalsOf(detail: NodeDetail, name: string, topics: number | undefined): readonly Total[] {
  const { keywords, ofKeywords, volume, difficulty, cpc, competition, position, intent } = detail;
  const known = (count: number) => knownFor(count, keywords);
  const [leading] = intentShares(
    intentNames.map((name) => intent[name]),
    intent.known,
  );
  return [
    {
      name: 'Keywords',
      text: exact(keywords),
      note: keywords === ofKeywords ? 'each counted once' : `of ${exact(ofKeywords)} without the filter`,
    },
    { name, text: topics === undefined ? '…' : exact(topics), note: 'with at least one keyword' },
    { name: 'Volume a month', text: exact(volume.value), note: known(volume.known) },
    { figure: 'difficulty', name: 'Difficulty, mean', text: mean(difficulty.value), note: known(difficulty.known) },
    { figure: 'cpc', name: 'CPC, mean', text: money(cpc.value), note: known(cpc.known) },
    {
      figure: 'competition',
      name: 'Competition, mean',
      text: money(competition.value),
      note: known(competition.known),
    },
    { figure: 'position', name: 'Position, mean', text: mean(position.value), note: known(position.known) },
    {
      name: 'Leading intent',
      text: leading ? leading.intent.charAt(0).toUpperCase() + leading.intent.slice(1) : 'unknown',
      note: leading
        ? `${share(leading.share, 1)} of ${counted(intent.known, 'keyword')} with an intent`
        : known(intent.known),
    },
  ];
}

/** The chart as it is on the screen, in the light theme, with its legend. */
function Picture({ scene, stage }: { readonly scene: ReportScene; readonly stage: Stage | undefined }) {
  const { tree, store } = useExplorer();
  const drawn = usePicture(scene, stage);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (!drawn.data || !image.current) return;
    const url = URL.createObjectURL(drawn.data);
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [drawn.data]);
  return (
    <Loaded query={drawn}>
      {() => (
        <img
          ref={image}
          alt={`The chart of ${tree.name(store.getState().focus)}. Its figures are in the tables of this report.`}
          className="max-w-full break-inside-avoid border border-line"
        />
      )}
    </Loaded>
  );
}

/** The best clusters, and how many are in each quadrant if thresholds are set. */
function ReportOpportunities({ scene }: { readonly scene: ReportScene }) {
  const { score, pages } = scene;
  const words = levelWords[pages];
  const one = words.title.slice(0, -1);
  const clusters = useTopClusters(scene);
  const quadrants = useQuadrants(scene);
  const title = score === undefined ? `Largest ${pages}` : `Top opportunities by ${scoreName(score)}`;
  const columns = [
    { title: one },
    { title: 'Keywords', isNumber: true },
    { title: 'Volume', isNumber: true },
    { title: 'Difficulty', isNumber: true },
    { title: 'Difficulty known', isNumber: true },
    { title: 'CPC', isNumber: true },
    ...(score === undefined ? [] : [{ title: scoreName(score), isNumber: true }]),
  ];
  const figures = [
    ...['keywords', 'volume', 'difficulty', 'known:difficulty', 'cpc'],
    ...(score === undefined ? [] : [scoreKeyOf(score)]),
  ];
  return (
    <ReportSection
      title={title}
      note={
        <Loaded query={clusters}>
          {({ total, slice }) =>
            [
              `${slice.rows < total ? `The first ${slice.rows} of ` : ''}${words.count(total)}`,
              score === undefined ? 'largest volume first, because no score is set' : 'highest score first',
            ].join(', ')
          }
        </Loaded>
      }
    >
      {clusters.data && (
        <ReportTable
          label={title}
          columns={columns}
          rows={Array.from({ length: clusters.data.slice.rows }, (_, at) => {
            const page = clusters.data!;
            const isPillar = page.pillar[at] === page.slice.node[at];
            const pillar = isPillar ? undefined : namedIn(page, page.pillar[at]!);
            return {
              key: `${page.slice.node[at]}`,
              cells: [
                <span key="name">
                  {at + 1}. <bdi className="font-medium">{rowName(page.slice, at)}</bdi>
                  {pillar !== undefined && <bdi className="block text-micro text-muted">{pillar}</bdi>}
                </span>,
                ...figures.map((id) => cellOf(id, { page, at }, Number.NaN)),
              ],
            };
          })}
        />
      )}
      <p className="m-0 text-micro text-muted">
        * Known for a part of the {one.toLowerCase()}. ○ Known for less than 20 % of its volume.
      </p>
      <Loaded query={quadrants}>
        {(lines) =>
          lines && (
            <ReportTable
              label="Quadrants"
              columns={[
                { title: `Quadrant by ${figureWord(scene.x)} and ${figureWord(scene.y)}` },
                { title: words.title, isNumber: true },
                { title: 'Keywords', isNumber: true },
                { title: 'Volume', isNumber: true },
              ]}
              rows={lines.map(({ name, rows, keywords, volume }) => ({
                key: name,
                cells: [name, exact(rows), exact(keywords), exact(rows === 0 ? 0 : volume)],
              }))}
            />
          )
        }
      </Loaded>
    </ReportSection>
  );
}

/** The clusters that changed since the compared upload. */
function ReportChanges({ scene }: { readonly scene: ReportScene }) {
  const changes = useChanges(scene);
  const earlier = useEarlier();
  return (
    <ReportSection title={`Since ${uploadMoment(earlier)}`}>
      <Loaded query={changes}>
        {(page) => {
          if (!page) return null;
          if (page.isSame) return <p className="m-0 text-small text-muted">{say('explore/changes-same')}</p>;
          if (page.total === 0)
            return <p className="m-0 text-small text-muted">{say('explore/changes-none-clusters')}</p>;
          const counts = changeNames
            .filter((name) => page.counts[name] > 0)
            .map((name) => `${changeWords[name].label} ${exact(page.counts[name])}`);
          return (
            <>
              <p className="m-0 text-small">Clusters: {counts.join(' · ')}</p>
              <ReportTable
                label="Changed clusters"
                columns={[{ title: 'Cluster' }, { title: 'Change' }, { title: 'Figures' }]}
                rows={page.nodes.slice(0, changesListed).map((node) => ({
                  key: `${node.address} ${node.node === undefined}`,
                  cells: [
                    <bdi key="name">{pathText([...node.path, node.name])}</bdi>,
                    node.changes.map((name) => changeWords[name].label).join(', '),
                    figureChange(node, figureOfChange(node.changes[0])),
                  ],
                }))}
              />
              {page.total > changesListed && (
                <p className="m-0 text-small text-muted">
                  The {changesListed} with the largest change in volume, of {exact(page.total)}.
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </ReportSection>
  );
}

/** The warnings by kind, with examples of each. */
function ReportWarnings({ scene }: { readonly scene: ReportScene }) {
  const kinds = useWarningKinds(scene);
  return (
    <ReportSection title="Warnings" note={scene.within === 0 ? undefined : 'Of everything, not only of this branch.'}>
      <Loaded query={kinds}>
        {(found) =>
          found.length === 0 ? (
            <p className="m-0 text-small text-muted">No warnings.</p>
          ) : (
            found.map(({ kind: { kind, count, dismissed }, lines }) => (
              <div key={kind} className="break-inside-avoid">
                <h4 className="m-0 text-small font-semibold">
                  {kindNames[kind]}{' '}
                  <span className="font-normal text-muted">
                    {counted(count, 'warning')}
                    {dismissed > 0 && `, ${exact(dismissed)} more judged no problem`}
                  </span>
                </h4>
                <ul className="m-0 list-disc pl-5 text-small">
                  {lines.map((line) => (
                    <li key={`${line.node} ${line.subject ?? ''}`} className="wrap-anywhere">
                      <bdi>{line.subject === undefined ? line.path.join(' › ') || titleOf(line) : line.subject}</bdi>:{' '}
                      {reasonOf(line)}
                    </li>
                  ))}
                  {count > lines.length && (
                    <li className="list-none text-muted">and {exact(count - lines.length)} more</li>
                  )}
                </ul>
              </div>
            ))
          )
        }
      </Loaded>
    </ReportSection>
  );
}

/** How far the plan is, in all and by branch, and what is due soon. */
function ReportPlan({ scene }: { readonly scene: ReportScene }) {
  const explorer = useExplorer();
  const { isLoaded, failure, revision } = usePlanState();
  const planned = usePlannedEntries();
  const progress = usePlanProgress(scene, planned, revision);
  const due = dueSoon(planned, monthOf(new Date()));
  if (planned.length === 0) {
    return (
      <ReportSection title="Plan">
        <p className="m-0 text-small text-muted">
          {isLoaded
            ? 'Nothing is planned yet.'
            : failure === undefined
              ? 'Loading…'
              : loadFailureText(explorer, failure)}
        </p>
      </ReportSection>
    );
  }
  return (
    <ReportSection title="Plan" note={`${counted(planned.length, 'entry', 'entries')}, whatever the filter keeps.`}>
      <Loaded query={progress}>
        {({ whole, branches, more }) => (
          <>
            <div className="break-inside-avoid">
              <CoverageBar coverage={whole} of="all" />
            </div>
            <ul className="m-0 grid list-none grid-cols-2 gap-x-6 gap-y-3 p-0 max-sm:grid-cols-1">
              {branches.map(({ name, entries, totals }) => (
                <li key={name} className="break-inside-avoid">
                  <p className="m-0 text-small">
                    <bdi className="font-medium">{name}</bdi>{' '}
                    <span className="text-muted">{counted(entries, 'entry', 'entries')}</span>
                  </p>
                  <CoverageBar coverage={totals} of="its" />
                </li>
              ))}
            </ul>
            {more > 0 && (
              <p className="m-0 text-small text-muted">{counted(more, 'more branch', 'more branches')} with entries</p>
            )}
          </>
        )}
      </Loaded>
      <h4 className="m-0 mt-2 text-small font-semibold">Due within three months</h4>
      {due.length === 0 ? (
        <p className="m-0 text-small text-muted">Nothing is due.</p>
      ) : (
        <ReportTable
          label="Due within three months"
          columns={[{ title: 'Due' }, { title: 'What' }, { title: 'Status' }, { title: 'Owner' }]}
          rows={due.map(({ id, due: month, path, status, assignee }) => ({
            key: id,
            cells: [
              monthText(month),
              <bdi key="path">{path.join(' › ')}</bdi>,
              statusWords[status],
              assignee === '' ? 'nobody' : <bdi key="owner">{assignee}</bdi>,
            ],
          }))}
        />
      )}
    </ReportSection>
  );
}

/** The entries that are not live yet and are due this month, in the next two, or before: the earliest first. */
export function dueSoon(planned: readonly PlanEntry[], month: string): PlanEntry[] {
  const isDue = (entry: PlanEntry) => entry.status !== 'live' && ['overdue', 'soon'].includes(dueOf(entry, month)!);
  return planned.filter(isDue).sort((one, other) => (one.due < other.due ? -1 : one.due > other.due ? 1 : 0));
}

const rollUps: Readonly<Record<string, string>> = {
  branch: 'computed from the figures of the cluster',
  sum: 'the sum over the keywords of the cluster',
  mean: 'the mean over the keywords of the cluster',
  max: 'the highest among the keywords of the cluster',
};

/** What the figures mean and where they come from. */
function ReportMethod({ scene: { score, filter } }: { readonly scene: ReportScene }) {
  const { fileName } = useExplorer();
  const [rollUp = '', formula = ''] =
    score === undefined ? [] : [score.split('.', 1)[0]!, score.slice(score.indexOf('.') + 1)];
  return (
    <ReportSection title="How these figures were made">
      <ul className="m-0 list-disc pl-5 text-small">
        <li>
          All figures come from the uploaded file <bdi>{fileName}</bdi>. Nothing is estimated.
        </li>
        <li>
          A figure that the file does not give is unknown. It is left out of sums and means, and never counted as 0.
        </li>
        <li>A keyword that occurs in several places counts once in totals.</li>
        <li>Difficulty, CPC, competition and position are plain means over the keywords for which they are known.</li>
        {filter !== '' && (
          <li>Figures cover only the keywords that the filter keeps, except where this says otherwise.</li>
        )}
        {score !== undefined && (
          <li>
            {scoreName(score)}: <code className="wrap-anywhere">{formula}</code>, {rollUps[rollUp] ?? rollUp}.
          </li>
        )}
      </ul>
    </ReportSection>
  );
}
