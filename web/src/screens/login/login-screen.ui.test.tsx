import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { runFor, stopClock } from '../../../test/page/clock.ts';
import { fakeApi, isOffline, neverAnswers, refuses } from '../../../test/page/fake-api.ts';
import { address, openApp, sessionOf, signsIn } from '../../../test/page/open-app.tsx';

type Fields = { readonly name?: string; readonly email?: string; readonly password?: string; readonly again?: string };

const email = page.getByLabelText('Email address');
const password = page.getByLabelText('Password');
const good = 'rakes and ladders';

async function send(fields: Fields): Promise<void> {
  if (fields.name !== undefined) await page.getByLabelText('Full name').fill(fields.name);
  await email.fill(fields.email ?? '');
  await password.fill(fields.password ?? '');
  if (fields.again !== undefined) await page.getByLabelText('Confirm Password').fill(fields.again);
  await userEvent.keyboard('{Enter}');
}

/** Each message replaces the previous one in the card. */
const showsAlert = (text: string) => expect.element(page.getByRole('alert').getByText(text)).toBeVisible();

const registrationOpen = { 'people.registration': () => ({ isOpen: true }) };

async function openSignUp(): Promise<void> {
  await openApp('/login', { api: registrationOpen });
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect.element(page.getByText('Join the SEO revolution')).toBeVisible();
}

test('the sky has stars', async () => {
  await openApp('/login');
  const colours = () => {
    const sky = document.querySelector<HTMLCanvasElement>('.fixed > canvas');
    if (!sky?.width) return 0;
    const copy = new OffscreenCanvas(sky.width, sky.height).getContext('2d')!;
    copy.drawImage(sky, 0, 0);
    const { data } = copy.getImageData(0, 0, sky.width, sky.height);
    return new Set(new Uint32Array(data.buffer)).size;
  };
  await expect.poll(colours).toBeGreaterThan(100);
});

test('the sky rests five seconds after somebody last did something', async () => {
  const sent = vi.spyOn(Worker.prototype, 'postMessage');
  onTestFinished(() => sent.mockRestore());
  const watched = () => sent.mock.calls.map(([message]) => message.watched).filter((is) => is !== undefined);
  await openApp('/login');
  stopClock();
  await userEvent.keyboard('{Shift}');
  sent.mockClear();
  await runFor(4_900);
  expect(watched()).toEqual([]);
  await userEvent.keyboard('{Shift}');
  await runFor(4_900);
  expect(watched()).toEqual([]);
  await runFor(100);
  expect(watched()).toEqual([false]);
  await userEvent.keyboard('{Shift}');
  expect(watched()).toEqual([false, true]);
});

// Shows P3.1.
test('switches between sign-in and sign-up with a fixed top edge and empty fields', async () => {
  await openApp('/login', { api: registrationOpen });
  const top = () => page.getByRole('main').element().getBoundingClientRect().top;
  const before = top();
  await send({ email: 'ann', password: 'short' });
  await showsAlert('Invalid email format');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect.element(page.getByText('Join the SEO revolution')).toBeVisible();
  await expect.element(page.getByText('Invalid email format')).not.toBeInTheDocument();
  await expect.element(email).toHaveValue('');
  await expect.element(password).toHaveValue('');
  expect(top()).toBe(before);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(page.getByText('Welcome back, dude!')).toBeVisible();
  expect(top()).toBe(before);
});

// Shows P3.15.
test('warns of Caps Lock while a password is typed', async () => {
  await openApp('/login');
  await password.click();
  const type = (modifierCapsLock: boolean) =>
    password.element().dispatchEvent(new KeyboardEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock }));
  type(true);
  await expect.element(page.getByText('Caps Lock is on')).toBeVisible();
  type(false);
  await expect.element(page.getByText('Caps Lock is on')).not.toBeInTheDocument();
});

// Shows P3.8.
test('while the server works, fields are read-only and the button shows a friendly message', async () => {
  await openApp('/login', { api: { 'session.signIn': neverAnswers } });
  await send({ email: 'ann@example.com', password: good });
  const words = [
    'Your dude is getting ready',
    'Let me cook',
    'Firing up the engines',
    'Preparing your SEO magic',
    'Getting your data ready',
  ];
  await expect.element(page.getByRole('button', { name: new RegExp(`^(${words.join('|')})$`) })).toBeVisible();
  await expect.element(email).toHaveAttribute('readonly');
  await expect.element(email).toBeEnabled();
});

