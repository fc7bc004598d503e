import { ChevronDown, CopyCheck, RefreshCw, Rows3, Rows4, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { countText } from '../../../ui/number-text.ts';
import type { SelectOption } from '../../../ui/select.tsx';
import type { Setting } from './account-changes.ts';
import { decisions, roleOptions, statusOptions } from './user-fields.tsx';

type Props = {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Number of listed users; `undefined` while unknown. */
  readonly count: number | undefined;
  readonly refreshing: boolean;
  readonly onRefresh: () => void;
  readonly onDuplicates: () => void;
  readonly density: Density;
  readonly onDensity: (density: Density) => void;
};

export function UsersToolbar(props: Props) {
  const { text, onText, count, refreshing, onRefresh, onDuplicates, density, onDensity } = props;
  const compact = density === 'compact';
  const Rows = compact ? Rows4 : Rows3;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3">
      <SearchField text={text} onText={onText} />
      <Button
        icon={<RefreshCw size={18} className={classNames(refreshing && 'motion animate-[orbit_1s_linear_infinite]')} />}
        onClick={onRefresh}
      >
        Refresh Users
      </Button>
      <Button icon={<CopyCheck size={18} />} onClick={onDuplicates}>
        Find duplicates
      </Button>
      <p role="status" className="text-small text-muted sm:ml-auto">
        {count !== undefined && `${countText(count)} ${count === 1 ? 'user' : 'users'}`}
      </p>
      <IconButton
        label="Compact rows"
        aria-pressed={compact}
        className="max-lg:hidden"
        onClick={() => onDensity(compact ? 'comfortable' : 'compact')}
      >
        <Rows size={18} />
      </IconButton>
    </div>
  );
}

/** The field shows typed text at once. The URL follows, and takes over when the user goes back. */
function SearchField({ text, onText }: Pick<Props, 'text' | 'onText'>) {
  const [typed, setTyped] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The URL lags behind while the user types and must not overwrite newer input.
    if (document.activeElement !== input.current) setTyped(text);
  }, [text]);
  return (
    <input
      ref={input}
      type="search"
      aria-label="Search users"
      placeholder="Search by email or name"
      aria-keyshortcuts="/"
      value={typed}
      onChange={(event) => {
        setTyped(event.target.value);
        onText(event.target.value);
      }}
      className="h-10 min-w-0 flex-1 basis-56 rounded-control border border-line-strong bg-surface px-3 text-body placeholder:text-muted sm:max-w-80 touch:h-11 touch:text-touch"
    />
  );
}

type BulkBarProps = {
  readonly count: number;
  readonly onSet: (setting: Setting) => void;
  readonly onClear: () => void;
};

const mark = { size: 16, strokeWidth: 2 } as const;

/** Bulk actions for the selected users, as a bar at the bottom of the window. */
export function BulkBar({ count, onSet, onClear }: BulkBarProps) {
  return (
    <div className="pointer-events-none sticky bottom-4 z-20 mt-4 flex justify-center">
      <section
        aria-label="Selected users"
        className="motion pointer-events-auto flex flex-wrap items-center gap-2 rounded-card border border-line bg-surface p-2 pl-4 shadow-3 transition duration-200 starting:translate-y-3 starting:opacity-0"
      >
        <p role="status" className="mr-2 font-medium text-body">
          {countText(count)} selected
        </p>
        {decisions.map(({ to, name, variant, Icon }) => (
          <Button
            key={to}
            variant={variant}
            size="dense"
            icon={<Icon {...mark} />}
            onClick={() => onSet({ what: 'status', to })}
          >
            {name}
          </Button>
        ))}
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

export type Density = 'comfortable' | 'compact';

/** Row height in CSS pixels. */
export const rowPx: Readonly<Record<Density, number>> = { comfortable: 56, compact: 44 };

const storageKey = 'users-density';

/** The row density, remembered by this browser. */
export function useDensity(): readonly [Density, (density: Density) => void] {
  const [density, setDensity] = useState<Density>(() =>
    localStorage.getItem(storageKey) === 'compact' ? 'compact' : 'comfortable',
  );
  const choose = (next: Density) => {
    localStorage.setItem(storageKey, next);
    setDensity(next);
  };
  return [density, choose];
}
