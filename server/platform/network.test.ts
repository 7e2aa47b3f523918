import { expect, test } from 'vitest'
import { networkOf, siteOf, withoutPorts } from './network.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:0:0:1', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:0:0::/64 of a project', '2001:db8:0::/48 of a project'],
  ['hooks.example', 'hooks.example'],
])('the network %s is of the site %s', (network, site) => {
  expect(siteOf(network)).toBe(site)
})

test.each([
  ['192.0.2.7:4711', '192.0.2.7'],
  ['[2001:db8::7]:4711,10.0.0.2:443', '2001:db8::7, 10.0.0.2'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7, ::ffff:192.0.2.7', '2001:db8::7, ::ffff:192.0.2.7'],
  ['unknown', 'unknown'],
  ['', ''],
])('the addresses of %j are %j', (forwarded, addresses) => {
  expect(withoutPorts(forwarded)).toBe(addresses)
})
