import { expect, test } from 'vitest';
import { packOf } from '../../test/support/filter-trees.ts';
import { fileLanguages } from '../filter/file-languages.ts';
import { questionLanguages } from '../filter/filter.ts';
import { findQuestions, questionTest } from './match-questions.ts';

const names = [
  ...['how to run', 'Howard shoes', 'shoes how', 'best shoes?', 'shoes ？', 'is it', 'island'],
  ...['wie groß', 'WIE  viel', 'por que', 'por', 'porque', '¿cómo elegir', 'кто это', 'giày là gì', 'là giày gì'],
  ...['靴とは', '靴', '怎么选鞋', '신발 어떻게', 'qué', 'que sera', "qu'est-ce que", 'ما هي؟', ''],
];

test('a name at hand is a question exactly if it is one among all names', async () => {
  const children = names.map((name) => ({ name }));
  const { pack } = await packOf({ name: 'root', children }, []);
  const texts = await pack.texts('name');
  const inPack = Array.from({ length: pack.metadata.nodes }, (_, row) =>
    new TextDecoder().decode(texts.bytes.subarray(texts.start[row]!, texts.start[row + 1]!)),
  );
  for (const languages of [...questionLanguages.map((one) => [one]), questionLanguages]) {
    const found = await findQuestions(pack, languages, {});
    const isQuestion = questionTest(languages);
    expect(inPack.filter(isQuestion), languages.join()).toEqual(inPack.filter((_, row) => found[row] === 1));
  }
  expect(inPack.filter(questionTest(['en']))).toEqual(
    expect.arrayContaining(['how to run', 'best shoes?', 'shoes ？', 'is it']),
  );
  expect(inPack.filter(questionTest(['en']))).not.toContain('island');
});

test('the languages of a file are English and those that a column names', () => {
  const column = (name: string, ...values: string[]) => ({ name, kind: 'category', values });
  expect(fileLanguages([])).toEqual(['en']);
  expect(fileLanguages([column('Country', 'AT', 'fr-FR', ''), column('Notes', 'es')])).toEqual(['de', 'en', 'fr']);
  expect(fileLanguages([column('language', 'Japanese'), { name: 'lang', kind: 'number' }])).toEqual(['en', 'ja']);
});
