import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { stripMatroska } from './strip-matroska.ts'
import { webm } from './testing-movies.ts'

it('a WebM file with more elements than any film has is refused', async () => {
  const bytes = webm()
  const endless = Buffer.from('1853806701ffffffffffffff', 'hex')
  const hostile = Buffer.concat([
    bytes.subarray(0, bytes.indexOf('18538067', 'hex')),
    endless,
    Buffer.from('ec80'.repeat(100_001), 'hex'),
  ])
  const folder = await mkdtemp(path.join(tmpdir(), 'milepost-elements-'))
  const file = path.join(folder, 'file')
  await writeFile(file, hostile)
  const handle = await open(file, 'r+')
  try {
    await expect(stripMatroska(handle, hostile.length)).rejects.toThrow('too many elements')
  } finally {
    await handle.close()
    await rm(folder, { recursive: true })
  }
})
