import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { useOverlayContainer } from './overlay-region.tsx';

type Props = {
  readonly text: string;
  /** The element the tooltip belongs to; it must take a ref and spread its properties. */
  readonly children: ReactElement;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
};

export function Tooltip({ text, children, side = 'bottom' }: Props) {
  const container = useOverlayContainer();
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={300} />
      <Base.Portal container={container}>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="motion max-w-72 rounded-chip bg-ink px-2 py-1 text-micro font-medium text-bg shadow-2 transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
