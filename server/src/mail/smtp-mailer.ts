import { createTransport } from 'nodemailer';
import { type Mailer, toMessage } from './mailer.ts';

const giveUpMs = 20_000;

/** Sends mails to the server of `SMTP_URL`, one connection per mail, with a timeout of 20 seconds. */
export function createSmtpMailer(url: URL, from: string): Mailer {
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
    close: () => transport.close(),
  };
}
