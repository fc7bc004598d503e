import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { createFileMailer } from './file-mailer.ts';
import type { Mailer } from './mailer.ts';
import { createSmtpMailer } from './smtp-mailer.ts';

/** By SMTP if `SMTP_URL` is set, otherwise into files. */
export function openMailer(config: Config, log: Log, now: () => number): Mailer {
  if (config.smtpUrl) return createSmtpMailer(config.smtpUrl, config.mailFrom);
  return createFileMailer(config.dataDir, config.mailFrom, log, now);
}
