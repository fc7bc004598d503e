import { googleCallback } from '../rules/src/google.ts';
import { startTestProvider, type TestPerson, type TestProvider } from '../server/test/support/provider.ts';

export type DevProvider = Pick<TestProvider, 'stop'> & {
  /** The variables of a server that uses and trusts it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What to print for the developer. */
  readonly greeting: string;
};

type Options = {
  /** The address that people open. */
  readonly baseUrl: string;
  /** Always the same secret: earlier sign-ins are known by the provider's address. */
  readonly port: number;
  readonly adminEmail?: string | undefined;
};

/** A local stand-in for Google, with a test person for each way in which a sign-in can end. */
export async function startDevProvider({
  baseUrl,
  port,
  adminEmail = 'admin@example.com',
}: Options): Promise<DevProvider> {
  const adminDomain = adminEmail.slice(adminEmail.lastIndexOf('@') + 1);
  const people: readonly TestPerson[] = [
    { sub: 'ann', email: 'ann@gmail.com', email_verified: true, name: 'Ann Gardener' },
    { sub: 'ben', email: 'ben@example.com', email_verified: false, name: 'Ben Unverified' },
    { sub: 'admin', email: adminEmail, email_verified: true, name: 'Ada Admin' },
  ];
  const provider = await startTestProvider({ redirectUris: [baseUrl + googleCallback], people, port });
  return {
    environment: { ...provider.environment, OIDC_TRUSTED_DOMAINS: `gmail.com,${adminDomain}` },
    stop: provider.stop,
    greeting:
      `Google variables are not set: ${provider.issuer} stands in for Google. It lets everybody be\n` +
      `  ${people.map(({ email }) => email).join(', ')} (the last one is the administrator)\n`,
  };
}
