import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from '../../../ui/class-names.ts';

type Props = {
  /** The accessible name of the section. */
  readonly label: string;
  readonly heading: ReactNode;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly className?: string;
  readonly children: ReactNode;
};

/** A list of the warnings tab that can be closed; rendered while it is open. */
export function WarningSection({ label, heading, isOpen, setOpen, className, children }: Props) {
  const id = useId();
  return (
    <section aria-label={label} className={className}>
      <h3 className="m-0">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-10 w-full items-center gap-2 rounded-control text-left text-small font-medium hover:bg-sunken touch:min-h-11"
        >
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={classNames('motion shrink-0 transition-transform duration-150', isOpen && 'rotate-90')}
          />
          {heading}
        </button>
      </h3>
      <div id={id} hidden={!isOpen}>
        {isOpen && children}
      </div>
    </section>
  );
}
