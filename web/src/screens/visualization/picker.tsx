import type { Visualization } from '@kc/rules/shapes';
import { ChevronDown, Layers } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Popover } from '../../ui/popover.tsx';

const EditDescription = lazy(async () => ({
  default: (await import('../edit-description.tsx')).EditDescription,
}));
const PickerBody = lazy(async () => ({ default: (await import('./picker-body.tsx')).PickerBody }));

type PickerProps = {
  readonly current: Visualization;
  readonly all: readonly Visualization[];
  readonly freshness: ReactNode;
  /** Compares the current one with another upload; undefined if it cannot be compared. */
  readonly onCompare?: ((id: string) => void) | undefined;
};

/** The title of the page, and the button that opens the list of everything there is to explore. */
export function Picker({ current, all, freshness, onCompare }: PickerProps) {
  const [described, setDescribed] = useState<Visualization>();
  const [describing, setDescribing] = useState(false);
  return (
    <h1 tabIndex={-1} className="m-0 shrink-0 text-body font-semibold">
      <Popover
        label="Visualizations"
        className="w-[min(34rem,calc(100vw-1rem))] p-1.5"
        trigger={
          <button
            type="button"
            className="flex h-9 items-center justify-center gap-1.5 rounded-control px-2 hover:bg-sunken touch:h-11 touch:min-w-11"
          >
            <span className="max-md:sr-only">My Visualizations</span>
            {/* On a small screen the place beside it has the room. */}
            <Layers size={18} strokeWidth={1.75} aria-hidden="true" className="text-muted md:hidden" />
            <ChevronDown size={16} aria-hidden="true" className="text-muted max-md:hidden" />
          </button>
        }
      >
        {(close) => (
          <Suspense fallback={<div className="h-16" />}>
            <PickerBody
              current={current}
              all={all}
              freshness={freshness}
              onChosen={close}
              onCompare={onCompare}
              onDescribe={(one) => {
                close();
                setDescribed(one);
                setDescribing(true);
              }}
            />
          </Suspense>
        )}
      </Popover>
      <Suspense>
        {described && <EditDescription one={described} open={describing} onClose={() => setDescribing(false)} />}
      </Suspense>
    </h1>
  );
}
