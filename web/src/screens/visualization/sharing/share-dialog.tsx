import { say, sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { type LinkKind, linkDays } from '@kc/rules/link';
import { isOffered, looksPersonal } from '@kc/rules/link-columns';
import type { ShareLink } from '@kc/rules/link-shapes';
import { paths } from '@kc/rules/paths';
import { toRefusal } from '@kc/rules/result';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { SecretForm } from '../../../grants/shown-once.tsx';
import { useScreenSettings } from '../../../session/session.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox, SwitchRow } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, Form } from '../../../ui/field.tsx';
import { SegmentedControl } from '../../../ui/radio-group.tsx';
import { ActiveLinks } from '../../share-links/active-links.tsx';
import { daysIn } from '../../share-links/link-line.tsx';

type Props = { readonly id: string; readonly open: boolean; readonly onClose: () => void };
type CreatedLink = ShareLink & { readonly token: string };

/** Links to a visualization: makes one, shows its address once, lists those that work and revokes them. */
export function ShareDialog({ id, open, onClose }: Props) {
  const clientLinks = useScreenSettings()?.clientLinks ?? false;
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Share with a person"
      description="Everybody who opens the link sees this visualization. Nobody can change it, apart from its plan if you allow that."
      className="sm:w-[34rem]"
    >
      <div className="flex flex-col gap-6">
        <SecretForm<CreatedLink>
          what="link"
          label="New link"
          form={(onCreated) => <NewLinkForm id={id} clientLinks={clientLinks} onCreated={onCreated} />}
          title={({ sharedWith }) => `Link for ${sharedWith}`}
          text={({ token }) => `${location.origin}${paths.shared}#${token}`}
          copied={say('link/copied')}
          refused={say('explore/copy-refused')}
        />
        <ActiveLinks
          label="Links of this visualization"
          none="None yet."
          of={id}
          read={(signal) => client.links.list({ id }, { signal })}
        />
      </div>
    </Dialog>
  );
}

type NewLinkFormProps = {
  readonly id: string;
  /** The setting: without it, only people with an account can be given a link. */
  readonly clientLinks: boolean;
  readonly onCreated: (link: CreatedLink) => void;
};

const kinds = [
  { value: 'colleague', label: 'Somebody with an account' },
  { value: 'client', label: 'Anybody with the link' },
] as const;

const explained: Readonly<Record<LinkKind, string>> = {
  colleague:
    'Opens for the account with this email, signed in. They see all views, warnings and figures, and the record of each keyword.',
  client:
    'Opens without an account. It never shows warnings, emails of accounts or the uploaded file, nor the notes, owners, tags and history of the plan.',
};

/** Who receives the link. */
const nameFields = {
  colleague: { label: 'Email', type: 'email', maxLength: limits.maxEmailLength },
  client: {
    label: 'Whom it is for',
    hint: 'Shown on the page of the link, for example “Shared with ACME”.',
    maxLength: limits.maxLinkNameLength,
  },
} as const;

