import { noFilter } from '@kc/pack/filter/filter';
import { readFilter } from '@kc/pack/filter/filter-text';
import { partsOf } from '@kc/pack/filter-words/filter-parts';
import { intentNames, intentShares } from '@kc/pack/levels/intent-shares';
import type { NodeDetail } from '@kc/rules/shapes';
import { type Ref, useEffect, useRef, useState } from 'react';
import { lazily } from '../../../ui/number-text.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import { counted, exact, knownFor, mean, money, share } from '../../format/figure-text.ts';
import { placeText } from '../../model/place-names.ts';
import { useExplorer } from '../explorer-context.ts';
import { levelNames } from '../table/level-words.ts';
import { ReportChanges } from './report-changes.tsx';
import { ReportMethod } from './report-method.tsx';
import { ReportOpportunities } from './report-opportunities.tsx';
import type { ReportPart } from './report-parts.ts';
import { ReportPlan } from './report-plan.tsx';
import { Asked } from './report-section.tsx';
import { ReportWarnings } from './report-warnings.tsx';
import { type ReportScene, sceneOf, useFigures, usePicture, useTopClusters } from './use-report.ts';

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

/** Eight totals of the branch, with how much of it each is known for. */
function Totals({ scene }: { readonly scene: ReportScene }) {
  const figures = useFigures(scene);
  const clusters = useTopClusters(scene);
  return (
    <Asked asked={figures}>
      {(detail) => (
        <dl className="m-0 grid grid-cols-4 gap-x-4 gap-y-3 max-sm:grid-cols-2">
          {totalsOf(detail, levelNames[scene.pages], clusters.data?.total).map(({ name, text, note }) => (
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
    </Asked>
  );
}

/** @param topics how many of the smallest topics the branch has, and what they are called; undefined until that is known */
function totalsOf(detail: NodeDetail, name: string, topics: number | undefined) {
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
    { name: 'Difficulty, mean', text: mean(difficulty.value), note: known(difficulty.known) },
    { name: 'CPC, mean', text: money(cpc.value), note: known(cpc.known) },
    { name: 'Competition, mean', text: money(competition.value), note: known(competition.known) },
    { name: 'Position, mean', text: mean(position.value), note: known(position.known) },
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
    <Asked asked={drawn}>
      {() => (
        <img
          ref={image}
          alt={`The chart of ${tree.name(store.getState().focus)}. Its figures are in the tables of this report.`}
          className="max-w-full break-inside-avoid border border-line"
        />
      )}
    </Asked>
  );
}
