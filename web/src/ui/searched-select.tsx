import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronDown, Search } from 'lucide-react';
import { classNames } from './class-names.ts';
import { useOverlayContainer } from './overlay-region.tsx';
import { popupClass, popupItemClass } from './popup-style.ts';

type Option = { readonly value: string; readonly label: string };

type Props = {
  readonly label: string;
  readonly searchLabel: string;
  /** What the list says when nothing matches. */
  readonly noMatch: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly disabled?: boolean;
};

/** More are found by typing. */
const shownOptions = 100;

/** A labelled choice among many: its list is searched as one types. */
export function SearchedSelect({ label, searchLabel, noMatch, value, options, onChange, disabled = false }: Props) {
  const container = useOverlayContainer();
  const chosen = options.find((option) => option.value === value) ?? null;
  return (
    <Base.Root
      items={options}
      value={chosen}
      onValueChange={(next) => next !== null && onChange(next.value)}
      limit={shownOptions}
      autoHighlight
      disabled={disabled}
    >
      <div className="flex min-w-0 flex-col gap-1.5">
        <Base.Label className="text-small font-medium text-ink">{label}</Base.Label>
        <Base.Trigger className="flex h-10 w-full min-w-0 items-center gap-2 rounded-control border border-line-strong bg-surface px-3 text-left text-body text-ink transition duration-[80ms] hover:bg-sunken disabled:cursor-not-allowed disabled:opacity-60 touch:h-11">
          <span className="min-w-0 flex-1 truncate">{chosen?.label}</span>
          <ChevronDown size={16} strokeWidth={1.75} className="shrink-0 text-muted" aria-hidden />
        </Base.Trigger>
      </div>
      <Base.Portal container={container}>
        <Base.Positioner align="start" sideOffset={6} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup
            aria-label={label}
            className={classNames(
              popupClass,
              'flex max-h-[min(24rem,var(--available-height))] w-[var(--anchor-width)] max-w-[var(--available-width)] flex-col p-1.5',
            )}
          >
            <div className="relative mb-1.5 shrink-0">
              <Search
                size={16}
                strokeWidth={1.75}
                className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted"
                aria-hidden
              />
              <Base.Input
                aria-label={searchLabel}
                placeholder={searchLabel}
                className="h-10 w-full rounded-control border border-line-strong bg-surface pr-3 pl-9 text-body text-ink placeholder:text-muted touch:h-11 touch:text-touch"
              />
            </div>
            <Base.Empty className="text-small text-muted [&:not(:empty)]:px-3 [&:not(:empty)]:py-2">
              {noMatch}
            </Base.Empty>
            <Base.List className="min-h-0 overflow-y-auto overscroll-contain outline-none">
              {(option: Option) => (
                <Base.Item key={option.value} value={option} className={popupItemClass}>
                  <span className="min-w-0 flex-1 truncate">{option.label}</span>
                  <Base.ItemIndicator className="text-brand">
                    <Check size={16} aria-hidden />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
