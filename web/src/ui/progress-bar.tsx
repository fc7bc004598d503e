type Props = {
  readonly label: string;
  /** 0 to 100; `undefined` while nobody knows. */
  readonly percent: number | undefined;
};

export function ProgressBar({ label, percent }: Props) {
  const known = percent === undefined ? {} : { 'aria-valuenow': Math.round(percent) };
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...known}
      className="h-2 overflow-hidden rounded-full bg-brand-soft"
    >
      <div
        className="h-full w-full origin-left rounded-full bg-brand transition-transform duration-200"
        style={{ transform: `scaleX(${(percent ?? 35) / 100})` }}
      />
    </div>
  );
}
