import path from 'node:path'
import { writeReport } from './report.mjs'

/** Playwright's part of the summary of `npm test`. */
export default class BrowserReport {
  #suite

  onBegin(_config, suite) {
    this.#suite = suite
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
