import type { ReactNode } from 'react';
import { Constellation } from '../../ui/constellation.tsx';
import { GuideStars } from './guide-stars.tsx';
import { Sky } from './sky.tsx';

type Props = {
  readonly title: string;
  readonly subtitle: string;
  readonly children: ReactNode;
  /** Which of the guide stars shine. */
  readonly lit?: { readonly parent: boolean; readonly children: boolean };
  /** The stars rush by: somebody just signed in. */
  readonly landing?: boolean;
};

const landingSpeed = 60;

/** The sky with one card on it: sign-in, and everything that is reached by a mailed link. */
export function SpaceCard({
  title,
  subtitle,
  children,
  lit = { parent: false, children: false },
  landing = false,
}: Props) {
  return (
    <div className="space flex min-h-dvh flex-col items-center">
      <Sky speed={landing ? landingSpeed : 1} />
      <GuideStars parentLit={lit.parent} childrenLit={lit.children} />
      <main className="space-card relative mt-[12vh] mb-6 w-[calc(100%-2rem)] max-w-105 rounded-dialog border border-space-border/40 bg-space-card p-6 shadow-3 md:mt-[max(1.5rem,calc(50dvh-23.5rem))] md:p-8 short:mt-4 short:p-5">
        <Constellation className="mx-auto size-10 text-star-violet [--mark-parent:var(--star-gold)] short:hidden" />
        <h1 className="mt-3 text-center text-[1.75rem] leading-9 font-semibold tracking-[-0.02em] md:text-display short:mt-0 short:text-h1">
          {title}
        </h1>
        <p className="mt-1 mb-5 text-center text-body text-space-muted short:mb-3">{subtitle}</p>
        {children}
      </main>
    </div>
  );
}
