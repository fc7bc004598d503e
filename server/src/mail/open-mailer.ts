import { randomBytes } from 'node:crypto';
import { mkdir, readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { type Mailer, toMessage } from './mailer.ts';

/** By SMTP if `SMTP_URL` is set, otherwise into files. */
export function openMailer(config: Config, log: Log, now: () => number): Mailer {
  if (config.smtpUrl) return createSmtpMailer(config.smtpUrl, config.mailFrom);
  return createFileMailer(config.dataDir, config.mailFrom, log, now);
}

const keptMs = 24 * 3_600_000;
const tidyMs = 3_600_000;

/**
 * Writes each mail as an `.eml` file that only its owner may read and that mail programs open. Its name begins with the
 * time; it is removed after a day.
 */
function createFileMailer(dataDir: string, from: string, log: Log, now: () => number): Mailer {
  const folder = join(dataDir, 'mail');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const tidy = (): void => {
    removeOldMails(folder, now()).catch((error: unknown) => log.warn({ err: error }, 'Old mails could not be removed'));
  };
  const timer = setInterval(tidy, tidyMs).unref();
  tidy();
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toMessage(mail, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${now()}-${randomBytes(6).toString('hex')}.eml`);
      await writeFile(file, message, { mode: 0o600, flag: 'wx' });
      log.info({ event: 'mail', file }, 'SMTP_URL is not set: a mail was written to a file');
    },
    close: () => clearInterval(timer),
  };
}

/** Removes mails older than a day, by the time in their names. */
export async function removeOldMails(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const old = names.filter((name) => /^\d+-[0-9a-f]+\.eml$/.test(name) && Number.parseInt(name, 10) <= now - keptMs);
  await Promise.all(old.map((name) => unlink(join(folder, name))));
}

/** A mailer that can sign in without sending anything. */
export type SmtpMailer = Mailer & { verify(): Promise<void> };

const giveUpMs = 20_000;

/** Sends mails to the server of `SMTP_URL`, one connection per mail, with a timeout of 20 seconds. */
export function createSmtpMailer(url: URL, from: string): SmtpMailer {
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port ? Number(url.port) : url.protocol === 'smtps:' ? 465 : 587,
    secure: url.protocol === 'smtps:',
    connectionTimeout: giveUpMs,
    greetingTimeout: giveUpMs,
    socketTimeout: giveUpMs,
    ...(url.username
      ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }
      : {}),
  });
  return {
    async send(mail) {
      await transport.sendMail(toMessage(mail, from));
    },
    async verify() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}
