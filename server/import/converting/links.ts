import { changeOutsideCode } from './texts.ts'

/** Finds what a link in a text leads to. */
export type Finder = {
  /** Returns what is looked up for the target of a link; undefined for one that stays as it is. `localPath` unless given. */
  resolve?: (target: string) => string | undefined
  /** Returns the file at a path that is relative to the folder of the text, or by its name anywhere; undefined if there is none. */
  file: (path: string) => { ref: string; name: string; isPicture: boolean } | undefined
  /** Returns the address of the entry with this path or name. */
  entry: (path: string) => string | undefined
  /** Called with the target of a picture or an embedding that is not in the archive. */
  missing?: (target: string) => void
}

/** Code, an embedding or a link of a wiki, an image or link of Markdown, or an image of HTML. */
const REFERENCE =
  /(`+[^`\n]{1,2000}`+)|(!?)\[\[([^\]\n|]{1,500})(?:\|([^\]\n]{0,500}))?\]\]|(!?)\[((?:[^[\]\n\\]|\\.){0,1000})\]\((<[^>\n]{1,2000}>|[^\s()]{1,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,2000}){0,5})((?:\s+(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'))?)\s*\)|(<img\b[^>\n]{0,300}?\bsrc=["'])([^"'\n]{1,2000})(["'][^>\n]{0,500}>)/g

/** Makes references to files and other texts of an archive lead to what they become. Code stays as it is. */
export const relink = (text: string, find: Finder): string =>
  changeOutsideCode(text, (line) => relinkLine(line, find))

/** The address that references of Markdown name; notes at the foot look alike. */
const DEFINITION =
  /^( {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*)(<[^>\n]{1,2000}>|\S{1,2000})([ \t]+["'(].{0,500})?[ \t]*$/
/** A picture that is a link. */
const LINKED_PICTURE =
  /\[(!\[[^[\]\n]{0,1000}\]\([^()\n]{1,2100}\))\]\((<[^>\n]{1,2000}>|[^\s()]{1,2000})((?:\s+"[^"\n]{0,500}")?)\s*\)/g

function relinkLine(line: string, find: Finder): string {
  const [, name, target = '', title = ''] = DEFINITION.exec(line) ?? []
  if (name !== undefined) {
    const found = addressOf(target, find)
    return found === undefined ? line : `${name}${found}${title}`
  }
  return relinkInline(line, find).replaceAll(
    LINKED_PICTURE,
    (whole: string, picture: string, target: string, title: string) => {
      const found = addressOf(target, find)
      return found === undefined ? whole : `[${picture}](${found}${title})`
    },
  )
}

/** Returns what the target of a link becomes; undefined if it stays. */
function addressOf(target: string, find: Finder): string | undefined {
  const resolve = find.resolve ?? localPath
  const bare = target.startsWith('<') ? target.slice(1, -1) : target
  for (const local of spellings(bare).map(resolve)) {
    if (local === undefined) continue
    const file = find.file(local)
    const found = file ? `/files/${file.ref}` : find.entry(local)
    if (found !== undefined) return found
  }
  return undefined
}

function relinkInline(line: string, find: Finder): string {
  if (!line.includes('[') && !line.includes('<img')) return line
  return line.replace(REFERENCE, (whole: string, ...groups: (string | undefined)[]) => {
    const [code, embeds, target, alias, shows, label = '', path, title = '', before, source, after] = groups
    if (code !== undefined) return whole
    if (target !== undefined) return wikiLink(target, alias, embeds === '!', find)
    const resolve = find.resolve ?? localPath
    const fileOf = (written: string) =>
      spellings(written)
        .map(resolve)
        .map((local) => (local === undefined ? undefined : find.file(local)))
        .find((file) => file !== undefined)
    if (source !== undefined) {
      const file = fileOf(source)
      if (!file) find.missing?.(source)
      return file ? `${before}/files/${file.ref}${after}` : whole
    }
    if (path === undefined) return whole
    // Parentheses and angle brackets are escaped by a backslash.
    const bare = (path.startsWith('<') ? path.slice(1, -1) : path).replaceAll(/\\([()<>])/g, '$1')
    const file = fileOf(bare)
    if (file) return `${shows}[${label}](/files/${file.ref}${title})`
    if (shows === '!') find.missing?.(bare)
    const entry =
      shows === '!'
        ? undefined
        : spellings(bare)
            .map(resolve)
            .map((path) => (path === undefined ? undefined : find.entry(path)))
            .find((found) => found !== undefined)
    return entry === undefined ? whole : `[${label}](${entry}${title})`
  })
}

function wikiLink(target: string, alias: string | undefined, embeds: boolean, find: Finder): string {
  // In a table, a backslash is before the bar.
  const [path = '', anchor] = target.replace(/\\$/, '').split(/[#^]/)
  const file = find.file(path.trim())
  // The alias of a picture is its caption, its width, or both.
  if (file?.isPicture && embeds) {
    const caption = (alias ?? '').replace(/(?:^|\|)\s*\d+(?:x\d+)?\s*$/, '').trim()
    return `![${escaped(caption)}](/files/${file.ref})`
  }
  const words = escaped((alias ?? (path.trim() || anchor || target)).trim())
  if (file) return `[${words}](/files/${file.ref})`
  const entry = find.entry(path.trim())
  if (entry !== undefined) return `[${words}](${entry})`
  if (embeds) find.missing?.(path.trim())
  return words
}

/** Returns the spellings of a path: as written, with characters escaped as in Markdown, and with the backslashes of Windows. */
const spellings = (path: string) =>
  path.includes('\\')
    ? [path, path.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'), path.replaceAll('\\', '/')]
    : [path]

const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|\/files\/[\da-f-]{36})/i

/** Returns the path of a target that is in the archive, without its query. */
const localPath = (target: string): string | undefined =>
  ELSEWHERE.test(target) ? undefined : decoded(target)

/** Decodes a path of an address, without its query. */
export function decoded(path: string): string {
  const bare = path.replace(/[?#].*$/, '')
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

const escaped = (words: string) => words.replaceAll(/[[\]]/g, '\\$&')
