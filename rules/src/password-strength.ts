export type Strength = 'weak' | 'fair' | 'strong';

/** In bits: how much a stolen hash withstands for weeks, and for good, at the cost of our hashing. */
const fairBits = 40;
const strongBits = 65;

/** The kinds of characters that an attacker has to try, and how many there are of each. */
const kinds: readonly [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[^a-zA-Z0-9]/, 33],
];

/**
 * How hard a password is to guess, for the hint beside its field. What {@link isGuessable} refuses is weak; the rest is
 * rated by its length and its kinds of characters.
 *
 * @param email the address of the account, possibly incomplete or empty
 */
export function passwordStrength(password: string, email: string): Strength {
  const bits = entropyBits(password);
  if (bits < fairBits || isGuessable(password, email)) return 'weak';
  return bits < strongBits ? 'fair' : 'strong';
}

const nothing: ReadonlySet<string> = new Set();

/**
 * Whether a password is among the first that an attacker would guess: a common one, a common one with digits or signs
 * around it or with the usual letter swaps, one character or a short piece repeated, a run along the alphabet, the
 * digits or the keyboard, or one or two words (common ones, or from the account's own email or the name of this product)
 * with at most four characters around them.
 *
 * @param breached passwords found in breaches, in lower case. The server passes them; they are too many for the browser.
 */
export function isGuessable(password: string, email: string, breached = nothing): boolean {
  const plain = password.normalize('NFC').toLowerCase();
  const letters = unswapped(plain);
  const core = (text: string) => text.replace(/^\P{L}+|(?<!\P{L})\P{L}+$/gu, '');
  const candidates = [plain, letters, core(plain), core(letters)];
  if (candidates.some((candidate) => commonPasswords.has(candidate))) return true;
  if ([plain, letters].some((candidate) => breached.has(candidate))) return true;
  if (isRepetition(plain) || isRun(plain)) return true;
  return isKnownWords(plain, email) || isKnownWords(letters, email);
}

/**
 * The entropy of a password whose characters are random within their kinds, in bits. A character that repeats the one
 * before it, or is next to it in the alphabet (aaa, abc, 321), adds nothing.
 */
function entropyBits(password: string): number {
  const pool = kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  const codes = [...password].map((character) => character.codePointAt(0)!);
  const surprising = codes.filter((code, at) => at === 0 || Math.abs(code - codes[at - 1]!) > 1).length;
  return surprising * Math.log2(pool || 1);
}

/** Words of this product, which its users try first. */
const productWords = ['keywordclustering', 'keyword', 'keywords', 'clustering', 'cluster', 'admin', 'administrator'];

/** Undoes the usual letter swaps: p4$$w0rd → password. */
function unswapped(text: string): string {
  const swaps: Readonly<Record<string, string>> = {
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '@': 'a',
    $: 's',
    '!': 'i',
  };
  return text.replace(/[013457@$!]/g, (sign) => swaps[sign] ?? sign);
}

/** Whether a piece of up to four characters repeats: aaaaaa, abcabc. */
const isRepetition = (text: string): boolean => /^(.{1,4}?)\1+$/u.test(text) && text.length < 24;

const runs = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qwertzuiop',
  'azertyuiop',
];

/** Whether at least two thirds of the characters continue a run, in either direction. */
function isRun(text: string): boolean {
  const lines = [...runs, ...runs.map((run) => [...run].reverse().join(''))];
  let steps = 0;
  for (let i = 1; i < text.length; i++) {
    if (lines.some((line) => line.includes(text.slice(i - 1, i + 1)))) steps++;
  }
  return text.length > 1 && steps / (text.length - 1) >= 2 / 3 && text.length < 30;
}

function ownWords(email: string): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const parts = [email.toLowerCase(), local, ...local.split(/[.+_-]/), domain, domain.split('.')[0] ?? ''];
  return [...parts.filter((part) => part.length >= 4), ...productWords];
}

/** Whether the text is one or two known words and at most four more characters. Blanks and signs are not counted. */
function isKnownWords(text: string, email: string): boolean {
  const dense = withoutSigns(text);
  const words = [...ownWords(email), ...commonPasswords].map(withoutSigns).filter((word) => word.length >= 4);
  const rests = words.filter((word) => dense.includes(word)).map((word) => dense.replace(word, ''));
  // Lengths are compared first. Otherwise a long password made of words needs a search for each pair of words.
  return rests.some(
    (rest) => rest.length <= 4 || words.some((word) => rest.length - word.length <= 4 && rest.includes(word)),
  );
}

const withoutSigns = (text: string): string => text.replace(/[\s._-]/g, '');

