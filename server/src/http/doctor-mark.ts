import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header by which `npm run doctor` asks `/healthz` how its request arrived. */
export const doctorHeader = 'x-doctor';
const validMs = 60_000;

/** How a request arrived, for whoever knows the server's secret. */
export type Arrival = {
  /** The address of the connection, and the one that limits and the activity log go by. */
  readonly peer: string;
  readonly counted: string;
  readonly forwardedFor: string | undefined;
  readonly host: string | undefined;
};

export const doctorMark = (secret: string, now: number): string => `${now}.${signed(secret, now)}`;

/** Whether a mark was made with this secret within the last minute. */
export function isDoctorMark(secret: string, mark: unknown, now: number): boolean {
  const [, time = '', signature = ''] = typeof mark === 'string' ? (/^(\d{1,15})\.(.+)$/.exec(mark) ?? []) : [];
  const expected = Buffer.from(signed(secret, Number(time)));
  const given = Buffer.from(signature);
  return Math.abs(now - Number(time)) < validMs && given.length === expected.length && timingSafeEqual(given, expected);
}

const signed = (secret: string, now: number): string =>
  createHmac('sha256', secret).update(`doctor ${now}`).digest('base64url');
