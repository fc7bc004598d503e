import { say, sayRefusal } from '@kc/rules/entry-messages';
import { limits } from '@kc/rules/limits';
import { type Refusal, refusedWith, toRefusal } from '@kc/rules/result';
import type { CheckChallenge, CheckProof, NewSession, Session } from '@kc/rules/shapes';
import { checkEmail } from '@kc/rules/sign-in';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { client } from '../../api/client.ts';
import { useChangeSession } from '../../session/change-session.ts';
import { createWorker } from '../../trusted-worker.ts';
import { Banner } from '../../ui/banner.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { allowsMotion } from '../../ui/environment.ts';
import { Field, Form } from '../../ui/field.tsx';
import { spaceLinkClass } from '../../ui/space.tsx';
import type { CheckSolution } from './check.worker.ts';
import workerUrl from './check.worker.ts?worker&url';
import { GoogleButton, useGoogle } from './google-button.tsx';
import { MatchLine, PasswordField } from './password-fields.tsx';
import {
  checkFields,
  emptyFields,
  litStars,
  type Mode,
  passwordsMatch,
  type SignInFields,
  wrongField,
} from './sign-in-fields.ts';
import { SpaceButton } from './space-button.tsx';
import { RefusedBanner, SpaceCard } from './space-card.tsx';
import { withCheck } from './with-check.ts';

export function LoginScreen() {
  const form = useRef<HTMLFormElement>(null);
  const [mode, setMode] = useState<Mode>('sign-in');
  const [fields, setFields] = useState(emptyFields);
  const [forgot, setForgot] = useState(false);
  const { busy, landing, notice, dismiss, send, land, refused } = useSignIn();
  const google = useGoogle({
    remember: fields.remember,
    onBegin: dismiss,
    // The result is shown on this form, whatever the user opened meanwhile.
    onSignedIn: (session) => {
      setForgot(false);
      land(session);
    },
    onRefused: (refusal) => {
      setForgot(false);
      refused(refusal);
    },
  });
  const signingUp = mode === 'sign-up';
  const isClosed = useIsClosed(signingUp);
  const showForgot = () => crossFade(() => setForgot(true));

  useFirstFieldFocus(form, forgot ? 'forgot' : mode);
  const set = (change: Partial<SignInFields>) => setFields((now) => ({ ...now, ...change }));
  const text = (name: 'displayName' | 'email' | 'password' | 'confirmation') => ({
    name,
    value: fields[name],
    readOnly: busy || landing,
    onChange: (event: { target: { value: string } }) => set({ [name]: event.target.value }),
  });

  const submit = async () => {
    if (busy || landing) return;
    const { refusal } = await send(mode, fields);
    if (refusal) {
      const wrong = wrongField(refusal, fields);
      if (wrong) form.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
    } else if (signingUp) {
      setFields({ ...emptyFields, email: fields.email });
      setMode('sign-in');
    }
  };
  const toggle = () => {
    if (busy || landing) return;
    crossFade(() => {
      setMode(signingUp ? 'sign-in' : 'sign-up');
      setFields(emptyFields);
      dismiss();
    });
  };

  // The same card, so that the sky behind it keeps moving.
  if (forgot) {
    return (
      <SpaceCard subtitle="Set a new password" lit={litStars('sign-in', fields)}>
        <ForgotPassword email={fields.email} onBack={() => crossFade(() => setForgot(false))} />
      </SpaceCard>
    );
  }
  return (
    <SpaceCard
      subtitle={signingUp ? 'Join the SEO revolution' : 'Welcome back, dude!'}
      lit={landing ? { parent: true, children: true } : litStars(mode, fields)}
      landing={landing}
    >
      <Form ref={form} onSubmit={submit} className="flex flex-col gap-3.5 short:gap-3">
        {notice && (
          <Banner
            key={notice.id}
            tone={notice.tone}
            surface="space"
            onDismiss={dismiss}
            {...(notice.more ? {} : { lifeMs: limits.bannerMs })}
          >
            <p>{notice.text}</p>
            {notice.more && <p className="mt-1">{notice.more}</p>}
          </Banner>
        )}
        {isClosed && !notice && (
          <Banner tone="info" surface="space">
            {say('sign-up/closed')}
          </Banner>
        )}
        {signingUp && <Field label="Full name" autoComplete="name" surface="space" {...text('displayName')} />}
        <Field
          label="Email address"
          type="email"
          inputMode="email"
          autoComplete="username"
          surface="space"
          {...text('email')}
        />
        <PasswordField
          label="Password"
          autoComplete={signingUp ? 'new-password' : 'current-password'}
          {...text('password')}
        />
        {signingUp && (
          <div>
            <PasswordField label="Confirm Password" autoComplete="new-password" {...text('confirmation')} />
            <MatchLine match={passwordsMatch(fields)} />
          </div>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-4 text-small">
          <Checkbox
            label="Remember me"
            surface="space"
            checked={fields.remember}
            onChange={(remember) => set({ remember })}
          />
          <button type="button" className={spaceLinkClass} onClick={() => !busy && !landing && showForgot()}>
            Forgot password
          </button>
        </div>
        <SpaceButton label={signingUp ? 'Sign up' : 'Sign in'} busy={busy} />
      </Form>
      <p className="my-4 flex items-center gap-3 text-small text-space-muted before:h-px before:flex-1 before:bg-space-border/50 after:h-px after:flex-1 after:bg-space-border/50 short:my-2">
        or
      </p>
      <GoogleButton
        signingUp={signingUp}
        waiting={google.waiting}
        onClick={() => !busy && !landing && google.begin()}
      />
      <p className="mt-5 text-center text-small text-space-muted short:mt-3">
        {signingUp ? 'Already have an account?' : 'No account yet?'}{' '}
        <button type="button" className={spaceLinkClass} onClick={toggle}>
          {signingUp ? 'Sign in' : 'Sign up'}
        </button>
      </p>
    </SpaceCard>
  );
}

/** On wide screens the first field gets the focus. On phones that would open the keyboard over the card. */
function useFirstFieldFocus(form: { readonly current: HTMLFormElement | null }, mode: Mode | 'forgot'): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first field is another one in the other mode
  useEffect(() => {
    if (innerWidth >= limits.mobileBelowPx) form.current?.querySelector('input')?.focus();
  }, [form, mode]);
}

/**
 * Whether registration is closed, checked each time the sign-up form is opened. Until it is known, and if the request
 * fails, the form is usable: the server decides on submit.
 */
function useIsClosed(signingUp: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['registration'],
    queryFn: ({ signal }) => client.people.registration(undefined, { signal }),
    enabled: signingUp,
    staleTime: 0,
    gcTime: 0,
  });
  return signingUp && data?.isOpen === false;
}

