import { type JSX, lazy, Suspense, useState } from 'react';
import type { SelectProps } from './select.tsx';
import { ClosedSelect } from './select.tsx';

/**
 * A select whose script is loaded when it is first rendered. The cast restores the type parameter that `lazy` drops.
 */
export const LoadedSelect = lazy(async () => ({ default: (await import('./select.tsx')).Select })) as <
  T extends string,
>(
  props: SelectProps<T>,
) => JSX.Element;

type Props<T extends string> = Pick<SelectProps<T>, 'label' | 'value' | 'options' | 'onChange'>;

/** A dense select that is a plain button until it is first opened. */
export function LazySelect<T extends string>(props: Props<T>) {
  const [wasOpened, setWasOpened] = useState(false);
  const [isOpen, setIsOpen] = useState(true);
  const { label, value, options } = props;
  const closed = <ClosedSelect label={label} value={value} options={options} onOpen={() => setWasOpened(true)} />;
  if (!wasOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <LoadedSelect {...props} showLabel={false} size="dense" open={isOpen} onOpenChange={setIsOpen} />
    </Suspense>
  );
}
