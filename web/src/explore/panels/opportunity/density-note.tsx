import type { Level } from '@kc/pack/levels/level';
import { say } from '@kc/rules/explorer-messages';
import { exact } from '../../format/figure-text.ts';
import { levelWords } from '../table/level-words.ts';
import { mostIn } from './density.ts';
import { cellInk } from './draw-plot.ts';
import type { AskedDensity } from './use-density.ts';

type NoteProps = {
  readonly level: Level;
  /** Undefined until the plot has its size. */
  readonly asked: AskedDensity | undefined;
};

/** Says which points of a window are drawn one by one, and what its cells mean. */
export function DensityNote({ level, asked }: NoteProps) {
  if (asked?.failure !== undefined) {
    return (
      <span role="alert" className="text-bad">
        {say('explore/cells-failed')}{' '}
        <button type="button" onClick={asked.retry} className="underline">
          Try again
        </button>
      </span>
    );
  }
  const density = asked?.density;
  if (!density) return <span>The largest are drawn. Counting the others…</span>;
  const drawn = density.points.nodes.length;
  if (drawn === density.inside) return <span>All {levelWords[level].count(drawn)} in view are drawn.</span>;
  const [least, most] = [density.cells.rows.reduce((a, b) => Math.min(a, b)), mostIn(density)];
  return (
    <span>
      The {exact(drawn)} largest of {exact(density.inside)} in view are drawn. The others are counted in cells:{' '}
      <svg aria-hidden="true" width="32" height="10" className="inline-block align-[-1px] text-muted">
        {[0, 1, 2, 3].map((nth) => (
          <rect
            key={nth}
            x={8 * nth}
            width="8"
            height="10"
            fill="currentcolor"
            fillOpacity={cellInk.least + ((cellInk.most - cellInk.least) * nth) / 3}
          />
        ))}
      </svg>{' '}
      {least === most ? exact(most) : `${exact(least)} – ${exact(most)}`} each
    </span>
  );
}
