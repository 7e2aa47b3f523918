import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { assert, constantFrom, dictionary, integer, oneof, property, string } from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ask, inLine, pasteable, say, sayJson, warn } from './terminal.ts'

afterEach(() => vi.restoreAllMocks())

/** Returns what a function writes to stdout and stderr. */
function written(write: () => void): string {
  let all = ''
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      all += String(chunk)
      return true
    })
  write()
  vi.restoreAllMocks()
  return all
}

const anyText = string({
  unit: oneof(
    constantFrom(
      '\u001b',
      '\u009b',
      '\u0085',
      '\u007f',
      '\r',
      '\n',
      '\b',
      '\u202e',
      '\u2067',
      '\u200f',
      '\u061c',
      '\u2028',
    ),
    integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
  ),
})

describe('what is written to the terminal', () => {
  it.each(Object.entries({ say, warn, ask }))('by %s cannot control it', (_name, write) => {
    assert(
      property(anyText, (text) => {
        const lines = written(() => write(text))
        expect(lines).not.toMatch(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
      }),
    )
  })

  it('as JSON is the same value, with every invisible character escaped', () => {
    assert(
      property(dictionary(anyText, anyText), (value) => {
        const line = written(() => sayJson(value))
        expect(line).not.toMatch(/(?!\n$)\p{Cc}|\p{Cf}|[\u2028\u2029]/u)
        expect(JSON.parse(line)).toEqual({ ...value })
      }),
    )
  })

  it('keeps emoji, and scripts that need joiners', () => {
    const text = '👩‍👩‍👧 می‌خواهم क्‍ष'
    expect(written(() => say(text))).toBe(`${text}\n`)
  })

  it('has a title in one line', () => {
    expect(inLine('a\nmilepost: b\r\tc')).toBe('a milepost: b  c')
  })

  it('has no argument that a shell interprets', () => {
    expect(pasteable('3f0b9f1f-0000-4000-8000-000000000000')).toBe('3f0b9f1f-0000-4000-8000-000000000000')
    for (const argument of ['$(x)', '`x`', '"', "'", '%PATH%', 'a b', '-x', '', 'a;b', 'a\nb', '!!', '^&'])
      expect(pasteable(argument)).toBe('…')
  })

  it('passes through one file', async () => {
    const files = (await readdir(import.meta.dirname)).filter((name) => !/terminal|test/.test(name))
    for (const name of files) {
      const source = await readFile(path.join(import.meta.dirname, name), 'utf8')
      expect([name, /(?:stdout|stderr)\.write|console\./.test(source)]).toEqual([name, false])
    }
  })
})
