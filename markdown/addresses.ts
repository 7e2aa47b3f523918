/** A letter of Chinese, Japanese or Korean, which are written without a space between an address and the next word. */
const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}ー]/u
const cjkRun = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}ー・]+/uy
const HIRAGANA = /\p{sc=Hiragana}/u
/** Ends every address: space, also one without width, marks of direction, `<`, `>`, `"`, an em dash, East Asian punctuation and full-width forms, and double quotation marks of any language. */
const END =
  /[\s\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069<>"—\u3000-\u3004\u3008-\u3020\u3030\uFE30-\uFE4F\uFF01-\uFF65\uFFE0-\uFFEE“-‟«»‹›]/u
const DELIMITER = /[^\p{L}\p{N}\p{M}]/u

const domain = /^[\p{L}\p{N}\p{M}_-]+(?:\.[\p{L}\p{N}\p{M}_-]+)*/u
const DOMAIN_MAX = 253
const mixedEnd =
  /(?<=(?:^|\.)[\w-]+)[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}ー][^.]*$/u
const underscoreNearEnd = /_[^.]*(?:\.[^.]*)?$/

/** Matches what may stand before `www.` in the text, besides its beginning. */
export const BEFORE_WWW =
  /[\s*_~([（「『【《〈、。，：；！？“\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/**
 * Returns the end of the bare address whose domain begins at `start` and has at least as many parts, undefined if there is none: as on
 * GitHub, but what follows in Chinese, Japanese or Korean without a space belongs to the sentence.
 */
export function addressEnd(text: string, start: number, limit: number, parts: number): number | undefined {
  const [written] = domain.exec(text.slice(start, Math.min(start + DOMAIN_MAX, limit))) ?? []
  const host = written?.replace(mixedEnd, '')
  if (host === undefined || host.split('.').length < parts || underscoreNearEnd.test(host)) return undefined
  const hostEnd = start + host.length
  // Titles of pages have en dashes, hosts have none.
  const end = text.charAt(hostEnd) === '–' ? hostEnd : pathEnd(text, hostEnd, limit)
  return start + withoutTrailingPunctuation(text.slice(start, end)).length
}

/**
 * Returns the end of the path. A part of it that begins in such a script belongs to it (`/wiki/日本`), one that changes to it does not
 * (`/planを見る`), nor one that begins with a Japanese particle, nor a sentence behind the first slash (`/了解。`).
 */
function pathEnd(text: string, start: number, limit: number): number {
  let part: 'none' | 'cjk' | 'other' = 'other'
  let at = start
  while (at < limit) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    if (END.test(character)) break
    if (part !== 'cjk' && CJK.test(character)) {
      if (part === 'other' || HIRAGANA.test(character)) break
      const isFirst = /^(?::\d+)?\/$/.test(text.slice(start, Math.min(at, start + 8)))
      cjkRun.lastIndex = at
      const runEnd = at + (cjkRun.exec(text)?.[0].length ?? 0)
      if (isFirst && runEnd < limit && !/[\s<]/.test(text.charAt(runEnd)) && END.test(text.charAt(runEnd)))
        break
      part = 'cjk'
    } else if (DELIMITER.test(character)) part = 'none'
    else if (part === 'none') part = 'other'
    at += character.length
  }
  return Math.min(at, limit)
}

/** Removes trailing punctuation, which belongs to the sentence around a URL. */
function withoutTrailingPunctuation(url: string): string {
  const surplus: Record<string, number> = {
    ')': count(url, ')') - count(url, '('),
    ']': count(url, ']') - count(url, '['),
  }
  let end = url.length
  for (; end > 0; end--) {
    const last = url.charAt(end - 1)
    const unbalanced = surplus[last]
    if (unbalanced !== undefined) {
      if (unbalanced <= 0) break
      surplus[last] = unbalanced - 1
    } else if (last === ';') {
      end = entityStart(url, end)
    } else if (!'?!.,:*_~\'"’‘…،؛؟।'.includes(last)) break
  }
  return url.slice(0, end)
}

/** Returns the index after the `&` of an apparent entity that ends at `end`; `end` if there is none. */
function entityStart(url: string, end: number): number {
  let start = end - 2
  while (start >= 0 && /[a-z0-9]/i.test(url.charAt(start))) start--
  return start < end - 2 && url.charAt(start) === '&' ? start + 1 : end
}

/** Returns a URL with its host as programs resolve it: in ASCII. */
export function withAsciiHost(url: string): string {
  const [, before = '', host = ''] = /^(https?:\/\/(?:[^/?#@]*@)?)([^/?#:@]+)/i.exec(url) ?? []
  if (!/[^\0-\x7F]/.test(host)) return url
  try {
    return before + new URL(`http://${host}/`).host + url.slice(before.length + host.length)
  } catch {
    // No host that a program could resolve.
    return url
  }
}

const count = (text: string, character: string) => text.split(character).length - 1
