import { say, sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { type LinkKind, linkDays } from '@kc/rules/link';
import type { ShareLink } from '@kc/rules/link-shapes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { daysIn } from './link-days.ts';
import { linksKey } from './links-key.ts';

type Props = {
  readonly id: string;
  /** The setting: without it, only people with an account can be given a link. */
  readonly clientLinks: boolean;
  readonly onMade: (link: ShareLink & { readonly token: string }) => void;
};

const kinds = [
  { value: 'colleague', label: 'Somebody with an account' },
  { value: 'client', label: 'Anybody with the link' },
] as const;

const explained: Readonly<Record<LinkKind, string>> = {
  colleague:
    'Opens for the account with this email, signed in. They see all views, warnings and figures, and the record of each keyword.',
  client:
    'Opens without an account. It never shows notes, owners, tags, history, warnings, emails or the uploaded file.',
};

/** The form of a new link. */
export function NewLinkForm({ id, clientLinks, onMade }: Props) {
  const queries = useQueryClient();
  const [asked, setKind] = useState<LinkKind>('colleague');
  const [name, setName] = useState('');
  const [daysText, setDaysText] = useState(String(linkDays.colleague.usual));
  const [withPlan, setPlan] = useState(true);
  const [withDownloads, setDownloads] = useState(false);
  // The setting may be switched off while the dialog is open.
  const kind = clientLinks ? asked : 'colleague';
  const days = daysIn(daysText, kind);
  const making = useMutation({
    mutationFn: () => {
      const included = { id, days: days ?? 0, withPlan, withDownloads };
      return client.links.make(kind === 'colleague' ? { kind, email: name, ...included } : { kind, name, ...included });
    },
    onSuccess: onMade,
    onSettled: () => queries.invalidateQueries({ queryKey: linksKey(id) }),
  });
  const refusal = making.isError ? toRefusal(making.error) : undefined;
  const isAboutName = refusal?.code === 'link/email' || refusal?.code === 'link/unnamed';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (days !== undefined && !making.isPending) making.mutate();
  };
  const choose = (next: LinkKind) => {
    making.reset();
    setKind(next);
    setName('');
    // A client never gets more than its maker meant to give.
    setPlan(next === 'colleague');
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {clientLinks && (
        <SegmentedControl label="For whom" value={kind} options={kinds} onChange={choose} className="self-start" />
      )}
      <p className="m-0 text-small text-muted">
        {explained[kind]}
        {!clientLinks && ' An administrator can also allow links for people without an account.'}
      </p>
      {kind === 'colleague' ? (
        <Field
          label="Email"
          type="email"
          autoComplete="off"
          maxLength={limits.maxEmailLength}
          value={name}
          error={refusal && isAboutName ? sayRefusal(refusal) : undefined}
          onChange={(event) => setName(event.target.value)}
        />
      ) : (
        <Field
          label="Whom it is for"
          hint="Shown on the page of the link, for example “Shared with ACME”."
          autoComplete="off"
          maxLength={limits.maxLinkNameLength}
          value={name}
          error={refusal && isAboutName ? sayRefusal(refusal) : undefined}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      <Field
        label="Expires after (days)"
        inputMode="numeric"
        value={daysText}
        className="max-w-40"
        error={days === undefined ? `Enter a number from 1 to ${linkDays[kind].most}` : undefined}
        onChange={(event) => setDaysText(event.target.value)}
      />
      <Choice
        label="Show the plan"
        help={
          kind === 'client'
            ? 'Status, content type, target URL and due month of each entry.'
            : 'All fields of each entry, without its history.'
        }
        checked={withPlan}
        onChange={setPlan}
      />
      <Choice
        label="Allow downloads"
        help="Pictures and tables of what they see."
        checked={withDownloads}
        onChange={setDownloads}
      />
      {refusal && !isAboutName && <Banner tone="error">{say('link/not-made', { reason: sayRefusal(refusal) })}</Banner>}
      <div className="flex justify-end">
        <Button variant="primary" type="submit" disabled={days === undefined}>
          {making.isPending ? 'Creating…' : 'Create link'}
        </Button>
      </div>
    </form>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly help: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

function Choice({ label, help, checked, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <p aria-hidden="true" className="m-0 text-small font-medium">
          {label}
        </p>
        <p id={id} className="m-0 text-small text-muted">
          {help}
        </p>
      </div>
      <Switch label={label} describedBy={id} checked={checked} onChange={onChange} />
    </div>
  );
}
