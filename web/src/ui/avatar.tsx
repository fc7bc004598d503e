import { classNames } from './class-names.ts';

export type Presence = 'online' | 'busy' | 'offline';

const rings: Readonly<Record<Presence, string>> = {
  online: 'ring-ok',
  busy: 'ring-bad',
  offline: 'ring-line',
};

type Props = {
  readonly name: string;
  readonly size?: 'small' | 'default' | 'large' | 'huge';
  readonly presence?: Presence;
};

const sizes = {
  small: 'size-7 text-micro',
  default: 'size-8 text-small',
  large: 'size-10 text-body',
  huge: 'size-16 text-h1',
} as const;

/** The initial of a name on a disc, with a ring for presence. */
export function Avatar({ name, size = 'default', presence }: Props) {
  return (
    <span
      aria-hidden={presence ? undefined : true}
      {...(presence ? { role: 'img', 'aria-label': presence, title: presence } : {})}
      className={classNames(
        'inline-flex shrink-0 select-none items-center justify-center rounded-full bg-brand-soft font-semibold text-brand-ink uppercase',
        sizes[size],
        presence && `m-0.5 ring-2 ring-offset-1 ring-offset-surface ${rings[presence]}`,
      )}
    >
      <span aria-hidden>{[...name][0] ?? '?'}</span>
    </span>
  );
}
