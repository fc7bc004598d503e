import { expect, test } from 'vitest';
import { attachmentHeader } from '../../http/headers.ts';

test('a plain name is unchanged', () => {
  expect(attachmentHeader('shoes.json')).toBe(`attachment; filename="shoes.json"; filename*=UTF-8''shoes.json`);
});

test('a name in any script is kept, and no character of it can end the header', () => {
  expect(attachmentHeader('từ khóa "1".json')).toBe(
    `attachment; filename="t_ kh_a _1_.json"; filename*=UTF-8''t%E1%BB%AB%20kh%C3%B3a%20%221%22.json`,
  );
  expect(attachmentHeader('a\r\nb.json')).not.toMatch(/[\r\n]/);
});

test('half a surrogate pair becomes a replacement character', () => {
  expect(attachmentHeader('\ud800.json')).toContain("UTF-8''%EF%BF%BD.json");
});
