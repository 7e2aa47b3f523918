import { readFile, writeFile } from 'node:fs/promises'

/** The environment variable with the path of a runner's report. */
export const REPORT = 'MILEPOST_TEST_REPORT'

/** Writes the number of passed tests, and the names of failed ones and of skipped ones with their reasons. */
export async function writeReport(counted) {
  await writeFile(process.env[REPORT], JSON.stringify(counted))
}

/** Reads a report. It is empty if the runner ended before it wrote one. */
export async function readReport(file) {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text ? JSON.parse(text) : { passed: 0, failed: [] }
}
