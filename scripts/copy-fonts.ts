import { copyFile, mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fontFile, fonts } from '#server/public/picture/paint-task.ts'

const FOLDER = new URL('../build/fonts/', import.meta.url)
const { resolve } = createRequire(import.meta.url)

// Copies the fonts of share pictures into the build, because their packages contain many more weights and styles than are used.
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
for (const font of fonts) {
  const [, pack] = font
  await copyFile(resolve(`@fontsource/${pack}/files/${fontFile(font)}`), new URL(fontFile(font), FOLDER))
}
