import { buffer } from 'node:stream/consumers'
import type { ReadStream } from 'node:tty'
import { refused } from './failure.ts'

type Input = NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>

/** All that comes in, as text. */
export async function readAll(input: Input): Promise<string> {
  return (await buffer(input)).toString()
}

/** A secret from the keyboard, which is not shown while it is typed; or, where there is none, all of stdin. */
export async function askSecret(question: string, input: Input = process.stdin): Promise<string> {
  if (!input.isTTY || !input.setRawMode) return readAll(input)
  process.stderr.write(question)
  input.setRawMode(true)
  let secret = ''
  try {
    for await (const chunk of input)
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n' || character === '\u0004') return secret
        if (character === '\u0003') throw refused('Nothing was kept.')
        secret = character === '\u007f' || character === '\b' ? secret.slice(0, -1) : secret + character
      }
    return secret
  } finally {
    input.setRawMode(false)
    process.stderr.write('\n')
  }
}
