import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** How much is gathered before it is written, in characters. */
const CHUNK = 262_144

/** A text on the disk that is written once and then read, and that nothing leaves behind: the file has no name any more. */
export type Spool = {
  write(text: string): Promise<void>
  /** What was written, once all of it is. */
  read(): Promise<Readable>
  /** The same, line by line, of which one is held at a time. */
  lines(): AsyncIterable<string>
  close: () => Promise<void>
}

/** Opens a spool as a file that is not there yet. */
export async function openSpool(file: string): Promise<Spool> {
  const handle = await open(file, 'wx+', 0o600)
  await rm(file)
  let waiting: string[] = []
  let length = 0

  async function flush() {
    const text = waiting.join('')
    waiting = []
    length = 0
    if (text !== '') await handle.appendFile(text)
  }

  return {
    async write(text) {
      waiting.push(text)
      length += text.length
      if (length >= CHUNK) await flush()
    },
    async read() {
      await flush()
      return readFrom(handle)
    },
    async *lines() {
      await flush()
      let rest = ''
      for await (const chunk of readFrom(handle).setEncoding('utf8') as AsyncIterable<string>) {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        yield* lines
      }
    },
    close: () => handle.close(),
  }
}

const readFrom = (handle: FileHandle) => handle.createReadStream({ start: 0, autoClose: false })
