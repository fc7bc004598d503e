import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalised, type Vectors } from '../features/vectors.ts';
import { centralityOf } from '../hierarchy/linkage.ts';
import { wordsOf } from '../words/words.ts';
import { mainKeyword } from './main-keyword.ts';
import { type NamingWay, namesOf, termsOf } from './names.ts';
import { listWordsOf } from './phrases.ts';

const unknown = Number.NaN;
const words = wordsOf('en');

describe('the main keyword of a group', () => {
  const texts = ['nike socks', 'socks', 'white socks', 'zebra'];
  const main = (centrality: number[], volume: number[], names = texts) => {
    const rows = Uint32Array.from(names.keys());
    const columns = { texts: names, volume: Float64Array.from(volume), centrality: Float32Array.from(centrality) };
    return names[mainKeyword(rows, columns)!];
  };

  test('is the heaviest of the central half', () => {
    expect(main([0.9, 0.8, 0.7, 0.1], [10, 20, 30, 1000])).toBe('socks');
  });
  test('is the closest to the centre without volumes', () => {
    expect(main([0.7, 0.8, 0.9, 0.1], [unknown, unknown, unknown, unknown])).toBe('white socks');
  });
  test('is not one of unknown volume if another volume is known, and 0 is known', () => {
    expect(main([0.9, 0.8, 0.1, 0.1], [unknown, 0, 5, 5])).toBe('socks');
  });
  test('is the shorter one on a tie, then the first in the alphabet', () => {
    expect(main([0.9, 0.9, 0.1, 0.1], [7, 7, 0, 0], ['bbb', 'aa', 'c', 'd'])).toBe('aa');
    expect(main([0.9, 0.9, 0.1, 0.1], [7, 7, 0, 0], ['bb', 'aa', 'c', 'd'])).toBe('aa');
  });
});

/** The names of topics whose keywords are given, one topic after the other; `above` is the number of the upper one. */
function named(
  topics: readonly { readonly above?: number; readonly keywords: readonly string[]; readonly name?: string }[],
  way: NamingWay = 'phrase',
  volumeOf: (text: string) => number = () => unknown,
) {
  const rows = topics.flatMap(({ keywords }, topic) => keywords.map((text) => ({ text, topic })));
  const texts = rows.map(({ text }) => text);
  const nameable = {
    texts,
    volume: Float64Array.from(texts, volumeOf),
    weight: new Float64Array(texts.length).fill(1),
    centrality: new Float32Array(texts.length).fill(1),
  };
  const tree = {
    parent: topics.map(({ above = -1 }) => above),
    topicOf: Int32Array.from(rows, ({ topic }) => topic),
    fixedNames: topics.map(({ name }) => name),
  };
  return namesOf(tree, nameable, listWordsOf(texts, nameable.weight, words), words, way);
}

const about = (subject: string) =>
  ['tutorial', 'examples', 'download', 'free', 'slow'].map((more) => `drupal ${subject} ${more}`);

