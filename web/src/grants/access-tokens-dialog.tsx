import { type TokenScope, tokenLives, tokenScopes } from '@kc/rules/access-token';
import type { ListedToken } from '@kc/rules/access-token-api';
import { say, sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import { toRefusal } from '@kc/rules/result';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { SwitchSet } from '../ui/checkbox.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import { ActiveTokens } from './active-tokens.tsx';
import { SecretForm } from './shown-once.tsx';

type Props = { readonly isAdmin: boolean; readonly open: boolean; readonly onOpenChange: (open: boolean) => void };
type CreatedToken = ListedToken & { readonly token: string };

/** The user's access tokens: makes one, shows it once, lists those that work and revokes them. */
export function AccessTokensDialog({ isAdmin, open, onOpenChange }: Props) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Access tokens"
      description="With a token, a program makes calls of the HTTP API in your name."
      className="sm:w-[34rem]"
    >
      <div className="flex flex-col gap-6">
        <SecretForm<CreatedToken>
          what="token"
          label="New access token"
          form={(onCreated) => <NewTokenForm isAdmin={isAdmin} onCreated={onCreated} />}
          title={({ name }) => `Token for ${name}`}
          text={({ token }) => token}
          copied={say('token/copied')}
          refused={say('account/copy-refused')}
        />
        <ActiveTokens
          label="Your access tokens"
          none="None yet."
          of="own"
          read={(signal) => client.accessTokens.list({}, { signal })}
        />
        <p className="m-0 text-small text-muted">
          What can be called is in the{' '}
          <Link to={paths.docs} target="_blank" className="font-medium text-brand-ink underline underline-offset-2">
            documentation of the HTTP API
          </Link>
          . Tokens work until they expire or are revoked here: signing out everywhere and a new password do not end
          them.
        </p>
      </div>
    </Dialog>
  );
}

const scopeWords: Readonly<Record<TokenScope, readonly [label: string, help: string]>> = {
  read: ['Read', 'Everything that you see: visualizations, plans, warnings and downloads.'],
  import: ['Import', 'Keyword lists, drafts and uploads, and what becomes of them.'],
  plan: ['Plan', 'Change the plan, dismiss warnings, and save views, filters and scores.'],
  admin: ['Administer', 'Users, settings, storage and the activity log.'],
};

const dayMs = 86_400_000;
const lives = [
  ...tokenLives.map((days) => ({ value: String(days), label: days === 365 ? 'after a year' : `after ${days} days` })),
  { value: 'date', label: 'on a date' },
];

/** The form of a new token. */
function NewTokenForm({
  isAdmin,
  onCreated,
}: {
  readonly isAdmin: boolean;
  readonly onCreated: (created: CreatedToken) => void;
}) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<TokenScope>>(new Set(['read']));
  const [life, setLife] = useState<string>(String(tokenLives[1]));
  const [date, setDate] = useState('');
  const [only, setOnly] = useState('');
  const visualizations = useQuery({
    queryKey: ['token-visualizations'],
    queryFn: ({ signal }) => client.visualizations.list({}, { signal }),
  });
  const making = useMutation({
    mutationFn: () =>
      client.accessTokens.make({
        name,
        scopes: tokenScopes.filter((scope) => scopes.has(scope)),
        expiresAt: life === 'date' ? endOfDay(date) : Date.now() + Number(life) * dayMs,
        ...(only !== '' && { visualizationId: only }),
      }),
    onSuccess: onCreated,
    onSettled: () => queries.invalidateQueries({ queryKey: ['access-tokens'] }),
  });
  const refusal = making.isError ? toRefusal(making.error) : undefined;
  const errorOf = (...codes: string[]) => (refusal && codes.includes(refusal.code) ? sayRefusal(refusal) : undefined);
  const nameError = errorOf('token/unnamed');
  const dateError = errorOf('token/ended-before', 'token/too-long');
  const canMake = scopes.size > 0 && (life !== 'date' || date !== '');
  return (
    <Form onSubmit={() => canMake && !making.isPending && making.mutate()} className="flex flex-col gap-4">
      <Field
        label="What it is for"
        hint="For example “Monthly import”."
        autoComplete="off"
        maxLength={limits.maxTokenNameLength}
        value={name}
        error={nameError}
        onChange={(event) => setName(event.target.value)}
      />
      <SwitchSet
        legend="What it may do"
        items={tokenScopes.filter((scope) => isAdmin || scope !== 'admin')}
        words={scopeWords}
        chosen={scopes}
        onChange={setScopes}
      />
      <div className="flex flex-wrap gap-4">
        <Select label="It ends" value={life} options={lives} onChange={setLife} />
        {life === 'date' && (
          <Field
            label="Its last day"
            type="date"
            min={dayOf(Date.now())}
            max={dayOf(Date.now() + limits.maxTokenDays * dayMs)}
            value={date}
            error={dateError}
            onChange={(event) => setDate(event.target.value)}
          />
        )}
      </div>
      <Select
        label="Visualizations"
        value={only}
        options={[
          { value: '', label: 'All of mine' },
          ...(visualizations.data ?? []).map(({ id, rootName }) => ({ value: id, label: `Only ${rootName}` })),
        ]}
        onChange={setOnly}
      />
      {refusal && !nameError && !dateError && (
        <Banner tone="error">{say('token/not-made', { reason: sayRefusal(refusal) })}</Banner>
      )}
      <div className="flex justify-end">
        <Button variant="primary" type="submit" disabled={!canMake}>
          {making.isPending ? 'Creating…' : 'Create token'}
        </Button>
      </div>
    </Form>
  );
}

/** A day as the browser's date field writes it: 2027-03-12, in local time. */
function dayOf(at: number): string {
  const day = new Date(at);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** The last moment of a day, in local time; one second early, so that the last day of a year away still fits. */
const endOfDay = (day: string): number => new Date(`${day}T23:59:59`).getTime();
