import type { ReactNode } from 'react';
import { Constellation } from './constellation.tsx';

type Props = { readonly title: string; readonly text: string; readonly children: ReactNode };

/** A half-screen of sky with a star adrift, for pages that are not there and pages that failed. */
export function SpaceMessage({ title, text, children }: Props) {
  return (
    <div className="space flex min-h-[max(24rem,60dvh)] flex-1 flex-col items-center justify-center gap-4 px-4 py-12 text-center short:py-6">
      <Constellation adrift className="mb-2 size-24 text-star-violet [--mark-parent:var(--star-gold)] short:size-14" />
      <h1 className="text-h1">{title}</h1>
      <p className="max-w-md text-body text-space-muted">{text}</p>
      <div className="mt-2 flex flex-col items-center gap-4">{children}</div>
    </div>
  );
}
