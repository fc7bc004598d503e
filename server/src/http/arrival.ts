import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { networkOf } from './network.ts';

/** The header with which `npm run doctor` requests from `/healthz` how its request arrived. */
export const doctorHeader = 'x-doctor';

/** How a request arrived, for clients that know the server's secret. */
export type Arrival = {
  /** The address and the port of the other end of the connection, and whether `TRUSTED_PROXIES` names it. */
  readonly peer: string;
  readonly peerPort: number | undefined;
  readonly isTrusted: boolean;
  /** The address that limits and the activity log go by. */
  readonly counted: string;
  readonly forwardedFor: string | undefined;
  readonly host: string | undefined;
};

/** It has no expiry, since clocks may be what is wrong, and somebody who copies it only learns how their own request arrived. */
export const doctorMark = (secret: string): string => createHmac('sha256', secret).update('doctor').digest('base64url');

export function isDoctorMark(secret: string, mark: unknown): boolean {
  if (typeof mark !== 'string') return false;
  const [expected, received] = [Buffer.from(doctorMark(secret)), Buffer.from(mark)];
  return received.length === expected.length && timingSafeEqual(received, expected);
}

export function arrivalOf({ socket, ip, headers }: FastifyRequest, isProxy: (address: string) => boolean): Arrival {
  const forwarded = headers['x-forwarded-for'];
  return {
    peer: networkOf(socket.remoteAddress),
    peerPort: socket.remotePort,
    isTrusted: isProxy(socket.remoteAddress ?? ''),
    counted: networkOf(ip),
    forwardedFor: Array.isArray(forwarded) ? forwarded.join(', ') : forwarded,
    host: headers.host,
  };
}
