import { classNames } from './class-names.ts';

type Props = {
  readonly label: string;
  /** 0 to 100; `undefined` while unknown. */
  readonly percent: number | undefined;
  /** Whether progress has stopped for now. */
  readonly isHeld?: boolean;
};

/** A progress bar. While the percentage is unknown it has a fixed length, and announces no value. */
export function ProgressBar({ label, percent, isHeld = false }: Props) {
  const value = percent === undefined ? {} : { 'aria-valuenow': Math.round(percent) };
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...value}
      className="h-2 overflow-hidden rounded-full bg-brand-soft"
    >
      <div
        className={classNames(
          'h-full w-full origin-left rounded-full transition-transform duration-200',
          isHeld ? 'bg-warn' : 'bg-brand',
        )}
        style={{ transform: `scaleX(${(percent ?? 35) / 100})` }}
      />
    </div>
  );
}

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
