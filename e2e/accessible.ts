import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * axe finds nothing on the page as it stands, in both themes. It is brought into a page once and stays there: a pass
 * of its own in the page costs a tenth of one that is told to it from outside.
 */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found: Record<string, string[]> = {}
  for (const _theme of ['as it is', 'the other']) {
    await page.evaluate(restOfPage)
    const [theme, faults] = await page.evaluate(faultsOfPage)
    found[theme] = faults
    await page.evaluate(() => document.documentElement.classList.toggle('dark'))
  }
  expect(found).toEqual({ light: [], dark: [] })
}

/** Runs in the page: waits until nothing moves, also of what only begins to when something else has come to rest. */
async function restOfPage() {
  for (;;) {
    await new Promise(requestAnimationFrame)
    const moving = document.getAnimations().filter(({ playState }) => playState !== 'finished')
    if (moving.length === 0) return
    await Promise.allSettled(moving.map((animation) => animation.finished))
  }
}

/** Runs in the page: its theme, and what axe finds in it. */
async function faultsOfPage(): Promise<[theme: 'light' | 'dark', faults: string[]]> {
  const { run } = (window as unknown as { axe: typeof axe }).axe
  const { violations } = await run(document, { resultTypes: ['violations'] })
  const faults = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  )
  return [document.documentElement.classList.contains('dark') ? 'dark' : 'light', faults]
}
