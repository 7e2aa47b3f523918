import { type FileHandle, open, rm } from 'node:fs/promises'
import type { StoredFile } from '#server/platform/storage/files.ts'

/** The size of the write buffer, in characters. */
const CHUNK = 262_144

/** A temporary text file that is written once and then read. It is unlinked when it is opened, so it never remains on disk. */
export type TemporaryFile = {
  write(text: string): Promise<void>
  /** Returns the content as a stream, after all writes. */
  read(): Promise<StoredFile>
  /** Returns the content line by line. */
  lines(): AsyncIterable<string>
  close: () => Promise<void>
}

/** Creates the file; throws if it exists. */
export async function openTemporaryFile(file: string): Promise<TemporaryFile> {
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
      return { bytes: readFrom(handle), size: (await handle.stat()).size }
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