describe('the name of a topic', () => {
  // Shows P20.14.
  test('is the phrase that its keywords have and others do not, without the words of most of the list', () => {
    const { names } = named([
      { keywords: about('views') },
      { keywords: about('commerce') },
      { keywords: about('themes') },
      { keywords: about('form builder') },
    ]);
    expect(names).toEqual(['views', 'commerce', 'themes', 'form builder']);
  });
  test('may have the words of most of the list with it', () => {
    const topics = [about('views'), about('commerce'), about('themes'), about('form builder')];
    const { names } = named(
      topics.map((keywords) => ({ keywords })),
      'seed-phrase',
    );
    expect(names).toEqual(['drupal views', 'drupal commerce', 'drupal themes', 'drupal form builder']);
  });
  test('may be the best keyword', () => {
    const volumeOf = (text: string) => (text.endsWith('free') ? 10 : 1);
    expect(named([{ keywords: about('views') }, { keywords: about('forms') }], 'keyword', volumeOf).names).toEqual([
      'drupal views free',
      'drupal forms free',
    ]);
  });
  test('is spelled as the list spells it, in its order of words', () => {
    const { names } = named([
      { keywords: ['GA4 set-up', 'GA4 set-up guide', 'free GA4 set-up', 'guide of GA4 set-up'] },
      { keywords: ['Café am Rhein', 'bestes Café am Rhein', 'Café am Rhein heute'] },
    ]);
    expect(names).toEqual(['GA4 set-up', 'Café am Rhein']);
  });
  test('is spelled as most people search it', () => {
    const cafes = ['café hours', 'café prices', 'café jobs', 'cafe menu', 'cafe seats'];
    const volumeOf = (text: string) => (text.startsWith('cafe') ? 100 : 1);
    const topics = [{ keywords: cafes }, { keywords: ['hose', 'hose reel', 'blue hose'] }];
    expect(named(topics, 'phrase', volumeOf).names).toEqual(['cafe', 'hose']);
    expect(named(topics).names).toEqual(['café', 'hose']);
  });
  test('is no number', () => {
    const { names } = named([
      { keywords: ['tax 2024', 'income 2024', 'rent rise 2024', 'sales report 2024'] },
      { keywords: ['hose', 'hose reel', 'blue hose'] },
    ]);
    expect(names).toEqual(['tax 2024', 'hose']);
  });
  test('neither begins nor ends with a word that says nothing by itself', () => {
    const { names } = named([
      { keywords: ['how much is the rent', 'how much is rent here', 'how much is my rent'] },
      { keywords: ['card not working', 'my card is not working', 'why is a card not working'] },
    ]);
    expect(names).toEqual(['rent', 'card not working']);
  });
  test('is that of no topic above or beside it', () => {
    const { names } = named([
      { keywords: [] },
      { above: 0, keywords: ['ssl certificate', 'ssl', 'ssl test', 'ssl certificate price'] },
      { above: 0, keywords: ['ssl error', 'ssl error fix', 'error of ssl'] },
      { keywords: ['garden hose', 'garden hose reel'] },
      { keywords: ['garden hose blue', 'garden hose green'] },
    ]);
    expect(new Set(names).size).toBe(5);
    expect(names[0]).toBe('ssl');
    expect(names[2]).toBe('ssl error');
  });
  test('stays if it is given, and no other topic gets it', () => {
    const { names } = named([
      { keywords: ['red shoe', 'red shoes cheap', 'red shoe sale'] },
      { keywords: ['zebra'], name: 'red shoes' },
    ]);
    expect(names).toEqual(['red', 'red shoes']);
  });
  test('is two phrases where neither covers much', () => {
    const servers = 'nginx log,nginx port,nginx user,apache log,apache port,apache user,iis,tomcat,caddy'.split(',');
    const others = [...'abcdefgh'].map((letter) => `garden ${letter}x log port user`);
    const { names } = named([{ keywords: servers }, { keywords: others }]);
    expect(names[0]).toBe('apache, nginx');
  });
  test('begins with the phrase that more keywords have, although fewer people search it', () => {
    const servers = [
      ...['nginx', 'nginx log', 'nginx port', 'nginx user', 'apache log', 'apache port', 'apache user'],
      ...['iis', 'tomcat', 'caddy', 'jetty', 'lighttpd'],
    ];
    const others = [...'abcdefgh'].map((letter) => `garden ${letter}x log port user`);
    const volumeOf = (text: string) => (text.startsWith('apache') ? 100 : 1);
    const { names } = named([{ keywords: servers }, { keywords: others }], 'phrase', volumeOf);
    expect(names[0]).toBe('nginx, apache');
  });
  test('is the shortest keyword of both phrases, if one has just these words', () => {
    const servers = 'nginx log,nginx port,apache log,apache port,iis,tomcat,caddy,jetty,lighttpd'.split(',');
    const both = ['apache with nginx', 'an apache for the nginx'];
    const others = [...'abcdefgh'].map((letter) => `garden ${letter}x log port user`);
    const nameWith = (keywords: readonly string[]) =>
      named([{ keywords: [...servers, ...keywords] }, { keywords: others }]).names[0];
    expect(nameWith([])).toBe('apache, nginx');
    expect(nameWith(['apache to nginx proxy'])).toBe('apache, nginx');
    expect(nameWith(['an apache for the nginx'])).toBe('an apache for the nginx');
    expect(nameWith(both)).toBe('apache with nginx');
  });
  test('is one phrase where two often stand side by side', () => {
    const keywords = ['staging site', 'staging url', 'staging branch', 'local environment', 'environment variable'];
    const both = [
      'staging environment',
      'copy of the staging environment',
      'iis',
      'tomcat',
      'caddy',
      'jetty',
      'lighttpd',
    ];
    const below = [
      { keywords: [] },
      { above: 0, keywords: [...keywords, ...both] },
      { above: 0, keywords: ['hose', 'hose reel'] },
    ];
    const others = [...'abcdefgh'].map((letter) => `garden ${letter}x site url variable copy`);
    expect(named([...below, { keywords: others }]).names[0]).toBe('staging environment');
    const without = below.map((topic) => ({
      ...topic,
      keywords: topic.keywords.filter((one) => !both.slice(0, 2).includes(one)),
    }));
    expect(named([...without, { keywords: others }]).names[0]).toBe('staging, environment');
  });
  test('may be a question with both phrases', () => {
    const servers = 'uat,uat plan,stand alone,stand up,iis,tomcat,caddy,jetty,lighttpd,nginx,httpd'.split(',');
    const others = [...'abcdefgh'].map((letter) => `garden ${letter}x plan sheet alone up`);
    const nameWith = (keywords: readonly string[]) =>
      named([{ keywords: [...servers, ...keywords] }, { keywords: others }]).names[0];
    expect(nameWith(['what does uat stand for'])).toBe('what does uat stand for');
    expect(nameWith(['what does uat stand for', 'stand of uat'])).toBe('stand of uat');
  });
  test('leaves out the words of most of the list between its own', () => {
    const keywords = ['', ' free', ' list', ' shop', ' blog'].map((more) => `views drupal templates${more}`);
    const others = [about('commerce'), about('themes'), about('form builder')];
    const topics = [keywords, ...others].map((some) => ({ keywords: some }));
    expect(named(topics).names[0]).toBe('views templates');
    expect(named(topics, 'seed-phrase').names[0]).toBe('views drupal templates');
  });
  // Shows P20.14.
  test('says that its keywords have only the words of most of the list in common', () => {
    const subjects = Array.from({ length: 30 }, (_, number) => `drupal thing${number}`);
    const { names, isRest } = named([{ keywords: subjects }, { keywords: about('views') }]);
    expect(names).toEqual(['Other: drupal', 'views']);
    expect(isRest).toEqual([true, false]);
  });
  test('tells two such topics apart', () => {
    const things = (from: number) => Array.from({ length: 30 }, (_, number) => `drupal thing${from + number}`);
    const { names } = named([{ keywords: things(100) }, { keywords: things(200) }]);
    expect(names).toEqual(['Other: drupal', 'Other: drupal thing200']);
  });
  // Shows P20.14.
  test('says what the largest parts of a topic are whose keywords have little else in common', () => {
    const things = (from: number) => Array.from({ length: 20 }, (_, number) => `drupal thing${from + number}`);
    const someOf = (subject: string, times: number) =>
      things(300)
        .slice(0, times)
        .map((text) => `${text}${subject[0]} ${subject}`);
    const { names, isRest } = named([
      { keywords: [...things(100), ...someOf('lms', 3), ...someOf('yoast', 2), 'drupal 4', 'drupal 4 old'] },
      { keywords: [...things(200), ...someOf('logger', 3), ...someOf('10.4', 2)] },
      { keywords: about('views') },
    ]);
    expect(names).toEqual(['Other: lms, yoast', 'Other: logger, 10.4', 'views']);
    expect(isRest).toEqual([true, true, false]);
  });
  test('is that of its two largest parts where a few keywords have nothing in common', () => {
    const few = ['drupal xhprof', 'xhprof in drupal', 'drupal lms', 'lms for drupal', 'drupal nid', 'drupal tid'];
    const { names, isRest } = named([
      { keywords: few },
      { keywords: about('views') },
      { keywords: about('themes') },
      { keywords: about('forms') },
    ]);
    expect(names[0]).toBe('lms, xhprof');
    expect(isRest[0]).toBe(false);
  });
  test('is a keyword where a topic is the only one of another one', () => {
    const hosting = [
      'cheap drupal hosting',
      'drupal hosting',
      'drupal hosting free',
      'drupal hosting price vps',
      'drupal hosting vps',
    ];
    const others = [about('views'), about('themes'), about('forms')].map((keywords) => ({ keywords }));
    expect(named([{ keywords: [] }, { above: 0, keywords: hosting }, ...others]).names.slice(0, 2)).toEqual([
      'hosting',
      'drupal hosting',
    ]);
    expect(named([{ keywords: [], name: 'Servers' }, { above: 0, keywords: hosting }, ...others]).names[1]).toBe(
      'hosting',
    );
  });
  test('is a keyword rather than a phrase that says much less than the one above', () => {
    const cache = [
      ...['', ' slow', ' big', ' api', ' module', ' old', ' new', ' file', ' page'].map(
        (more) => `drupal cache${more}`,
      ),
      ...['red', 'blue', 'green'].map((colour) => `free ${colour} drupal cache`),
    ];
    const others = ['views', 'themes', 'forms', 'nodes', 'users'].map(about).map((keywords) => ({ keywords }));
    const { names } = named([
      { keywords: [], name: 'cache' },
      { above: 0, keywords: cache },
      { above: 0, keywords: about('varnish cache') },
      ...others,
    ]);
    expect(names.slice(0, 3)).toEqual(['cache', 'drupal cache', 'varnish cache']);
  });
  test('is a part of the text in scripts without blanks', () => {
    const { names } = named([
      { keywords: ['東京旅行', '東京旅行 安い', '東京旅行の本'] },
      { keywords: ['大阪', '大阪の城'] },
    ]);
    expect(names).toEqual(['東京旅行', '大阪']);
  });

  const vocabulary = 'ssl form hose views red log of how'.split(' ');
  const keyword = fc
    .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 4 })
    .map((some) => some.join(' '));
  // Shows P20.14.
  test('differs from those above and beside it, whatever the list, and the order of keywords does not matter', () => {
    const lists = fc.uniqueArray(fc.tuple(keyword, fc.nat(5), fc.nat(3)), {
      minLength: 1,
      maxLength: 30,
      selector: ([text]) => text,
    });
    fc.assert(
      fc.property(lists, (rows) => {
        const parent = [-1, -1, 0, 0, 1, 1];
        const volume = new Map(rows.map(([text, , searches]) => [text, searches]));
        const namesBy = (order: typeof rows) => {
          const inTopic = (topic: number) => order.filter((row) => row[1] === topic).map(([text]) => text);
          const has = (topic: number): boolean =>
            inTopic(topic).length > 0 || parent.some((above, below) => above === topic && has(below));
          const kept = parent.flatMap((_, topic) => (has(topic) ? [topic] : []));
          const topics = kept.map((topic) => ({ above: kept.indexOf(parent[topic]!), keywords: inTopic(topic) }));
          return { kept, names: named(topics, 'phrase', (text) => volume.get(text)!).names };
        };
        const { kept, names } = namesBy(rows);
        kept.forEach((topic, at) => {
          const above = kept.indexOf(parent[topic]!);
          expect(names[at]).not.toBe(names[above]);
          kept.forEach((other, place) => {
            if (place !== at && parent[other] === parent[topic]) expect(names[place]).not.toBe(names[at]);
          });
        });
        expect(namesBy(rows.toReversed()).names).toEqual(names);
      }),
      {
        examples: [
          // The same words in two orders, equally often.
          [
            [
              ['red form red ssl', 4, 0],
              ['form red form', 4, 0],
            ],
          ],
          // Nothing is left to call the last topic after.
          [
            [
              ['log', 5, 0],
              ['ssl log', 4, 0],
              ['ssl', 5, 0],
              ['log ssl', 4, 0],
            ],
          ],
        ],
      },
    );
  });
});

