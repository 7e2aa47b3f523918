import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { CONTENT_MAX } from '#contract/entries.ts'
import { IMAGE_BYTES_MAX, IMAGE_SIZE_MAX } from '#contract/parts/wire.ts'

const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), 'utf8')

/** UTF-8 takes at most four bytes per character. */
const ENTRY_BYTES_MAX = IMAGE_BYTES_MAX + 4 * CONTENT_MAX

test.each(['deploy/nginx.conf.template', 'docs/operations.md'])(
  '%s lets the largest image and the text of its entry through the load balancer',
  async (file) => {
    const [, megabytes] = /client_max_body_size (\d+)m;/.exec(await read(file)) ?? []
    expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(ENTRY_BYTES_MAX)
  },
)

test.each([
  ['deploy/nginx.conf.template', `An image of ${IMAGE_SIZE_MAX}`],
  ['docs/operations/limits.md', `up to ${IMAGE_SIZE_MAX} each`],
  ['docs/operations/limits.md', `an image of ${IMAGE_SIZE_MAX}`],
])('%s states the limit of an image: %s', async (file, sentence) => {
  expect(await read(file)).toContain(sentence)
})
