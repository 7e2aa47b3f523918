import type { FrontMatter } from './front-matter.ts'

/** The settings of a graph of Logseq. */
export const LOGSEQ_SETTINGS = /(?:^|\/)logseq\/config\.edn$/

/** Copies and settings that Logseq keeps beside the pages. */
export const isOfLogseq = (path: string): boolean => /(?:^|\/)logseq\//.test(path)

/** A page in another is in its name. */
export const tidyLogseq = (name: string): string => name.replaceAll('___', ' / ')

const FENCE = /^\s*(?:- )?(`{3,}|~{3,})/
const PROPERTY = /^(\s*(?:- )?)([a-z][\w.-]{0,60}):: ?(.*)$/i
/** Properties of blocks that only Logseq's screen needs. */
const OF_SCREEN = /^(?:id|collapsed|heading|background-color|logseq\.[\w.-]+|hl-[\w-]+|ls-[\w-]+)$/i
const TASK = /^(\s*)- (?:(TODO|LATER|NOW|DOING|WAITING|IN-PROGRESS)|(DONE)|(?:CANCELED|CANCELLED)) /
/** The size of a picture, which follows it. */
const SIZE = /(\]\([^()\n]{1,500}\))\{:[^{}\n]{1,200}\}/g

/** Splits a page of Logseq: the properties at its top are front matter. What only Logseq understands becomes Markdown, or goes. */
export function splitLogseq(whole: string): { matter: FrontMatter; text: string; isBroken: boolean } {
  const lines = whole.replaceAll('\r\n', '\n').split('\n')
  const first = lines.findIndex((line) => PROPERTY.exec(line) === null)
  const top = first === -1 ? lines.length : first
  const matter: FrontMatter = {}
  for (const line of lines.slice(0, top)) {
    const [, , name = '', value = ''] = PROPERTY.exec(line) ?? []
    if (!OF_SCREEN.test(name)) matter[name.toLowerCase()] = isList(name) ? listOf(value) : value.trim()
  }
  return { matter, text: fromLogseq(lines.slice(top)), isBroken: false }
}

const isList = (name: string) => /^tags?$/i.test(name)

const listOf = (value: string) =>
  value
    .split(',')
    .map((one) =>
      one
        .trim()
        .replace(/^#?\[\[(.*)\]\]$/, '$1')
        .replace(/^#/, ''),
    )
    .filter((one) => one !== '')

function fromLogseq(lines: string[]): string {
  let fence: string | undefined
  return lines
    .flatMap((line) => {
      if (fence !== undefined) {
        if (line.trimStart().startsWith(fence)) fence = undefined
        return line
      }
      fence = FENCE.exec(line)?.[1]
      const [, , name] = PROPERTY.exec(line) ?? []
      return name !== undefined && OF_SCREEN.test(name) ? [] : fromLogseqLine(line)
    })
    .join('\n')
}

const fromLogseqLine = (line: string): string =>
  line
    .replace(TASK, (_, indent: string, open?: string, done?: string) =>
      open ? `${indent}- [ ] ` : done ? `${indent}- [x] ` : `${indent}- `,
    )
    .replaceAll(SIZE, '$1')
