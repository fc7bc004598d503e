import { openAsBlob } from 'node:fs';

const password = 'a long quiet evening';
/** The chunk size that the browser reaches on a fast connection. */
export const chunkBytes = 16 * 2 ** 20;
export const tus = { 'tus-resumable': '1.0.0' };

/** The environment that {@link signInAsAdmin} requires. */
export const withAdmin = { ADMIN_PASSWORD: password };
export const adminCredentials = { email: 'admin@example.com', password, remember: false };

export type SignedIn = { readonly cookie: string; readonly userId: string };

export async function signInAsAdmin(url: string): Promise<SignedIn> {
  const signedIn = await fetch(`${url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(adminCredentials),
  });
  const { account } = (await signedIn.json()) as { account?: { id: string } };
  return { cookie: signedIn.headers.get('set-cookie')?.split(';')[0] ?? '', userId: account?.id ?? '' };
}

/** @returns the URL of a new upload of a file */
export async function beginUpload(url: string, { cookie, userId }: SignedIn, bytes: number): Promise<string> {
  const metadata = Object.entries({ filename: 'set.json', userId })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
  const created = await fetch(`${url}/api/uploads`, {
    method: 'POST',
    headers: { ...tus, cookie, 'upload-length': String(bytes), 'upload-metadata': metadata },
  });
  const location = created.headers.get('location');
  if (!location) throw new Error(`An upload was answered with ${created.status}`);
  return new URL(location, url).href;
}

/** Sends a file as a browser does, and waits until it is the user's active visualization. */
export async function sendUpload(url: string, person: SignedIn, path: string): Promise<void> {
  const file = await openAsBlob(path);
  const upload = await beginUpload(url, person, file.size);
  const { cookie } = person;
  for (let offset = 0; offset < file.size; offset += chunkBytes) {
    const sent = await fetch(upload, {
      method: 'PATCH',
      headers: { ...tus, cookie, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      body: file.slice(offset, offset + chunkBytes),
    });
    if (sent.status !== 204) throw new Error(`A chunk was answered with ${sent.status}: ${await sent.text()}`);
  }
  await untilActive(upload, cookie);
}

/** @throws Error if the upload failed */
export async function untilActive(upload: string, cookie: string): Promise<void> {
  for (;;) {
    const status = (await (await fetch(`${upload}/status`, { headers: { cookie } })).json()) as { state: string };
    if (status.state === 'active') return;
    if (status.state === 'failed') throw new Error('The upload failed');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
