import type { ReactNode } from 'react';

/** A titled section of the details. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="m-0 mb-2 text-small font-semibold text-muted">{title}</h3>
      {children}
    </section>
  );
}