/**
 * Cross-fades the content of the card while its lower edge moves and its top edge stays. Without view transitions, or
 * with reduced motion, the content just changes. The durations are in the stylesheet.
 */
function crossFade(change: () => void): void {
  const fades = 'ViewTransition' in window && 'types' in ViewTransition.prototype;
  if (fades && allowsMotion()) document.startViewTransition({ update: () => flushSync(change), types: ['card'] });
  else change();
}

type ForgotProps = {
  /** The email typed into the sign-in form, if any. */
  readonly email: string;
  readonly onBack: () => void;
};

/** Requests a link to reset the password. The message does not reveal whether the account exists. */
function ForgotPassword({ email: typed, onBack }: ForgotProps) {
  const form = useRef<HTMLFormElement>(null);
  const [email, setEmail] = useState(typed);
  const request = useMutation({
    mutationFn: async () => {
      const checked = checkEmail(email);
      if (!checked.ok) throw refusedWith(checked.refusal);
      return client.people.requestReset({ email });
    },
  });
  useFirstFieldFocus(form, 'forgot');
  return (
    <Form ref={form} onSubmit={() => !request.isPending && request.mutate()} className="flex flex-col gap-4">
      <RefusedBanner of={request} />
      {request.isSuccess && (
        <Banner key={request.submittedAt} tone="success" surface="space">
          {say('reset/asked')}
        </Banner>
      )}
      <Field
        label="Email address"
        type="email"
        inputMode="email"
        autoComplete="username"
        surface="space"
        value={email}
        readOnly={request.isPending}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SpaceButton label={request.isSuccess ? 'Send another link' : 'Send a link'} busy={request.isPending} />
      <p className="text-center text-small">
        <button type="button" className={spaceLinkClass} onClick={onBack}>
          Back to sign in
        </button>
      </p>
    </Form>
  );
}

type Notice = {
  readonly id: number;
  readonly tone: 'error' | 'success';
  readonly text: string;
  /** Additional information. Such a notice stays until the next one, because it takes longer to read. */
  readonly more?: string | undefined;
};

type SignInResult = { readonly refusal?: Refusal };

/** Submits the form: tracks the request, shows the result, and continues after a success. */
function useSignIn() {
  const changeSession = useChangeSession();
  const [busy, setBusy] = useState(false);
  const [landing, setLanding] = useState(false);
  const [notice, setNotice] = useState<Notice>();
  const notify = (tone: Notice['tone'], text: string, more?: string) =>
    setNotice((last) => ({ id: (last?.id ?? 0) + 1, tone, text, more }));

  async function send(mode: Mode, fields: SignInFields): Promise<SignInResult> {
    const checked = checkFields(mode, fields);
    if (!checked.ok) return refused(checked.refusal);
    setBusy(true);
    setNotice(undefined);
    try {
      await (mode === 'sign-in' ? signIn(fields) : signUp(fields));
      return {};
    } catch (error) {
      return refused(toRefusal(error));
    } finally {
      setBusy(false);
    }
  }

  async function signIn({ email, password, remember }: SignInFields): Promise<void> {
    land(await client.session.signIn({ email, password, remember }));
  }

  /** Shows the message, and continues a moment later. */
  function land(session: Session | NewSession): void {
    notify('success', say('sign-in/success'));
    setLanding(true);
    setTimeout(() => void changeSession(session), limits.loginRedirectMs);
  }

  async function signUp({ email, password, displayName }: SignInFields): Promise<void> {
    const account = await withCheck(
      (proof) => client.people.signUp({ email, password, displayName, ...(proof ? { proof } : {}) }),
      { challenge: () => client.people.signUpCheck(), solve: solveCheck },
    );
    const text = say(account.isApproved ? 'sign-up/success-approved' : 'sign-up/success');
    notify('success', text, say('verify/sent', { email: account.email }));
  }

  function refused(refusal: Refusal): SignInResult {
    notify('error', sayRefusal(refusal));
    return { refusal };
  }

  return { busy, landing, notice, dismiss: () => setNotice(undefined), send, land, refused };
}

/** Solves a challenge in a worker; `undefined` if this browser cannot. */
function solveCheck(challenge: CheckChallenge): Promise<CheckProof | undefined> {
  return new Promise((resolve) => {
    const worker = createWorker(workerUrl, 'sign-up-check');
    const end = (solution: CheckSolution) => {
      worker.terminate();
      resolve(solution && { challenge, solution });
    };
    worker.addEventListener('message', ({ data }: MessageEvent<CheckSolution>) => end(data));
    worker.addEventListener('error', () => end(undefined));
    worker.postMessage(challenge);
  });
}
