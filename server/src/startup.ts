import { url } from 'node:inspector';
import { type Config, ConfigError } from './config.ts';
import type { Log } from './log.ts';

/** What a start prints to the console: the address, how to become administrator, and what to do next. */
export function welcome(
  config: Config,
  claims: readonly { email: string; link: string }[],
  databaseFolder: string | undefined,
): string {
  const lines = ['', `Keyword Clustering is ready: ${config.baseUrl.origin}`, ''];
  for (const { email, link } of claims) lines.push(claimNote(email), `  ${link}`, '');
  if (claims.length > 0) {
    lines.push(
      'Next: open the link, choose a password, then approve or create users under Users and upload a file for one of them.',
    );
  } else {
    lines.push('Next: sign in as an administrator, approve users under Users and upload a file for one of them.');
  }
  lines.push(`Files: ${config.dataDir}`);
  if (databaseFolder) lines.push(`Database: ${databaseFolder}`);
  lines.push('Ctrl-C stops the server.', '');
  return `${lines.join('\n')}\n`;
}

/** What the start of a server prints that only runs jobs. */
export const workerWelcome = (config: Config): string =>
  [
    '',
    `Keyword Clustering reads uploads for the servers at ${config.baseUrl.origin}`,
    '',
    `Health: http://${config.host}:${config.port}/healthz`,
    `Files: ${config.dataDir}`,
    'Ctrl-C stops the server.',
    '',
    '',
  ].join('\n');

export const claimNote = (email: string): string =>
  `To become the administrator ${email}, open this link within 24 hours (it works once):`;

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
