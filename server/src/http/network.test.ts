import { expect, test } from 'vitest';
import { inNetworks, networkOf } from './network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['[2001:db8:1:2::6]:4711', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::6]', '2001:db8:1:2::/64'],
  ['[::ffff:192.0.2.7]:4711', '192.0.2.7'],
  ['unknown', 'unknown'],
  [undefined, ''],
])('SEC-13 %s is counted as %s', (address, network) => expect(networkOf(address)).toBe(network));

test.each([
  ['10.1.2.3', true],
  ['10.1.2.3:4711', true],
  ['::ffff:10.1.2.3', true],
  ['11.1.2.3', false],
  ['192.0.2.1', true],
  ['192.0.2.2', false],
  ['2001:db8:ffff::1', true],
  ['[2001:db8::1]:4711', true],
  ['2001:db9::1', false],
  ['unknown', false],
  ['', false],
])('SEC-13 whether %s is one of the trusted networks: %s', (address, expected) => {
  expect(inNetworks(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])(address)).toBe(expected);
});

test.each(['10.0.0.0/33', '10.0.0/8', '2001:db8::/129', '10.0.0.0/x', '10.0.0.0/', 'proxy', ''])(
  'SEC-13 "%s" is no network',
  (range) => {
    expect(() => inNetworks([range])).toThrow(RangeError);
  },
);
