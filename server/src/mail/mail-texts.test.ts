import { expect, test } from 'vitest';
import { assignmentLetter, failedImportLetter, importLetter, resetLetter, verificationLetter } from './mail-texts.ts';
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

test('T85 a mail about assignments lists twenty entries as text, and says how many more there are', () => {
  const entries = Array.from({ length: 23 }, (_, at) => ({
    map: 'garden <b>shop</b>',
    path: ['Rakes', `entry ${at}`],
    link: `https://keywords.example.com/visualization?v=x&sel=${at}`,
  }));
  const { subject, text, html } = assignmentLetter(ann, { by: ['Bob', 'Cara'], entries }, sender);
  expect(subject).toBe('You are now the owner of 23 plan entries');
  expect(text).toContain('Bob and Cara made you the owner of these entries:');
  expect(text).toContain(
    '\n\ngarden <b>shop</b> › Rakes › entry 19\nhttps://keywords.example.com/visualization?v=x&sel=19\n',
  );
  expect(text).not.toContain('entry 20');
  expect(text).toContain('3 more are in the plan under your name.');
  expect(html).toContain('garden &lt;b&gt;shop&lt;/b&gt; › Rakes › entry 0</a>');
  expect(html).not.toContain('<b>shop');
});

test('a mail about one entry names it in its text, and its subject has no text of a file', () => {
  const entry = { map: 'garden\u2028shop', path: ['Rakes'], link: 'https://keywords.example.com/shared?v=x' };
  const mail = assignmentLetter(ann, { by: [], entries: [entry] }, sender);
  expect(mail.subject).toBe('You are now the owner of a plan entry');
  expect(mail.text).toContain('Somebody made you the owner of “garden\u2028shop › Rakes”.');
  expect(() => toMessage(mail, 'kc@example.com')).not.toThrow();
});

const counts = { new: 1_200, gone: 0, moved: 3, volumeUp: 1, volumeDown: 2 };
const imported = {
  map: 'garden <b>shop</b>',
  keywords: 10_421,
  isFirst: false,
  link: 'https://keywords.example.com/v',
};

// Shows P31.1.
test('a mail about an import has the size and what changed, and names of files are text', () => {
  const changes = { since: 'x', keywords: counts, clusters: { ...counts, new: 7 }, planEntries: 2 };
  const { subject, text, html } = importLetter(ann, { ...imported, changes }, sender);
  expect(subject).toBe('Your map has new data');
  expect(text).toContain(
    '“garden <b>shop</b>” has new data: 10,421 keywords.\n\nKeywords: 1,200 new, 0 gone, 3 moved, 1 with more volume, 2 with less\n\nClusters: 7 new,',
  );
  expect(text).toContain('\n\nEntries of the plan that need a look: 2\n\nhttps://keywords.example.com/v\n');
  expect(html).toContain('garden &lt;b&gt;shop&lt;/b&gt;');
  expect(html).toContain('<p>Keywords: 1,200 new');
});

test('of a first import a mail says the size alone, and of one that could not be compared that it was not', () => {
  const first = importLetter(ann, { ...imported, isFirst: true, changes: undefined }, sender);
  expect(first.subject).toBe('You have a new map');
  expect(first.text).not.toMatch(/new,|could not/);
  const unknown = importLetter(ann, { ...imported, changes: undefined }, sender);
  expect(unknown.text).toContain('What changed could not be computed.');
  expect(unknown.text).not.toMatch(/new,|Entries/);
});

// Shows P31.3.
test('a mail about a failed import has the reason', () => {
  const mail = failedImportLetter(ann, { name: 'march.csv', reason: 'No keywords.', link: imported.link }, sender);
  expect(mail.subject).toBe('An import has failed');
  expect(mail.text).toContain('“march.csv” could not be imported: No keywords.');
});
