import { intentNames, intentShares } from '@kc/pack/levels/known-share';
import type { NodeDetail } from '@kc/rules/shapes';
import { colourAt, intentNames as labels } from '../../charts/paint/colour-scale.ts';
import {
  counted,
  decimal,
  exact,
  isCut,
  isKnown,
  knownFor,
  mean,
  money,
  share,
  unknown,
} from '../../format/figure-text.ts';
import { isInFile } from '../../model/choices.ts';
import { none } from '../../tree-data/columns.ts';
import { isKnownAnywhere } from '../../tree-data/figures.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { usePalette } from '../row-look.tsx';
import { Section } from '../section.tsx';

export function KeyNumbers({ row, detail }: { row: number; detail: NodeDetail | undefined }) {
  const { tree } = useExplorer();
  const fields = useLook((state) => state.fields);
  const parent = tree.parent[row] ?? none;
  const keywords = tree.keywords[row]!;
  const volumeKnown = detail?.volume.known ?? tree.volumeKnown[row]!;
  const among = detail?.siblings?.standing;
  return (
    <Section title="Numbers">
      <dl className="m-0 grid grid-cols-2 gap-x-4 gap-y-3">
        <Figure
          label="Keywords"
          value={exact(keywords)}
          note={keywordsNote(tree, row, detail)}
          standing={among?.keywords}
        />
        {isKnownAnywhere(tree, 'volume') && (
          <Figure
            label="Volume a month"
            value={exact(detail?.volume.value ?? tree.volume[row])}
            note={volumeKnown > 0 ? knownFor(volumeKnown, keywords) : undefined}
            standing={among?.volume}
          />
        )}
        {parent !== none && (
          <>
            <Figure label="Share of parent" value={share(keywords, tree.keywords[parent])} />
            <Figure label="Share of all" value={share(keywords, tree.keywords[0])} />
          </>
        )}
        {detail && (
          <>
            {means
              .filter(({ id }) => isInFile(tree, fields, id))
              .map(({ id, label, write }) => (
                <Mean
                  key={id}
                  label={label}
                  measure={detail[id]}
                  of={keywords}
                  write={write}
                  standing={among?.[id]}
                  isLowBest={id === 'position'}
                />
              ))}
            {/* As in the Depth control, the legend and the filter: pillar topics are level 1. */}
            {detail.depth > 0 && <Figure label="Level" value={exact(detail.depth)} />}
            {detail.children > 0 && <Figure label="Nodes below" value={exact(detail.branchNodes - 1)} />}
          </>
        )}
      </dl>
      {detail && isKnownAnywhere(tree, 'intent') && <IntentBar intent={detail.intent} keywords={keywords} />}
    </Section>
  );
}

const means = [
  { id: 'difficulty', label: 'Difficulty', write: mean },
  { id: 'cpc', label: 'CPC', write: money },
  { id: 'competition', label: 'Competition', write: decimal },
  { id: 'position', label: 'Position', write: mean },
] as const;

/** The total before filtering, if a filter applies, and how duplicates were counted. */
function keywordsNote(tree: LoadedTree, row: number, detail: NodeDetail | undefined): string | undefined {
  const notes = [
    ...(isCut(tree, row) ? [`of ${exact(tree.ofKeywords[row])}`] : []),
    ...(detail && detail.repeats > 0 ? [`${counted(detail.repeats, 'repeat')} counted once`] : []),
  ];
  return notes.length > 0 ? notes.join(', ') : undefined;
}

type MeanProps = {
  readonly label: string;
  readonly measure: NodeDetail['difficulty'];
  readonly of: number;
  readonly write: (value: number | undefined) => string;
  readonly standing: SiblingRank | undefined;
  readonly isLowBest?: boolean;
};

/** A mean over the known values, plain and weighted by volume. It says so if impressions are the weight. */
function Mean({ label, measure, of, write, standing, isLowBest = false }: MeanProps) {
  const weighted = isKnown(measure.weighted) ? `${write(measure.weighted)} by volume` : weightNote(measure);
  return (
    <Figure
      label={label}
      value={write(measure.value)}
      // For a single keyword there is nothing to add, and if nothing is known, the figure says it.
      note={of > 1 && measure.known > 0 ? [weighted, knownFor(measure.known, of)].filter(Boolean).join(', ') : ''}
      standing={standing}
      isLowBest={isLowBest}
    />
  );
}

