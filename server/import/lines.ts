import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import type { Item } from './items.ts'
import { createRoom } from './room.ts'

/** Writes items to a file, one per line, as long as there is room. Throws Refused. */
export async function writeLines(file: string, items: AsyncIterable<Item>, bytes: number): Promise<void> {
  const room = createRoom(bytes)
  async function* lines() {
    for await (const item of items) {
      const line = Buffer.from(`${JSON.stringify(item)}\n`)
      room.take(line.length)
      yield line
    }
  }
  await pipeline(lines, createWriteStream(file, { flags: 'w', mode: 0o600 }))
}

/** Reads them again. */
export async function* readLines(file: string): AsyncGenerator<Item> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
    yield JSON.parse(line) as Item
}
