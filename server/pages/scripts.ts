import { hash, randomBytes } from 'node:crypto'

/**
 * While a page is rendered its own scripts carry this as their nonce. It is secret, so that nothing a person wrote can
 * pass for one of them, and never leaves: the policy names the scripts by their hashes, which stay while they stay.
 */
export const SCRIPT_MARK = randomBytes(24).toString('base64url')

const marks = new RegExp(` nonce="${SCRIPT_MARK}"`, 'g')
const markedScripts = new RegExp(`<script([^>]*) nonce="${SCRIPT_MARK}"([^>]*)>(.*?)</script>`, 'gs')

/** A rendered page without the marks, and the sources by which a policy lets exactly its own inline scripts run. */
export function takeMarks(html: string): { html: string; scripts: string[] } {
  const marked = [...html.matchAll(markedScripts)]
  const inline = marked.filter(([, before, after]) => !/ src=/.test(`${before}${after}`))
  const sources = inline.map(([, , , text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`)
  return { html: html.replaceAll(marks, ''), scripts: [...new Set(sources)] }
}
