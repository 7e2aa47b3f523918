import { type FileHandle, open, rm } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
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
  /** Returns the lines while they are written, until `writing` has ended; throws if it fails. */
  follow(writing: Promise<unknown>): AsyncIterable<string>
  close: () => Promise<void>
}

/**
 * Creates the file; throws if it exists, or if the disk is full: later the response has begun, and can only break off. `openFile`: for
 * tests.
 */
export async function openTemporaryFile(file: string, openFile = open): Promise<TemporaryFile> {
  const handle = await openFile(file, 'wx+', 0o600)
  await rm(file, { force: true })
  try {
    await handle.write(' ', 0)
    await handle.truncate()
  } catch (error) {
    await handle.close()
    throw error
  }
  let waiting: string[] = []
  let length = 0
  let flushed = Promise.withResolvers<void>()

  async function flush() {
    const text = waiting.join('')
    waiting = []
    length = 0
    if (text === '') return
    await handle.appendFile(text)
    flushed.resolve()
    flushed = Promise.withResolvers()
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
    async *follow(writing) {
      const decoder = new StringDecoder('utf8')
      let isWritten = false
      const end = writing.then(() => void (isWritten = true))
      // Whoever reads slowly learns of a failure later.
      end.catch(() => undefined)
      let rest = ''
      for (let position = 0; ; ) {
        const next = flushed.promise
        const isLast = isWritten
        if (isLast) await flush()
        for (;;) {
          const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, position)
          if (bytesRead === 0) break
          position += bytesRead
          const lines = (rest + decoder.write(buffer.subarray(0, bytesRead))).split('\n')
          rest = lines.pop() ?? ''
          yield* lines
        }
        if (isLast) return
        await Promise.race([next, end])
      }
    },
    close: () => handle.close(),
  }
}

const readFrom = (handle: FileHandle) => handle.createReadStream({ start: 0, autoClose: false })
