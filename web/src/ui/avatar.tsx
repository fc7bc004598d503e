import { useState } from 'react';
import { classNames } from './class-names.ts';

type Presence = 'online' | 'busy' | 'offline';

const rings: Readonly<Record<Presence, string>> = {
  online: 'ring-ok',
  busy: 'ring-bad',
  offline: 'ring-line',
};

type Props = {
  readonly name: string;
  /** The user's picture, served by this site. If absent, or if it fails to load, the initial is shown. */
  readonly photoUrl?: string | undefined;
  readonly size?: 'small' | 'default' | 'large' | 'huge';
  readonly presence?: Presence;
};

const sizes = {
  small: 'size-7 text-micro',
  default: 'size-8 text-small',
  large: 'size-10 text-body',
  huge: 'size-16 text-h1',
} as const;

/** The user's picture or initial in a circle, with a ring for presence. */
export function Avatar({ name, photoUrl, size = 'default', presence }: Props) {
  return (
    <span
      aria-hidden={presence ? undefined : true}
      {...(presence ? { role: 'img', 'aria-label': presence, title: presence } : {})}
      className={classNames(
        'relative inline-flex shrink-0 select-none items-center justify-center rounded-full bg-brand-soft font-semibold text-brand-ink uppercase',
        sizes[size],
        presence && `m-0.5 ring-2 ring-offset-1 ring-offset-surface ${rings[presence]}`,
      )}
    >
      <span aria-hidden>{[...name][0] ?? '?'}</span>
      {photoUrl && <Photo key={photoUrl} url={photoUrl} />}
    </span>
  );
}

/** Covers the initial once loaded. Decorative: every avatar has a name beside it. */
function Photo({ url }: { readonly url: string }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  if (state === 'failed') return null;
  return (
    <img
      src={url}
      alt=""
      decoding="async"
      draggable={false}
      onLoad={() => setState('shown')}
      onError={() => setState('failed')}
      className={classNames(
        'absolute inset-0 size-full rounded-full bg-brand-soft object-cover',
        state === 'loading' && 'opacity-0',
      )}
    />
  );
}
