import { writeReport } from './report.mjs'

/** Vitest's part of the summary of `npm test`. */
export default class UnitsReport {
  #counted = { passed: 0, failed: [], skipped: [] }

  onTestCaseResult(test) {
    const { state, note } = test.result()
    const name = `${test.module.relativeModuleId} › ${test.fullName}`
    if (state === 'passed') this.#counted.passed += 1
    if (state === 'failed') this.#counted.failed.push(name)
    if (state === 'skipped' && note) this.#counted.skipped.push(`${name} (${note})`)
  }

  async onTestRunEnd(modules, errors) {
    const { failed } = this.#counted
    for (const module of modules.filter((module) => module.state() === 'failed')) {
      const file = module.relativeModuleId
      // A file that does not load or whose setup fails has no failed test.
      if (!failed.some((name) => name.startsWith(file))) failed.push(`${file} › could not be run`)
    }
    for (const error of errors) failed.push(`outside every test: ${error.message}`)
    await writeReport(this.#counted)
  }
}
