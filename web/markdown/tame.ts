/**
 * Some texts take a Markdown parser time in the square of their length, or a stack as deep as they are nested. People do
 * not write them; attackers do. These bounds, found by measuring, keep the longest text to a few seconds.
 */
const MAX_LINES = 10_000
const MAX_UNDERLINES = 1_000
const MAX_PIPES = 20_000
const MAX_MARKS = 10_000
const MAX_DEPTH = 16
const MAX_INDENT = 256
/** Of the signs in each run of inline text: squared, because that is how their cost grows. */
const MAX_SIGN_SQUARES = 50_000_000

const containers = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/
const container = />|[-*+](?=[ \t])|\d[.)]/g
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/
/** Lines that no paragraph can run on over. */
const startsRun = /^(?:[ \t]*$| {0,3}(?:[-*+][ \t]+[^ \t]|#{1,6}[ \t]))/
/** ASCII punctuation but the marks of plain prose. */
const sign = /[!#-&(-+/:-@[-`{-~]/g

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** Whether quotes and lists are nested too deep in a line, by marks or by indentation, or are too many in all. */
function isOvernested(lines: string[]): boolean {
  let marks = 0
  return lines.some((line) => {
    const depth = count(containers.exec(line)?.[0] ?? '', container)
    marks += depth
    return depth > MAX_DEPTH || marks > MAX_MARKS || line.search(/[^ \t]/) > MAX_INDENT
  })
}

function signSquares(lines: string[]): number {
  let squares = 0
  let inRun = 0
  for (const line of lines) {
    if (startsRun.test(line)) {
      squares += inRun ** 2
      inRun = 0
    }
    inRun += count(line, sign)
  }
  return squares + inRun ** 2
}

/** Whether a text can be parsed as Markdown without harm to the server or to its reader's browser. */
export function isTame(content: string): boolean {
  const lines = content.split(/\r\n?|\n/)
  return (
    lines.length <= MAX_LINES &&
    count(content, /\|/g) <= MAX_PIPES &&
    lines.filter((line) => underline.test(line)).length <= MAX_UNDERLINES &&
    !isOvernested(lines) &&
    signSquares(lines) <= MAX_SIGN_SQUARES
  )
}
