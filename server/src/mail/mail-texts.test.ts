import { expect, test } from 'vitest';
import { resetLetter, verificationLetter } from './mail-texts.ts';
import { toMessage } from './mailer.ts';

const sender = { baseUrl: new URL('https://keywords.example.com'), supportEmail: 'help@example.com' };
const ann = { email: 'ann@example.com', displayName: 'Ann' };

test('T14 the link in a mail consists of BASE_URL with the token in its fragment', () => {
  const reset = resetLetter(ann, 'tok_en-1', sender);
  const verification = verificationLetter(ann, 'tok_en-2', sender);
  expect(reset.text).toContain('\nhttps://keywords.example.com/reset-password#tok_en-1\n');
  expect(verification.text).toContain('\nhttps://keywords.example.com/verify-email#tok_en-2\n');
  expect(reset.html).toContain('href="https://keywords.example.com/reset-password#tok_en-1"');
  expect(reset.text).toContain('Questions? Write to help@example.com.');
});

test('a user without a name is greeted by the part of the email before @', () => {
  expect(resetLetter({ ...ann, displayName: '' }, 't', sender).text).toMatch(/^Hello ann,\n/);
});

test('T5 a name is text in the mail, never markup', () => {
  const { html } = resetLetter({ ...ann, displayName: '<img src=x onerror="alert(1)">&\'' }, 't', sender);
  expect(html).toContain('Hello &lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;,');
  expect(html).not.toContain('<img');
});

test.each([
  { to: 'ann@example.com\r\nBcc: eve@example.com' },
  { subject: 'Hello\nBcc: eve@example.com' },
  { subject: 'Hello\u2028there' },
])('T5 a mail with the header %j is rejected', (change) => {
  const mail = { ...resetLetter(ann, 't', sender), ...change };
  expect(() => toMessage(mail, 'kc@example.com')).toThrow('control character');
});
