import { claimLink, type RunningServer } from '../server.ts';
import { adminPerson, type Person } from '../visitor.ts';

/** The users of the main stories: the built-in admin, claimed, and an approved user. Works without a browser. */
export async function makePeople(
  server: RunningServer,
): Promise<{ readonly admin: Person; readonly gardener: Person }> {
  const gardener = { email: 'gardener@example.com', password: 'rakes and ladders' };
  const token = new URL(claimLink(server)).hash.slice(1);
  const claimed = await post(server, '/claim', { token, password: adminPerson.password });
  const cookie = claimed.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  await post(server, '/users', { ...gardener, role: 'user' }, cookie);
  return { admin: adminPerson, gardener };
}

async function post(server: RunningServer, path: string, body: object, cookie = ''): Promise<Response> {
  const response = await fetch(`${server.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return response;
}
