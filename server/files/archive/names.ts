import { firstCharacters } from '#contract/parts/characters.ts'

/** Long enough to be distinguishable, and short enough for the path limit of Windows with the folders of the archive. */
const NAME_MAX = 60
const EXTENSION_MAX = 12

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i

/** Returns a title as a part of a file name: letters and digits of any script, and hyphens. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
  return shortened(words.filter((word) => word !== '').join('-')) || 'untitled'
}

/**
 * Returns a file name without characters that some system refuses, path separators and invisible characters, but with the joiners of
 * emoji and of scripts that need them.
 */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize('NFC')
    .replaceAll(/(?:[<>:"/\\|?*]|(?![\u200C\u200D])\p{C})+/gu, '-')
    .replaceAll(/\s+/gu, ' ')
  const { stem, extension } = splitName(plain)
  const trimmed = trimmedStem(shortened(trimmedStem(stem)))
  return `${trimmed || 'file'}${extension}`
}

/**
 * Windows removes dots and spaces at the end of a name, and other systems hide names that begin with a dot, or ignore joiners: they would
 * take a joiner and `.git` for git's own folder.
 */
const trimmedStem = (stem: string) =>
  stem.replace(/^[. \u200C\u200D]+/, '').replace(/(?<![. \u200C\u200D])[. \u200C\u200D]+$/, '')

function splitName(name: string): { stem: string; extension: string } {
  const extension = /\.[a-z0-9]+$/i.exec(name)?.[0] ?? ''
  return extension.length > EXTENSION_MAX || extension.length === name.length
    ? { stem: name, extension: '' }
    : { stem: name.slice(0, name.length - extension.length), extension }
}

/** Truncates a text to a number of UTF-8 bytes, between characters as people see them. */
function shortened(text: string): string {
  let points = 0
  let bytes = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > NAME_MAX) break
    points += 1
  }
  return firstCharacters(text, points).replace(/-+$/, '')
}

/** Makes the names of a folder unique, also on case-insensitive systems: the second one ends with `-2`. */
export function createFolder(): (name: string) => string {
  const taken = new Set<string>()
  const lastNumbers = new Map<string, number>()
  return (wanted) => {
    const name = RESERVED.test(wanted) ? `_${wanted}` : wanted
    const { stem, extension } = splitName(name)
    const key = keyOf(name)
    let free = name
    for (let number = lastNumbers.get(key) ?? 1; taken.has(keyOf(free)); ) {
      number += 1
      free = `${stem}-${number}${extension}`
      lastNumbers.set(key, number)
    }
    taken.add(keyOf(free))
    return free
  }
}

/** Some systems take names for equal that differ by case or by joiners. */
const keyOf = (name: string) =>
  name
    .normalize('NFKC')
    .replaceAll(/[\u200C\u200D]/g, '')
    .toUpperCase()
    .toLowerCase()
