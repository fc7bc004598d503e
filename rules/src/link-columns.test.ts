// Shows SEC-33.
import { expect, test } from 'vitest';
import { type FileColumn, isOffered, isShown, looksPersonal } from './link-columns.ts';

const column = (name: string, more: Partial<FileColumn> = {}): FileColumn => ({ name, kind: 'category', ...more });

test.each([
  ...[
    'Owner',
    'owner_name',
    'Contact email',
    'E-Mail',
    'contactEmail',
    'Phone no.',
    'Tags',
    'Status',
    'Notes',
    'Comment',
  ],
  ...[
    'Besitzer',
    'Zuständig',
    'Verantwortliche',
    'Ansprechpartnerin',
    'Notiz',
    'Vorname',
    'Responsable',
    'Propriétaire',
  ],
  ...[
    'Statut',
    'Étiquettes',
    'Correo electrónico',
    'Teléfono',
    'Comentarios',
    'Telefoonnummer',
    'Responsável',
    'Contatto',
  ],
  ...[
    'Ответственный',
    'Комментарий',
    'Имя',
    'Почта',
    'Ghi chú',
    'Trạng thái',
    'Người liên hệ',
    'Author',
    'assigned to',
  ],
])('a column named %s looks personal', (name) => {
  expect(looksPersonal(column(name))).toBe(true);
});

test.each([
  ...['Segment', 'URL', 'landing page', 'SERP features', 'Country', 'Clicks', 'Marke', 'Région', 'Kategorie', 'Intent'],
  ...['Season', 'effort', 'Wertung', 'Группа', 'Trend 2026', 'Keyword difficulty', 'Parent topic'],
])('a column named %s does not', (name) => {
  expect(looksPersonal(column(name))).toBe(false);
});

test('values with an email address make a column look personal, whatever its name is', () => {
  expect(looksPersonal(column('x', { values: ['', 'ask ann@example.org first'] }))).toBe(true);
  expect(looksPersonal(column('x', { values: ['', 'Ädä@münchen'] }))).toBe(true);
  expect(looksPersonal(column('x', { values: ['', '@home', 'a @ b', 'at@'] }))).toBe(false);
});

test('a link shows what was chosen by name, or what does not look personal, and always what figures are computed with', () => {
  const weight = column('Owner impressions', { kind: 'number', role: 'weight' });
  expect([column('Owner'), column('Segment'), weight].map((one) => isShown(one, 'impersonal'))).toEqual([
    false,
    true,
    true,
  ]);
  expect([column('Owner'), column('Segment'), weight].map((one) => isShown(one, ['Owner']))).toEqual([
    true,
    false,
    true,
  ]);
  expect([weight, column('position'), column('season=2026-04'), column('Segment')].map(isOffered)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
