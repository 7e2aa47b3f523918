import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const SCREENS = 'web/boot/render-screen.tsx'

/** Returns the modules that these import, directly or not; screens of the app, and what is fetched later, have their own style sheet. */
function modulesOf(...roots: string[]): string[] {
  const found = new Set<string>()
  function visit(file: string) {
    if (found.has(file) || file === SCREENS || !/^web\/.*\.tsx?$/.test(file)) return
    found.add(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\b[^']*'([#.][^'?]+)/gm,
    ))
      visit(name.startsWith('#') ? name.slice(1) : path.join(path.dirname(file), name))
  }
  for (const root of roots) visit(root)
  return [...found]
}

const sourcesOf = (...sheets: string[]): string[] =>
  sheets.flatMap((sheet) =>
    [...readFileSync(sheet, 'utf8').matchAll(/^@source "([^"]+)"/gm)].flatMap(([, glob = '']) =>
      globSync(path.join(path.dirname(sheet), glob)),
    ),
  )

const hasClasses = (file: string) => /\bclassName\b/.test(readFileSync(file, 'utf8'))

it('the style sheets of public pages have the classes of all that these show', () => {
  const scanned = sourcesOf('web/pages/project.css', 'web/pages/pages.css', 'web/pages/landing.css')
  const shown = modulesOf('web/pages/render.tsx', 'web/pages/head.ts')
  expect(shown.length).toBeGreaterThan(100)
  expect(shown.filter((file) => hasClasses(file) && !scanned.includes(file))).toEqual([])
})

it('that of the landing page has those of the landing page', () => {
  const scanned = sourcesOf('web/pages/project.css', 'web/pages/landing.css')
  const shown = modulesOf('web/landing/landing-page.tsx', 'web/pages/head.ts')
  expect(shown.filter((file) => hasClasses(file) && !scanned.includes(file))).toEqual([])
})

it('the others have those of all pages but the landing page', () => {
  const scanned = sourcesOf('web/pages/project.css', 'web/pages/pages.css')
  const landing = new Set(modulesOf('web/landing/landing-page.tsx'))
  const pages = readFileSync('web/pages/render.tsx', 'utf8').matchAll(
    /'#(web\/(?:guide|landing|public|shell)\/[^']+-pages?\.tsx)'/g,
  )
  const roots = [...pages].map(([, file = '']) => file).filter((file) => !landing.has(file))
  expect(roots.length).toBeGreaterThan(10)
  const shown = modulesOf(...roots)
  expect(shown.filter((file) => hasClasses(file) && !scanned.includes(file))).toEqual([])
})

it('the smaller one of projects has those of a project', () => {
  const scanned = sourcesOf('web/pages/project.css')
  const shown = modulesOf('web/public/project/public-project-page.tsx', 'web/pages/head.ts')
  expect(shown.filter((file) => hasClasses(file) && !scanned.includes(file))).toEqual([])
})
