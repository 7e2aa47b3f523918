import { afterAll } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { importer } from './testing.ts'

/** Starts the API for the tests of a file, which bring archives to it; it is closed after them. */
export async function importingApp(...instead: Parameters<typeof testApp>) {
  const t = await testApp(...instead)
  afterAll(() => t.close())
  return { t, imports: importer(t) }
}
