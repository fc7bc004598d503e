import { figureName } from '@kc/pack/filter-words/figure-name';
import { ArrowLeftRight, Check } from 'lucide-react';
import { iconButtonClass } from '../../../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import type { Trigger } from '../../../ui/popup.tsx';
import type { Steps } from '../../model/encodings.ts';

import { useExplorer, useLook } from '../explorer-context.ts';

const scales: readonly { readonly steps: Steps | undefined; readonly label: string }[] = [
  { steps: undefined, label: 'automatic scale' },
  { steps: 'log', label: 'logarithmic' },
  { steps: 'even', label: 'even steps' },
];

type AxisMenuProps = {
  readonly trigger?: Trigger;
  /** The axes whose scales are offered. */
  readonly of?: readonly ('x' | 'y')[];
};

const both = ['x', 'y'] as const;
const keysOf = { x: 'xs', y: 'ys' } as const;

/** Swaps the axes of the Opportunity chart, and chooses their scales. */
export function AxisMenu({ trigger, of = both }: AxisMenuProps) {
  const { store } = useExplorer();
  const look = useLook((state) => state);
  const swap = () => {
    const { x, y, xs, ys, tx, ty } = store.getState();
    store.setState({ x: y, y: x, xs: ys, ys: xs, tx: ty, ty: tx, spoken: 'The axes are swapped.' });
  };
  return (
    <Menu
      align="end"
      trigger={
        trigger ?? (
          <button type="button" aria-label="Scales and swapping of axes" className={iconButtonClass('dense')}>
            <ArrowLeftRight size={16} />
          </button>
        )
      }
    >
      <MenuItem icon={<ArrowLeftRight size={16} strokeWidth={2} />} onSelect={swap}>
        Swap axes
      </MenuItem>
      {of.map((axis) => (
        <div key={axis} className="contents">
          <MenuSeparator />
          {scales.map(({ steps, label }) => {
            const isChosen = look[keysOf[axis]] === steps;
            return (
              <MenuItem
                key={label}
                icon={<Check size={16} strokeWidth={2} className={isChosen ? '' : 'invisible'} />}
                onSelect={() => store.setState({ [keysOf[axis]]: steps })}
              >
                {figureName(look[axis])}: {label}
                {isChosen && <span className="sr-only">, chosen</span>}
              </MenuItem>
            );
          })}
        </div>
      ))}
    </Menu>
  );
}
