import { createHash, randomBytes } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestProvider, type TestProvider } from './provider.ts';

const redirectUri = 'http://localhost:3000/api/google/callback';
const ann = { sub: 'ann-1', email: 'ann@gmail.com', email_verified: true, name: 'Ann', picture: 'http://x.test/a.png' };
const nobody = { sub: 'nobody-1' };

let provider: TestProvider;
beforeAll(async () => {
  provider = await startTestProvider({ redirectUris: [redirectUri], people: [ann, nobody] });
});
afterAll(() => provider.stop());

const verifier = randomBytes(32).toString('base64url');

function authorizationUrl(changes: Record<string, string> = {}): string {
  const parameters = new URLSearchParams({
    client_id: provider.environment.GOOGLE_CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  });
  return `${provider.issuer}/auth?${parameters}`;
}

async function exchange(callback: string): Promise<{ id_token?: string; access_token?: string; error?: string }> {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = provider.environment;
  const response = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: GOOGLE_CLIENT_ID,
      client_secret: GOOGLE_CLIENT_SECRET,
      code: new URL(callback).searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  return (await response.json()) as Awaited<ReturnType<typeof exchange>>;
}

async function claimsOf(who: string): Promise<Record<string, unknown>> {
  const { id_token } = await exchange(await provider.visit(authorizationUrl(), who));
  const keys = createRemoteJWKSet(new URL(`${provider.issuer}/jwks`));
  return (await jwtVerify(id_token!, keys, { issuer: provider.issuer, algorithms: ['RS256'] })).payload;
}

test('choosing a person returns a code, and the code a signed token that identifies the person', async () => {
  expect(await claimsOf(ann.sub)).toMatchObject({ ...ann, nonce: 'the-nonce', aud: 'test-client' });
});

test('the token of a person without an email has no email', async () => {
  const claims = await claimsOf(nobody.sub);
  expect([claims.sub, 'email' in claims]).toEqual([nobody.sub, false]);
});

test('people can be changed while it runs', async () => {
  provider.people = [{ ...ann, email: 'ann.new@gmail.com' }, nobody];
  expect(await claimsOf(ann.sub)).toMatchObject({ sub: ann.sub, email: 'ann.new@gmail.com' });
  provider.people = [ann, nobody];
});

test('a code works once', async () => {
  const callback = await provider.visit(authorizationUrl(), ann.sub);
  expect((await exchange(callback)).id_token).toBeDefined();
  expect((await exchange(callback)).error).toBe('invalid_grant');
});

test('cancelling returns an error', async () => {
  const { searchParams } = new URL(await provider.visit(authorizationUrl(), 'cancel'));
  expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['access_denied', 'the-state']);
});

test('an unknown redirect is an error page, and so is a request without PKCE', async () => {
  const elsewhere = authorizationUrl({ redirect_uri: 'http://localhost:9/api/google/callback' });
  await expect(provider.visit(elsewhere, ann.sub)).rejects.toThrow('redirect_uri');
  const bare = new URL(authorizationUrl());
  bare.searchParams.delete('code_challenge');
  bare.searchParams.delete('code_challenge_method');
  expect(await provider.visit(bare.href, ann.sub)).toContain('error=invalid_request');
});

test('its page lists each person and a way to cancel', async () => {
  const first = await fetch(authorizationUrl(), { redirect: 'manual' });
  const cookie = first.headers
    .getSetCookie()
    .map((header) => header.split(';')[0])
    .join('; ');
  const page = await fetch(new URL(first.headers.get('location')!, provider.issuer), { headers: { cookie } });
  const text = await page.text();
  for (const name of ['Continue as ann@gmail.com', 'Continue as nobody-1', 'Cancel']) expect(text).toContain(name);
});
