/** The upper half of the code page of MS-DOS, in which a ZIP has its names unless it says otherwise. */
const CP437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes the name of an item. Many programs write UTF-8 without saying so. */
export function decodeName(raw: Uint8Array): string {
  try {
    return utf8.decode(raw)
  } catch {
    return [...raw]
      .map((byte) => (byte < 128 ? String.fromCharCode(byte) : (CP437[byte - 128] ?? '')))
      .join('')
  }
}

/** Why a path cannot be that of an item; undefined for a good one. Nothing is ever written to such a path. */
export function faultOf(path: string): string | undefined {
  if (path.includes('\0')) return 'its name contains a character that no name may have'
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'its name is a path outside of the archive'
  if (path.split('/').includes('..')) return 'its name is a path outside of the archive'
  return undefined
}

/** A path as it is compared: composed, with slashes. */
export const cleanPath = (path: string): string => path.replaceAll('\\', '/').normalize('NFC')

/** Whether an item was left by a program and is nobody's content. */
export const isLitter = (path: string): boolean =>
  path
    .split('/')
    .some(
      (name) =>
        (name.startsWith('.') && name !== '.' && name !== '..') ||
        name === '__MACOSX' ||
        name.startsWith('~$') ||
        LITTER.has(name.toLowerCase()),
    )

const LITTER = new Set(['thumbs.db', 'desktop.ini', 'icon\r'])
