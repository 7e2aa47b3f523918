import { isIPv6 } from 'node:net'

const WITH_PORT = /^(?:([\d.]+)|\[([\da-f:.]+)\])(?::\d+)?$/i

/**
 * Returns `X-Forwarded-For` without the ports that some proxies write behind the addresses (`192.0.2.7:4711`, `[2001:db8::7]:4711`):
 * each connection of a client would count as a network of its own, and no such proxy could be trusted.
 */
export const withoutPorts = (forwarded: string): string =>
  forwarded
    .split(',')
    .map((address) => address.trim().replace(WITH_PORT, '$1$2'))
    .join(', ')

/** Returns the network of an IP address: the address itself for IPv4, the /64 of one customer for IPv6. */
export function networkOf(ip: string): string {
  const [plain = ''] = ip.split('%')
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped) return mapped
  return `${groupsOf(plain).slice(0, 4).join(':')}::/64`
}

/** An IPv6 network, alone or before something else. */
const IPV6_NETWORK = /^((?:[\da-f]+:){2}[\da-f]+):[\da-f]+::\/64/

/**
 * Returns the site of a network of `networkOf`, also at the beginning of a longer key: for IPv6 its /48, as tunnels and many providers
 * give one customer, who has 65,536 networks with it; for IPv4 the same. Networks of one site may have many times as much as one
 * (`SITE_SHARE`), because other providers have hundreds of customers in a /48.
 */
export const siteOf = (network: string): string => network.replace(IPV6_NETWORK, '$1::/48')

/** How many networks that use all of a limit a site may have. */
export const SITE_SHARE = 8

function groupsOf(ip: string): string[] {
  const canonical = new URL(`http://[${ip}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = canonical.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}
