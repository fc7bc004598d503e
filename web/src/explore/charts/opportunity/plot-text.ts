import type { Axes } from '../../model/encodings.ts';
import { figureName, figureWord, type Metric } from '../../tree-data/figures.ts';
import type { Plot } from '../layout/layout.ts';

/** What the quadrants of a plot say about a branch in them. */
export type QuadrantNames = {
  readonly upperLeft: string;
  readonly upperRight: string;
  readonly lowerLeft: string;
  readonly lowerRight: string;
};

type RollUps = NonNullable<Plot['rollUps']>;

/** Metrics where low is good, and metrics where high is good; for the others, neither is. */
const costs: ReadonlySet<Metric> = new Set<Metric>(['difficulty', 'field:competition']);
const isGain = (metric: Metric, rollUp: RollUps['x']): boolean => rollUp !== 'mean' || metric === 'cpc';

/** Which branches to write for first, if one axis is a cost and the other a benefit; otherwise what is high and low. */
export function quadrantNames({ x, y }: Axes, rollUps: RollUps): QuadrantNames {
  const [easyAndMuch, hardAndMuch] = ['Write first', 'Worth the effort'];
  const [easyAndLittle, hardAndLittle] = ['Easy extras', 'Leave for later'];
  if (costs.has(x) && isGain(y, rollUps.y)) {
    return { upperLeft: easyAndMuch, upperRight: hardAndMuch, lowerLeft: easyAndLittle, lowerRight: hardAndLittle };
  }
  if (costs.has(y) && isGain(x, rollUps.x)) {
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
export function axisTitle({ axes, rollUps }: Plot, axis: 'x' | 'y'): string {
  const metric = axes[axis];
  if (metric === 'volume') return 'Volume a month';
  if (metric === 'keywords' || metric === 'difficulty') return figureName(metric);
  return `${figureName(metric)}, ${rollUps?.[axis]}`;
}

export function whyEmpty({ axes, rollUps }: Plot): string {
  if (!rollUps) return 'Loading…';
  return `No branch here has both ${figureWord(axes.x)} and ${figureWord(axes.y)}`;
}

export const whyUnplaced = ({ x, y }: Axes): string => `${figureWord(x)} or ${figureWord(y)} missing`;
