import { ChevronDown } from 'lucide-react';
import { classNames } from '../../../ui/class-names.ts';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { exact, share } from '../../format/figure-text.ts';
import type { Picked } from '../../model/picked.ts';
import { useExplorer } from '../explorer-context.ts';

type LabelProps = {
  readonly name: string;
  /** "24 clusters" */
  readonly count: string;
  readonly hardly: number;
  readonly volume: number | undefined;
  /** The volume of the whole level. */
  readonly ofVolume: number | undefined;
  readonly isCounting: boolean;
  readonly align: 'start' | 'end';
  /** The selection of what is in it; undefined if that is nothing, or until the totals are known. */
  readonly picked: Picked | undefined;
  /** Undefined until the totals are known. */
  readonly onFilter: (() => void) | undefined;
};

/** "24 clusters · 89,920 · 54 %". Without any known volume there is none to share. */
export function quadrantText(count: string, volume: number | undefined, ofVolume: number | undefined): string {
  const of = ofVolume === undefined ? '' : ` · ${share(volume ?? 0, ofVolume)}`;
  return `${count} · ${exact(volume ?? (ofVolume === undefined ? undefined : 0))}${of}`;
}

/** The name of a quadrant with its totals, and what can be done with what is in it. */
export function QuadrantLabel(props: LabelProps) {
  const { name, count, hardly, volume, ofVolume, isCounting, picked, onFilter } = props;
  const explorer = useExplorer();
  const { store } = explorer;
  const toast = useToast();
  const cannotPick = !picked || isCounting;
  return (
    <div className="min-w-0 max-w-[49%]">
      <Menu
        align={props.align}
        trigger={
          <button
            type="button"
            aria-busy={isCounting}
            title={hardly > 0 ? `${exact(hardly)} of them known for less than 20 %` : undefined}
            className={classNames(
              'flex max-w-full flex-col rounded-control px-2 py-0.5 text-left text-small text-ink hover:bg-sunken touch:min-h-11',
              props.align === 'end' && 'items-end text-right',
            )}
          >
            <span className="flex items-center gap-1 font-semibold">
              {name}
              <ChevronDown size={14} aria-hidden="true" />
            </span>
            <span className={classNames('text-micro tabular-nums', isCounting ? 'text-muted' : 'text-ink')}>
              {quadrantText(count, volume, ofVolume)}
            </span>
          </button>
        }
      >
        <MenuItem disabled={cannotPick} onSelect={() => store.setState({ picked: picked! })}>
          Select {count}
        </MenuItem>
        <MenuItem disabled={!onFilter || isCounting} {...(onFilter && { onSelect: onFilter })}>
          Filter to these
        </MenuItem>
        {explorer.isKept && (
          <MenuItem
            disabled={cannotPick}
            onSelect={async () => {
              store.setState({ picked: picked! });
              const { planPicked } = await import('../plan/plan-actions.ts');
              await planPicked(explorer, toast);
            }}
          >
            Add {count} to plan
          </MenuItem>
        )}
      </Menu>
    </div>
  );
}
