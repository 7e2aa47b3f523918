import { createContext, useContext } from 'react'
import { deferHydration, recordEarlyClick, reportMissingScripts } from './hydration.ts'

/** The nonce of the rendered page; empty in the browser, which hides it. */
export const NonceContext = createContext('')

const useNonce = () => useContext(NonceContext)

/**
 * Functions that run while the browser parses the document. Each must be self-contained, because only its source text is sent.
 */
type Script =
  | 'applyTheme'
  | 'markStoredSession'
  | 'loadFonts'
  | 'forbidEval'
  | 'reportMissingScripts'
  | 'recordEarlyClick'
  | 'deferHydration'

/** Only the server needs their text. In the browser they have run, and hydration does not change their elements. */
const scripts: Record<Script, () => void> | undefined = import.meta.env.SSR
  ? {
      applyTheme,
      markStoredSession,
      loadFonts,
      forbidEval,
      reportMissingScripts,
      recordEarlyClick,
      deferHydration,
    }
  : undefined

/** Runs a script while the browser parses the document. */
export function InlineScript({ run }: { run: Script }) {
  return (
    <script
      nonce={useNonce()}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: scripts ? `(${scripts[run].toString()})()` : '' }}
    />
  )
}

declare global {
  var __zod_globalConfig: { jitless: boolean } | undefined
}

/** Marks the root if a session is stored here, so that the Loading screen is visible before hydration. */
function markStoredSession() {
  try {
    if (localStorage.getItem('token')) document.documentElement.dataset.session = 'stored'
  } catch {
    // A browser that forbids storage stores no session.
  }
}

/**
 * Loads the fonts of a public page after its first paint, which uses fallback fonts of the same width, so that they compete
 * neither with its style sheet nor with its pictures. A browser that has loaded them before probably has them in its cache, and
 * loads them immediately.
 */
function loadFonts() {
  const { dataset } = document.documentElement
  if (dataset.fonts === undefined) return
  let haveLoaded = false
  try {
    haveLoaded = localStorage.getItem('fonts') !== null
    localStorage.setItem('fonts', 'loaded')
  } catch {
    // A browser that forbids storage loads them after each first paint.
  }

  const load = () => delete dataset.fonts
  if (haveLoaded || !PerformanceObserver.supportedEntryTypes.includes('paint')) load()
  else
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName('first-contentful-paint').length === 0) return
      observer.disconnect()
      load()
    }).observe({ type: 'paint', buffered: true })
}

/** Prevents zod from trying `eval` when it is loaded: the policy forbids it, and every attempt would be reported. */
function forbidEval() {
  globalThis.__zod_globalConfig = { jitless: true }
}

/**
 * Chooses the theme before the first paint (the stored choice, else the system's) and handles the theme toggles, so that they
 * work before hydration. Belongs in the head of the document, whose html element needs `suppressHydrationWarning`.
 */
function applyTheme() {
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  let chosen: string | null = null

  function readChoice() {
    try {
      chosen = localStorage.getItem('theme')
    } catch {
      // A browser that forbids storage keeps the choice only for this page.
    }
  }

  function choose(theme: string) {
    chosen = theme
    try {
      localStorage.setItem('theme', theme)
    } catch {
      // See readChoice.
    }
  }

  function paint() {
    root.classList.toggle('dark', chosen ? chosen === 'dark' : system.matches)
  }

  function repaint() {
    readChoice()
    paint()
  }

  repaint()
  system.addEventListener('change', paint)
  // React creates the html element again, without its classes, when the root's error screen replaces a screen.
  addEventListener('milepost:hydrated', paint)
  addEventListener('storage', repaint)
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('[data-theme-toggle]')) return
    choose(root.classList.contains('dark') ? 'light' : 'dark')
    paint()
  })
}
