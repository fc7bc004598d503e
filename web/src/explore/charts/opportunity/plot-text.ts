import { figureName, figureWord } from '@kc/pack/filter-words/figure-name';
import { isCost, type QuadrantPlace } from '@kc/pack/levels/quadrants';
import type { Axes } from '../../model/encodings.ts';
import { type Figures, isScoreKey, type Metric } from '../../tree-data/figures.ts';

/** What the quadrants of a plot say about a branch in them. */
type QuadrantNames = Readonly<Record<QuadrantPlace, string>>;

/** How the figure of a branch is computed from its keywords, per axis. */
type RollUps = { readonly x: Figures['rollUp']; readonly y: Figures['rollUp'] };

/** Metrics where high is good. For those that are neither this nor a cost, neither is. */
const isGain = (metric: Metric, rollUp: RollUps['x']): boolean =>
  rollUp === 'count' || rollUp === 'sum' || metric === 'cpc' || isScoreKey(metric);

/** Which branches to write for first, if one axis is a cost and the other a benefit; otherwise what is high and low. */
export function quadrantNames({ x, y }: Axes, rollUps: RollUps): QuadrantNames {
  const [easyAndMuch, hardAndMuch] = ['Write first', 'Worth the effort'];
  const [easyAndLittle, hardAndLittle] = ['Easy extras', 'Leave for later'];
  if (isCost(x) && isGain(y, rollUps.y)) {
    return { upperLeft: easyAndMuch, upperRight: hardAndMuch, lowerLeft: easyAndLittle, lowerRight: hardAndLittle };
  }
  if (isCost(y) && isGain(x, rollUps.x)) {
    return { upperLeft: hardAndLittle, upperRight: hardAndMuch, lowerLeft: easyAndLittle, lowerRight: easyAndMuch };
  }
  const name = (isUp: boolean, isRight: boolean) => {
    const text = `${levelWord(y, isUp)} ${figureWord(y)}, ${levelWord(x, isRight)} ${figureWord(x)}`;
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  return {
    upperLeft: name(true, false),
    upperRight: name(true, true),
    lowerLeft: name(false, false),
    lowerRight: name(false, true),
  };
}

function levelWord(metric: Metric, isMuch: boolean): string {
  if (metric === 'keywords') return isMuch ? 'many' : 'few';
  return isMuch ? 'high' : 'low';
}

/** The name of the metric, and how a branch gets its figure if the name does not say it. */
export function axisTitle(
  { axes, rollUps }: { readonly axes: Axes; readonly rollUps: RollUps },
  axis: 'x' | 'y',
): string {
  const metric = axes[axis];
  if (metric === 'volume') return 'Volume a month';
  if (metric === 'keywords' || metric === 'difficulty' || isScoreKey(metric)) return figureName(metric);
  const rollUp = rollUps[axis];
  return rollUp === 'own' ? figureName(metric) : `${figureName(metric)}, ${rollUp}`;
}
