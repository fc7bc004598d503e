import { Check, ChevronDown, X } from 'lucide-react';
import { Button, buttonClass } from '../../../ui/button.tsx';
import type { SelectOption } from '../../../ui/closed-select.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { countText } from '../../../ui/quantity-text.ts';
import type { Setting } from './changes.ts';
import { roleOptions, statusOptions } from './user-choices.tsx';

type Props = {
  readonly count: number;
  readonly onSet: (setting: Setting) => void;
  readonly onClear: () => void;
};

const mark = { size: 16, strokeWidth: 2, 'aria-hidden': true } as const;

/** What can be done to all selected users at once, at the foot of the window. */
export function BulkBar({ count, onSet, onClear }: Props) {
  return (
    <div className="pointer-events-none sticky bottom-4 z-20 mt-4 flex justify-center">
      <section
        aria-label="Selected users"
        className="motion pointer-events-auto flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface p-2 pl-4 shadow-3 transition duration-200 starting:translate-y-3 starting:opacity-0"
      >
        <p role="status" className="mr-2 font-medium text-body">
          {countText(count)} selected
        </p>
        <Button
          variant="approve"
          size="dense"
          icon={<Check {...mark} />}
          onClick={() => onSet({ what: 'status', to: 'approved' })}
        >
          Approve
        </Button>
        <Button
          variant="danger"
          size="dense"
          icon={<X {...mark} />}
          onClick={() => onSet({ what: 'status', to: 'denied' })}
        >
          Deny
        </Button>
        <SetMenu label="Set status" options={statusOptions} onSet={(to) => onSet({ what: 'status', to })} />
        <SetMenu label="Set role" options={roleOptions} onSet={(to) => onSet({ what: 'role', to })} />
        <Button variant="ghost" size="dense" icon={<X {...mark} />} onClick={onClear}>
          Clear
        </Button>
      </section>
    </div>
  );
}

type SetMenuProps<T extends string> = {
  readonly label: string;
  readonly options: readonly SelectOption<T>[];
  readonly onSet: (value: T) => void;
};

function SetMenu<T extends string>({ label, options, onSet }: SetMenuProps<T>) {
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className={buttonClass('secondary', 'dense')}>
          {label}
          <ChevronDown {...mark} />
        </button>
      }
    >
      {options.map((option) => (
        <MenuItem key={option.value} icon={option.mark} onSelect={() => onSet(option.value)}>
          {option.label}
        </MenuItem>
      ))}
    </Menu>
  );
}
