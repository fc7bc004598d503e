import { type Status, statusNames } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { useCopied } from '../../ui/copy-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';

type CardProps = {
  readonly mark: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly foot?: ReactNode;
};

/** The card of the pending and denied pages. */
export function StatusCard({ mark, title, text, children, actions, foot }: CardProps) {
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

/** Facts about the account, as names and values. */
function Facts({ facts }: { readonly facts: readonly Fact[] }) {
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

const tones: Readonly<Record<Status, Tone>> = { pending: 'warn', approved: 'ok', denied: 'bad' };

type AccountFactsProps = {
  readonly account: { readonly id: string; readonly email: string; readonly displayName: string };
  readonly status: Status;
  /** The label for the first characters of the account's ID. */
  readonly idName: string;
};

export function AccountFacts({ account, status, idName }: AccountFactsProps) {
  const shortId = account.id.slice(0, limits.idShownLength);
  return (
    <Facts
      facts={[
        { name: 'Email', value: account.email },
        ...(account.displayName ? [{ name: 'Name', value: account.displayName }] : []),
        {
          name: 'Status',
          value: (
            <Badge tone={tones[status]} dot>
              {statusNames[status]}
            </Badge>
          ),
        },
        {
          name: idName,
          value: (
            <>
              <code className="font-mono text-small">{shortId}</code>
              <CopyButton text={shortId} label={`Copy ${idName}`} />
            </>
          ),
        },
      ]}
    />
  );
}

function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, copy] = useCopied(say('account/copy-refused'));
  const Icon = copied ? Check : Copy;
  return (
    <IconButton label={copied ? 'Copied' : label} size="dense" onClick={() => copy(text)} className="-mr-2">
      <Icon size={16} />
    </IconButton>
  );
}
