import { roleNames } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { say, sayError } from '@kc/rules/messages';
import { passwordStrength, readablePassword, type Strength } from '@kc/rules/password-strength';
import { paths } from '@kc/rules/paths';
import { refusedWith, toRefusal } from '@kc/rules/result';
import type { ListedAccount } from '@kc/rules/shapes';
import { checkEmail, checkNewUser, type NewUser } from '@kc/rules/sign-in';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, ClipboardCopy, Eye, EyeOff, LoaderCircle, Upload, WandSparkles } from 'lucide-react';
import { type ChangeEvent, type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { useMe } from '../../../session/session.ts';
import { Banner, BannerButton, bannerButtonClass } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { copyText } from '../../../ui/copy-text.ts';
import { Field, Form } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { RadioCards } from '../../../ui/radio-group.tsx';
import { useRested } from '../../../ui/timers.ts';
import { usersQuery } from './users-queries.ts';

type Props = {
  /** Buttons that an error banner offers. */
  readonly recovery: ReactNode;
};

const blank: NewUser = { email: '', password: '', role: 'user' };

/** Creates an approved user with a password that the administrator passes on. */
export function CreateUser({ recovery }: Props) {
  const queries = useQueryClient();
  const [fields, setFields] = useState(blank);
  const inputs = { email: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) };
  const change = (changed: Partial<NewUser>) => setFields((before) => ({ ...before, ...changed }));
  const create = useMutation({
    mutationFn: async (entered: NewUser): Promise<ListedAccount> => {
      const checked = checkNewUser(entered);
      if (!checked.ok) throw refusedWith(checked.refusal);
      return client.accounts.create(checked.value);
    },
    onSuccess: (account) => {
      setFields(blank);
      queries.setQueryData(usersQuery.queryKey, (all) => [account, ...(all ?? [])]);
    },
    onError: (error, entered) => {
      const field = wrongField(toRefusal(error).code, entered.email);
      if (field) inputs[field].current?.focus();
    },
  });
  const wrong = create.isError && wrongField(toRefusal(create.error).code, fields.email);
  const inputProps = (field: 'email' | 'password') => ({
    name: field,
    value: fields[field],
    ref: inputs[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [field]: event.target.value }),
    ...(wrong === field && { 'aria-invalid': true }),
  });
  return (
    <div className="flex max-w-240 flex-col gap-4">
      {create.isSuccess && (
        <CreatedBanner
          key={create.submittedAt}
          account={create.data}
          password={create.variables.password}
          onDismiss={(hadFocus) => {
            create.reset();
            if (hadFocus) inputs.email.current?.focus();
          }}
        />
      )}
      <div className="grid overflow-hidden rounded-card border border-line bg-surface shadow-1 lg:grid-cols-[minmax(0,26.25rem)_minmax(0,1fr)]">
        <Form onSubmit={() => create.mutate(fields)} className="flex flex-col gap-5 p-6 short:gap-3 short:p-4">
          <h3 className="text-h2">Create User</h3>
          {create.isError && (
            <InSight key={create.submittedAt}>
              <Banner tone="error" lifeMs={limits.bannerMs} onDismiss={() => create.reset()} actions={recovery}>
                {sayError(create.error)}
              </Banner>
            </InSight>
          )}
          <NewEmailField {...inputProps('email')} />
          <NewPasswordField
            {...inputProps('password')}
            email={fields.email}
            onGenerate={(password) => change({ password })}
          />
          <RadioCards
            label="Role"
            value={fields.role}
            options={roles}
            onChange={(role) => change({ role })}
            className="sm:grid-cols-2"
          />
          <Button type="submit" variant="primary" size="large" disabled={create.isPending}>
            {create.isPending ? 'Creating...' : 'Create User'}
          </Button>
        </Form>
        <aside className="border-line border-t bg-sunken p-6 text-body lg:border-t-0 lg:border-l short:p-4">
          <h3 className="text-h2">What happens next</h3>
          <ol className="mt-3 flex list-decimal flex-col gap-2 pl-5 text-muted">
            <li>The new user is created as approved and can sign in at once.</li>
            <li>Give them their email and password: “Copy credentials” is there once, right after.</li>
            <li>Upload their data; they see it as soon as it is read.</li>
          </ol>
        </aside>
      </div>
    </div>
  );
}

/** Scrolls to what has just appeared: on a phone the button that was pressed is far below it. */
function InSight({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className="scroll-mt-20 scroll-mb-20">
      {children}
    </div>
  );
}

