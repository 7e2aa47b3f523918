import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writeReport } from './report.mjs'

/** Playwright's part of the summary of `npm test`. */
export default class BrowserReport {
  #suite

  onBegin(_config, suite) {
    this.#suite = suite
  }

  /** Prints the page of a failed journey, because the files of a run on another machine are seldom available. */
  async onTestEnd(test, { status, expectedStatus, attachments }) {
    if (status === (expectedStatus ?? 'passed') || status === 'skipped') return
    const context = attachments.find(({ name }) => name === 'error-context')
    const text = context?.path && (await readFile(context.path, 'utf8').catch(() => undefined))
    const [, page] = /```yaml\n(.*?)```/s.exec(text ?? '') ?? []
    if (page) console.log(`The page of ${test.title}:\n${page}`)
  }

  async onEnd() {
    const counted = { passed: 0, failed: [] }
    for (const test of this.#suite?.allTests() ?? []) {
      const outcome = test.outcome()
      const name = `${path.basename(test.location.file)} › ${test.titlePath().slice(3).join(' › ')}`
      if (outcome === 'unexpected' || outcome === 'flaky') counted.failed.push(name)
      else if (outcome !== 'skipped') counted.passed += 1
    }
    await writeReport(counted)
  }
}
