import { pipeline, Readable, Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Files } from '#server/platform/files/files.ts'
import type { Item, Spools } from './gather.ts'

/** How long a reader may take nothing before it counts as gone, in milliseconds. */
const STALLED_MS = 60_000

/** What is compressed already gains nothing from being compressed again. */
const COMPRESSED =
  /\.(?:jpe?g|png|webp|gif|avif|heic|mp4|m4[av]|mov|webm|mp3|ogg|opus|zip|gz|7z|pdf|docx|xlsx|pptx)$/i

const ABOUT = `This is what Milepost stores of you.

- projects/ has your projects: a folder for each milestone, and in it a Markdown file for each entry. Their pictures and
  other files are in the folder "files" beside the milestones, and the texts lead to them.
- shared/ has what you wrote in projects of others.
- drafts/ has what you had begun to write and not saved.
- milepost.json has the same for programs, and the rest: your account, where you are signed in, members, activity.

Earlier versions of entries and what is in the trash are not in it.
`

/**
 * A ZIP archive of what was gathered, made while it is read: one file is open at a time, and nothing is read
 * ahead of the reader. It fails where a minute passes without a byte being taken.
 */
export function createArchive({ json, items }: Spools, files: Files, madeAt: Date): Readable {
  const zip = new ZipFile()
  let current: Readable | undefined
  const archive = new Transform({
    transform(chunk, _encoding, done) {
      stalled.refresh()
      done(null, chunk)
    },
  })
  const stalled = setTimeout(
    () => archive.destroy(new Error('the reader of an archive took too long')),
    STALLED_MS,
  )
  pipeline(zip.outputStream, archive, () => {
    clearTimeout(stalled)
    current?.destroy()
  })
  zip.on('error', (error) => archive.destroy(error))

  /** Waits until the file was read, which begins when those before it are in the archive. */
  async function add(source: Readable, path: string, mtime: Date) {
    current = source
    if (archive.destroyed) source.destroy()
    zip.addReadStream(source, path, { mtime, compress: !COMPRESSED.test(path) })
    await finished(source)
  }
  const addText = (text: string, path: string, mtime: Date) =>
    add(Readable.from([Buffer.from(text)]), path, mtime)

  async function fill() {
    await addText(ABOUT, 'README.txt', madeAt)
    await add(await json.read(), 'milepost.json', madeAt)
    const missing: string[] = []
    for await (const line of items.lines()) {
      const item = JSON.parse(line) as Item
      const mtime = new Date(item.at)
      if ('text' in item) await addText(item.text, item.path, mtime)
      else {
        const stored = await files.read(item.key)
        if (stored) await add(stored.bytes, item.path, mtime)
        else missing.push(item.path)
      }
    }
    if (missing.length > 0) await addText(`${missing.join('\n')}\n`, 'missing-files.txt', madeAt)
    zip.end()
  }
  fill().catch((error: Error) => archive.destroy(error))
  return archive
}
