/**
 * A URL as it is compared: without scheme, `www.`, fragment, parameters that begin with `utm_`, and slashes at the end
 * of the path; the host in lower case.
 */
export function normalUrl(url: string): string {
  const bare = url.trim().replace(/^[a-z][a-z\d+.-]*:\/\/|^\/\//iu, '');
  const [address = ''] = bare.split('#', 1);
  const at = address.indexOf('?');
  const page = at < 0 ? address : address.slice(0, at);
  const parameters = at < 0 ? [] : address.slice(at + 1).split('&');
  const kept = parameters.filter((parameter) => parameter !== '' && !/^utm_/iu.test(parameter));
  const slash = page.indexOf('/');
  const host = (slash < 0 ? page : page.slice(0, slash)).toLowerCase().replace(/^www\./u, '');
  const path = slash < 0 ? '' : page.slice(slash).replace(/(?<!\/)\/+$/u, '');
  const text = `${host}${path}` || '/';
  return kept.length > 0 ? `${text}?${kept.join('&')}` : text;
}
