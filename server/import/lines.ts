import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type { Item } from './items.ts'

/** Writes items to a file, one per line. */
export async function writeLines(file: string, items: AsyncIterable<Item>): Promise<void> {
  async function* lines() {
    for await (const item of items) yield `${JSON.stringify(item)}\n`
  }
  await pipeline(lines, createWriteStream(file, { flags: 'w', mode: 0o600 }))
}

/** Reads them again. */
export async function* readLines(file: string): AsyncGenerator<Item> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
    yield JSON.parse(line) as Item
}
