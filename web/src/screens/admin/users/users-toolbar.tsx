import { CopyCheck, RefreshCw, Rows3, Rows4 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { countText } from '../../../ui/quantity-text.ts';
import type { Density } from './use-density.ts';

type Props = {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** How many users are listed; `undefined` while that is not known. */
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
        icon={
          <RefreshCw
            size={18}
            strokeWidth={1.75}
            aria-hidden
            className={classNames(refreshing && 'motion animate-[orbit_1s_linear_infinite]')}
          />
        }
        onClick={onRefresh}
      >
        Refresh Users
      </Button>
      <Button icon={<CopyCheck size={18} strokeWidth={1.75} aria-hidden />} onClick={onDuplicates}>
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
        <Rows size={18} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </div>
  );
}

/** What is typed shows at once; the address follows, and leads when somebody goes back. */
function SearchField({ text, onText }: Pick<Props, 'text' | 'onText'>) {
  const [typed, setTyped] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The address lags behind somebody who is typing; it must not take back what came since.
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