describe('the terms of a topic', () => {
  const texts = [
    'drupal views tutorial',
    'drupal views',
    'what are drupal views used for',
    'drupal themes free',
    'best drupal themes',
    'drupal themes',
  ];
  const topics = { parent: [-1, -1], topicOf: Int32Array.of(0, 0, 0, 1, 1, 1) };
  const terms = (some: readonly string[], weight = new Float64Array(some.length).fill(1), of = topics) =>
    termsOf(of, listWordsOf(some, weight, words), weight, 1);

  test('are those that the other topics do not have, as they are spelled first', () => {
    expect(terms(texts)).toEqual([['views'], ['themes']]);
  });
  test('are not those that all topics share', () => {
    expect(terms(texts.map((text) => `${text} module`))).toEqual([['views'], ['themes']]);
  });
  test('count a row as many times as it stands for keywords', () => {
    const one = { parent: [-1], topicOf: Int32Array.of(0, 0) };
    expect(terms(['apple', 'pear'], Float64Array.of(1, 5), one)).toEqual([['pear']]);
  });
});

test('centrality is the cosine to the mean direction of the group', () => {
  const vectors: Vectors = normalised({ values: Float32Array.of(1, 0, 0, 1, 1, 0, 0, 1), dimensions: 2 });
  const found = centralityOf(vectors, Int32Array.of(0, 0, 1, -1), 2);
  const half = Math.round(1000 * Math.SQRT1_2) / 1000;
  expect([...found].map((value) => Math.round(1000 * value) / 1000)).toEqual([half, half, 1, unknown]);
});
