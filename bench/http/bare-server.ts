import Fastify from 'fastify';

/** Approximately the response of `GET /api/session` for a signed-in user: the same number of bytes without a query. */
const session = {
  isAuthenticated: true,
  status: 'approved',
  isAdmin: true,
  redirectPath: '/visualization',
  shouldRedirect: false,
  account: {
    id: '00000000-0000-4000-8000-000000000000',
    email: 'admin@example.com',
    emailProven: true,
    displayName: '',
    createdAt: 1_700_000_000_000,
    inAdminList: true,
  },
  server: { version: '0.1.0', google: false, supportEmail: '' },
};

const app = Fastify();
app.get('/readyz', async () => ({ ok: true }));
app.get('/api/session', async () => session);
/** As many as a slice of 4,000 rows has. */
const bytes = Buffer.alloc(479_000, 'slice');
app.get('/bytes', (_request, reply) => reply.type('application/octet-stream').send(bytes));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
process.once('SIGTERM', () => void app.close());
