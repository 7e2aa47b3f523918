import { readdir, readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const FOLDER = new URL('../build/client/', import.meta.url)
const WORTHWHILE = /\.(?:css|js|json|svg|txt|webmanifest|xml)$/

/** From this size on, the best quality takes seconds for a gain of a few percent. */
const LARGE_BYTES = 1_000_000
const LARGE_QUALITY = 9

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** Writes `.br` and `.gz` beside each file of the build that shrinks, so that no request waits for compression. */
async function compressBuild(): Promise<void> {
  const names = await readdir(FOLDER, { recursive: true })
  await Promise.all(names.filter((name) => WORTHWHILE.test(name)).map(compress))
}

async function compress(name: string): Promise<void> {
  const file = new URL(name.replaceAll('\\', '/'), FOLDER)
  const content = await readFile(file)
  const quality = content.length < LARGE_BYTES ? constants.BROTLI_MAX_QUALITY : LARGE_QUALITY
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    [constants.BROTLI_PARAM_QUALITY]: quality,
  }
  const versions = {
    br: await brotli(content, { params }),
    gz: await deflate(content, { level: 9 }),
  }
  for (const [extension, version] of Object.entries(versions)) {
    if (version.length < content.length) await writeFile(new URL(`${file.href}.${extension}`), version)
  }
}

await compressBuild()
