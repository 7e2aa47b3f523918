import { afterEach, expect, test, vi } from 'vitest'
import { MEGABYTE } from '#contract/parts/sizes.ts'
import { validateFiles } from './validate-files.ts'

const limits = { picture: MEGABYTE, video: 3 * MEGABYTE, other: 2 * MEGABYTE, perEntry: 3 }

const file = (name: string, type: string, megabytes = 0.5) =>
  new File([new Uint8Array(megabytes * MEGABYTE)], name, { type })

afterEach(() => vi.unstubAllGlobals())

async function errorOf(chosen: File, alreadyThere = 0) {
  const { accepted, rejected } = await validateFiles([chosen], limits, alreadyThere)
  return accepted.length === 1 ? null : rejected[0]?.message
}

test.each([
  [file('loaf.jpg', 'image/jpeg', 1), null],
  [file('loaf.jpg', 'image/jpeg', 1.1), '“loaf.jpg” is too large: a picture may have at most 1 MB.'],
  [file('rise.mp4', 'video/mp4', 2.9), null],
  [
    file('rise.mp4', 'video/mp4', 3.1),
    '“rise.mp4” is too large: a video or a recording may have at most 3 MB.',
  ],
  [file('plan.svg', 'image/svg+xml', 1.5), null],
  [
    file('plan.pdf', 'application/pdf', 2.1),
    '“plan.pdf” is too large: a file for download may have at most 2 MB.',
  ],
  [file('rise.mkv', '', 2.9), null],
  [file('nothing.jpg', 'image/jpeg', 0), '“nothing.jpg” is empty.'],
])('a file that is too large is refused by its name and limit', async (chosen, message) => {
  expect(await errorOf(chosen)).toBe(message)
})

test('an entry accepts as many files as the server allows', async () => {
  const { accepted, rejected } = await validateFiles(
    ['a', 'b', 'c'].map((name) => file(name, 'image/png')),
    limits,
    1,
  )
  expect(accepted.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(rejected).toEqual([{ name: 'c', message: '“c” was not added: an entry can have at most 3 files.' }])
})

test('a HEIC picture is accepted, also if the browser does not know its type: the server converts it', async () => {
  for (const type of ['image/heic', '']) {
    const { accepted } = await validateFiles([file('IMG_1.HEIC', type)], limits, 0)
    expect(accepted[0]).toMatchObject({ name: 'IMG_1.HEIC', type: 'image/heic' })
  }
})
