import type { ReactNode } from 'react';

type Props = {
  readonly mark: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly foot?: ReactNode;
};

/** The one card of the waiting and refusal pages. */
export function StatusCard({ mark, title, text, children, actions, foot }: Props) {
  return (
    <div className="flex flex-1 items-start justify-center px-4 py-8 md:py-[10vh] short:py-4">
      <section className="w-full max-w-130 rounded-card border border-line bg-surface p-6 shadow-1 md:p-8 short:p-5">
        <div className="mb-4 flex justify-center short:mb-2">{mark}</div>
        <h1 className="text-balance text-center text-h1">{title}</h1>
        <p className="mt-2 text-pretty text-center text-body text-muted">{text}</p>
        {children && <div className="mt-6 short:mt-4">{children}</div>}
        {actions && (
          <div className="mt-6 flex flex-col gap-3 sm:flex-row sm:justify-center short:mt-4 [&>*]:sm:min-w-44">
            {actions}
          </div>
        )}
        {foot && (
          <div className="mt-6 border-line border-t pt-4 text-center text-small text-muted short:mt-4">{foot}</div>
        )}
      </section>
    </div>
  );
}

type Fact = { readonly name: string; readonly value: ReactNode };

/** What the product knows of the person, as names and values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="divide-y divide-line rounded-card border border-line bg-sunken px-4">
      {facts.map((fact) => (
        <div key={fact.name} className="flex min-h-11 items-center justify-between gap-4 py-2">
          <dt className="shrink-0 text-small text-muted">{fact.name}</dt>
          <dd className="flex min-w-0 items-center gap-2 text-right font-medium text-body wrap-anywhere">
            {fact.value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
