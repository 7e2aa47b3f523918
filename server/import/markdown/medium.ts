import { type FrontMatter, splitFrontMatter } from './front-matter.ts'

/** The texts of an export of Medium. Beside them are pages about the person, whom they follow and what they liked. */
const TEXTS = /(?:^|\/)posts\/(?:\d{4}-\d\d-\d\d|draft)_[^/]*\.html$/

export const isOfMedium = (path: string): boolean => TEXTS.test(path)

/** Divides a page of Medium, which has its facts in the classes of a microformat, into these and its text. */
export function splitMedium(whole: string, { path }: { path: string }): ReturnType<typeof splitFrontMatter> {
  const body = between(whole, 'class="e-content">', '<footer')
  if (body === '') return splitFrontMatter(whole)
  const title = wordsIn(between(whole, 'class="p-name">', '</h1>') || between(whole, '<title>', '</title>'))
  const [, date] = /datetime="([^"]{1,40})"/.exec(between(whole, 'class="dt-published"', '>')) ?? []
  const author = wordsIn(between(between(whole, 'class="p-author', '</a>'), '>', '</a>'))
  const matter: FrontMatter = {
    ...(title !== '' && { title }),
    ...(date !== undefined && { date }),
    ...(author !== '' && { author }),
    draft: /(?:^|\/)draft_[^/]*$/.test(path),
  }
  // Each section begins with a line, also the first one.
  return { matter, text: body.replace(/<hr class="section-divider">/, ''), isBroken: false }
}

/** Returns what is between two marks; to the end without the second one, nothing without the first. */
function between(text: string, from: string, to: string): string {
  const begin = text.indexOf(from)
  if (begin < 0) return ''
  const end = text.indexOf(to, begin + from.length)
  return text.slice(begin + from.length, end < 0 ? undefined : end)
}

const ENTITIES: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
}

const wordsIn = (html: string) =>
  html
    .slice(0, 1_000)
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|nbsp|#39);/g, (_whole, name: string) => ENTITIES[name] ?? '')
    .trim()
