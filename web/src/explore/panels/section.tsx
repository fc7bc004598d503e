import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from '../../ui/class-names.ts';

/** A titled section of the details. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="m-0 mb-2 text-small font-semibold text-muted">{title}</h3>
      {children}
    </section>
  );
}

type DisclosureProps = {
  /** The accessible name of the section, if it needs one beside its heading. */
  readonly label?: string;
  readonly heading: ReactNode;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly className?: string | undefined;
  readonly headClassName: string;
  readonly bodyClassName?: string;
  readonly children: ReactNode;
};

/** A section that can be closed. What it holds is rendered while it is open. */
export function Disclosure(props: DisclosureProps) {
  const { label, heading, isOpen, setOpen, className, headClassName, bodyClassName, children } = props;
  const id = useId();
  return (
    <section aria-label={label} className={className}>
      <h3 className="m-0 text-small">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className={classNames('flex w-full items-center gap-2 text-left text-small touch:min-h-11', headClassName)}
        >
          <ChevronRight
            size={14}
            strokeWidth={2}
            className={classNames('motion shrink-0 transition-transform duration-150', isOpen && 'rotate-90')}
          />
          {heading}
        </button>
      </h3>
      <div id={id} hidden={!isOpen} className={bodyClassName}>
        {isOpen && children}
      </div>
    </section>
  );
}
