import { Tabs as Base } from '@base-ui/react/tabs';
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';

type TabItem<T extends string> = { readonly value: T; readonly label: string; readonly badge?: ReactNode };

type Props<T extends string> = {
  /** The accessible name of the tab list. */
  readonly label: string;
  readonly value: T;
  readonly items: readonly TabItem<T>[];
  readonly onChange: (value: T) => void;
  /** The panel of the selected tab. */
  readonly children: ReactNode;
  readonly className?: string;
};

/** Pill tabs; arrow keys move between them. A row that is too wide wraps, on a phone it scrolls sideways, with faded ends. */
export function Tabs<T extends string>({ label, value, items, onChange, children, className }: Props<T>) {
  const row = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another value, another tab must be visible
  useEffect(() => {
    row.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value]);
  return (
    <Base.Root value={value} onValueChange={(next: T) => onChange(next)} className={classNames('min-w-0', className)}>
      <Base.List
        ref={row}
        aria-label={label}
        activateOnFocus
        className={classNames(
          '-mx-4 flex snap-x scroll-px-9 gap-1 overflow-x-auto px-4 py-1 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0',
          'max-md:[mask-image:linear-gradient(to_right,transparent,black_1rem,black_calc(100%-2rem),transparent)]',
        )}
      >
        {items.map((item) => (
          <Base.Tab
            key={item.value}
            value={item.value}
            className="flex h-9 shrink-0 cursor-pointer snap-start items-center gap-2 rounded-full px-3.5 text-small font-medium text-muted motion transition duration-[80ms] hover:bg-sunken hover:text-ink data-[active]:bg-brand-soft data-[active]:text-brand-ink touch:h-11"
          >
            {item.label}
            {item.badge}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className="mt-4 outline-offset-4">
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
