import type { FormulaFigure } from '@kc/pack/formula/expression';
import { Button } from '../../../ui/button.tsx';
import { compact, exact, writeScoreValue } from '../../format/figure-text.ts';
import { levelNames } from '../table/level-words.ts';
import type { Checked } from './use-score-check.ts';

type Props = {
  readonly checked: Checked;
  /** What can be assumed of a figure that is unknown. */
  readonly assumption: { readonly figure: FormulaFigure; readonly value: number } | undefined;
  readonly onAssume: () => void;
};

/** How many rows have a score, how the scores are distributed, and which are the highest. */
export function ScoreSummary({ checked: { summary, level }, assumption, onAssume }: Props) {
  const { known, unknown, missing, bins, edges, top } = summary;
  const most = Math.max(1, ...bins);
  return (
    <div className="flex flex-col gap-2 text-small">
      <p className="m-0">
        {levelNames[level]}: {countsText(known, unknown, missing)}
      </p>
      {bins.length > 1 && (
        <div aria-hidden="true">
          <div className="flex h-9 items-end gap-px border-b border-line-strong">
            {bins.map((count, bin) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: a bin is identified by its index
                key={bin}
                className="min-w-0 flex-1 rounded-t-[2px] bg-brand forced-colors:bg-[CanvasText]"
                style={{ height: count === 0 ? 0 : `max(2px, ${(count / most) * 100}%)` }}
              />
            ))}
          </div>
          <p className="m-0 mt-0.5 flex justify-between text-micro text-muted">
            <span>{writeScoreValue(edges[0])}</span>
            {summary.isLog && <span>log scale</span>}
            <span>{writeScoreValue(edges.at(-1))}</span>
          </p>
        </div>
      )}
      {top.length > 0 && (
        <p className="m-0 text-muted">
          Highest:{' '}
          {top.map(({ node, name, score }, at) => (
            <span key={node}>
              {at > 0 && ' · '}
              <bdi className="text-ink">{name}</bdi>{' '}
              {Math.abs(score) >= 10_000 ? compact(score) : writeScoreValue(score)}
            </span>
          ))}
        </p>
      )}
      {assumption && unknown > 0 && (
        <Button size="dense" className="self-start" onClick={onAssume}>
          Assume {assumption.figure} {exact(assumption.value)} where unknown
        </Button>
      )}
    </div>
  );
}

/** "56 of 116 have a score, 60 unknown (difficulty)" */
function countsText(known: number, unknown: number, missing: readonly string[]): string {
  const all = known + unknown;
  if (all === 0) return 'none here';
  if (unknown === 0) return `all ${exact(all)} have a score`;
  const why = missing.map((figure) => figure.replace(/^field:/, '')).join(', ');
  return `${exact(known)} of ${exact(all)} have a score, ${exact(unknown)} unknown${why === '' ? '' : ` (${why})`}`;
}
