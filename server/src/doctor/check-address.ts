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
  const arrival = await ask(origin, secret).catch((error: unknown) => sentenceOf(error));
  if (typeof arrival === 'string') return [problem(about, `${origin} does not answer: ${arrival}`)];
  if (!arrival)
    return [
      problem(
        about,
        `What answers at ${origin} is not a server with this SECRET: see whether the server runs and BASE_URL is right`,
      ),
    ];
  return [ok(about, `${origin} leads to this installation`), ...aboutProxy(arrival, baseUrl), await checkParts(origin)];
}

async function ask(origin: string, secret: string): Promise<Arrival | undefined> {
  const answer = await fetch(`${origin}/healthz`, {
    headers: { [doctorHeader]: doctorMark(secret) },
    signal: AbortSignal.timeout(waitMs),
    redirect: 'manual',
  });
  const body = (await answer.json().catch(() => ({}))) as { arrival?: Arrival };
  return body.arrival;
}

function aboutProxy({ peer, counted, forwardedFor, host }: Arrival, baseUrl: URL): Finding[] {
  const findings: Finding[] = [];
  if (forwardedFor === undefined) findings.push(ok('proxy', 'No proxy in between gives the addresses of users'));
  else if (counted === peer)
    findings.push(
      warning(
        'proxy',
        `A proxy at ${peer} forwards addresses, and TRUSTED_PROXIES does not name it: all users count as one address`,
      ),
    );
  else findings.push(ok('proxy', `The proxy at ${peer} is trusted, and users count by their own addresses`));
  if (host !== baseUrl.host)
    findings.push(
      warning('proxy', `The server is asked for the host ${host}, not for ${baseUrl.host}: pass the header Host on`),
    );
  return findings;
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
