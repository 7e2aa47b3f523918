import { readFile, writeFile } from 'node:fs/promises'

/** How a runner is told where its report goes. */
export const REPORT = 'MILEPOST_TEST_REPORT'

/** What a runner counted: how many tests passed, and the names of those that failed. */
export async function writeReport(counted) {
  await writeFile(process.env[REPORT], JSON.stringify(counted))
}

/** What a runner counted; nothing where it ended before it could say. */
export async function readReport(file) {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text ? JSON.parse(text) : { passed: 0, failed: [] }
}