/** The field that a refusal is about; undefined if the input is not at fault. */
function wrongField(code: string, email: string): 'email' | 'password' | undefined {
  if (code === 'create-user/both-required') return email.trim() ? 'password' : 'email';
  if (code.startsWith('sign-up/')) return 'password';
  return code.startsWith('create-user/') ? 'email' : undefined;
}

const roles = [
  { value: 'user', label: roleNames.user, help: 'Sees their own visualizations' },
  { value: 'admin', label: roleNames.admin, help: 'Manages users and uploads' },
] as const;

type InputProps = Pick<ComponentProps<'input'>, 'name' | 'ref' | 'onChange' | 'aria-invalid'> & {
  readonly value: string;
};

/** The email of a new account. The server's response about it is shown while it is typed. */
function NewEmailField({ value, ...input }: InputProps) {
  const state = useEmailAvailability(value);
  const support = useMe()?.server.supportEmail;
  const [left, setLeft] = useState(false);
  // Start over when the form is cleared.
  if (left && value === '') setLeft(false);
  return (
    <Field
      label="Email"
      type="email"
      inputMode="email"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      live
      hint={hintOf(state)}
      error={errorOf(state, left, support)}
      trailing={<Mark state={state} />}
      // Show no error while the user is still typing.
      onBlur={(event) => setLeft(event.target.value !== '')}
      {...input}
    />
  );
}

function errorOf(state: EmailState, left: boolean, support: string | undefined): string | undefined {
  if (state.is === 'in-use') return say('create-user/in-use', { email: state.email });
  if (state.is === 'recently-deleted') {
    return say('create-user/recently-deleted', { email: state.email, ...(support ? { support } : {}) });
  }
  return state.is === 'invalid' && left ? say('create-user/invalid-email') : undefined;
}

function hintOf(state: EmailState) {
  if (state.is === 'available')
    return <span className="text-ok">{say('email/available', { email: state.email })}</span>;
  if (state.is === 'unchecked') return say('email/unchecked');
  return 'They sign in with this address.';
}

/** The state as an icon in the field; the text is below the field. */
function Mark({ state }: { readonly state: EmailState }) {
  const look = { size: 20 };
  if (state.is === 'checking') {
    return <LoaderCircle {...look} className="motion mr-2 animate-[orbit_1s_linear_infinite] text-muted" />;
  }
  if (state.is === 'available') return <CircleCheck {...look} className="mr-2 text-ok" />;
  if (state.is === 'in-use' || state.is === 'recently-deleted') return <CircleX {...look} className="mr-2 text-bad" />;
  return null;
}

/** What is known about a typed email: `invalid` if malformed, `unchecked` if the server could not be reached. */
type EmailState =
  | { readonly is: 'empty' | 'invalid' | 'checking' | 'unchecked' }
  | { readonly is: 'available' | 'in-use' | 'recently-deleted'; readonly email: string };

/** The server's response about an email being typed. Debounced, and requested only for well-formed addresses. */
function useEmailAvailability(typed: string): EmailState {
  const rested = useRested(typed, limits.availabilityDebounceMs);
  const checked = checkEmail(rested);
  const email = checked.ok ? checked.value : '';
  const response = useQuery({
    queryKey: ['availability', email],
    queryFn: ({ signal }) => client.accounts.availability({ email }, { signal }),
    enabled: checked.ok,
    staleTime: 0,
    gcTime: 0,
  });
  if (typed.trim() === '') return { is: 'empty' };
  const now = checkEmail(typed);
  if (!now.ok) return { is: 'invalid' };
  if (now.value !== email || response.isFetching) return { is: 'checking' };
  if (!response.data) return { is: 'unchecked' };
  const { availability } = response.data;
  return availability === 'invalid' ? { is: 'invalid' } : { is: availability, email };
}

type NewPasswordFieldProps = InputProps & {
  /** The email in the same form: a password derived from it is weak. */
  readonly email: string;
  readonly onGenerate: (password: string) => void;
};

