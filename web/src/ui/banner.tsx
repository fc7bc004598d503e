import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useDismissTimer } from './timers.ts';

export type BannerTone = 'error' | 'success' | 'info' | 'warning';

type Props = {
  readonly tone: BannerTone;
  readonly children: ReactNode;
  /** Called by the "Dismiss" button, and when the time is up. */
  readonly onDismiss?: () => void;
  /** Time until it dismisses itself, in ms; never if absent. Paused while hovered, focused or hidden. */
  readonly lifeMs?: number;
  /** Buttons after the text. */
  readonly actions?: ReactNode;
  readonly surface?: 'ground' | 'space';
};

const icons = { error: CircleAlert, success: CircleCheck, info: Info, warning: TriangleAlert };

const ground: Readonly<Record<BannerTone, string>> = {
  error: 'bg-bad-soft text-bad',
  success: 'bg-ok-soft text-ok',
  info: 'bg-info-soft text-info',
  warning: 'bg-warn-soft text-warn',
};

const space: Readonly<Record<BannerTone, string>> = {
  error: 'bg-space-0 text-space-bad ring-1 ring-space-bad/40',
  success: 'bg-space-0 text-space-good ring-1 ring-space-good/40',
  info: 'bg-space-0 text-space-link ring-1 ring-space-border',
  warning: 'bg-space-0 text-star-gold ring-1 ring-star-gold/40',
};

/** An inline message: errors are announced assertively, others politely. Give each message its own `key`. */
export function Banner({ tone, children, onDismiss, lifeMs, actions, surface = 'ground' }: Props) {
  const life = useDismissTimer(onDismiss ? lifeMs : undefined, () => onDismiss?.());
  const Icon = icons[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={classNames(
        'relative flex flex-wrap items-center gap-x-3 gap-y-2 overflow-hidden rounded-control py-2.5 pr-2 pl-3 text-body',
        surface === 'space' ? space[tone] : ground[tone],
      )}
      {...life.holders}
    >
      <Icon size={18} className="shrink-0" />
      <div className="min-w-0 flex-1 basis-40 wrap-anywhere">{children}</div>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
        {actions}
        {onDismiss && (
          <button
            type="button"
            onClick={onDismiss}
            className="inline-flex h-8 items-center gap-1.5 rounded-chip px-2 text-small font-medium hover:bg-current/10 touch:h-11"
          >
            <X size={16} />
            Dismiss
          </button>
        )}
      </div>
      {onDismiss && lifeMs !== undefined && (
        <span
          aria-hidden
          className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-current opacity-50"
          style={{
            animation: `life ${lifeMs}ms linear forwards`,
            animationPlayState: life.running ? 'running' : 'paused',
          }}
        />
      )}
    </div>
  );
}

/** The class of a button inside a banner, for links that look like one. */
export const bannerButtonClass =
  'inline-flex h-8 items-center gap-1.5 rounded-chip px-2.5 text-small font-semibold text-current underline-offset-2 hover:underline touch:h-11';

/** A button inside a banner, in the banner's colour. */
export function BannerButton(props: Pick<ComponentProps<'button'>, 'ref' | 'onClick' | 'children'>) {
  return <button type="button" className={bannerButtonClass} {...props} />;
}

type RetryProps = { readonly of: { readonly refetch: () => unknown }; readonly children: ReactNode };

/** Shows why a query failed, and a button to retry it. */
export function RetryBanner({ of: { refetch }, children }: RetryProps) {
  return (
    <Banner tone="error" actions={<BannerButton onClick={() => void refetch()}>Try again</BannerButton>}>
      {children}
    </Banner>
  );
}
