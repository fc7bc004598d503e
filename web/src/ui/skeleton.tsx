import { classNames } from './class-names.ts';

/** A grey placeholder the size of the coming content; set width and height with `className`. */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'motion block animate-[shimmer_1.6s_linear_infinite] rounded-chip bg-[length:200%_100%] bg-linear-to-r from-sunken via-line to-sunken',
        className,
      )}
    />
  );
}
