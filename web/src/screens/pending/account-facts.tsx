import { type Status, statusNames } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Facts } from './status-card.tsx';

const tones: Readonly<Record<Status, Tone>> = { pending: 'warn', approved: 'ok', denied: 'bad' };

type Props = {
  readonly account: { readonly id: string; readonly email: string; readonly displayName: string };
  readonly status: Status;
  /** What the first characters of the account's id are called here. */
  readonly idName: string;
};

export function AccountFacts({ account, status, idName }: Props) {
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
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const Icon = copied ? Check : Copy;
  return (
    <IconButton label={copied ? 'Copied' : label} size="dense" onClick={copy} className="-mr-2">
      <Icon size={16} strokeWidth={1.75} aria-hidden />
    </IconButton>
  );
}
