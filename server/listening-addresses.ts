import { isIPv4, isIPv6 } from 'node:net'
import type { networkInterfaces } from 'node:os'
import { isLoopbackUrl } from './identity/origin.ts'

type Listening = { host: string; port: number; publicUrl: string }
type Interfaces = ReturnType<typeof networkInterfaces>

/** Returns the lines about where to open this server, which its start prints. */
export function addressLines(settings: Listening, interfaces: Interfaces): string[] {
  const { host, publicUrl } = settings
  const ready = `Milepost is ready: ${publicUrl}`
  if (isLoopback(host) || !isLoopbackUrl(publicUrl)) return [ready]
  const others = addressesOf(settings, interfaces)
  const example = others[0] ?? 'https://milepost.example'
  return [
    ...(others.length > 0
      ? [`From other devices, open ${new Intl.ListFormat('en', { type: 'disjunction' }).format(others)}.`]
      : []),
    `HOST is ${host}, so other devices can open this server, but links in emails, feeds and previews lead to ${publicUrl}, which works on this machine only. Set PUBLIC_URL to the address that people type, such as PUBLIC_URL=${example}.`,
    ready,
  ]
}

/** Returns the URLs by which other devices reach a server that listens on `host`. */
function addressesOf({ host, port }: Listening, interfaces: Interfaces): string[] {
  const isAny = host === '0.0.0.0' || isAnyIPv6(host)
  if (!isAny) return [urlOf(host, port)]
  return Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .filter(({ address }) => isIPv4(address) || isAnyIPv6(host))
    .map(({ address }) => urlOf(address, port))
}

const isAnyIPv6 = (host: string) => isIPv6(host) && /^[0:]+$/.test(host)

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')

const urlOf = (host: string, port: number) =>
  new URL(`http://${isIPv6(host) ? `[${host}]` : host}:${port}`).origin