/** The form of a new link. */
function NewLinkForm({ id, clientLinks, onCreated }: NewLinkFormProps) {
  const queries = useQueryClient();
  const [chosenKind, setKind] = useState<LinkKind>('colleague');
  const [name, setName] = useState('');
  const [daysText, setDaysText] = useState(String(linkDays.colleague.usual));
  const [withPlan, setPlan] = useState(true);
  const [mayEditPlan, setEditPlan] = useState(false);
  const [withDownloads, setDownloads] = useState(false);
  // The setting may be switched off while the dialog is open.
  const kind = clientLinks ? chosenKind : 'colleague';
  const days = daysIn(daysText, kind);
  const columns = useColumns(id, kind === 'client');
  const making = useMutation({
    mutationFn: () => {
      const included = { id, days: days ?? 0, withPlan, withDownloads };
      if (kind === 'colleague') return client.links.make({ kind, email: name, mayEditPlan, ...included });
      return client.links.make({ kind, name, columns: columns.shown, ...included });
    },
    onSuccess: onCreated,
    onSettled: () => queries.invalidateQueries({ queryKey: ['links', id] }),
  });
  const refusal = making.isError ? toRefusal(making.error) : undefined;
  const isAboutName = refusal?.code === 'link/email' || refusal?.code === 'link/unnamed';
  const choose = (next: LinkKind) => {
    making.reset();
    setKind(next);
    setName('');
    // A client never gets more than the person who creates the link intended.
    setPlan(next === 'colleague');
    setEditPlan(false);
  };
  return (
    <Form onSubmit={() => days !== undefined && !making.isPending && making.mutate()} className="flex flex-col gap-4">
      {clientLinks && (
        <SegmentedControl label="For whom" value={kind} options={kinds} onChange={choose} className="self-start" />
      )}
      <p className="m-0 text-small text-muted">
        {explained[kind]}
        {!clientLinks && ' An administrator can also allow links for people without an account.'}
      </p>
      <Field
        {...nameFields[kind]}
        autoComplete="off"
        value={name}
        error={refusal && isAboutName ? sayRefusal(refusal) : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Expires after (days)"
        inputMode="numeric"
        value={daysText}
        className="max-w-40"
        error={days === undefined ? `Enter a number from 1 to ${linkDays[kind].most}` : undefined}
        onChange={(event) => setDaysText(event.target.value)}
      />
      <SwitchRow
        label="Show the plan"
        help={
          kind === 'client'
            ? 'Status, content type, target URL and due month of each entry.'
            : 'All fields of each entry, without its history.'
        }
        checked={withPlan}
        onChange={setPlan}
      />
      {kind === 'colleague' && withPlan && (
        <SwitchRow
          label="Allow editing the plan"
          help="Status, owner and note of each entry. The history says who changed what. They see the names of those who share this plan."
          checked={mayEditPlan}
          onChange={setEditPlan}
        />
      )}
      <SwitchRow
        label="Allow downloads"
        help="Pictures and tables of what they see."
        checked={withDownloads}
        onChange={setDownloads}
      />
      {kind === 'client' && columns.offered.length > 0 && <Columns {...columns} />}
      {refusal && !isAboutName && <Banner tone="error">{say('link/not-made', { reason: sayRefusal(refusal) })}</Banner>}
      <div className="flex justify-end">
        <Button variant="primary" type="submit" disabled={days === undefined}>
          {making.isPending ? 'Creating…' : 'Create link'}
        </Button>
      </div>
    </Form>
  );
}

/** The columns of the file, and which of them the link will show: initially those that do not look personal. */
function useColumns(id: string, isEnabled: boolean) {
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const found = useQuery({
    queryKey: ['link-columns', id],
    queryFn: ({ signal }) => client.visualizations.fields({ id }, { signal }),
    enabled: isEnabled,
  });
  const offered = (found.data ?? []).filter(isOffered).map((column) => ({
    name: column.name,
    isShown: changed.get(column.name) ?? !looksPersonal(column),
  }));
  return {
    offered,
    /** Undefined while the columns are unknown: the server then leaves out what looks personal. */
    shown: found.data && offered.filter(({ isShown }) => isShown).map(({ name }) => name),
    onChange: (name: string, isShown: boolean) => setChanged(new Map([...changed, [name, isShown]])),
  };
}

function Columns({ offered, onChange }: Pick<ReturnType<typeof useColumns>, 'offered' | 'onChange'>) {
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="p-0 text-small font-medium">Columns of the file</legend>
      <p className="m-0 mb-1 text-small text-muted">
        What is not checked cannot be seen, sorted or filtered by. Columns that may be personal or internal are off.
      </p>
      <div className="flex max-h-48 flex-wrap gap-x-5 overflow-y-auto break-all">
        {offered.map(({ name, isShown }) => (
          <Checkbox key={name} label={name} checked={isShown} onChange={(checked) => onChange(name, checked)} />
        ))}
      </div>
    </fieldset>
  );
}
