import { domainToUnicode } from 'node:url'

/** The letters of other scripts that look like Latin ones. A label of these alone could pass for another domain. */
const LOOKALIKES = /^[-0-9авсԁеһіјӏорԛѕԝхуъьҽпгѵѡкмнтαενορτυικχ]+$/u

/** Returns an address with its domain as people read it. A name that could pass for another one stays in ASCII. */
export function readableEmail(address: string): string {
  if (!/[@.]xn--/i.test(address)) return address
  const at = address.lastIndexOf('@')
  const labels = address
    .slice(at + 1)
    .toLowerCase()
    .split('.')
  const isOwnScript = labels.at(-1)?.startsWith('xn--') ?? false
  const readable = labels.map((label) => {
    if (!label.startsWith('xn--')) return label
    const unicode = domainToUnicode(label)
    return isReadable(unicode, isOwnScript) ? unicode : label
  })
  return `${address.slice(0, at)}@${readable.join('.')}`
}

/** Whether a label is of one script, or of one that is never mixed up with Latin. */
function isReadable(label: string, isOwnScript: boolean): boolean {
  if (label === '' || /[\p{C}\p{Z}]/u.test(label)) return false
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u]
  const mixed = scripts.filter((script) => script.test(label)).length > 1
  return !mixed && (isOwnScript || !LOOKALIKES.test(label))
}
