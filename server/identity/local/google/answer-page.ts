import { createHash } from 'node:crypto'
import { GOOGLE_MESSAGE, type GoogleMessage, type GoogleOutcome } from '#contract/google.ts'

/** The page is of the same origin as the one that it tells, so that nobody else hears it. */
const SCRIPT = `
const message = JSON.parse(document.getElementById('message').textContent)
if (opener) opener.postMessage(message, location.origin)
close()
`

const sentences: { [outcome in GoogleOutcome]: string } = {
  'signed-in': 'You are signed in.',
  cancelled: 'The sign-in was cancelled.',
  unavailable: 'Google cannot be reached at the moment.',
  failed: 'The sign-in failed.',
}

/** What the answer page may do: run its one script. */
export const answerPagePolicy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';')

/** The last page of a sign-in's window: tells the page that opened it how it ended, and closes. */
export function answerPage(window: string, outcome: GoogleOutcome): string {
  const message: GoogleMessage = { type: GOOGLE_MESSAGE, window, outcome }
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Milepost</title></head>
<body>
<p>${sentences[outcome]} You can close this window.</p>
<script type="application/json" id="message">${JSON.stringify(message)}</script>
<script>${SCRIPT}</script>
</body>
</html>`
}
