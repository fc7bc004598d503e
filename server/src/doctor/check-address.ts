import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { limits } from '@kc/rules/limits';
import type { Config } from '../config.ts';
import { type Arrival, doctorHeader, doctorMark } from '../http/doctor-mark.ts';
import { type Finding, ok, problem, sentenceOf, warning } from './finding.ts';

const about = 'address';
const waitMs = 10_000;

/**
 * Opens `BASE_URL` as a browser would, through every proxy: whether it is this installation that answers, whose address it
 * counts, and whether parts of uploads pass.
 */
export async function checkAddress({ baseUrl }: Config, secret: string): Promise<Finding[]> {
  const { origin } = baseUrl;
  const asked = await ask(origin, secret).catch((error: unknown) => sentenceOf(error));
  if (typeof asked === 'string') return [problem(about, `${origin} does not answer: ${asked}`)];
  const { arrival } = asked;
  if (!arrival)
    return [
      problem(
        about,
        `What answers at ${origin} is not a server with this SECRET: see whether the server runs and BASE_URL is right`,
      ),
    ];
  return [
    ok(about, `${origin} leads to this installation`),
    ...aboutProxy({ ...asked, arrival }, baseUrl),
    await checkParts(origin),
  ];
}

type Asked = {
  readonly arrival: Arrival | undefined;
  /** The address that the request pretended to come from, as anybody's can. */
  readonly forged: string;
  /** The port of this end. */
  readonly port: number | undefined;
};

async function ask(origin: string, secret: string): Promise<Asked> {
  // Of a network that is reserved for documentation.
  const forged = `198.51.100.${randomInt(1, 255)}`;
  const headers = { [doctorHeader]: doctorMark(secret), 'x-forwarded-for': forged };
  const send = origin.startsWith('https:') ? httpsRequest : httpRequest;
  const sent = send(`${origin}/healthz`, { headers, agent: false, signal: AbortSignal.timeout(waitMs) });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const port = answer.socket.localPort;
  const body = JSON.parse(await text(answer).catch(() => '{}')) as { arrival?: Arrival };
  return { arrival: body.arrival, forged, port };
}

function aboutProxy({ arrival, forged, port }: Asked & { readonly arrival: Arrival }, baseUrl: URL): Finding[] {
  const { host } = arrival;
  return [
    // The same connection arrives that was opened here.
    arrival.peerPort === port ? ok('proxy', 'No proxy is in between') : aboutAddresses(arrival, forged),
    ...(host === baseUrl.host
      ? []
      : [
          warning(
            'proxy',
            `The server is asked for the host ${host}, not for ${baseUrl.host}: pass the header Host on`,
          ),
        ]),
  ];
}

function aboutAddresses({ peer, isTrusted, counted, forwardedFor }: Arrival, forged: string): Finding {
  if (!isTrusted)
    return warning(
      'proxy',
      `A proxy at ${peer} forwards addresses, and TRUSTED_PROXIES does not name it: all users count as one address`,
    );
  if (forwardedFor === undefined)
    return warning('proxy', `The proxy at ${peer} does not set X-Forwarded-For: all users count as one address`);
  // One that adds the address of its client behind what that sent is right, too.
  if (counted === forged && forwardedFor.endsWith(forged))
    return problem(
      'proxy',
      `Anybody can pretend another address: the proxy at ${peer} passes on the X-Forwarded-For that it gets. Let it replace the header`,
    );
  return ok('proxy', `The proxy at ${peer} is trusted, and users count by their own addresses`);
}

/** Sends as much as a part of an upload has, without signing in. */
async function checkParts(origin: string): Promise<Finding> {
  const status = await fetch(`${origin}/api/uploads/${'0'.repeat(32)}`, {
    method: 'PATCH',
    headers: { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: new Uint8Array(limits.maxChunkBytes),
    signal: AbortSignal.timeout(60_000),
  }).then(
    (answer) => answer.status,
    (error: unknown) => sentenceOf(error),
  );
  const size = `${limits.maxChunkBytes / 2 ** 20} MiB`;
  if (status === 413)
    return warning('proxy', `A proxy refuses bodies of ${size}. Uploads work in smaller parts, and take longer`);
  if (status === 401) return ok('proxy', `Parts of uploads pass, up to ${size}`);
  return warning('proxy', `A part of an upload was answered with ${status} instead of 401`);
}
