import { readFile, writeFile } from 'node:fs/promises'

/** How a runner is told where its report goes. */
export const REPORT = 'MILEPOST_TEST_REPORT'

/** What a runner counted: how many tests passed, the names of those that failed, and of those that passed only when run again. */
export async function writeReport(counted) {
  await writeFile(process.env[REPORT], JSON.stringify(counted))
}

/** What a runner counted; nothing where it ended before it could say. */
export async function readReport(file) {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text ? JSON.parse(text) : { passed: 0, failed: [], again: [] }
}
