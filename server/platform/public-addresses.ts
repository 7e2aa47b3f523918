import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** IPv4 networks that are not public: private, loopback, link-local, shared, documentation, multicast, reserved. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** Ranges within the global IPv6 range that are not global, or that map to IPv4 addresses. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Networks without IPv4 reach its addresses through this one (NAT64, RFC 6052). They are as public as the address within. */
const NAT64 = '64:ff9b::'
const nat64 = listOf([`${NAT64}/96`])
const nat64Special = listOf(
  SPECIAL_IPV4.map((network) => {
    const [address = '', bits] = network.split('/')
    return `${NAT64}${address}/${96 + Number(bits)}`
  }),
)

const special = listOf([...SPECIAL_IPV4, ...SPECIAL_IPV6])
/** The global IPv6 range. It does not include mapped IPv4 addresses. */
const global6 = listOf(['2000::/3'])

function listOf(networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

/** Returns whether an IP address is public. */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 4) return !special.check(ip, 'ipv4')
  if (isIP(ip) !== 6) return false
  if (nat64.check(ip, 'ipv6')) return !nat64Special.check(ip, 'ipv6')
  return global6.check(ip, 'ipv6') && !special.check(ip, 'ipv6')
}

/** A host name resolved to an IP address that is not public. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress'
}

/** Returns the IP address in a URL; undefined if its host is a name. */
export function addressIn({ hostname }: URL): string | undefined {
  const plain = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(plain) === 0 ? undefined : plain
}

/** How long the DNS may take for a name, of which each attempt waits for a part. */
const RESOLVE_MS = 5_000
const ATTEMPTS = { timeout: 2_000, tries: 2 }

/** Asks the DNS for the addresses of a name. */
type Asking = {
  resolve4: (hostname: string) => Promise<string[]>
  resolve6: (hostname: string) => Promise<string[]>
  cancel: () => void
}

/**
 * Resolves the host name of a connection, which then uses only the returned IP addresses, so that a name that resolves
 * differently a moment later (DNS rebinding) has no effect. Fails with `PrivateAddress` if one of them is not public, and with
 * `ENOTFOUND` if the DNS knows none or is too slow. It asks the DNS itself: the resolver of the system holds a thread for each name,
 * and has two, so that names whose servers do not answer would delay the names of the database, the bucket and the mail server.
 */
export function publicLookup(ask: () => Asking = () => new Resolver(ATTEMPTS)): LookupFunction {
  async function lookUp(...[hostname, { all }, done]: Parameters<LookupFunction>): Promise<void> {
    const found = await addressesOf(hostname, ask())
    const [first] = found
    if (found.some(({ address }) => !isPublicAddress(address)))
      done(new PrivateAddress(`${hostname} is not on the Internet`), [])
    else if (!first) done(Object.assign(new Error(`${hostname} was not found`), { code: 'ENOTFOUND' }), [])
    else if (all) done(null, found)
    else done(null, first.address, first.family)
  }
  return (...asked) => void lookUp(...asked)
}

async function addressesOf(hostname: string, asking: Asking) {
  // RFC 6761: these are this machine, whatever a DNS says.
  if (/(?:^|\.)localhost\.?$/i.test(hostname)) return [{ address: '127.0.0.1', family: 4 }]
  const timer = setTimeout(() => asking.cancel(), RESOLVE_MS)
  const answers = await Promise.allSettled([asking.resolve4(hostname), asking.resolve6(hostname)])
  clearTimeout(timer)
  return answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: isIP(address) })) : [],
  )
}
