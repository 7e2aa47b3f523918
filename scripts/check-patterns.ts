import { glob, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import {
  type CallExpression,
  type NewExpression,
  type Node,
  parseSync,
  type StringLiteral,
  Visitor,
} from 'oxc-parser'

// By default, recheck prefers a Java program if it is installed, which starts more slowly.
process.env.RECHECK_BACKEND ??= 'native'
const { check } = await import('recheck')

/** The files whose patterns match user input. */
const FILES = '{contract,markdown,server,web,scripts/setup}/**/*.{ts,tsx,mjs}'
/** Reads archives in a child process, which is ended after ten minutes; only the person whose archive it is waits for it. */
const IN_A_CHILD = 'server/import/'
const TEST_FILE = /\.test\.tsx?$|\/testing[^/]*(?:\/.*)?$/

const TIMEOUT_MS = 120_000
/**
 * recheck also counts an attack as successful if it exceeds a time limit, as it does on a busy machine. Without these, only the
 * number of characters that an attack reads counts, which is the same in each run.
 */
const WITHOUT_TIME_LIMITS = { seedingTimeout: null, incubationTimeout: null, attackTimeout: null }

/** Patterns that recheck finds slow, or that are assembled at run time, and why no input makes them slow. */
const HARMLESS: { file: string; source: string; reason: string }[] = [
  {
    file: 'server/platform/api/api-guard.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`^${parts.join('/')}$`)",
    reason: 'Its wildcards take no slash, but for one at the end, so there is one way to match a path.',
  },
  {
    file: 'server/files/files-in-html.ts',
    source: '<(img|a) ([^>]*)>',
    reason: 'It reads HTML of our renderer, which escapes "<": each one begins a tag that is closed.',
  },
  {
    file: 'server/files/files-in-html.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: 'new RegExp(`(?:^| )${name}="([^"]*)"`)',
    reason: 'It reads the attributes of one such tag, whose quotes are closed.',
  },
  {
    file: 'server/files/archive/names.ts',
    source: '-+$',
    reason: 'It reads what is short enough for the name of a file.',
  },
  {
    file: 'markdown/addresses.ts',
    source: '_[^.]*(?:\\.[^.]*)?$',
    reason: 'It reads a host, which has at most 253 characters.',
  },
  {
    file: 'web/public/feed/feed-text.ts',
    source: '<(?:feed|channel)(?: [^>]*)?>',
    reason: 'It reads XML of ours, whose tags are closed.',
  },
  {
    file: 'web/public/feed/feed-text.ts',
    source: '<math\\b[^>]*? alttext="([^"]*)"[^>]*>.*?<\\/math>',
    reason: 'It reads HTML of our renderer, whose formulas are closed.',
  },
  {
    file: 'web/public/feed/feed-text.ts',
    source: '<input type="checkbox"[^>]*>',
    reason: 'It reads HTML of our renderer, which escapes "<": each one begins a tag that is closed.',
  },
  {
    file: 'web/composer/text/marks.ts',
    source: '[\\p{L}\\p{M}\\p{N}]*$',
    reason: 'It reads 200 characters.',
  },
  {
    file: 'web/composer/text/text-context.ts',
    source: '^[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)*(`{3,}(?![^\\n]*`)|~{3,})',
    reason: 'It reads at most 1,000 characters of a line.',
  },
  {
    file: 'web/composer/text/text-context.ts',
    source:
      '!?\\[(?:[^[\\]\\\\\\n!]|!(?!\\[)|\\\\.|!?\\[[^[\\]\\n]*\\](?:\\([^()\\n]*\\)|(?!\\([^()\\n]*\\))))*\\](?:\\((?:[^()\\\\\\n]|\\\\.|\\([^()\\n]*\\))*\\)|\\[[^[\\]\\n]*\\])',
    reason: 'It reads at most 2,000 characters before and after a selection.',
  },
  {
    file: 'web/composer/attachments/file-text.ts',
    source: '[ \\t]*(?:\\n[ \\t]*){0,2}$',
    reason: 'It reads 200 characters.',
  },
  {
    file: 'web/composer/attachments/file-text.ts',
    source: '\\s*$',
    reason: 'It reads 200 characters.',
  },
  {
    file: 'server/env-file.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`^[^\\\\S\\\\n]*${name}(?![\\\\w.=]|-=)`, 'm')",
    reason: 'It reads a file of the operator.',
  },
  {
    file: 'server/env-file.ts',
    source: '^[^\\S\\n]*(?:export[^\\S\\n]+)?([\\w.-]+)[^\\S\\n]*=[^\\S\\n]*(["\'`])',
    reason: 'It reads a file of the operator.',
  },
  {
    file: 'server/env-file.ts',
    source: '^[^\\S\\n]*(?:export[^\\S\\n]+)?([\\w.-]+)[^\\S\\n]*=',
    reason: 'It reads a file of the operator.',
  },
  { file: 'server/env-file.ts', source: '\\s+#', reason: 'It reads a file of the operator.' },
  {
    file: 'server/env-file.ts',
    source: '^[^\\S\\n]*(?:export[^\\S\\n]+)?([\\w.-]+)[^\\S\\n]*=[^\\S\\n]*([^\\s"\'`].*)$',
    reason: 'It reads a file of the operator.',
  },
  {
    file: 'server/search/service.ts',
    source: '<[^>]*$',
    reason: 'It reads a part of the HTML of our renderer, with a fixed length.',
  },
  {
    file: 'server/pages/site-build.ts',
    source: 'url\\((\\/[^)]+)\\)',
    reason: 'It reads a style sheet of the build.',
  },
  {
    file: 'server/search/snippet.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`[${UNSPACED}\\\\p{Script=Hangul}]`, 'u')",
    reason: 'It reads one character.',
  },
  {
    file: 'markdown/words.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`[${UNSPACED}]`, 'u')",
    reason: 'It has nothing that repeats.',
  },
  {
    file: 'server/watching/mentions.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`^[${JOINED}]`, 'u')",
    reason: 'It has nothing that repeats.',
  },
  {
    file: 'server/watching/mentions.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`[${JOINED}]$`, 'u')",
    reason: 'It has nothing that repeats.',
  },
  {
    file: 'server/search/split.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`^[${UNSPACED}]`, 'u')",
    reason: 'It has nothing that repeats.',
  },
  {
    file: 'server/search/split.ts',
    source: [
      'new RegExp(',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
      "  String.raw`(?:[${UNSPACED}]\\p{M}*)+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}\\p{S}_](?<![\\p{Sm}\\p{Sc}\\p{Sk}]))+(?:(?:['._\\-/:#+]|(?<=\\d),(?=\\d))(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])+)*(?:\\+\\+|#(?![\\p{L}\\p{N}]))?`,",
      "  'gu',",
      ')',
    ].join('\n'),
    reason: 'Nothing has to follow what repeats, so it never goes back.',
  },
  {
    file: 'server/pages/routes.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`^${path.replaceAll(/:(\\w+)/g, '(?<$1>[^/]+)')}/*$`, 'i')",
    reason: 'Its wildcards take no slash, and only slashes follow them.',
  },
  {
    file: 'markdown/addresses.ts',
    source:
      '(?<=(?:^|\\.)[\\w-]+)[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Bopomofo}ー][^.]*$',
    reason: 'It reads a host, which has at most 253 characters.',
  },
  {
    file: 'markdown/autolinks.ts',
    source: [
      'new RegExp(',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
      '  String.raw`[\\n!#-&*+\\-:<=>@[-\\x60{}~]|(?=www\\.)(?<=^|${BEFORE_WWW.source})www\\.`,',
      "  'giu',",
      ')',
    ].join('\n'),
    reason: 'It has nothing that repeats.',
  },
  {
    file: 'markdown/inline-html.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`^<(/?)(${NAMES})>`, 'i')",
    reason: 'It has nothing that repeats.',
  },
  {
    file: 'markdown/inline-html.ts',
    source: [
      'new RegExp(',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
      '  `<(?=/?(?:${NAMES}|details)>|details open|br[ \\\\t]*/?>|(?:a|img|iframe)\\\\s|!--)`,',
      "  'gi',",
      ')',
    ].join('\n'),
    reason: 'Its repetition follows "<br" and takes neither.',
  },
  {
    file: 'server/export/site/media.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: 'new RegExp(`^${PERSON.source}$`)',
    reason: 'It reads a path, by a pattern that is checked itself.',
  },
  {
    file: 'server/export/site/media.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: 'new RegExp(`^${MEDIA.source}$`)',
    reason: 'It reads a path, by a pattern that is checked itself.',
  },
  { file: 'server/export/site/media.ts', source: '^x-|\\+.*$', reason: 'It reads the type of a file.' },
  {
    file: 'server/database/remedy.ts',
    source: 'database ".*" does not exist',
    reason: 'It reads a message of PostgreSQL.',
  },
  {
    file: 'markdown/source-excerpt.ts',
    source:
      '!\\[(?:\\\\.|[^\\\\\\]\\n]){0,300}\\](?:\\((?:<[^<>\\n]{0,500}>|(?:[^()\\s]|\\([^()\\s]{0,100}\\)){0,500})(?:[ \\t]+(?:"(?:\\\\.|[^"\\\\\\n]){0,500}"|\'(?:\\\\.|[^\'\\\\\\n]){0,500}\'))?\\)|\\[[^[\\]\\n]{0,300}\\])|<img\\b[^<>]{0,2000}>',
    reason: 'Its repetitions are bounded, and it reads 8,000 characters.',
  },
  {
    file: 'markdown/source-excerpt.ts',
    source:
      '\\[(?:\\\\.|[^\\\\\\]\\n]){0,300}\\]\\(\\/files\\/[\\w-]{1,100}(?:[ \\t]+"(?:\\\\.|[^"\\\\\\n]){0,500}")?\\)',
    reason: 'Its repetitions are bounded, and it reads 8,000 characters.',
  },
  {
    file: 'markdown/source-excerpt.ts',
    source: '!?\\[[^\\]\\n]{0,300}(?:\\]\\([^)\\n]{0,500})?$',
    reason: 'Its repetitions are bounded, and it reads 8,000 characters.',
  },
  {
    file: 'contract/email.ts',
    source: '^(?:[^<>@]*<)?(?:mailto:)?([^<>:\\s]+@[^<>\\s]+?)>?$',
    reason: 'It reads what is as short as an address.',
  },
  { file: 'contract/export.ts', source: '\\/*$', reason: 'It reads at most 2,000 characters.' },
  {
    file: 'contract/profiles.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
    source: "new RegExp(`^(?:[0-9-]|(?=[\\\\p{L}\\\\p{M}])[${letters}])+$`, 'u')",
    reason: 'It reads at most 40 characters.',
  },
  {
    file: 'contract/search-query.ts',
    source: [
      'new RegExp(',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: This is the source text of a template.
      "  String.raw`${minus}(?:\\b(${Object.keys(FILTERS).join('|')})[:：](?:${quotation}|(\\S*))|${quotation}|(\\S+))`,",
      "  'gi',",
      ')',
    ].join('\n'),
    reason: 'Each of its parts begins with a different character, and a search is short.',
  },
]

type Pattern = { file: string; line: number; source: string; flags: string; isConstant: boolean }

/** Returns all regular expressions of a file: literals, and arguments of `RegExp`. */
function patternsIn(file: string, text: string): Pattern[] {
  const found: Pattern[] = []
  const add = (node: Node, source: string, flags: string, isConstant = true) => {
    const line = text.slice(0, node.start).split('\n').length
    found.push({ file, line, source, flags, isConstant })
  }
  const construct = (node: NewExpression | CallExpression) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
    const [source, flags] = node.arguments
    if (source && isText(source) && (!flags || isText(flags))) add(node, source.value, flags?.value ?? '')
    else add(node, text.slice(node.start, node.end), '', false)
  }
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} could not be parsed: ${errors[0]?.message}`)
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node, node.regex.pattern, node.regex.flags)
    },
    NewExpression: construct,
    CallExpression: construct,
  }).visit(program)
  return found
}

const isText = (node: Node): node is StringLiteral =>
  node.type === 'Literal' && typeof node.value === 'string'

/** Returns the problem of a pattern; undefined if it always takes linear time. */
async function problemOf({ source, flags, isConstant }: Pattern): Promise<string | undefined> {
  if (!isConstant) return 'is put together when the program runs'
  const result = await check(source, flags, { timeout: TIMEOUT_MS, ...WITHOUT_TIME_LIMITS })
  if (result.status === 'safe') return undefined
  if (result.status === 'unknown') return `could not be judged (${result.error.kind})`
  return `takes ${result.complexity.summary} time, as for ${result.attack.pattern}`
}

async function main() {
  const patterns: Pattern[] = []
  for await (const file of glob(FILES))
    if (!TEST_FILE.test(file) && !file.startsWith(IN_A_CHILD))
      patterns.push(...patternsIn(file, await readFile(file, 'utf8')))

  const unmet = new Set(HARMLESS)
  let bad = 0
  async function work(queue: Iterable<Pattern>) {
    for (const pattern of queue) {
      const problem = await problemOf(pattern)
      if (!problem) continue
      const known = HARMLESS.find(({ file, source }) => file === pattern.file && source === pattern.source)
      if (known) unmet.delete(known)
      else {
        bad += 1
        console.error(`${pattern.file}:${pattern.line} ${pattern.source}\n  ${problem}`)
      }
    }
  }
  const queue = patterns.values()
  await Promise.all(Array.from({ length: availableParallelism() }, () => work(queue)))

  for (const { file, source } of unmet)
    console.error(`${file} has no such pattern any more; take it off the list: ${source}`)
  console.log(
    `${patterns.length} patterns: ${bad} that could be made slow, ${HARMLESS.length} listed as harmless.`,
  )
  return bad === 0 && unmet.size === 0 && patterns.length > 0 ? 0 : 1
}

process.exitCode = await main()
