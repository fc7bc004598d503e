import pino, { type DestinationStream, type Logger } from 'pino';
import { currentRequestId } from './request-times.ts';

export type LogLevel = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
export type Log = Logger;

/** Hears of each written line that has an event. */
type OnEvent = (level: string, event: string) => void;

/**
 * One JSON object per line on standard error, times in UTC. Standard output is for the person who starts the server.
 * Passwords, cookies and tokens never reach the log: nothing passes it request bodies or headers, and fields of these
 * names are redacted as a precaution.
 */
export function createLog(level: LogLevel, destination?: DestinationStream, onEvent?: OnEvent): Log {
  return pino(
    {
      hooks: {
        logMethod(args, method, number) {
          const { event } = (args[0] ?? {}) as { event?: unknown };
          if (typeof event === 'string') onEvent?.(pino.levels.labels[number]!.toUpperCase(), event);
          method.apply(this, args);
        },
      },
      level: level.toLowerCase(),
      base: null,
      // Lines that are written on behalf of a request can be found by its ID.
      mixin: () => {
        const request = currentRequestId();
        return request === undefined ? {} : { request };
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label.toUpperCase() }) },
      serializers: { err: presentError },
      redact: ['password', 'token', 'cookie', '*.password', '*.token', '*.cookie', 'req.headers', 'headers'],
    },
    destination ?? pino.destination({ fd: 2, sync: true }),
  );
}

/** What happened and where, without what libraries attach to errors, for example a connection and its settings. */
function presentError(error: unknown): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return { message: String(error) };
  // The job runner reports plain objects with the properties of an error.
  const { name, message, code, stack, cause } = error as Partial<Error> & { code?: unknown };
  return {
    type: name ?? error.constructor?.name,
    message: message ?? `an object with ${Object.keys(error).join(', ')}`,
    ...(code === undefined ? {} : { code }),
    stack,
    ...(cause === undefined ? {} : { cause: presentError(cause) }),
  };
}