// Shows P3.7.
test('its messages disappear after five seconds', async () => {
  stopClock();
  await openApp('/login');
  await send({ email: 'ann' });
  await showsAlert('Please enter both email and password');
  await runFor(4_999);
  await showsAlert('Please enter both email and password');
  await runFor(1);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

// Shows P3.7.
test('a successful sign-in is confirmed, and continues one and a half seconds later', async () => {
  stopClock();
  await openApp('/login', {
    api: { 'session.signIn': signsIn(sessionOf('approved')), 'visualizations.list': () => [], 'drafts.list': () => [] },
  });
  await send({ email: 'ann@example.com', password: good });
  await expect.element(page.getByText('Login successful! Redirecting...')).toBeVisible();
  await runFor(1_499);
  expect(address()).toBe('/login');
  await runFor(1);
  await expect.poll(address).toBe('/visualization');
});

test('whoever has to sign in first comes to the link that they opened, once', async () => {
  stopClock();
  const api = { 'visualizations.list': () => [], 'drafts.list': () => [] } as const;
  for (const [opened, reached] of [
    ['/visualization?view=tree', '/visualization?view=tree'],
    ['/login', '/visualization'],
  ] as const) {
    await openApp(opened, { api: { ...api, 'session.signIn': signsIn(sessionOf('approved')) } });
    await expect.poll(address).toBe('/login');
    await send({ email: 'ann@example.com', password: good });
    await expect.element(page.getByText('Login successful! Redirecting...')).toBeVisible();
    await runFor(1_500);
    await expect.poll(address).toBe(reached);
  }
});

// Shows P6.8.
test('five seconds after a built-in admin signs in, accounts that share an email are merged', async () => {
  stopClock();
  const clean = vi.fn(() => ({ marked: 0 }));
  await openApp('/login', {
    api: {
      'session.signIn': signsIn(sessionOf('admin', { inAdminList: true })),
      'visualizations.list': () => [],
      'drafts.list': () => [],
      'accounts.cleanDuplicates': clean,
    },
  });
  await send({ email: 'admin@example.com', password: good });
  await expect.element(page.getByText('Login successful! Redirecting...')).toBeVisible();
  await runFor(1_500);
  await expect.poll(address).toBe('/visualization');
  await runFor(4_999);
  expect(clean).not.toHaveBeenCalled();
  await runFor(1);
  expect(clean).toHaveBeenCalledOnce();
});

// Shows P3.3.
test('the messages of a sign-in', async () => {
  await openApp('/login');
  await send({ email: 'ann@example.com' });
  await showsAlert('Please enter both email and password');
  await send({ email: 'ann', password: good });
  await showsAlert('Invalid email format');
  fakeApi({ 'session.signIn': refuses('sign-in/not-found') });
  await send({ email: 'nobody@example.com', password: good });
  await showsAlert('No account found with this email address');
  fakeApi({ 'session.signIn': refuses('sign-in/wrong-password') });
  await send({ email: 'ann@example.com', password: good });
  await showsAlert('Incorrect password');
  fakeApi({ 'session.signIn': refuses('sign-in/disabled') });
  await send({ email: 'ann@example.com', password: good });
  await showsAlert('This account has been disabled');
  fakeApi({ 'session.signIn': refuses('sign-in/too-many', { seconds: 30 }) });
  await send({ email: 'ann@example.com', password: good });
  await showsAlert('Too many attempts. Please wait 30 seconds and try again.');
  fakeApi({ 'session.signIn': isOffline });
  await send({ email: 'ann@example.com', password: good });
  await showsAlert('The server cannot be reached. Check the connection and try again.');
});

// Shows P3.5.
test('the messages of a sign-up', async () => {
  await openSignUp();
  const ann = { name: 'Ann', email: 'ann@example.com', password: good, again: good };
  await send({ ...ann, password: '', again: '' });
  await showsAlert('Please enter both email and password');
  await send({ ...ann, name: ' ' });
  await showsAlert('Please enter your full name');
  await send({ ...ann, password: 'rakes', again: 'rakes' });
  await showsAlert('Password must be at least 6 characters');
  await send({ ...ann, password: 'r'.repeat(1025) });
  await showsAlert('Password is too long. Please use at most 1024 characters.');
  await send({ ...ann, again: 'rakes' });
  await showsAlert('Passwords do not match');
  fakeApi({ 'people.signUp': refuses('sign-up/weak') });
  await send({ ...ann, password: 'password', again: 'password' });
  await showsAlert('Password is too weak. Please use a stronger password');
  fakeApi({ 'people.signUp': refuses('sign-up/in-use') });
  await send(ann);
  await showsAlert('An account with this email already exists');
  fakeApi({ 'people.signUp': refuses('sign-up/full') });
  await send(ann);
  await showsAlert(
    'Too many new accounts are waiting for approval right now. Please try again later, or ask an administrator for an account.',
  );
});

test('a new account is confirmed, and what happens next is said', async () => {
  await openSignUp();
  fakeApi({
    'people.signUp': ({ email, displayName }) => {
      expect(displayName).toBe('Ann');
      return { email, isApproved: false };
    },
  });
  await send({ name: 'Ann', email: 'ann@example.com', password: good, again: good });
  const success =
    'Account created successfully! You will be able to use the application once an administrator approves your account.';
  await expect.element(page.getByText(success)).toBeVisible();
  await expect
    .element(page.getByText('A confirmation link was sent to ann@example.com. It works for 24 hours.'))
    .toBeVisible();
  await expect.element(email).toHaveValue('ann@example.com');
});

// Shows P4.4.
test('without Google sign-in, its button says so', async () => {
  await openApp('/login');
  await expect.element(page.getByText('Google sign-in is not set up on this server')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Sign in with Google' })).toBeDisabled();
});

test('a link for a new password is asked for, and the answer does not tell whether there is an account', async () => {
  await openApp('/login', { api: { 'people.requestReset': ({ email }) => ({ email }) } });
  await email.fill('ann@example.com');
  await page.getByRole('button', { name: 'Forgot password' }).click();
  await expect.element(page.getByRole('button', { name: 'Send a link' })).toBeVisible();
  await expect.element(email).toHaveValue('ann@example.com');
  await email.fill('nobody');
  await userEvent.keyboard('{Enter}');
  await showsAlert('Invalid email format');
  await email.fill('nobody@example.com');
  await userEvent.keyboard('{Enter}');
  const text =
    'If there is an account with this email, a link to set a new password is on its way. It works for 30 minutes.';
  await expect.element(page.getByText(text)).toBeVisible();
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await expect.element(page.getByText('Welcome back, dude!')).toBeVisible();
});

test('a browser that cannot compute the proof of a frequent sign-up is told what to do', async () => {
  await openSignUp();
  const part = { algorithm: '', nonce: '', salt: '', cost: 1, keyLength: 1, keyPrefix: '', keySignature: '' };
  fakeApi({
    'people.signUp': refuses('sign-up/check-needed'),
    'people.signUpCheck': () => ({ parameters: { ...part, data: { until: 0 } }, signature: '' }),
  });
  class BrokenWorker extends EventTarget {
    postMessage(): void {
      this.dispatchEvent(new Event('error'));
    }
    readonly terminate = () => undefined;
  }
  vi.stubGlobal('Worker', BrokenWorker);
  onTestFinished(() => void vi.unstubAllGlobals());
  await send({ name: 'Eva', email: 'eva@example.com', password: good, again: good });
  await showsAlert(
    'Your browser could not finish a check that keeps automated sign-ups out. Please reload the page and try again, or ask an administrator for an account.',
  );
  await expect.element(page.getByLabelText('Full name')).toHaveValue('Eva');
});

// Shows P3.14.
test('while registration is closed, sign-up says so before anything is filled in, and nothing else does', async () => {
  await openApp('/login', { api: { 'people.registration': () => ({ isOpen: false }) } });
  const closed = page.getByText('Registration is closed. Please ask an administrator for an account.');
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect.element(closed).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).last().click();
  await expect.element(page.getByLabelText('Full name')).not.toBeInTheDocument();
  await expect.element(closed).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect.element(closed).toBeVisible();
  fakeApi({ 'people.signUp': refuses('sign-up/closed') });
  const late = { name: 'Late Comer', email: 'late@example.com', password: good, again: good };
  await send(late);
  await showsAlert('Registration is closed. Please ask an administrator for an account.');
  fakeApi({ 'people.signUp': ({ email }) => ({ email, isApproved: true }) });
  await send(late);
  await expect.element(page.getByText('Account created successfully! You can sign in now.')).toBeVisible();
});
