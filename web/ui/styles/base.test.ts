import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Chromium computes the styles of the whole document anew with every element that is added to a body that such a rule is about. */
it('no rule for screens asks what the body has', () => {
  const files = globSync('web/**/*.{css,tsx}', { exclude: ['**/*.test.tsx'] })
  const asking = files.filter((file) => {
    const forScreens = readFileSync(file, 'utf8').replaceAll(
      /^@media print \{[\s\S]*?^\}|\/\*[\s\S]*?\*\//gm,
      '',
    )
    return /\bbody(?:\[[^\]]*\])*:(?:not\(:)?has\(/.test(forScreens)
  })
  expect(files.length).toBeGreaterThan(300)
  expect(asking).toEqual([])
})
