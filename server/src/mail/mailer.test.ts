import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import type { Mail } from './mailer.ts';
import { openMailer, removeOldMails } from './open-mailer.ts';

const mail: Mail = {
  to: 'ann@example.com',
  subject: 'Set a new password',
  text: 'Hello Ann,\n\nhttp://localhost:3000/reset-password#tok\n',
  html: '<p>Hello Ann,</p>\n',
};
const day = 24 * 3_600_000;

let dataDir: string;
let logged: string[];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kc-mail-'));
  logged = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function mailer(environment: Record<string, string>, now = () => day) {
  const config = readConfig({ DATA_DIR: dataDir, MAIL_FROM: 'kc@example.com', ...environment }, dataDir);
  const log = createLog('INFO', { write: (line: string) => void logged.push(line) });
  return openMailer(config, log, now);
}

test('without SMTP_URL a mail is a file readable by its owner only, and the log names the file, not the token', async () => {
  const files = mailer({});
  await files.send(mail);
  files.close();
  const [name] = await readdir(join(dataDir, 'mail'));
  const path = join(dataDir, 'mail', name!);
  const written = await readFile(path, 'utf8');
  expect(written).toContain('From: Keyword Clustering <kc@example.com>\nTo: ann@example.com\n');
  expect(written).toContain('Subject: Set a new password\n');
  expect(written).toContain(mail.text);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, 'mail'))).mode & 0o777).toBe(0o700);
  expect(logged.join('')).toContain(name);
  expect(logged.join('')).not.toContain('reset-password#');
});

test('a mail file is removed after a day', async () => {
  const folder = join(dataDir, 'mail');
  const files = mailer({}, () => day);
  await files.send(mail);
  files.close();
  await removeOldMails(folder, 2 * day - 1);
  expect(await readdir(folder)).toHaveLength(1);
  await removeOldMails(folder, 2 * day);
  expect(await readdir(folder)).toEqual([]);
});

test('removing old mails from a missing folder does nothing', async () => {
  await expect(removeOldMails(join(dataDir, 'mail'), day)).resolves.toBeUndefined();
});

type Received = { from: string; to: string[]; user: string; text: string };

/** A mail server on the loopback that requires a user name and a password. */
async function smtpServer(received: Received[]) {
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, answer) =>
      password === 's3cret/' ? answer(null, { user: username }) : answer(new Error('Wrong password')),
    async onData(stream, { envelope, user }, done) {
      let text = '';
      for await (const part of stream) text += part;
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), user: String(user), text });
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { port, close: () => new Promise<void>((resolve) => server.close(resolve)) };
}

test('with SMTP_URL a mail is sent to that server, to one recipient, as text and as HTML', async () => {
  const received: Received[] = [];
  const server = await smtpServer(received);
  const smtp = mailer({ SMTP_URL: `smtp://post%40kc:s3cret%2F@127.0.0.1:${server.port}` });
  await smtp.send(mail);
  smtp.close();
  await server.close();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: 'kc@example.com', to: ['ann@example.com'], user: 'post@kc' });
  expect(received[0]!.text).toContain('Content-Type: multipart/alternative');
  expect(received[0]!.text).toContain('http://localhost:3000/reset-password#tok');
  expect(received[0]!.text).toContain('<p>Hello Ann,</p>');
  await expect(readdir(join(dataDir, 'mail'))).rejects.toThrow('ENOENT');
});

test('a mail server that refuses or is unreachable is a fault that can be retried', async () => {
  const server = await smtpServer([]);
  const refused = mailer({ SMTP_URL: `smtp://post:wrong@127.0.0.1:${server.port}` });
  await expect(refused.send(mail)).rejects.toThrow('Wrong password');
  await server.close();
  await expect(refused.send(mail)).rejects.toThrow('ECONNREFUSED');
  refused.close();
});
