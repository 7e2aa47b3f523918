import { createContext, useContext } from 'react'
import { applyTheme, loadFonts } from './head-scripts.ts'
import { reportMissingScripts } from './hydration.ts'
import { showLoadFailure } from './load-failure.ts'

/** The nonce of the rendered page; empty in the browser, which hides it. */
export const NonceContext = createContext('')

const useNonce = () => useContext(NonceContext)

/**
 * Functions that run while the browser parses the document. Each must be self-contained, because only its source text is sent.
 */
type Script = 'applyTheme' | 'markStoredSession' | 'loadFonts' | 'forbidEval' | 'reportMissingScripts'

/** Only the server needs their text. In the browser they have run, and hydration does not change their elements. */
const scripts: Record<Script, string> | undefined = import.meta.env.SSR
  ? {
      applyTheme: called(applyTheme),
      markStoredSession: called(markStoredSession),
      loadFonts: called(loadFonts),
      forbidEval: called(forbidEval),
      reportMissingScripts: `(${reportMissingScripts.toString()})(${showLoadFailure.toString()})`,
    }
  : undefined

function called(script: () => void) {
  return `(${script.toString()})()`
}

/** Runs a script while the browser parses the document. */
export function InlineScript({ run }: { run: Script }) {
  return (
    <script
      nonce={useNonce()}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: scripts?.[run] ?? '' }}
    />
  )
}

/** Marks the root if a session is stored here, so that the Loading screen is visible before hydration. */
function markStoredSession() {
  try {
    if (localStorage.getItem('token')) document.documentElement.dataset.session = 'stored'
  } catch {
    // A browser that forbids storage stores no session.
  }
}

/** Prevents zod from trying `eval` when it is loaded: the policy forbids it, and every attempt would be reported. */
function forbidEval() {
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
}
