import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { fontFile, fonts } from '#server/public/picture/paint-task.ts'

const BUILT = new URL('../../build/fonts/', import.meta.url)

test.each([...new Set(fonts.map(fontFile))])(
  'the build has the font %s, which no production install has otherwise',
  async (file) => {
    await expect(access(new URL(file, BUILT))).resolves.toBeUndefined()
  },
)
