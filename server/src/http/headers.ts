import { googleCallback, googleStart } from '@kc/rules/google';

/**
 * The kind of a response: a page, the page on which a popup returns from Google, a worker script, any other static
 * file, the API, a user's picture, or a file to download. What is sent as an attachment is a file, whatever its path.
 */
type ResponseKind = 'document' | 'callback' | 'worker' | 'asset' | 'api' | 'picture' | 'file';

const policy = (scripts: string) =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types kc',
  ].join('; ');

/** Runs nothing and sends nothing, if a browser shows it as a page in spite of everything. */
function sandboxed(): string {
  return `${policy("'self'")}; sandbox`;
}

/** Scripts, styles and pictures are under the policy of the page that loads them, and there are some sixty of them. */
const policies: Readonly<Record<Exclude<ResponseKind, 'asset'>, string>> = {
  document: policy("'self'"),
  callback: policy("'self'"),
  // Workers that run WebAssembly have their own policy; no page may compile it.
  worker: policy("'self' 'wasm-unsafe-eval'"),
  api: policy("'self'"),
  picture: sandboxed(),
  file: sandboxed(),
};

const switchedOff = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
  'xr-spatial-tracking',
];
const permissions = switchedOff.map((feature) => `${feature}=()`).join(', ');

type HeaderOptions = {
  readonly https: boolean;
  /** Whether subdomains must use https as well. */
  readonly hstsSubdomains: boolean;
  /** Google's popup must be able to return to the page that opened it. */
  readonly popups: boolean;
};

/** The security headers of a kind of response. Source: SECURITY.md, SEC-10, S16, T50, T52. */
export function securityHeaders(kind: ResponseKind, options: HeaderOptions): Record<string, string> {
  return {
    ...(kind === 'asset' ? {} : { 'Content-Security-Policy': policies[kind] }),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': openerPolicy(kind, options),
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(kind === 'document' || kind === 'callback' ? { 'Permissions-Policy': permissions } : {}),
    ...(options.https ? { 'Strict-Transport-Security': strictTransport(options) } : {}),
    ...(kind === 'api' || kind === 'callback' || kind === 'file'
      ? { 'Cache-Control': 'no-store', Vary: 'Cookie' }
      : {}),
    ...(kind === 'picture' ? { 'Cache-Control': 'private, no-cache', Vary: 'Cookie' } : {}),
  };
}

/** A subdomain may belong to others and use plain http: only the operator of the domain can decide for it. */
const strictTransport = ({ hstsSubdomains }: HeaderOptions): string =>
  `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`;

/** {@link securityHeaders} of every kind, computed once for all responses of a server. */
export function headersByKind(options: HeaderOptions): Readonly<Record<ResponseKind, Record<string, string>>> {
  const of = (kind: ResponseKind) => Object.freeze(securityHeaders(kind, options));
  return {
    document: of('document'),
    callback: of('callback'),
    worker: of('worker'),
    asset: of('asset'),
    api: of('api'),
    picture: of('picture'),
    file: of('file'),
  };
}

/**
 * A page may open Google's popup and see whether it is closed; the popup may return. No other page keeps a reference to
 * one.
 */
function openerPolicy(kind: ResponseKind, { popups }: HeaderOptions): string {
  if (popups && kind === 'document') return 'same-origin-allow-popups';
  return popups && kind === 'callback' ? 'unsafe-none' : 'same-origin';
}

/**
 * In addition, for the page of a link and for everything that its visitors read: nothing of it is kept or listed
 * anywhere. Set last, so that no route allows more.
 *
 * @param path of the URL, without the query
 */
export function linkHeaders(path: string): Readonly<Record<string, string>> | undefined {
  return /^\/(api\/)?shared(\/|$)/.test(path) ? unlisted : undefined;
}

const unlisted = Object.freeze({
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
});

/** Of everything but files, which are known by their header. @param path of the URL, without the query */
export function responseKind(path: string): Exclude<ResponseKind, 'file'> {
  if (/^\/api\/avatars\/[^/]+$/.test(path)) return 'picture';
  // Includes the start: a redirect's policy counts as much as a page's.
  if (path === googleStart || path === googleCallback) return 'callback';
  if (/^\/(api(\/|$)|healthz$|readyz$|mcp$)/.test(path)) return 'api';
  if (/^\/assets\/[^/]*worker[^/]*\.js$/.test(path)) return 'worker';
  return /\.[a-z0-9]+$/i.test(path) && !path.endsWith('.html') ? 'asset' : 'document';
}

/**
 * The `Content-Disposition` of a download whose name a user chose: an ASCII name for old clients, and the real one.
 *
 * Source: RFC 6266 §4, RFC 8187 §3.2.
 */
export function attachmentHeader(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(Buffer.from(fileName).toString()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