/** The first password of a new account: typed or generated, shown or hidden, with a strength estimate. */
function NewPasswordField({ value, email, onGenerate, ...input }: NewPasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const [left, setLeft] = useState(false);
  // Start over when the form is cleared.
  if (left && value === '') setLeft(false);
  const isShort = value.length < limits.minPasswordLength;
  const Icon = shown ? EyeOff : Eye;
  const generate = () => {
    onGenerate(readablePassword(randomBelow));
    // The administrator passes the password on, so it has to be visible.
    setShown(true);
  };
  return (
    <Field
      label="Password"
      type={shown ? 'text' : 'password'}
      autoComplete="new-password"
      autoCapitalize="none"
      spellCheck={false}
      className={shown ? '[&_input]:font-mono' : undefined}
      value={value}
      live
      error={left && isShort && value !== '' ? say('create-user/weak') : undefined}
      hint={<Hint password={value} email={email} isShort={isShort} />}
      action={
        <button
          type="button"
          onClick={generate}
          className="-my-1 inline-flex h-7 items-center gap-1.5 rounded-chip px-2 font-medium text-brand-ink text-small hover:bg-brand-soft touch:h-11"
        >
          <WandSparkles size={16} />
          Generate
        </button>
      }
      trailing={
        <IconButton label={shown ? 'Hide Password' : 'Show Password'} size="dense" onClick={() => setShown(!shown)}>
          <Icon size={18} />
        </IconButton>
      }
      onBlur={(event) => setLeft(event.target.value !== '')}
      {...input}
    />
  );
}

/**
 * An integer in [0, below) from the browser's cryptographic generator. Among 2^32 draws, the counts of 31 symbols
 * differ by one at most.
 */
const randomBelow = (below: number): number => crypto.getRandomValues(new Uint32Array(1))[0]! % below;

const strengths: Readonly<Record<Strength, { readonly bars: number; readonly colour: string; readonly text: string }>> =
  {
    weak: { bars: 1, colour: 'bg-bad', text: 'Easy to guess' },
    fair: { bars: 2, colour: 'bg-warn', text: 'Fair' },
    strong: { bars: 3, colour: 'bg-ok', text: 'Strong' },
  };

type HintProps = { readonly password: string; readonly email: string; readonly isShort: boolean };

function Hint({ password, email, isShort }: HintProps) {
  if (password === '') return `At least ${limits.minPasswordLength} characters`;
  const { bars, colour, text } = strengths[isShort ? 'weak' : passwordStrength(password, email)];
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="flex gap-1">
        {[1, 2, 3].map((bar) => (
          <span key={bar} className={classNames('h-1 w-6 rounded-full', bar <= bars ? colour : 'bg-line')} />
        ))}
      </span>
      {isShort ? say('create-user/weak-so-far') : text}
    </span>
  );
}

type CreatedBannerProps = {
  readonly account: ListedAccount;
  readonly password: string;
  /** @param hadFocus whether the focus is lost with the banner */
  readonly onDismiss: (hadFocus: boolean) => void;
};

/**
 * Confirms that an account was created and offers the next steps. Nobody sees the password again, so the banner stays
 * until the credentials were copied or somebody dismisses it.
 */
function CreatedBanner({ account, password, onDismiss }: CreatedBannerProps) {
  const frame = useRef<HTMLDivElement>(null);
  const copyButton = useRef<HTMLButtonElement>(null);
  const upload = useRef<HTMLAnchorElement>(null);
  const [copying, setCopying] = useState<'possible' | 'refused' | 'done'>('possible');
  useEffect(() => copyButton.current?.focus(), []);
  const copy = async () => {
    try {
      await copyText(`Email: ${account.email}\nPassword: ${password}`);
    } catch {
      setCopying('refused');
      return;
    }
    upload.current?.focus();
    setCopying('done');
  };
  return (
    <div ref={frame}>
      <Banner
        tone="success"
        {...(copying === 'done' ? { lifeMs: limits.bannerMs } : {})}
        onDismiss={() => onDismiss(frame.current?.contains(document.activeElement) ?? false)}
        actions={
          <>
            <Link ref={upload} to={paths.adminUpload} params={{ userId: account.id }} className={bannerButtonClass}>
              <Upload size={16} />
              Upload data for this user
            </Link>
            {copying !== 'done' && (
              <BannerButton ref={copyButton} onClick={() => void copy()}>
                <ClipboardCopy size={16} />
                Copy credentials
              </BannerButton>
            )}
          </>
        }
      >
        {say('create-user/created', { email: account.email })}
        {copying === 'done' && <span className="block text-small">{say('create-user/copied')}</span>}
        {copying === 'refused' && (
          <span className="block text-small">
            {say('explore/copy-refused')}. Password: <code className="select-all font-mono text-ink">{password}</code>
          </span>
        )}
      </Banner>
    </div>
  );
}