/**
 * The words and sequences at the top of published lists of leaked passwords, in lower case. `password-strength.ts` covers
 * their variants with digits, signs and swapped letters.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `password passwort passwd pass passphrase passcode secret letmein welcome willkommen bienvenue login logon signin master
  changeme change temp temporary default guest user username test testing tester demo sample example root toor system
  qwerty qwertz azerty asdf asdfgh zxcvbn qazwsx qweasd qweasdzxc qazwsxedc poiuyt lkjhgf mnbvcxz abc abcd abcdef
  iloveyou iloveu ilovegod iloveme loveyou lovely lover love loveme sunshine princess prince angel angels baby babygirl
  dragon monkey football baseball basketball soccer hockey tennis golf superman batman spiderman ironman starwars
  pokemon naruto minecraft fortnite roblox matrix trustno trust shadow hunter ranger killer cookie cookies chocolate
  cheese banana orange apple cherry pepper ginger sugar honey butter flower flowers summer winter spring autumn
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
  october november december michael michelle jennifer jessica jordan ashley amanda andrew anthony daniel david robert
  thomas charlie george william joshua matthew nicole samantha hannah thomasthomas maggie buster bailey tigger harley
  jackson justin taylor alexander alex alexis andrea anna barbara brandon carlos chelsea chris christian christine
  computer internet server database network windows linux ubuntu google facebook twitter youtube instagram amazon
  microsoft samsung nokia iphone android mobile office business company corporate manager support service helpdesk
  freedom liberty america england london paris berlin france germany deutschland italia canada mexico brazil india
  liverpool arsenal chelseafc barcelona realmadrid juventus manchester united yankees cowboys eagles steelers lakers
  mustang ferrari porsche mercedes corvette camaro harleydavidson yamaha honda toyota silver golden diamond crystal
  purple yellow green blue black white red pink rainbow star stars galaxy moon ocean river mountain forest tiger lion
  lions tigers bears eagle falcon phoenix wolf wolves panther dolphin butterfly kitten kitty puppy doggy horse spider
  snoopy mickey donald disney garfield scooby simpson cartman gandalf frodo merlin arthur excalibur legend warrior
  knight wizard magic ninja samurai pirate assassin sniper gunner hacker hackers access admin administrator adminadmin
  passadmin rootroot testtest useruser passpass hello hellohello helloworld goodbye whatever nothing something anything
  nopassword mypassword yourpassword thepassword newpassword oldpassword password password1234 passwordpassword
  letmeinnow openup opensesame sesame welcomehome welcometo correcthorsebatterystaple ncc1701 thx1138 bond007 abc123
  a1b2c3 a1b2c3d4 q1w2e3 q1w2e3r4 q1w2e3r4t5 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1xsw2
  1a2b3c 1a2b3c4d aa123456 a123456 a12345678 123qwe 123abc qwe123 asd123 zxc123 123456a 12345a pass1234 admin123
  147258 147258369 159753 159357 123654 789456 741852963 987654 112233 11223344 121212 123321 1234321 102030
  314159 271828 696969 131313 232323 777777 20202020 19841984 00000000 keyword keywords clustering cluster seo search
  ranking marketing analytics content website traffic password1 family friends friend forever mother father brother
  sister daddy mommy mummy mama papa grandma jesus jesuschrist christ god heaven blessed faith hope grace angelo
  peanut pumpkin cupcake muffin snickers twinkie oreo coffee cappuccino espresso vodka whiskey tequila guitar piano
  music rockstar metallica nirvana eminem beatles elvis madonna shakira rihanna beyonce slipknot blink182 greenday
  asshole fuckyou fuckoff bitch biteme bullshit dickhead pussy sexy sexsex hardcore playboy hotmail gmail yahoo email
  mail mailbox monster redbull cocacola pepsi heineken budweiser marlboro nirvana1 scorpio gemini taurus pisces libra
  aquarius virgo sagittarius capricorn lucky lucky7 number1 nummereins champion winner victory success power energy
  money million dollar bitcoin crypto ethereum satoshi hodl trading banking account secure security safety private
  qwertyui asdfghjk zxcvbnm1 asdfasdf qwerqwer zxczxc abcabc aaaaaa bbbbbb zzzzzz xxxxxx loveislife lifeisgood
  justdoit imagine dreamer dream believe forever21 always never maybe yes nope okay please thanks thankyou`
    .split(/\s+/)
    .filter(Boolean),
);

/** Lowercase letters and digits, without those that are easily confused: 0 and o; 1, i and l. */
const signs = 'abcdefghjkmnpqrstuvwxyz23456789';
const groups = 4;
const groupLength = 4;

/**
 * A password that is easy to read out and type: `k7mp-x3qd-w9rt-hv2n`. About 79 bits.
 *
 * @param random a uniform, unpredictable integer in [0, below)
 */
export function readablePassword(random: (below: number) => number): string {
  const group = () => Array.from({ length: groupLength }, () => signs[random(signs.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}
