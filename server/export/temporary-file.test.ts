import { mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTemporaryFile } from './temporary-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'milepost-temporary-'))
})
afterAll(() => rm(folder, { recursive: true }))

const LINE = 'ä'.repeat(100_000)

it('a temporary file is read while it is written, to its last line, and leaves nothing in its folder', async () => {
  const file = await openTemporaryFile(`${folder}/one`)
  expect(await readdir(folder)).toEqual([])
  const goOn = Promise.withResolvers<void>()
  const writing = (async () => {
    for (let line = 0; line < 3; line += 1) await file.write(`${line} ${LINE}\n`)
    await goOn.promise
    await file.write('the last\n')
  })()
  const seen: string[] = []
  for await (const line of file.follow(writing)) {
    seen.push(line.slice(0, 8))
    // Nothing more is written until the lines before were read.
    if (seen.length === 3) goOn.resolve()
  }
  expect(seen).toEqual(['0 ääääää', '1 ääääää', '2 ääääää', 'the last'])
  await file.close()
})

it('who reads a temporary file learns that its writing has failed, whether they wait or not', async () => {
  const file = await openTemporaryFile(`${folder}/two`)
  await file.write('begun\n')
  const failing = Promise.reject(new Error('no project'))
  await expect(file.follow(failing)[Symbol.asyncIterator]().next()).rejects.toThrow('no project')
  await file.close()
})

it('is not begun on a full disk, because an archive that has begun can only break off', async () => {
  const onFullDisk = async () => open('/dev/full', 'r+')
  await expect(openTemporaryFile(`${folder}/three`, onFullDisk)).rejects.toMatchObject({ code: 'ENOSPC' })
})
