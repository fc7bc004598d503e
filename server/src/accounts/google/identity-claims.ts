import type { ClaimedEmail } from '@kc/rules/identity';
import { checkEmail, cleanName } from '@kc/rules/sign-in';

/** The verified claims of an issuer about a person. */
export type Identity = {
  /** The issuer's identifier; together with `sub` it identifies a person. */
  readonly iss: string;
  readonly sub: string;
  readonly email: ClaimedEmail;
  /** Cleaned; empty if there is none. */
  readonly name: string;
  /** The address of their picture. */
  readonly picture: string | undefined;
  /** As the issuer names them; none if this server requests none. */
  readonly groups: readonly string[];
  /** When they signed in at the issuer, milliseconds since 1970; `undefined` if it does not say. */
  readonly authenticatedAt?: number | undefined;
};

const maxPictureLength = 2_048;

/**
 * @param claims of a verified ID token
 * @param groups of the person, as the issuer names them
 * @throws Error for a subject that OpenID Connect does not allow: more than 255 characters, or not printable ASCII
 */
export function readIdentity(claims: Readonly<Record<string, unknown>>, groups: readonly string[]): Identity {
  const { iss, sub, auth_time } = claims;
  if (typeof iss !== 'string' || typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub)) {
    throw new Error('The issuer sent an invalid subject');
  }
  return {
    iss,
    sub,
    email: {
      issuer: iss,
      email: readEmail(claims.email),
      emailVerified: claims.email_verified,
      hostedDomain: typeof claims.hd === 'string' ? claims.hd : undefined,
    },
    name: typeof claims.name === 'string' ? cleanName(claims.name) : '',
    picture: readPicture(claims.picture),
    groups,
    authenticatedAt: typeof auth_time === 'number' ? auth_time * 1000 : undefined,
  };
}

function readEmail(email: unknown): string | undefined {
  const checked = typeof email === 'string' ? checkEmail(email) : undefined;
  return checked?.ok ? checked.value : undefined;
}

function readPicture(picture: unknown): string | undefined {
  if (typeof picture !== 'string' || picture.length > maxPictureLength || !URL.canParse(picture)) return undefined;
  const { protocol, href } = new URL(picture);
  return protocol === 'https:' ? href : undefined;
}
