import { paths } from '@kc/rules/paths';
import { QueryClient } from '@tanstack/react-query';
import { isRedirect } from '@tanstack/react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeRouter } from './routes.tsx';
import { sessionQuery } from './session/session.ts';

// Files of one worker share imports: another file may have loaded these without the mocks.
vi.hoisted(() => vi.resetModules());
// Vite makes the calls from the contract.
vi.mock('./api/client.ts', () => ({ client: {} }));

type Session = Awaited<ReturnType<NonNullable<typeof sessionQuery.queryFn>>>;

const visitors = {
  stranger: { isAuthenticated: false, isAdmin: false },
  pending: { isAuthenticated: true, isAdmin: false, status: 'pending' },
  denied: { isAuthenticated: true, isAdmin: false, status: 'denied' },
  approved: { isAuthenticated: true, isAdmin: false, status: 'approved' },
  admin: { isAuthenticated: true, isAdmin: true, status: 'approved' },
} as const;
type Kind = keyof typeof visitors;

/** Where each route leads each kind of visitor, by what its route does before it loads anything. */
const stay = 'stay';
const [login, waiting, refused, home] = ['/login', '/pending-approval', '/access-denied', '/visualization'];
const everybody = [stay, stay, stay, stay, stay];
const table: Readonly<Record<string, readonly string[]>> = {
  // path: stranger, pending, denied, approved, admin
  '/': [login, waiting, refused, home, home],
  '/login': [stay, waiting, refused, home, home],
  '/visualization': [login, waiting, refused, stay, stay],
  '/import': [login, waiting, refused, stay, stay],
  '/admin': [login, waiting, refused, home, stay],
  // For a user who does not exist, the screen leads to /admin.
  '/admin/upload/nobody': [login, waiting, refused, home, stay],
  '/admin-check': [stay, waiting, refused, stay, stay],
  '/pending-approval': [login, stay, stay, home, home],
  '/access-denied': [login, waiting, stay, home, home],
  '/test': everybody,
  '/claim': everybody,
  '/reset-password': everybody,
  '/shared': everybody,
  '/verify-email': everybody,
  '/docs': everybody,
  '/any/other/path': everybody,
};

beforeEach(() => {
  vi.stubGlobal('sessionStorage', { setItem: () => undefined });
});

test('the table has every path of the product', () => {
  const asked = Object.values(paths).map((path) => path.replace('$userId', 'nobody'));
  expect(Object.keys(table)).toEqual(expect.arrayContaining(asked));
});

// Shows P1.1.
test.each(Object.keys(visitors) as Kind[])(
  'every route sends every kind of visitor to the right page: %s',
  async (kind) => {
    const arrivals = await Promise.all(
      Object.keys(table).map(async (path) => {
        const end = await arrivalAt(path, visitors[kind]);
        return [path, end === path ? stay : end];
      }),
    );
    const place = Object.keys(visitors).indexOf(kind);
    expect(Object.fromEntries(arrivals)).toEqual(
      Object.fromEntries(Object.entries(table).map(([path, places]) => [path, places[place]])),
    );
  },
);

// Shows P1.2.
test('the server’s landing page takes precedence over the page’s rule', async () => {
  expect(await arrivalAt('/', { ...visitors.approved, redirectPath: '/test' })).toBe('/test');
});

/** The path at which the redirects of the routes end. */
async function arrivalAt(path: string, session: object): Promise<string> {
  const queries = new QueryClient();
  queries.setQueryData(sessionQuery.queryKey, session as Session);
  const router = makeRouter(queries);
  for (const match of router.matchRoutes(path, {})) {
    const { beforeLoad } = router.routesById[match.routeId].options;
    try {
      await (beforeLoad as ((about: object) => unknown) | undefined)?.({
        context: { queries },
        search: {},
        location: { href: path },
      });
    } catch (error) {
      if (!isRedirect(error)) throw error;
      return arrivalAt(String(error.options.to), session);
    }
  }
  return path;
}
