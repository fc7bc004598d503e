import { url } from 'node:inspector';
import { ConfigError } from './config.ts';
import type { Log } from './log.ts';

/** Only the flags that open the inspector; `--inspect-port` alone does not. */
const flag = /(?:^|\s)(--inspect(?:-brk|-wait)?)(?==|\s|$)/;

/**
 * Anyone who reaches the inspector's port can run code as the server, without a password.
 *
 * @param options Node's command line: arguments and `NODE_OPTIONS`
 * @throws ConfigError in production with the inspector on
 */
export function refuseInspector(production: boolean, options: string): void {
  const found = flag.exec(options)?.[1] ?? (url() ? '--inspect' : undefined);
  if (!production || !found) return;
  throw new ConfigError(found, 'must not be used with NODE_ENV=production: it lets others run code in the server');
}

/** The options that {@link refuseInspector} checks. */
export const nodeOptions = (): string => [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');

/** Node opens the inspector at SIGUSR1, unless there is a listener for that signal. */
export function ignoreInspectorSignal(log: Log): void {
  process.on('SIGUSR1', () =>
    log.warn({ event: 'inspector' }, 'Ignored SIGUSR1: the inspector is disabled in production'),
  );
}
