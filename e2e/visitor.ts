import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { claimLink, type RunningServer } from './server.ts';

/** A user of the product: their own browser profile with one tab. */
export type Visitor = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and warnings, uncaught errors and policy violations so far. */
  readonly problems: readonly string[];
  /** Declares an expected problem; a refused call appears in the console with its HTTP status. */
  expectProblem(pattern: RegExp): void;
  /** An API call as this user; returns the parsed response. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
};

export type Person = { readonly email: string; readonly password: string };
export type Role = 'admin' | 'approved' | 'pending' | 'denied';

export const adminPerson: Person = { email: 'admin@example.com', password: 'a long quiet evening' };

/** Runs in every page before its own scripts: turns policy violations into console errors. */
const reportViolations = `addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violation: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

/** Marks the first steps as seen, so that they do not open. A page without an address has no storage. */
const knowTheWay = `try { localStorage.setItem('explorer-first-steps', 'seen'); } catch {}`;

/** A wait only bounds a hang: how quick the machine is is not what is tested. */
const waitMs = 60_000;

/** A browser on a busy machine shows the next page without a fade if drawing it took four seconds. */
const givenUpFade = /TimeoutError: Transition was aborted because of timeout in DOM update/;

/** A page without scripts, from which API calls can be made at once. */
export const blankPage = '/healthz';

/** A visitor on a page of a server, by default the sign-in page. They ask for reduced motion unless told otherwise. */
export async function arrive(
  browser: Browser,
  server: Pick<RunningServer, 'url'>,
  options: BrowserContextOptions = {},
  path = '/login',
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(waitMs);
  const problems: string[] = [];
  const expected: RegExp[] = [givenUpFade];
  const note = (problem: string) => {
    if (!expected.some((pattern) => pattern.test(problem))) problems.push(problem);
  };
  await context.addInitScript({ content: reportViolations });
  await context.addInitScript({ content: knowTheWay });
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      note(`${message.type()}: ${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => note(`uncaught: ${error.error()}`));
  const page = await context.newPage();
  await page.goto(path);
  return {
    page,
    context,
    problems,
    expectProblem: (pattern) => void expected.push(pattern),
    call: (method, path, body) => call(page, method, path, body),
  };
}

async function call<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  const { status, text } = await page.evaluate(
    async (request) => {
      const response = await fetch(`/api${request.path}`, {
        method: request.method,
        ...(request.body ? { headers: { 'content-type': 'application/json' }, body: request.body } : {}),
      });
      return { status: response.status, text: await response.text() };
    },
    { method, path, body: body && JSON.stringify(body) },
  );
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return (text ? JSON.parse(text) : undefined) as T;
}

/** Claims the built-in admin's account with the link that the server printed; the visitor is signed in then. */
export async function claim(visitor: Visitor, server: RunningServer): Promise<void> {
  const token = new URL(claimLink(server)).hash.slice(1).replace(/^token=/, '');
  await visitor.call('POST', '/claim', { token, password: adminPerson.password });
}

/** Creates an account with a status. The admin is already signed in. */
export async function makeAccount(
  admin: Pick<Visitor, 'call'>,
  name: string,
  role: Role,
): Promise<Person & { readonly id: string }> {
  const person = { email: `${name}@example.com`, password: 'rakes and ladders' };
  if (role === 'admin' || role === 'approved') {
    const made = await admin.call<{ id: string }>('POST', '/users', {
      ...person,
      role: role === 'admin' ? 'admin' : 'user',
    });
    return { ...person, id: made.id };
  }
  await admin.call('POST', '/sign-up', { ...person, displayName: name });
  const accounts = await admin.call<{ id: string; email: string }[]>('GET', '/users');
  const { id } = accounts.find((account) => account.email === person.email)!;
  if (role === 'denied') await admin.call('PUT', `/users/${id}/status`, { status: 'denied' });
  return { ...person, id };
}

export async function signIn(visitor: Visitor, person: Person): Promise<void> {
  await visitor.call('POST', '/session', { email: person.email, password: person.password, remember: false });
}