/** The mean position, weighted by impressions where they are known. */
function weightNote({ byImpressions, known }: NodeDetail['position']): string {
  if (byImpressions === undefined) return '';
  return `weighted by impressions${byImpressions < known ? ` of ${exact(byImpressions)}` : ''}`;
}

type FigureProps = {
  readonly label: string;
  readonly value: string;
  readonly note?: string | undefined;
  readonly standing?: SiblingRank | undefined;
  readonly isLowBest?: boolean;
};

function Figure({ label, value, note, standing, isLowBest = false }: FigureProps) {
  return (
    <div className="min-w-0">
      <dt className="text-micro text-muted">{label}</dt>
      <dd className="m-0">
        <span className={value === unknown ? 'text-body text-muted italic' : 'text-h2 text-ink'}>{value}</span>
        {note && <span className="block text-micro text-muted">{note}</span>}
        {standing && standing.known > standing.equal && <StandingBar {...standing} isLowBest={isLowBest} />}
      </dd>
    </div>
  );
}

type SiblingRank = NonNullable<NonNullable<NodeDetail['siblings']>['standing']['volume']>;

type StandingProps = SiblingRank & {
  /** Whether a smaller value is better, as for a position. */
  readonly isLowBest?: boolean;
};

/** The rank of a figure among the siblings: a mark on a scale with the best value on the right. */
function StandingBar({ known, below, equal, isLowBest = false }: StandingProps) {
  const behind = isLowBest ? known - below - equal : below;
  const rank = ((behind + equal / 2) / known) * 100;
  return (
    <span className="mt-2 block text-micro text-muted">
      <span
        aria-hidden="true"
        className="relative mb-0.5 block h-1 rounded-full border border-line-strong/60 bg-sunken"
      >
        <span
          className="absolute -top-1 h-3 w-0.5 -translate-x-1/2 bg-ink forced-color-adjust-none"
          style={{ left: `${rank}%` }}
        />
      </span>
      {standingText({ known, below, equal, isLowBest })}
    </span>
  );
}

/**
 * "above 9 of 11 siblings", "below all 3 siblings", "level with 2 of 3 siblings, below the others". For a position:
 * "better than 9 of 11 siblings", "behind all 3 siblings".
 *
 * @param known siblings whose value is known, at least one of them different
 */
export function standingText({ known, below, equal, isLowBest = false }: StandingProps): string {
  const worse = isLowBest ? known - below - equal : below;
  const [over, under] = isLowBest ? ['better than', 'behind'] : ['above', 'below'];
  const all = known === 1 ? 'the one sibling that has a value' : `all ${exact(known)} siblings`;
  if (worse === known) return `${over} ${all}`;
  if (worse > 0)
    return `${over} ${exact(worse)} of ${exact(known)} siblings${equal > 0 ? `, level with ${exact(equal)}` : ''}`;
  if (equal === 0) return `${under} ${all}`;
  return `level with ${exact(equal)} of ${exact(known)} siblings, ${under} the others`;
}

/** The search intents, in the same colours as in charts; shares as in `intentShares`. */
function IntentBar({ intent, keywords }: { intent: NodeDetail['intent']; keywords: number }) {
  const palette = usePalette();
  if (intent.known === 0) return <p className="m-0 mt-3 text-small text-muted italic">Intent unknown</p>;
  const counts = intentNames.map((name) => intent[name]);
  const shares = intentShares(counts, intent.known);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const named = shares.map((one) => {
    const index = intentNames.indexOf(one.intent);
    return { id: one.intent, of: one.share, label: labels[index]!, colour: colourAt(palette, index) };
  });
  return (
    <div className="mt-4">
      <p className="m-0 mb-1.5 text-micro text-muted">
        {['Intent', knownFor(intent.known, keywords)].filter(Boolean).join(', ')}
        {total > intent.known && '; some have several'}
      </p>
      <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-full">
        {named.map(({ id, of, colour }) => (
          <span key={id} className="forced-color-adjust-none" style={{ flexGrow: of, background: colour }} />
        ))}
      </div>
      <ul className="m-0 mt-2 grid list-none grid-cols-2 gap-x-4 gap-y-0.5 p-0 text-micro">
        {named.map(({ id, of, label, colour }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className="size-2 shrink-0 rounded-full forced-color-adjust-none"
              style={{ background: colour }}
            />
            <span className="min-w-0 flex-1 truncate">{label}</span>
            <span className="text-muted">{share(of, 1)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
