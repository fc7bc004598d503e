import { say, sayError, sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { toRefusal } from '@kc/rules/result';
import { type WebhookEvent, webhookEvents } from '@kc/rules/webhook';
import type { ListedDelivery, ListedWebhook } from '@kc/rules/webhook-api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { RevocableList } from '../../../grants/revocable-list.tsx';
import { SecretForm } from '../../../grants/shown-once.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Banner, RetryBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { SwitchSet } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, Form } from '../../../ui/field.tsx';
import { dateText, dayText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { SettingsCard } from './settings-card.tsx';

/** The addresses that are notified of events: adds, switches and removes them, and shows what was sent to each. */
export function WebhooksCard() {
  const [adding, setAdding] = useState(false);
  const [shown, setShown] = useState<ListedWebhook>();
  return (
    <SettingsCard
      title="Webhooks"
      note="A webhook tells another program when something happens here, such as a chat or a script of yours."
    >
      <div className="mt-3 mb-5">
        <Button onClick={() => setAdding(true)}>Add a webhook</Button>
      </div>
      <RevocableList
        label="All webhooks"
        title="Addresses that are told"
        none="None."
        queryKey={['webhooks', 'list']}
        read={(signal) => client.webhooks.list({}, { signal })}
        revoke={({ id }) => client.webhooks.remove({ id })}
        verb="Remove"
        nameOf={nameOf}
        revoked={({ url }) => say('webhook/removed', { url: hostOf(url) })}
        notRevoked={(reason) => say('webhook/not-removed', { reason })}
        line={(webhook) => <WebhookLine webhook={webhook} />}
        actions={(webhook) => (
          <>
            <SwitchButton webhook={webhook} />
            <Button size="dense" aria-label={`Deliveries to ${nameOf(webhook)}`} onClick={() => setShown(webhook)}>
              Deliveries
            </Button>
          </>
        )}
      />
      <NewWebhookDialog open={adding} onOpenChange={setAdding} />
      <DeliveriesDialog webhook={shown} onClose={() => setShown(undefined)} />
    </SettingsCard>
  );
}

/** Some services have a secret in the path. */
const hostOf = (url: string): string => new URL(url).host;
const nameOf = ({ url }: ListedWebhook): string => `the webhook at ${hostOf(url)}`;

function WebhookLine({ webhook: { url, events, madeAt, off, failingSince } }: { readonly webhook: ListedWebhook }) {
  return (
    <>
      <p className="m-0 text-body font-medium wrap-anywhere">{url}</p>
      <p className="m-0 my-1 flex flex-wrap gap-1">
        {events.map((event) => (
          <Badge key={event}>{event}</Badge>
        ))}
      </p>
      {off ? (
        <p className="m-0 text-small text-warn">
          {off.because === 'failures'
            ? `Switched off on ${dateText(off.at)}, because nothing had got through for a day.`
            : `Off since ${dateText(off.at)}`}
        </p>
      ) : (
        failingSince !== undefined && (
          <p className="m-0 text-small text-warn">Nothing has got through since {dateText(failingSince)}.</p>
        )
      )}
      <p className="m-0 text-small text-muted">Added on {dayText(madeAt)}</p>
    </>
  );
}

function SwitchButton({ webhook }: { readonly webhook: ListedWebhook }) {
  const queries = useQueryClient();
  const toast = useToast();
  const isOn = webhook.off === undefined;
  const switching = useMutation({
    mutationFn: () => client.webhooks.set({ id: webhook.id, isOn: !isOn }),
    onError: (error) => toast(say('webhook/not-switched', { reason: sayError(error) })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const label = isOn ? 'Switch off' : 'Switch on';
  return (
    <Button
      size="dense"
      aria-label={`${label} ${nameOf(webhook)}`}
      disabled={switching.isPending}
      onClick={() => switching.mutate()}
    >
      {label}
    </Button>
  );
}

const eventHelp: Readonly<Record<WebhookEvent, readonly [label: string, help: string]>> = {
  'import.published': ['Imports', 'A file or a draft became a visualization: import.published'],
  'import.waiting': ['Waiting lists', 'The list of a program waits as a draft: import.waiting'],
  'import.failed': ['Failed imports', 'A file, or the lists of a draft, could not be read: import.failed'],
  'plan.changed': ['Plans', 'Somebody changed a plan; at most once a minute for each: plan.changed'],
  'user.pending': ['New users', 'Somebody signed up and waits for approval: user.pending'],
};

type NewProps = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };
type Created = ListedWebhook & { readonly secret: string };

/** Adds a webhook, and shows its secret once. */
function NewWebhookDialog({ open, onOpenChange }: NewProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add a webhook"
      description="What happens is sent to the address as JSON, signed with a secret."
      className="sm:w-[34rem]"
    >
      <SecretForm<Created>
        what="secret"
        label="New webhook"
        form={(onCreated) => <NewWebhookForm onCreated={onCreated} />}
        title={({ url }) => `Secret of the webhook at ${hostOf(url)}`}
        text={({ secret }) => secret}
        copied={say('webhook/copied')}
        refused={say('account/copy-refused')}
      />
    </Dialog>
  );
}

const ofAddress = ['url', 'https', 'user-info', 'port', 'private', 'unknown-host'].map((code) => `webhook/${code}`);

function NewWebhookForm({ onCreated }: { readonly onCreated: (created: Created) => void }) {
  const queries = useQueryClient();
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<ReadonlySet<WebhookEvent>>(new Set(['import.published', 'import.failed']));
  const making = useMutation({
    mutationFn: () => client.webhooks.make({ url, events: webhookEvents.filter((event) => events.has(event)) }),
    onSuccess: onCreated,
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const refusal = making.isError ? toRefusal(making.error) : undefined;
  const isOfAddress = refusal !== undefined && ofAddress.includes(refusal.code);
  return (
    <Form onSubmit={() => events.size > 0 && !making.isPending && making.mutate()} className="flex flex-col gap-4">
      <Field
        label="Address"
        hint="Begins with https://"
        type="url"
        inputMode="url"
        autoComplete="off"
        maxLength={limits.maxWebhookUrlLength}
        value={url}
        error={isOfAddress ? sayRefusal(refusal) : undefined}
        onChange={(event) => setUrl(event.target.value)}
      />
      <SwitchSet
        legend="What it is told of"
        items={webhookEvents}
        words={eventHelp}
        chosen={events}
        onChange={setEvents}
      />
      {refusal && !isOfAddress && (
        <Banner tone="error">{say('webhook/not-added', { reason: sayRefusal(refusal) })}</Banner>
      )}
      <div className="flex justify-end">
        <Button variant="primary" type="submit" disabled={events.size === 0}>
          {making.isPending ? 'Adding…' : 'Add webhook'}
        </Button>
      </div>
    </Form>
  );
}

type DeliveriesProps = { readonly webhook: ListedWebhook | undefined; readonly onClose: () => void };

/** What was sent to a webhook, and how; sends a test, and a delivery again. */
function DeliveriesDialog({ webhook, onClose }: DeliveriesProps) {
  return (
    <Dialog
      open={webhook !== undefined}
      onOpenChange={(next) => !next && onClose()}
      title="Deliveries"
      description={
        webhook && (
          <>
            The last {limits.webhookLogLines} to <bdi className="wrap-anywhere">{webhook.url}</bdi>
          </>
        )
      }
      className="sm:w-[40rem]"
    >
      {webhook && <Deliveries webhookId={webhook.id} />}
    </Dialog>
  );
}

function Deliveries({ webhookId: id }: { readonly webhookId: string }) {
  const queries = useQueryClient();
  const toast = useToast();
  const queryKey = ['webhooks', 'deliveries', id];
  const log = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.webhooks.deliveries({ id }, { signal }),
    refetchInterval: ({ state }) => pollMs(state.data ?? [], Date.now()),
  });
  const sending = useMutation({
    mutationFn: (delivery?: string) =>
      delivery === undefined ? client.webhooks.test({ id }) : client.webhooks.sendAgain({ id, delivery }),
    onError: (error) => toast(say('webhook/not-sent', { reason: sayError(error) })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex justify-end">
        <Button disabled={sending.isPending} onClick={() => sending.mutate(undefined)}>
          Send a test
        </Button>
      </div>
      {log.isPending && <Skeleton className="h-24" />}
      {log.isError && <RetryBanner of={log}>{sayError(log.error)}</RetryBanner>}
      {log.data?.length === 0 && <p className="m-0 text-small text-muted">Nothing was sent yet.</p>}
      <ul aria-label="Deliveries" className="m-0 flex list-none flex-col divide-y divide-line p-0 empty:hidden">
        {log.data?.map((delivery) => (
          <li key={delivery.id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-3">
            <DeliveryLine delivery={delivery} />
            {delivery.state !== 'waiting' && (
              <Button
                size="dense"
                aria-label={`Send again: ${delivery.event} of ${dateText(delivery.at)}`}
                disabled={sending.isPending}
                onClick={() => sending.mutate(delivery.id)}
              >
                Send again
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The longest that a timer of a browser waits. */
const maxTimerMs = 2 ** 31 - 1;

/** When to read the log again: often while an attempt may end at any moment, otherwise shortly before the next one. */
function pollMs(log: readonly ListedDelivery[], now: number): number | false {
  const due = Math.min(...log.map(({ nextAt = Number.POSITIVE_INFINITY }) => nextAt));
  if (due === Number.POSITIVE_INFINITY) return false;
  return Math.min(Math.max(limits.webhookPollMs, due - limits.webhookPlanMs - now), maxTimerMs);
}

const stateWords = {
  waiting: ['Waiting', 'info'],
  delivered: ['Delivered', 'ok'],
  failed: ['Failed', 'bad'],
} as const;

function DeliveryLine({ delivery }: { readonly delivery: ListedDelivery }) {
  const { id, event, at, state, attempts, status, fault, nextAt } = delivery;
  const [word, tone] = stateWords[state];
  const result = fault ? sayRefusal({ code: fault }) : status === undefined ? undefined : `Status ${status}`;
  const tried = attempts === 0 ? undefined : attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const next = nextAt !== undefined && attempts > 0 ? `next at ${dateText(nextAt)}` : undefined;
  return (
    <div className="min-w-0 flex-1 basis-56">
      <p className="m-0 flex flex-wrap items-center gap-2 text-body font-medium">
        <span>{event}</span>
        <Badge tone={tone}>{word}</Badge>
      </p>
      <p className="m-0 text-small text-muted">{dateText(at)}</p>
      <p className="m-0 text-small">{[result, tried, next].filter(Boolean).join(' · ')}</p>
      <p className="m-0 font-mono text-muted text-small wrap-anywhere">{id}</p>
    </div>
  );
}
