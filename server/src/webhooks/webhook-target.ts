import { lookup } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { type RequestOptions, request as requestHttps } from 'node:https';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';
import { limits } from '@kc/rules/limits';
import { done, type Refusal, type Result, refuse } from '@kc/rules/result';
import type { DeliveryFault } from '@kc/rules/webhook';

export type Address = { readonly address: string; readonly family: number };

/** Which requests over the network are allowed, and how names are resolved. */
export type Network = {
  /** `WEBHOOK_ALLOW`: hosts that may be anywhere and need no https, in lowercase. */
  readonly allowedHosts: ReadonlySet<string>;
  /** All addresses of a name; the resolver of the system by default. @throws if there are none */
  readonly resolve?: ((host: string) => Promise<readonly Address[]>) | undefined;
};

/** A place that was checked: nothing is resolved again before the connection. */
export type Target = { readonly url: URL; readonly addresses: readonly Address[] };

/**
 * Where a webhook may be sent, or why it may not. Called when a webhook is added and before every delivery.
 *
 * An address in the URL is judged as `URL` reads it, so that all spellings of `127.0.0.1` are one. A name is resolved once;
 * if one of its addresses is not public, none is used.
 *
 * Source: SECURITY.md, SEC-58
 */
export async function checkTarget(text: string, network: Network, signal?: AbortSignal): Promise<Result<Target>> {
  if (!URL.canParse(text)) return refuse('webhook/url');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('webhook/url');
  if (url.username !== '' || url.password !== '') return refuse('webhook/user-info');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isAllowed = network.allowedHosts.has(url.hostname);
  if (!isAllowed) {
    if (url.protocol !== 'https:') return refuse('webhook/https');
    // Below are the services of a host: mail, shells, databases of old.
    if (url.port !== '' && Number(url.port) < 1024) return refuse('webhook/port');
  }
  const addresses = await addressesOf(host, network, signal);
  if (addresses.length === 0) return refuse('webhook/unknown-host');
  if (!isAllowed && !addresses.every(({ address }) => isPublic(address))) return refuse('webhook/private');
  return done({ url, addresses });
}

async function addressesOf(host: string, network: Network, signal?: AbortSignal): Promise<readonly Address[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const { resolve = (name: string) => lookup(name, { all: true }) } = network;
  // A running lookup of the system's resolver cannot be cancelled, only ignored.
  return new Promise((answer) => {
    const leave = () => answer([]);
    signal?.addEventListener('abort', leave, { once: true });
    resolve(host)
      .then(answer, leave)
      .finally(() => signal?.removeEventListener('abort', leave));
  });
}

/**
 * Whether an address is one of the public internet. Of IPv6 only global unicast is, without the parts of it that carry IPv4
 * addresses or are for documents: so IPv4-mapped, NAT64, unique-local, link-local and multicast addresses are not.
 *
 * Source: the IANA registries of special-purpose addresses (RFC 6890); the metadata services of clouds
 */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, 'ipv4');
  // An address with a zone is one of this host's links.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return globalUnicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

const reserved = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's metadata and name service; those of other clouds are in reserved ranges.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  reserved.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  // Teredo and others that carry IPv4 addresses, 6to4, and two for documents.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  reserved.addSubnet(address, bits, 'ipv6');

/** What became of an attempt: the status of the response, or why there is none. */
export type Outcome = { readonly status: number } | { readonly fault: DeliveryFault };

/**
 * Posts a body to a place that is checked now. The connection goes to one of the addresses that were checked, with the name
 * of the URL for TLS and as `Host`. Redirects are not followed, no proxy is used, and of the response only the status is read.
 *
 * @throws the reason of `signal`, if it is aborted
 */
export async function post(
  text: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  network: Network & { readonly answerMs?: number | undefined },
  signal: AbortSignal,
): Promise<Outcome> {
  const late = AbortSignal.timeout(network.answerMs ?? limits.webhookAnswerMs);
  const ended = AbortSignal.any([signal, late]);
  const checked = await checkTarget(text, network, ended);
  signal.throwIfAborted();
  if (late.aborted) return { fault: 'webhook/too-slow' };
  if (!checked.ok) return { fault: faultOf(checked.refusal) };
  try {
    return { status: await send(checked.value, headers, body, ended) };
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return { fault: 'webhook/too-slow' };
    return { fault: isOfCertificate(error) ? 'webhook/certificate' : 'webhook/unreachable' };
  }
}

/** A URL that was accepted once is refused later only for these. */
function faultOf({ code }: Refusal): DeliveryFault {
  return code === 'webhook/unknown-host' || code === 'webhook/port' || code === 'webhook/https'
    ? code
    : 'webhook/private';
}

function send(
  { url, addresses }: Target,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  const options: RequestOptions = {
    method: 'POST',
    // No connection is shared with, or kept for, another request.
    agent: false,
    lookup: pinned(addresses),
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' },
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      resolve(response.statusCode!);
      response.on('error', () => undefined).destroy();
    });
    request.on('error', reject);
    request.on('close', () => reject(new Error('The connection was closed without a response')));
    request.end(body);
  });
}

/** Answers with the addresses that were checked, whatever the name resolves to meanwhile. */
function pinned(addresses: readonly Address[]): LookupFunction {
  return (_host, { all }, answer) => {
    if (all) answer(null, [...addresses]);
    else answer(null, addresses[0]!.address, addresses[0]!.family);
  };
}

/** Errors of OpenSSL and of Node about certificates; those of TLS itself are among them, such as for a plain http server. */
function isOfCertificate(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH)/.test(code);
}
