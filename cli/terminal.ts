const { stdout, stderr } = process

/** The exit code of a program that a reader such as `head` has ended, as shells report it (SIGPIPE). */
const READER_LEFT = 141

stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(READER_LEFT)
  warn(`milepost: The output could not be written: ${error.message}.`)
  process.exit(1)
})
// What is said there is for somebody who does not read it any more.
stderr.on('error', () => undefined)

/**
 * What could control a terminal, or show a line in another order than it has: C0, DEL and C1, the marks of Unicode's
 * bidirectional algorithm, its line separators, and invisible marks of annotation. Joiners stay, which emoji and many scripts need.
 */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

/** Returns a text that somebody else wrote as part of one line. */
export const inLine = (text: string) => text.replaceAll(CONTROLS, ' ')

/** Returns lines that cannot control the terminal. */
const printable = (text: string) =>
  text.replaceAll(CONTROLS, (character) => (character === '\n' || character === '\t' ? character : ' '))

/** Returns JSON of the same value in which all invisible characters are escaped. */
const jsonOf = (value: unknown) =>
  (JSON.stringify(value) ?? 'null').replaceAll(/[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => escaped(character.charCodeAt(index))).join(''),
  )

const escaped = (unit: number) => `\\u${unit.toString(16).padStart(4, '0')}`

/** Prints lines to stdout. All output of the command line passes through this file, because titles are written by others. */
export function say(text: string): void {
  stdout.write(`${printable(text)}\n`)
}

/** Prints a value as one line of JSON to stdout. */
export function sayJson(value: unknown): void {
  stdout.write(`${jsonOf(value)}\n`)
}

/** Prints lines to stderr. */
export function warn(text: string): void {
  stderr.write(`${printable(text)}\n`)
}

/** Asks a question whose answer continues its line. */
export function ask(question: string): void {
  stderr.write(printable(question))
}

/**
 * Returns an argument of a command that may be pasted into any shell: itself if no shell gives its characters a meaning,
 * otherwise a placeholder, since POSIX shells, PowerShell and cmd.exe share no way of quoting.
 */
export const pasteable = (argument: string) => (/^\w[\w.-]*$/.test(argument) ? argument : '…')
