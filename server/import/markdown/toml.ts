const PAIR = /^\s*(?:"([^"]*)"|([\w.-]+))\s*=\s*(.*)$/
const TABLE = /^\s*\[\[?([^\]]*)\]\]?\s*$/

/** Reads the front matter of Hugo: texts, numbers, dates and lists, with those of its tables beside the others. Throws for anything else. */
export function parseToml(text: string): { [name: string]: unknown } {
  const matter: { [name: string]: unknown } = {}
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (/^\s*(?:#|$)/.test(line) || TABLE.test(line)) continue
    const [, quoted, bare, start = ''] = PAIR.exec(line) ?? []
    const name = quoted ?? bare
    if (name === undefined) throw new Error('no TOML')
    let value = start
    const closing = value.startsWith('"""')
      ? '"""'
      : value.startsWith("'''")
        ? "'''"
        : value.startsWith('[')
          ? ']'
          : ''
    const isOpen = () =>
      closing !== '' &&
      !value
        .slice(1)
        .replace(/\s*#[^"'\]]*$/, '')
        .trimEnd()
        .endsWith(closing)
    while (isOpen() && at + 1 < lines.length) {
      at += 1
      value += `\n${lines[at]}`
    }
    if (!(name in matter)) matter[name] = valueOf(value.trim())
  }
  return matter
}

function valueOf(text: string): unknown {
  const triple = /^("""|''')\n?([\s\S]*)\1/.exec(text)
  if (triple) return triple[2]
  const double = /^"(?:[^"\\]|\\.)*"/.exec(text)
  if (double) return JSON.parse(double[0]) as unknown
  const single = /^'([^']*)'/.exec(text)
  if (single) return single[1]
  if (text.startsWith('['))
    return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other)
  const bare = text.replace(/\s*#.*$/, '')
  if (bare === 'true' || bare === 'false') return bare === 'true'
  return /^[+-]?\d[\d_]*(?:\.\d+)?$/.test(bare) ? Number(bare.replaceAll('_', '')) : bare
}
