import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronDown, Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { classNames } from './class-names.ts';
import { countText } from './number-text.ts';
import { popupClass, popupItemClass, useOverlayContainer } from './popup.tsx';
import { selectTriggerClass } from './select.tsx';

type Named = { readonly email: string; readonly displayName: string };
type Person = Named & { readonly id: string };
type Option = { readonly value: string; readonly label: string; readonly detail?: string };

type Props<P extends Person> = {
  readonly label: string;
  readonly people: readonly P[];
  readonly chosen: P | undefined;
  readonly labelOf: (person: P) => string;
  /** Shown while nobody is chosen. */
  readonly noneLabel: string;
  /** Whether nobody can be chosen, too. */
  readonly offersNone?: boolean;
  /** @param id empty for nobody */
  readonly onChange: (id: string) => void;
  readonly disabled: boolean;
};

/** Maximum number of rendered options; for more, the user types a longer text. */
const maxShown = 50;
const searchLabel = 'Search by email or name';

/** A select for thousands of people, with a search field in its list. */
export function PersonSelect<P extends Person>(props: Props<P>) {
  const { label, people, labelOf, offersNone = false, onChange, disabled } = props;
  const container = useOverlayContainer();
  const [text, setText] = useState('');
  const query = useDeferredValue(text);
  const none: Option = { value: '', label: props.noneLabel };
  const optionOf = (person: P): Option => ({ value: person.id, label: labelOf(person), detail: person.displayName });
  const chosen = props.chosen ? optionOf(props.chosen) : none;
  const found = [...(offersNone && query.trim() === '' ? [none] : []), ...matching(query, people).map(optionOf)];
  const shown = found.slice(0, maxShown);
  return (
    <Base.Root
      items={shown}
      filteredItems={shown}
      value={chosen}
      isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
      onValueChange={(next) => next && onChange(next.value)}
      inputValue={text}
      onInputValueChange={setText}
      autoHighlight
      disabled={disabled}
    >
      <div className="flex min-w-0 flex-col gap-1.5">
        <Base.Label className="text-small font-medium text-ink">{label}</Base.Label>
        <Base.Trigger className={selectTriggerClass('default')}>
          <span className="min-w-0 flex-1 truncate">{chosen.label}</span>
          <ChevronDown size={16} className="shrink-0 text-muted" />
        </Base.Trigger>
      </div>
      <Base.Portal container={container}>
        <Base.Positioner sideOffset={6} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup
            aria-label={label}
            className={classNames(
              popupClass,
              'flex max-h-[min(26rem,var(--available-height))] w-[max(16rem,var(--anchor-width))] max-w-[var(--available-width)] flex-col overflow-hidden',
            )}
          >
            <div className="relative border-line border-b p-1.5">
              <Search size={16} className="pointer-events-none absolute top-1/2 left-4 -translate-y-1/2 text-muted" />
              <Base.Input
                aria-label={searchLabel}
                placeholder={searchLabel}
                autoComplete="off"
                spellCheck={false}
                maxLength={320}
                className="h-10 w-full rounded-control bg-transparent pr-3 pl-9 text-body text-ink placeholder:text-muted touch:h-11 touch:text-touch"
              />
            </div>
            <Base.List
              aria-label={label}
              className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5 empty:hidden"
            >
              {(option: Option) => (
                <Base.Item key={option.value} value={option} className={popupItemClass}>
                  <span className="min-w-0 flex-1 truncate">
                    {option.label}
                    {option.detail && <span className="text-muted"> · {option.detail}</span>}
                  </span>
                  <Base.ItemIndicator className="text-brand">
                    <Check size={16} strokeWidth={2} />
                  </Base.ItemIndicator>
                </Base.Item>
              )}
            </Base.List>
            <Base.Status className="px-4 py-2.5 text-small text-muted empty:hidden">
              {found.length === 0
                ? 'No user found'
                : found.length > shown.length &&
                  `${countText(found.length - shown.length)} more. Type more to narrow them down.`}
            </Base.Status>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The people whose email or name contains the text. */
export function matching<P extends Named>(text: string, people: readonly P[]): readonly P[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return people;
  return people.filter(({ email, displayName }) => `${email}\n${displayName}`.toLowerCase().includes(wanted));
}
