/**
 * Every environment variable of the product, with what it means. The README's table is held against this list.
 *
 * Source: decisions §1.
 */
export const variables = {
  NODE_ENV: '`production`: `BASE_URL` required, `SAMPLE` off, `SECRET` required with `DATABASE_URL`',
  PORT: '3000',
  HOST: '127.0.0.1',
  BASE_URL: 'http://localhost:PORT; the address people open',
  ALLOW_HTTP: 'off; allows plain http on an address that is not loopback',
  HSTS_SUBDOMAINS: 'off; on: browsers ask for every subdomain of `BASE_URL` over https only',
  DATA_DIR: '`data` under the repository root',
  DATABASE_URL: 'unset = embedded PostgreSQL',
  STORAGE_URL: 'unset = `DATA_DIR/files`; `s3://bucket/prefix?endpoint=…&region=…`',
  ADMIN_EMAILS: 'admin@example.com; comma list of the built-in admins',
  ADMIN_PASSWORD: 'optional: gives the first built-in admin a password at start, only while it has none',
  SAMPLE: 'on; off in production',
  GOOGLE_CLIENT_ID: 'unset = no Google sign-in',
  GOOGLE_CLIENT_SECRET: 'with GOOGLE_CLIENT_ID',
  GOOGLE_ISSUER: 'https://accounts.google.com; any OpenID Connect issuer',
  OIDC_TRUSTED_DOMAINS: 'empty; domains whose `email_verified` counts as proof',
  SMTP_URL: 'unset = mails are files in `DATA_DIR/mail/`',
  MAIL_FROM: 'the sender of mails',
  SUPPORT_EMAIL: 'empty; the address behind "contact support"',
  LOG_LEVEL: 'INFO; one of DEBUG, INFO, WARN, ERROR',
  ROLE: 'all; one of all, serve, ingest',
  INGEST_MEMORY: '60 % of the memory of the machine or cgroup; like 2048 MiB',
  METRICS_PORT: 'unset = off',
  AVATAR_LOOKUP: 'off; on: pictures of people are looked for at Gravatar, by a hash of their email',
  TRUSTED_PROXIES: 'empty: forwarding headers are ignored',
  ENUMERATION_PROTECTION: 'budgeted; or strict',
  SECRET: 'generated into `DATA_DIR` when unset and embedded; at least 32 characters',
  DB_OS_USER: 'nobody; who runs PostgreSQL when the server is started by root',
  POSTGRES_BIN: 'the packaged PostgreSQL; the bin folder of another one of the same major version',
} as const;
